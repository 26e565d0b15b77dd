"""Compare rows with candidates: the nearest of them by one matrix product, and exact distances to a few.

A matrix product rounds differently on every CPU. It decides only what is clear in spite of that; the rest is decided by
sums of squared differences, whose terms are added in the same order everywhere, and at equal distances by number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.extmath import row_norms

from anchorgraph.contracts import Block, Floats, Integers
from anchorgraph.numerics.blocks import chunks, dense, row_bytes, take_rows
from anchorgraph.numerics.execution import run
from anchorgraph.numerics.selection import largest

GROUP_ROWS = 256
"""Maximum number of rows that are compared with their candidates by one product."""

GROUPS_A_PIECE = 4
"""Groups that a thread works on at a time."""

ROUNDING = 2
"""Products of rows of q columns are trusted up to this number times ``√q`` units in the last place of their largest
terms; errors up to a seventh of this were measured."""


def nearest_of_groups(
    rows: Block,
    groups: Sequence[Integers],
    points: Block,
    candidates: Callable[[int], Integers],
    k: int,
    *,
    among_themselves: bool,
) -> Integers:
    """For the rows of each group, the nearest of its candidates.

    Parameters
    ----------
    rows : (n, d) Block
    groups : sequence of integer arrays
        Numbers of the rows of each group; every row is in one group.
    points : (m, d) Block
        The points that candidates are numbers of.
    candidates : callable
        The ascending numbers of the candidates of a group, by the number of the group.
    k : int
        At most the number of candidates of any group, without the row itself.
    among_themselves : bool
        Whether ``rows`` are the ``points``, and candidates of a group contain its rows: a row is not its own neighbour.

    Returns
    -------
    (n, k) integers
        Nearest first, up to the rounding of the distances.
    """
    neighbors = np.empty((rows.shape[0], k), np.int32)

    def search(piece: range) -> None:
        for number in piece:
            near = candidates(number)
            compared = take_rows(points, near)
            for own in _portions(groups[number]):
                itself = np.searchsorted(near, own) if among_themselves else None
                neighbors[own] = near[_nearest(take_rows(rows, own), compared, itself, k)]

    run(search, _pieces(len(groups)))
    return neighbors


def _portions(group: Integers) -> list[Integers]:
    """The rows of a group, as many at a time as one product compares."""
    return [group] if len(group) <= GROUP_ROWS else np.array_split(group, -(-len(group) // GROUP_ROWS))


def _pieces(n_groups: int) -> list[range]:
    return [range(i, min(i + GROUPS_A_PIECE, n_groups)) for i in range(0, n_groups, GROUPS_A_PIECE)]


def add_nearer(
    rows: Block,
    groups: Sequence[Integers],
    candidates: Callable[[int], Integers],
    neighbors: Integers,
    squares: Floats,
) -> None:
    """Put candidates of each group that are nearer to one of its rows than known neighbours into the place of these.

    A matrix product rules out the candidates that are clearly farther than the last known neighbour, which are nearly
    all, and exact distances decide about the others. What is found is thus the nearest of all rows that are known or
    candidates, as :func:`by_square` orders them, however the product is rounded.

    Parameters
    ----------
    rows : (n, d) Block
    groups : sequence of integer arrays
        Numbers of the rows of each group; a row is in at most one group.
    candidates : callable
        The different numbers of the candidates of a group, ascending, by the number of the group. They may contain
        rows of the group and known neighbours, or be none. It must not read ``neighbors``.
    neighbors : (n, k) integers
        Known neighbours of each row, nearest first. Overwritten.
    squares : (n, k) floats
        Their exact squared distances. Overwritten.
    """

    def search(piece: range) -> None:
        for number in piece:
            near = candidates(number)
            if len(near) == 0:
                continue
            compared = take_rows(rows, near)
            for own in _portions(groups[number]):
                known, last = neighbors.take(own, axis=0), squares[own, -1]
                some = take_rows(rows, own)
                row, column = _not_farther(some, compared, last)
                numbers = near.take(column)
                is_new = (known.take(row, axis=0) != numbers[:, np.newaxis]).all(axis=1)
                new = np.flatnonzero(is_new & (own.take(row) != numbers))
                if len(new):
                    row, column, numbers = row.take(new), column.take(new), numbers.take(new)
                    found = _squares_of_pairs(some, compared, row, column)
                    neighbors[own], squares[own] = _merged(known, squares.take(own, axis=0), row, numbers, found)

    run(search, _pieces(len(groups)))


def _not_farther(rows: Any, candidates: Any, last: Floats) -> tuple[Integers, Integers]:
    """Rows and columns of the candidates that may be as near as the ``last`` squared distance of each row.

    Nothing is nearer than neighbours that are all equal to the row.
    """
    scores, lengths, rounding = _scores(rows, candidates)
    units = ROUNDING * np.sqrt(rows.shape[1]) * np.finfo(last.dtype).eps
    bounds = (lengths - last) / 2 - units * (lengths + last) - rounding
    bounds[last == 0] = np.inf
    flat = np.flatnonzero(scores >= bounds[:, np.newaxis].astype(scores.dtype))
    row = flat // scores.shape[1]
    return row, flat - row * scores.shape[1]


def _squares_of_pairs(rows: Any, candidates: Any, row: Integers, column: Integers) -> Floats:
    """Exact squared distances of some rows to some candidates."""

    def squares(part: slice) -> Floats:
        gaps = take_rows(rows, row[part]) - take_rows(candidates, column[part])
        return np.asarray(row_norms(gaps, squared=True)) if sparse.issparse(gaps) else _squared_lengths(gaps)

    return np.concatenate([squares(part) for part in chunks(len(row), row_bytes(rows))])


def _merged(known: Integers, squares: Floats, row: Integers, numbers: Integers, new: Floats) -> tuple[Integers, Floats]:
    """The nearest of the known neighbours and of new ones, which are listed by row, as many as were known."""
    b, k = known.shape
    counts = np.bincount(row, minlength=b)
    place = k + np.arange(len(row)) - np.repeat(np.cumsum(counts) - counts, counts)
    neighbors = np.zeros((b, k + int(counts.max())), known.dtype)
    values = np.full(neighbors.shape, np.inf, squares.dtype)
    neighbors[:, :k], values[:, :k] = known, squares
    neighbors[row, place], values[row, place] = numbers, new
    return _smallest_first(neighbors, values, k)


def _smallest_first(neighbors: Integers, squares: Floats, k: int) -> tuple[Integers, Floats]:
    """The ``k`` nearest of each row, by distance and then by number.

    The bits of a float32 that is not negative are ordered as it is, so that with a number of 32 bits behind them one
    sort does for both, in a fifth of the time.
    """
    if squares.dtype != np.float32 or neighbors.dtype != np.int32:
        order = np.lexsort((neighbors, squares))[:, :k]
        return np.take_along_axis(neighbors, order, axis=1), np.take_along_axis(squares, order, axis=1)
    keys = squares.view(np.int32).astype(np.int64)
    keys <<= 32
    keys |= neighbors
    keys.sort(axis=1)
    nearest = keys[:, :k]
    return nearest.astype(np.int32), (nearest >> 32).astype(np.int32).view(np.float32)


def nearest_of_all(rows: Block, points: Block, k: int, *, among_themselves: bool) -> Integers:
    """(n, k) the nearest of all points for each row, as :func:`nearest_of_groups` finds them."""
    numbers, everything = np.arange(rows.shape[0]), np.arange(points.shape[0])
    groups = np.array_split(numbers, -(-len(numbers) // GROUP_ROWS))
    return nearest_of_groups(rows, groups, points, lambda _: everything, k, among_themselves=among_themselves)


def _nearest(rows: Any, candidates: Any, itself: Integers | None, k: int) -> Integers:
    """(b, k) columns of the nearest candidates; ``itself`` is the column of each row, if it is one of them."""
    scores, _, rounding = _scores(rows, candidates)
    if itself is not None:
        scores[np.arange(len(itself)), itself] = -np.inf
    columns, best = largest(scores, min(k + 1, scores.shape[1]))
    unclear = np.flatnonzero(best[:, k - 1] - best[:, k] < rounding) if best.shape[1] > k else ()
    if len(unclear):
        scores[np.arange(len(scores))[:, np.newaxis], columns] = best  # which were taken out
        some = scores.take(unclear, axis=0)
        row, column = np.nonzero(some >= (best[:, k - 1] - rounding)[unclear, np.newaxis])
        some.fill(-np.inf)
        for part in chunks(len(row), row_bytes(rows)):
            some[row[part], column[part]] = -_squared_lengths(rows[unclear[row[part]]] - candidates[column[part]])
        columns[unclear, :k] = largest(some, k)[0]
    return columns[:, :k]


def _scores(rows: Any, candidates: Any) -> tuple[Floats, Floats, Any]:
    """Scores ``x·u - ‖u‖²/2``, largest for the nearest candidate, ``‖x‖²``, and how far rounding may change a score.

    Rows of a group are near each other, so that the first of them as origin keeps the digits of float32. A last column
    of ``-‖u‖²/2`` beside ones makes the product the score, without another pass over it. Sparse rows are not moved;
    they are multiplied in float64, by SciPy, which rounds in the same way on every CPU.
    """
    if sparse.issparse(rows):
        rows, candidates = rows.astype(np.float64), candidates.astype(np.float64)
        squares = row_norms(candidates, squared=True)
        scores = dense(rows @ candidates.T)
        scores -= squares / 2
        return scores, row_norms(rows, squared=True), 0.0
    origin = rows[0]
    rows, candidates = _moved(rows, origin), _moved(candidates, origin)
    lengths, squares = (np.einsum("ij,ij->i", block[:, :-1], block[:, :-1]) for block in (rows, candidates))
    rows[:, -1], candidates[:, -1] = 1, -squares / 2
    scores = rows @ candidates.T
    longest, precision = np.sqrt(squares.max()), np.finfo(scores.dtype)
    largest_sums = longest * (np.sqrt(lengths) + longest)
    if largest_sums.max() < 1 / precision.eps and _are_whole(rows[:, :-1], candidates[:, :-1]):
        return scores, lengths, 0.0
    return scores, lengths, ROUNDING * np.sqrt(rows.shape[1]) * precision.eps * largest_sums


def _moved(rows: Floats, origin: Floats) -> Floats:
    """The rows around another origin, and an empty column."""
    moved = np.empty((rows.shape[0], rows.shape[1] + 1), rows.dtype)
    np.subtract(rows, origin, out=moved[:, :-1])
    return moved


def _are_whole(rows: Floats, candidates: Floats) -> bool:
    """Whether all numbers are integers, whose products are exact."""
    return all(bool((np.rint(block) == block).all()) for block in (rows, candidates))


def by_distance(rows: Block, points: Block, neighbors: Integers, k: int) -> tuple[Integers, Floats]:
    """The ``k`` nearest of each row's neighbours, ordered by exact distances, and by number where these are equal.

    Distances are sums of squared differences, which depend neither on the other rows of a block nor on the CPU.

    Parameters
    ----------
    rows : (n, d) Block
    points : (m, d) Block
        The points that neighbours are numbers of.
    neighbors : (n, p) integers
        At least k different ones for each row. Further ones may occur twice.
    k : int

    Returns
    -------
    neighbors : (n, k) integers
    distances : (n, k) floats
    """
    ordered, squares = by_square(rows, points, neighbors, k)
    return ordered, np.sqrt(squares, out=squares)


def by_square(rows: Block, points: Block, neighbors: Integers, k: int) -> tuple[Integers, Floats]:
    """:func:`by_distance` with squared distances."""

    def order(part: slice) -> tuple[Integers, Floats]:
        near = np.sort(neighbors[part], axis=1)
        squares = _squared_differences(rows[part], points, near)
        squares[:, 1:][near[:, 1:] == near[:, :-1]] = np.inf
        nearest = np.argsort(squares, axis=1, kind="stable")[:, :k]
        return np.take_along_axis(near, nearest, axis=1), np.take_along_axis(squares, nearest, axis=1)

    found = run(order, chunks(len(neighbors), neighbors.shape[1] * row_bytes(points)))
    ordered, lengths = zip(*found, strict=True)
    return np.concatenate(ordered), np.concatenate(lengths)


def _squared_differences(rows: Any, points: Any, near: Integers) -> Floats:
    """(b, p) squared distances of each row to its own points."""
    if sparse.issparse(rows):
        differences = rows[np.repeat(np.arange(len(near)), near.shape[1])] - points[near.ravel()]
        return np.asarray(row_norms(differences, squared=True)).reshape(near.shape)
    gaps = points.take(near, axis=0)
    gaps -= rows[:, np.newaxis]
    return _squared_lengths(gaps)


def _squared_lengths(gaps: Floats) -> Floats:
    """Sums of squares along the last axis, which is overwritten; the order in which einsum adds depends on the CPU."""
    gaps *= gaps
    return np.asarray(gaps.sum(axis=-1))
