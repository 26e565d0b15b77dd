"""Trees of tables with very many rows: grown on some of the rows, with means of all."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from anchorgraph.anchors.route import route
from anchorgraph.numerics.chunks import chunks, row_bytes
from anchorgraph.numerics.execution import run_sum
from anchorgraph.numerics.groups import group_means, sums_by_group
from anchorgraph.numerics.progress import stage
from anchorgraph.table import as_table

MOST_ROWS = 2**18
"""Rows that a tree is grown on at most: 256 a leaf for the usual 1,024 anchors."""

MOST_BYTES = 2**28
"""What these rows take at most."""

ROWS_A_LEAF = 32
"""Rows that a tree is grown on at least, where there are as many."""


@stage("anchors")
def grow_on_sample(grow, table, n_anchors, *, seed, max_samples=None):
    """Grow a tree on a uniform sample of the rows, then take the means of its leaves over all rows in one pass.

    Parameters
    ----------
    grow : callable
        ``(table, n_anchors, seed=) -> GrownTree`` for rows in memory.
    table : RowTable
    n_anchors, seed : int
    max_samples : int, optional
        Rows in the sample; by default :func:`sample_size`.

    Returns
    -------
    GrownTree
        Without labels where the sample is not all rows.
    """
    size = min(table.n_rows, max_samples or sample_size(table, n_anchors))
    if size == table.n_rows:
        whole = table if table.in_memory else as_table(table.take(np.arange(size)))
        return grow(whole, n_anchors, seed=seed)
    grown = grow(as_table(table.sample(size, np.random.default_rng(seed))), n_anchors, seed=seed)
    return replace(grown, anchors=_with_means_of_all(grown.anchors, table), labels=None)


def sample_size(table, n_anchors):
    """Rows that a tree is grown on: as many as are enough, and as go into memory; the same for any storage."""
    affordable = min(MOST_ROWS, MOST_BYTES // (table.n_cols * table.dtype.itemsize))
    return max(affordable, ROWS_A_LEAF * n_anchors)


def _with_means_of_all(anchors, table):
    points, n_leaves = anchors.points, len(anchors.points)
    leaf_of = route(anchors.tree)

    def step(block):
        leaves = leaf_of(block)

        def sums(part):
            return sums_by_group(block[part], leaves[part], n_leaves)

        return run_sum(sums, chunks(block.shape[0], row_bytes(block)))

    sums, sizes = table.sum_blocks(step)
    return replace(anchors, points=group_means(sums, sizes, points).astype(points.dtype))
