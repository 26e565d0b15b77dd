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
            for own in np.array_split(groups[number], -(-len(groups[number]) // GROUP_ROWS)):
                itself = np.searchsorted(near, own) if among_themselves else None
                neighbors[own] = near[_nearest(take_rows(rows, own), take_rows(points, near), itself, k)]

    run(search, [range(i, min(i + GROUPS_A_PIECE, len(groups))) for i in range(0, len(groups), GROUPS_A_PIECE)])
    return neighbors


def nearest_of_all(rows: Block, points: Block, k: int, *, among_themselves: bool) -> Integers:
    """(n, k) the nearest of all points for each row, as :func:`nearest_of_groups` finds them."""
    numbers, everything = np.arange(rows.shape[0]), np.arange(points.shape[0])
    groups = np.array_split(numbers, -(-len(numbers) // GROUP_ROWS))
    return nearest_of_groups(rows, groups, points, lambda _: everything, k, among_themselves=among_themselves)


def _nearest(rows: Any, candidates: Any, itself: Integers | None, k: int) -> Integers:
    """(b, k) columns of the nearest candidates; ``itself`` is the column of each row, if it is one of them."""
    scores, rounding = _scores(rows, candidates)
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


def _scores(rows: Any, candidates: Any) -> tuple[Floats, Any]:
    """Scores ``x·u - ‖u‖²/2``, largest for the nearest candidate, and how far rounding may change their differences.

    Rows of a group are near each other, so that the first of them as origin keeps the digits of float32. Sparse rows
    are not moved; they are multiplied in float64, by SciPy, which rounds in the same way on every CPU.
    """
    if sparse.issparse(rows):
        rows, candidates = rows.astype(np.float64), candidates.astype(np.float64)
    else:
        rows, candidates = rows - rows[0], candidates - rows[0]
    scores = dense(rows @ candidates.T)
    squares = row_norms(candidates, squared=True)
    scores -= squares / 2
    longest, lengths, precision = np.sqrt(squares.max()), row_norms(rows), np.finfo(scores.dtype)
    largest_sums = longest * (lengths + longest)
    if sparse.issparse(rows) or (largest_sums.max() < 1 / precision.eps and _are_whole(rows, candidates)):
        return scores, 0.0
    return scores, ROUNDING * np.sqrt(rows.shape[1]) * precision.eps * largest_sums


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

    def order(part: slice) -> tuple[Integers, Floats]:
        near = np.sort(neighbors[part], axis=1)
        squares = _squared_differences(rows[part], points, near)
        squares[:, 1:][near[:, 1:] == near[:, :-1]] = np.inf
        nearest = np.argsort(squares, axis=1, kind="stable")[:, :k]
        return np.take_along_axis(near, nearest, axis=1), np.sqrt(np.take_along_axis(squares, nearest, axis=1))

    found = run(order, chunks(len(neighbors), neighbors.shape[1] * row_bytes(points)))
    ordered, distances = zip(*found, strict=True)
    return np.concatenate(ordered), np.concatenate(distances)


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
