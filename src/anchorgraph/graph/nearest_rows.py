"""The nearest other rows of each row, in time near-linear in the rows: through the leaves of balanced trees.

A row is compared with the rows of the leaves near its own, one matrix product for each leaf. What two trees find is
merged, and then the rows of a leaf are compared with the neighbours of their neighbours, which finds most of those on
the other side of a boundary.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from anchorgraph.contracts import Block, Floats, Integers
from anchorgraph.graph.compare import by_distance, nearest_of_all, nearest_of_groups
from anchorgraph.graph.leaves import Leaves
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
    if not trees:
        with portion(0, 2):
            neighbors = nearest_of_all(rows, rows, n_neighbors, among_themselves=True)
    else:
        neighbors = _in_near_leaves(sketch, trees, min(n_neighbors, KEPT))
        with portion(len(trees), len(trees) + 2):
            for _ in range(n_rounds - 1):
                neighbors = _among_their_neighbors(sketch, trees[0], neighbors, n_neighbors)
            neighbors = _among_their_neighbors(rows, trees[0], neighbors, n_neighbors)
    with portion(len(trees) + 1, len(trees) + 2):
        return by_distance(rows, rows, neighbors, n_neighbors)


def _in_near_leaves(sketch: Floats, trees: Sequence[Leaves], k: int) -> Integers:
    """Each row's nearest rows in the leaves near its own, of any of the trees."""
    found = []
    for number, leaves in enumerate(trees):
        with portion(number, len(trees) + 2):
            found.append(_nearest_in(sketch, leaves, near_leaves(leaves, NEAR_LEAVES), k))
    return by_distance(sketch, sketch, np.hstack(found), k)[0]


def _nearest_in(points: Floats, leaves: Leaves, near: Integers, k: int) -> Integers:
    """The nearest points of each point in the leaves near its own."""
    groups = [leaves.rows(leaf) for leaf in range(len(leaves))]
    return nearest_of_groups(
        points, groups, points, lambda leaf: leaves.rows_of_all(near[leaf]), k, among_themselves=True
    )


def _among_their_neighbors(rows: Block, leaves: Leaves, neighbors: Integers, k: int) -> Integers:
    """Each row's nearest rows among the neighbours of the neighbours of all rows of its leaf."""
    nearest = np.ascontiguousarray(neighbors[:, :FOLLOWED])

    def candidates(leaf: int) -> Integers:
        own = leaves.rows(leaf)
        near = np.unique(nearest.take(own, axis=0))
        parts = (own, neighbors.take(own, axis=0), nearest.take(near, axis=0))
        return np.unique(np.concatenate([part.ravel() for part in parts]))

    groups = [leaves.rows(leaf) for leaf in range(len(leaves))]
    return nearest_of_groups(rows, groups, rows, candidates, k, among_themselves=True)


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
    means, n_others = leaves.means, min(n_near, len(leaves)) - 1
    own = np.arange(len(leaves))
    if n_others == 0:
        return own[:, np.newaxis]
    if len(leaves) <= FEW_ROWS:
        others = nearest_of_all(means, means, n_others, among_themselves=True)
    else:
        cells = _cells(means)
        others = _nearest_in(means, cells, near_leaves(cells, n_near), n_others)
    return np.column_stack([own, others])


def _cells(means: Floats) -> Leaves:
    """Consecutive leaves together."""
    cell_of = np.arange(len(means)) // CELL_LEAVES
    n_cells = int(cell_of[-1]) + 1
    cell_means = group_means(*sums_by_group(means, cell_of, n_cells), np.zeros((n_cells, means.shape[1])))
    return Leaves.of(cell_of, cell_means.astype(means.dtype))
