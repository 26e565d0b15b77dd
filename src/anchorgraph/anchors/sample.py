"""Trees of tables with very many rows: grown on some of the rows, with means of all."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from anchorgraph.anchors.route import route
from anchorgraph.numerics.lloyd import sums_by_group
from anchorgraph.numerics.threads import chunks, row_bytes, run_sum
from anchorgraph.table import MemoryTable

MOST_ROWS = 2**18
"""Rows that a tree is grown on at most: 256 a leaf for the usual 1,024 anchors."""

MOST_BYTES = 2**28
"""What these rows take at most."""

ROWS_A_LEAF = 32
"""Rows that a tree is grown on at least, where there are as many."""


def grow_on_sample(grow, table, n_anchors, *, seed, n_jobs, max_samples=None):
    """Grow a tree on a uniform sample of the rows, then take the means of its leaves over all rows in one pass.

    Parameters
    ----------
    grow : callable
        ``(table, n_anchors, seed=, n_jobs=) -> GrownTree`` for rows in memory.
    table : RowTable
    n_anchors, seed, n_jobs : int
    max_samples : int, optional
        Rows in the sample; by default :func:`sample_size`.

    Returns
    -------
    GrownTree
        Without labels where the sample is not all rows.
    """
    size = min(table.n_rows, max_samples or sample_size(table, n_anchors))
    if size == table.n_rows:
        whole = table if table.in_memory else MemoryTable(table.take(np.arange(size)))
        return grow(whole, n_anchors, seed=seed, n_jobs=n_jobs)
    chosen = np.sort(np.random.default_rng(seed).choice(table.n_rows, size, replace=False, shuffle=False))
    grown = grow(MemoryTable(table.take(chosen)), n_anchors, seed=seed, n_jobs=n_jobs)
    return replace(grown, anchors=_with_means_of_all(grown.anchors, table, n_jobs), labels=None)


def sample_size(table, n_anchors):
    """Rows that a tree is grown on: as many as are enough, and as go into memory; the same for any storage."""
    affordable = min(MOST_ROWS, MOST_BYTES // (table.n_cols * table.dtype.itemsize))
    return max(affordable, ROWS_A_LEAF * n_anchors)


def _with_means_of_all(anchors, table, n_jobs):
    points, n_leaves = anchors.points, len(anchors.points)
    leaf_of = route(anchors.tree, n_jobs)

    def step(block, span):
        leaves = leaf_of(block, span)

        def sums(part):
            return sums_by_group(block[part], leaves[part], n_leaves)

        return run_sum(sums, chunks(block.shape[0], row_bytes(block)), n_jobs)

    sums, sizes = table.sum_blocks(step)
    filled = (sizes > 0)[:, np.newaxis]
    means = np.where(filled, sums / np.maximum(sizes, 1)[:, np.newaxis], points)
    return replace(anchors, points=means.astype(points.dtype))
