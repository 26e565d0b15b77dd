"""The nearest other rows of each row, in time near-linear in the rows: through the leaves of balanced trees.

A row is compared with the rows of the leaves near its own, one matrix product for each leaf. What two trees find is
merged, and then the rows of a leaf are compared with the neighbours of their neighbours, which finds most of those on
the other side of a boundary.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from anchorgraph.contracts import Block, Floats, Integers
from anchorgraph.graph.compare import GROUP_ROWS, by_distance, nearest_of_groups
from anchorgraph.graph.exact import AllAnchors
from anchorgraph.graph.leaves import Leaves
from anchorgraph.numerics.blocks import chunks
from anchorgraph.numerics.distances import CentredPoints
from anchorgraph.numerics.execution import run
from anchorgraph.numerics.groups import group_means, sums_by_group
from anchorgraph.numerics.progress import portion, stage

FEW_ROWS = 4096
"""Up to so many rows, each is compared with all others; so is a leaf with all others."""

NEAR_LEAVES = 12
"""Leaves whose rows a row is compared with, its own included."""

CELL_LEAVES = 64
"""With many leaves, each is compared with those of near cells: so many consecutive leaves, a subtree or nearly so."""

KEPT = 10
"""Maximum number of rows that are kept from each tree: the neighbours of these bring in the rest."""

FOLLOWED = 8
"""Nearest neighbours of a row, and of each of these, that its leaf is compared with."""

SPARE = 4
"""Neighbours beyond the k that are wanted which exact distances choose from, so that rounding decides on none."""


def leaf_rows(n_rows: int, n_neighbors: int) -> int:
    """About how many rows a leaf should have; with all rows in one leaf, the search is exact."""
    return n_rows if n_rows <= max(FEW_ROWS, 32 * n_neighbors) else max(128, 2 * n_neighbors)


@stage("neighbours")
def nearest_rows(
    sketch: Floats, trees: Sequence[Leaves], n_neighbors: int, rows: Block | None = None, n_rounds: int = 1
) -> tuple[Integers, Floats]:
    """The nearest other rows of each row.

    Parameters
    ----------
    sketch : (n, q) floats
        The rows in a few coordinates, in which candidates are found. It is fastest in the order of the first tree.
    trees : sequence of Leaves
        None for an exact search.
    n_neighbors : int
        At most n - 1.
    rows : (n, d) Block, optional
        The rows in all coordinates, in which candidates are compared; by default ``sketch``.
    n_rounds : int
        How often the neighbours of neighbours are looked at; the last time, in all coordinates. Each time finds more of
        the nearest rows, of which one round misses some with very many rows.

    Returns
    -------
    neighbors : (n, k) integers
        Nearest first; the lower number where distances are equal.
    distances : (n, k) floats
    """
    rows = sketch if rows is None else rows
    n = len(sketch)
    k = min(n_neighbors + SPARE, n - 1)
    if not trees:
        groups, everything = np.array_split(np.arange(n), -(-n // GROUP_ROWS)), np.arange(n)
        with portion(0, 2):
            neighbors, _ = nearest_of_groups(rows, groups, rows, lambda _: everything, k, among_themselves=True)
    else:
        neighbors = _in_near_leaves(sketch, trees, min(k, KEPT))
        with portion(len(trees), len(trees) + 2):
            for _ in range(n_rounds - 1):
                neighbors = _among_their_neighbors(sketch, trees[0], neighbors, k)
            neighbors = _among_their_neighbors(rows, trees[0], neighbors, k)
    with portion(len(trees) + 1, len(trees) + 2):
        return by_distance(rows, rows, neighbors, n_neighbors)


def _in_near_leaves(sketch: Floats, trees: Sequence[Leaves], k: int) -> Integers:
    """Each row's nearest rows in the leaves near its own, of any of the trees."""
    merged: tuple[Integers, Floats] | None = None
    for number, leaves in enumerate(trees):
        with portion(number, len(trees) + 2):
            found = _nearest_in(sketch, leaves, near_leaves(leaves, NEAR_LEAVES), k)
            merged = found if merged is None else _merge(merged, found)
    assert merged is not None  # there is a tree
    return merged[0]


