"""Assign rows to near clusters of bounded sizes, by moves and swaps that make the distances smaller."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from anchorgraph.contracts import Floats, Integers, RowTable
from anchorgraph.numerics.progress import portion, stage
from anchorgraph.numerics.rounds import go_round

GROUP_ROWS = 2**18
"""Rows that are compared with each other at once: this limits memory, and the time per row does not grow with rows."""

MAX_ITER = 50
TOL = 1e-4
"""Rounds end when one makes the sum of squared distances smaller by no more than this share."""

SMALLEST_GAIN = 1e-6
"""Moves that make a row's squared distance smaller by no more than this share are rounding errors."""


@dataclass(frozen=True)
class Bounds:
    """Bounds of the sizes of clusters, which are numbers of rows or sums of their weights."""

    smallest: float
    largest: float


@dataclass(frozen=True)
class _Rows:
    """Some rows and what they can move to.

    Attributes
    ----------
    columns : (n, k) integers
        The clusters that a row can belong to.
    distances : (n, k) floats
        Squared distances to their centres.
    weights : (n,) floats
    labels : (n,) integers
        The clusters that the rows belong to now.
    own : (n,) floats
        Squared distances to the centres of these.
    """

    columns: Integers
    distances: Floats
    weights: Floats
    labels: Integers
    own: Floats

    def error(self) -> float:
        """The sum of the squared distances."""
        return float(self.weights @ self.own)


@dataclass(frozen=True)
class _Moves:
    """Moves of rows to other clusters that are possible, with what each of them gains."""

    rows: Integers
    sources: Integers
    targets: Integers
    gains: Floats
    distances: Floats

    def __len__(self) -> int:
        return len(self.rows)

    def where(self, chosen: NDArray[np.bool_] | Integers) -> _Moves:
        """Some of them, by a mask or in the order of their positions."""
        return _Moves(
            self.rows[chosen], self.sources[chosen], self.targets[chosen], self.gains[chosen], self.distances[chosen]
        )


@stage("clusters")
def assign_within(
    candidates: RowTable, labels: Integers, sizes: Floats | Integers, bounds: Bounds, weights: Floats | None = None
) -> Integers:
    """Reduce ``Σ_i w_i ‖x_i - c_g(i)‖²`` over assignments ``g`` whose sizes are within bounds.

    A round moves rows to nearer clusters that have room, from those that have rows to spare, and lets rows of two
    clusters change places if their distances together become smaller. Sizes are within the bounds at any time. With
    equal bounds only places are changed; without effective bounds every row gets to its nearest centre. Rows are
    compared within groups of 2¹⁸, in the order of the table, so time is linear in the rows.

    Parameters
    ----------
    candidates : RowTable
        k clusters for each row, nearest first, then the k squared distances to their centres, then that to the centre
        of the row's label.
    labels : (n,) integers
        An assignment within the bounds.
    sizes : (c,) floats
        The sizes of its clusters.
    bounds : Bounds
    weights : (n,) floats, optional
        Rows change places only with rows of the same weight; rows of no weight go to the nearest cluster.

    Returns
    -------
    (n,) integers
    """
    labels = labels.copy()
    totals: Floats = sizes.astype(np.float64)
    starts = range(0, len(labels), GROUP_ROWS)
    for number, start in enumerate(starts):
        with portion(number, len(starts)):
            part = slice(start, min(start + GROUP_ROWS, len(labels)))
            block = candidates.take(np.arange(part.start, part.stop)).astype(np.float64)
            k = block.shape[1] // 2
            own_weights = np.ones(len(block)) if weights is None else weights[part]
            rows = _Rows(
                block[:, :k].astype(np.intp), block[:, k:-1], own_weights, labels[part].astype(np.intp), block[:, -1]
            )
            labels[part], totals = _improve(rows, totals, bounds)
    return labels


def _improve(rows: _Rows, sizes: Floats, bounds: Bounds) -> tuple[Integers, Floats]:
    """Better labels of some rows, and the sizes of all clusters with them."""

    def iterate(state: tuple[_Rows, Floats]) -> tuple[tuple[_Rows, Floats], bool]:
        rows, sizes = state
        before = rows.error()
        moves = _with_room(_nearer(rows), rows, sizes, bounds)
        sizes = sizes + _changes(moves, rows, len(sizes))
        rows = _moved(rows, moves)
        rows = _moved(rows, _swaps(rows, len(sizes)))
        return (rows, sizes), before - rows.error() <= TOL * before

    (rows, sizes), _ = go_round(iterate, (rows, sizes), MAX_ITER)
    return np.where(rows.weights > 0, rows.labels, rows.columns[:, 0]), sizes


def _gains(rows: _Rows) -> Floats:
    """(n, k) what the move of a row to each of its clusters would gain; to its own one, -∞."""
    gains = rows.weights[:, np.newaxis] * (rows.own[:, np.newaxis] - rows.distances)
    gains[(rows.columns == rows.labels[:, np.newaxis]) | (rows.weights == 0)[:, np.newaxis]] = -np.inf
    return gains


