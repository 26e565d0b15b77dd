"""The nearest other rows of each row, in time near-linear in the rows: through the leaves of balanced trees.

A row is compared with the rows of the leaves near its own, one matrix product for each leaf, in one tree and then in
another. Then the rows of a leaf are compared with the neighbours of their neighbours, also with rows whose neighbours
these are, which finds most of those on the other side of a boundary. After the first tree, only what is nearer than
the last neighbour that is known costs more than its share of a product.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from anchorgraph.contracts import Block, Floats, Integers
from anchorgraph.graph.compare import add_nearer, by_distance, by_square, nearest_of_all, nearest_of_groups
from anchorgraph.graph.leaves import Leaves
from anchorgraph.graph.links import Compared, linked_rows, links
from anchorgraph.numerics.groups import group_means, sums_by_group
from anchorgraph.numerics.progress import portion, stage

FEW_ROWS = 4096
"""Up to so many rows, each is compared with all others; so is a leaf with all others."""

NEAR_LEAVES = 12
"""Leaves whose rows a row is compared with, its own included."""

CELL_LEAVES = 64
"""With many leaves, each is compared with those of near cells: so many consecutive leaves, a subtree or nearly so."""


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
        with portion(1, 2):
            return by_distance(rows, rows, neighbors, n_neighbors)
    neighbors, squares = _in_near_leaves(sketch, trees, n_neighbors)
    with portion(len(trees), len(trees) + 2):
        compared: Compared | None = Compared(trees[0], near_leaves(trees[0], NEAR_LEAVES))
        for number in range(1, n_rounds + 1):
            if number == n_rounds and rows is not sketch:
                compared = None  # by distances in all coordinates, nothing was
                neighbors, squares = by_square(rows, rows, neighbors, n_neighbors)
            points = sketch if number < n_rounds else rows
            _among_linked(points, trees[0], compared, neighbors, squares, number == n_rounds)
    return neighbors, np.sqrt(squares, out=squares)


def _in_near_leaves(sketch: Floats, trees: Sequence[Leaves], k: int) -> tuple[Integers, Floats]:
    """Each row's nearest rows in the leaves near its own, of any of the trees, and their squared distances."""
    with portion(0, len(trees) + 2):
        near = near_leaves(trees[0], NEAR_LEAVES)
        neighbors, squares = by_square(sketch, sketch, _nearest_in(sketch, trees[0], near, k), k)
    for number, leaves in enumerate(trees[1:], 1):
        with portion(number, len(trees) + 2):
            candidates = _rows_of_leaves(leaves, near_leaves(leaves, NEAR_LEAVES))
            add_nearer(sketch, leaves.groups, candidates, neighbors, squares)
    return neighbors, squares


def _nearest_in(points: Floats, leaves: Leaves, near: Integers, k: int) -> Integers:
    """The nearest points of each point in the leaves near its own."""
    candidates = _rows_of_leaves(leaves, near)
    return nearest_of_groups(points, leaves.groups, points, candidates, k, among_themselves=True)


def _rows_of_leaves(leaves: Leaves, near: Integers) -> Callable[[int], Integers]:
    """The rows of the leaves near each leaf."""
    return lambda leaf: leaves.rows_of_all(near[leaf])


def _among_linked(
    rows: Block, leaves: Leaves, compared: Compared | None, neighbors: Integers, squares: Floats, is_last: bool
) -> None:
    """Add nearer rows among those that the rows of a leaf are linked to in two steps, unless they were compared."""
    linked = links(neighbors)

    def candidates(leaf: int) -> Integers:
        found = linked_rows(linked, leaves.rows(leaf))
        if compared is None:
            return found
        new = compared.without(leaf, found)
        if not is_last:
            compared.add(leaf, new)
        return new

    add_nearer(rows, leaves.groups, candidates, neighbors, squares)


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
