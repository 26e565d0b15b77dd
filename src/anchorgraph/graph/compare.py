"""Compare rows with candidates: the nearest of them by one matrix product, and exact distances to a few."""

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


def nearest_of_groups(
    rows: Block,
    groups: Sequence[Integers],
    points: Block,
    candidates: Callable[[int], Integers],
    k: int,
    *,
    among_themselves: bool,
) -> tuple[Integers, Floats]:
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
    neighbors : (n, k) integers
        Nearest first, up to the rounding of the distances.
    squared_distances : (n, k) floats
    """
    n = rows.shape[0]
    neighbors, distances = np.empty((n, k), np.int32), np.empty((n, k), points.dtype)

    def search(piece: range) -> None:
        for number in piece:
            near = candidates(number)
            for own in np.array_split(groups[number], -(-len(groups[number]) // GROUP_ROWS)):
                scores, norms = _scores(take_rows(rows, own), take_rows(points, near))
                if among_themselves:
                    scores[np.arange(len(own)), np.searchsorted(near, own)] = -np.inf
                columns, best = largest(scores, k)
                neighbors[own] = near[columns]
                distances[own] = np.maximum(norms[:, np.newaxis] - 2 * best, 0)

    run(search, [range(i, min(i + GROUPS_A_PIECE, len(groups))) for i in range(0, len(groups), GROUPS_A_PIECE)])
    return neighbors, distances


def _scores(rows: Any, candidates: Any) -> tuple[Floats, Floats]:
    """Scores ``x·u - ‖u‖²/2``, largest for the nearest candidate, and ``‖x‖²``, all from the first row as origin.

    Rows of a group are near each other, so an origin among them keeps the digits of float32. Sparse rows are not
    moved; they are multiplied in float64.
    """
    if sparse.issparse(rows):
        rows, candidates = rows.astype(np.float64), candidates.astype(np.float64)
    else:
        origin = rows[0].copy()
        rows -= origin  # copies, as take_rows returns them
        candidates -= origin
    scores = dense(rows @ candidates.T)
    scores -= row_norms(candidates, squared=True) / 2
    return scores, row_norms(rows, squared=True)


def by_distance(rows: Block, points: Block, neighbors: Integers, k: int) -> tuple[Integers, Floats]:
    """The ``k`` nearest of each row's neighbours, ordered by exact distances, and by number where these are equal.

    Distances are sums of squared differences, which do not depend on the other rows of a block or on the BLAS library.

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
        squares: Floats = row_norms(differences, squared=True).reshape(near.shape)
        return squares
    gaps = points.take(near, axis=0)
    gaps -= rows[:, np.newaxis]
    return np.asarray(np.einsum("ijk,ijk->ij", gaps, gaps))