def _moves(rows: _Rows, gains: Floats, chosen: NDArray[np.bool_]) -> _Moves:
    """The moves that a (n, k) mask chooses."""
    numbers, places = np.nonzero(chosen)
    at = numbers, places
    return _Moves(numbers, rows.labels[numbers], rows.columns[at], gains[at], rows.distances[at])


def _nearer(rows: _Rows) -> _Moves:
    """The moves that gain more than a rounding error, largest gain first."""
    gains = _gains(rows)
    moves = _moves(rows, gains, gains > SMALLEST_GAIN * (rows.weights * rows.own)[:, np.newaxis])
    return moves.where(np.argsort(-moves.gains, kind="stable"))


def _with_room(moves: _Moves, rows: _Rows, sizes: Floats, bounds: Bounds) -> _Moves:
    """Those of the moves, at most one a row, for which there is room in the target and that the source can spare."""
    own = rows.weights[moves.rows]
    room, spare = bounds.largest - sizes, sizes - bounds.smallest
    moves = moves.where((own <= room[moves.targets]) & (own <= spare[moves.sources]))
    moves = moves.where(np.sort(np.unique(moves.rows, return_index=True)[1]))
    own = rows.weights[moves.rows]
    fits = _running_totals(moves.targets, own) <= room[moves.targets]
    return moves.where(fits & (_running_totals(moves.sources, own) <= spare[moves.sources]))


def _running_totals(groups: Integers, values: Floats) -> Floats:
    """The sum of the values of a group up to each position."""
    order = np.argsort(groups, kind="stable")
    totals = np.cumsum(values[order])
    starts = np.searchsorted(groups[order], groups[order])
    found = np.empty_like(totals)
    found[order] = totals - (totals - values[order])[starts]
    return found


def _swaps(rows: _Rows, n_clusters: int) -> _Moves:
    """Pairs of moves, from one cluster to another and back, that gain together; a row takes part in one pair at most.

    The largest gain of each way is paired with the largest of the way back, the second with the second, and so on.
    """
    moves = _useful(rows, n_clusters)
    ways, backs = moves.sources * n_clusters + moves.targets, moves.targets * n_clusters + moves.sources
    order = np.lexsort((-moves.gains, ways))
    moves, ways, backs = moves.where(order), ways[order], backs[order]
    rank = np.arange(len(ways)) - np.searchsorted(ways, ways)
    partner = np.searchsorted(ways, backs) + rank
    is_first = (moves.sources < moves.targets) & (partner < np.searchsorted(ways, backs, "right"))
    first, second = np.flatnonzero(is_first), partner[is_first]
    gains = moves.gains[first] + moves.gains[second]
    same_weight = rows.weights[moves.rows[first]] == rows.weights[moves.rows[second]]
    errors = (rows.weights * rows.own)[moves.rows]
    gained = same_weight & (gains > SMALLEST_GAIN * (errors[first] + errors[second]))
    best = np.flatnonzero(gained)[np.argsort(-gains[gained], kind="stable")]
    pairs = np.column_stack([first[best], second[best]])
    number = np.repeat(np.arange(len(pairs)), 2)
    earliest = np.full(len(rows.labels), len(pairs))
    np.minimum.at(earliest, moves.rows[pairs].ravel(), number)
    is_kept = (earliest[moves.rows[pairs]] == np.arange(len(pairs))[:, np.newaxis]).all(axis=1)
    return moves.where(pairs[is_kept].ravel())


def _useful(rows: _Rows, n_clusters: int) -> _Moves:
    """The moves that could gain together with the best move back; these are far fewer than all.

    A move back gains no more than the best moves out of its source and into its target, which rules out most at once.
    """
    gains = _gains(rows)
    gaining = _moves(rows, gains, gains > 0)
    if not len(gaining):
        return gaining
    best_out, best_in = np.zeros(n_clusters), np.zeros(n_clusters)
    np.maximum.at(best_out, gaining.sources, gaining.gains)
    np.maximum.at(best_in, gaining.targets, gaining.gains)
    best_back = np.minimum(best_out[rows.columns], best_in[rows.labels][:, np.newaxis])
    moves = _moves(rows, gains, gains > -best_back)
    ways, numbers = np.unique(gaining.sources * n_clusters + gaining.targets, return_inverse=True)
    best = np.zeros(len(ways) + 1)  # the last one is for ways that nothing gains on
    np.maximum.at(best, numbers, gaining.gains)
    backs = moves.targets * n_clusters + moves.sources
    places = np.searchsorted(ways, backs)
    places[ways[np.minimum(places, len(ways) - 1)] != backs] = len(ways)
    return moves.where(moves.gains > -best[places])


def _moved(rows: _Rows, moves: _Moves) -> _Rows:
    """The rows after some moves."""
    labels, own = rows.labels.copy(), rows.own.copy()
    labels[moves.rows], own[moves.rows] = moves.targets, moves.distances
    return replace(rows, labels=labels, own=own)


def _changes(moves: _Moves, rows: _Rows, n_clusters: int) -> Floats:
    """By how much moves change the sizes of the clusters."""
    weights = rows.weights[moves.rows]
    gained, lost = (np.bincount(side, weights, n_clusters) for side in (moves.targets, moves.sources))
    return np.subtract(gained, lost, dtype=np.float64)
