"""Trees of tables with very many rows: grown on a sample of the rows, with the means of all rows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Protocol

import numpy as np

from anchorgraph.anchors.route import route
from anchorgraph.anchors.tree import GrownTree
from anchorgraph.contracts import Anchors, BinaryTree, Block, Floats, Integers, RowTable, SumStep
from anchorgraph.numerics.groups import group_means, sums_of_block
from anchorgraph.numerics.progress import stage
from anchorgraph.table import as_table

MOST_ROWS = 2**18
"""Maximum number of rows that a tree is grown on: 256 per leaf with 1,024 anchors."""

MOST_BYTES = 2**28
"""Maximum memory of these rows."""

ROWS_A_LEAF = 32
"""A tree is grown on at least this number of rows per leaf, if the table has as many."""


class Grow(Protocol):
    """A function that grows a tree on rows in memory."""

    def __call__(self, table: RowTable, n_anchors: int, *, seed: int) -> GrownTree: ...


@stage("anchors")
def grow_on_sample(
    grow: Grow, table: RowTable, n_anchors: int, *, seed: int, max_samples: int | None = None
) -> GrownTree:
    """Grow a tree on a sample of the rows by weight, then compute the means of its leaves over all rows in one pass.

    Parameters
    ----------
    grow : callable
        ``(table, n_anchors, seed=) -> GrownTree`` for rows in memory.
    table : RowTable
    n_anchors, seed : int
    max_samples : int, optional
        Number of rows in the sample; by default :func:`sample_size`.

    Returns
    -------
    GrownTree
        Without labels, unless the sample consists of all rows, and rows have no weights.
    """
    grown = grow_on_some(grow, table, n_anchors, seed=seed, max_samples=max_samples)
    return grown if grown.is_of_all else replace(grown, anchors=_with_means_of_all(grown.anchors, table))


def grow_on_some(
    grow: Grow, table: RowTable, n_anchors: int, *, seed: int, max_samples: int | None = None
) -> GrownTree:
    """The tree of a sample of the rows, with the means of the sample; or of all rows, if these are no more."""
    most = max_samples or sample_size(table, n_anchors)
    if table.n_positive <= most:
        return grow(table if table.in_memory else _in_memory(table), n_anchors, seed=seed)
    grown = grow(as_table(table.draw(most, np.random.default_rng(seed))), n_anchors, seed=seed)
    return replace(grown, labels=None, is_of_all=False)


def _in_memory(table: RowTable) -> RowTable:
    """The rows of a positive weight in memory, with their weights."""
    rows = table.positive_rows()
    taken = as_table(table.take(rows))
    return taken.weighted(*(taken.align(each.take(rows)) for each in table.weights)) if table.weights else taken


def sample_size(table: RowTable, n_anchors: int) -> int:
    """Number of rows that a tree is grown on by default; it does not depend on how the table is stored."""
    affordable = min(MOST_ROWS, MOST_BYTES // (table.n_cols * table.dtype.itemsize))
    return max(affordable, ROWS_A_LEAF * n_anchors)


def _with_means_of_all(anchors: Anchors, table: RowTable) -> Anchors:
    """The same anchors with the means of all rows of each leaf."""
    assert anchors.tree is not None  # they were found by a tree
    sums, sizes = leaf_sums(anchors.tree, table)
    return replace(anchors, points=group_means(sums, sizes, anchors.points).astype(anchors.points.dtype))


def leaf_sums(tree: BinaryTree, table: RowTable) -> tuple[Floats, Floats]:
    """The sums of the rows that a tree routes to each leaf, (m, d), and their numbers or weights, (m,)."""
    leaf_of, add = route(tree), leaf_step(len(tree.children) + 1)
    sums, sizes = table.sum_blocks(lambda block, *weights: add(leaf_of(block), block, *weights), *table.weights)
    return sums, sizes


def leaf_step(n_leaves: int) -> SumStep:
    """The step of the leaves of rows and the rows: the sum of the rows of each leaf, and their number or weight."""

    def step(leaves: Integers, block: Block, *weights: Floats) -> tuple[Any, ...]:
        return sums_of_block(block, leaves, n_leaves, *weights)

    return step