def _nearest_in(points: Floats, leaves: Leaves, near: Integers, k: int) -> tuple[Integers, Floats]:
    """The nearest points of each point in the leaves near its own."""
    groups = [leaves.rows(leaf) for leaf in range(len(leaves))]
    return nearest_of_groups(
        points, groups, points, lambda leaf: leaves.rows_of_all(near[leaf]), k, among_themselves=True
    )


def _merge(one: tuple[Integers, Floats], other: tuple[Integers, Floats]) -> tuple[Integers, Floats]:
    """The nearest of the neighbours in two tables."""
    n, k = one[0].shape

    def merge(part: slice) -> tuple[Integers, Floats]:
        numbers = np.hstack([one[0][part], other[0][part]])
        distances = np.hstack([one[1][part], other[1][part]])
        by_number = np.argsort(numbers, axis=1, kind="stable")
        numbers = np.take_along_axis(numbers, by_number, axis=1)
        distances = np.take_along_axis(distances, by_number, axis=1)
        distances[:, 1:][numbers[:, 1:] == numbers[:, :-1]] = np.inf
        nearest = np.argsort(distances, axis=1, kind="stable")[:, :k]
        return np.take_along_axis(numbers, nearest, axis=1), np.take_along_axis(distances, nearest, axis=1)

    numbers, distances = zip(*run(merge, chunks(n, 64 * k)), strict=True)
    return np.concatenate(numbers), np.concatenate(distances)


def _among_their_neighbors(rows: Block, leaves: Leaves, neighbors: Integers, k: int) -> Integers:
    """Each row's nearest rows among the neighbours of the neighbours of all rows of its leaf."""
    nearest = np.ascontiguousarray(neighbors[:, :FOLLOWED])

    def candidates(leaf: int) -> Integers:
        own = leaves.rows(leaf)
        near = np.unique(nearest.take(own, axis=0))
        parts = (own, neighbors.take(own, axis=0), nearest.take(near, axis=0))
        return np.unique(np.concatenate([part.ravel() for part in parts]))

    groups = [leaves.rows(leaf) for leaf in range(len(leaves))]
    return nearest_of_groups(rows, groups, rows, candidates, k, among_themselves=True)[0]


def near_leaves(leaves: Leaves, n_near: int) -> Integers:
    """For each leaf, itself and then the leaves with the nearest means.

    Parameters
    ----------
    leaves : Leaves
    n_near : int
        Number of leaves, including the leaf itself; fewer if there are not as many.

    Returns
    -------
    (m, n_near) integers
    """
    m, means = len(leaves), leaves.means
    n_others = min(n_near, m) - 1
    own = np.arange(m)
    if n_others == 0:
        return own[:, np.newaxis]
    if m <= FEW_ROWS:
        columns, _ = AllAnchors(CentredPoints.of(means)).nearest(means, n_others + 1)
        is_own = columns == own[:, np.newaxis]
        is_own[~is_own.any(axis=1), -1] = True  # of leaves with equal means, one gives way
        others = columns[~is_own].reshape(m, n_others)
    else:
        cells = _cells(means)
        others, _ = _nearest_in(means, cells, near_leaves(cells, n_near), n_others)
    return np.column_stack([own, others])


def _cells(means: Floats) -> Leaves:
    """Consecutive leaves together."""
    cell_of = np.arange(len(means)) // CELL_LEAVES
    n_cells = int(cell_of[-1]) + 1
    cell_means = group_means(*sums_by_group(means, cell_of, n_cells), np.zeros((n_cells, means.shape[1])))
    return Leaves.of(cell_of, cell_means.astype(means.dtype))
