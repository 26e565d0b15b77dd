"""k-means over a table: Lloyd's rounds from given centres."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from anchorgraph.numerics.dense import dense
from anchorgraph.numerics.distances import CentredPoints, minus_centre
from anchorgraph.numerics.progress import portion
from anchorgraph.numerics.threads import chunks, row_bytes, run_sum


def lloyd(table, centres, *, max_iter, tol, n_jobs):
    """Move each centre to the mean of the rows that are nearest to it, again and again: a pass of sums a round.

    Parameters
    ----------
    table : RowTable
    centres : (c, d) floats
        To begin with. One that no row is nearest to stays.
    max_iter : int
    tol : float
        A round that moves the centres by no more than this, squared and in all, is the last.
    n_jobs : int

    Returns
    -------
    (c, d) floats, in float64
    """
    centres = centres.astype(np.float64)
    for number in range(max_iter):
        with portion("k-means", number, max_iter):
            sums, sizes = table.sum_blocks(nearest_sums(centres.astype(table.dtype), n_jobs))
        filled = sizes > 0
        moved = np.where(filled[:, np.newaxis], sums / np.where(filled, sizes, 1)[:, np.newaxis], centres)
        change = np.sum((moved - centres) ** 2)
        centres = moved
        if change <= tol:
            break
    return centres


def nearest_sums(centres, n_jobs):
    """The step that sums, for each centre, the rows that are nearest to it, and counts them."""
    points = CentredPoints.of(centres)

    def step(block, span):
        def sums(part):
            rows = block[part]
            nearest = points.scores(minus_centre(rows, points.centre)).argmax(axis=1)
            return sums_by_group(rows, nearest, len(centres))

        widest = max(row_bytes(block), points.half_norms.nbytes)  # of a row, and of its scores
        return run_sum(sums, chunks(block.shape[0], widest), n_jobs)

    return step


def sums_by_group(rows, groups, n_groups):
    """(n_groups, d) sums of rows in float64, and (n_groups,) numbers of rows."""
    n = len(groups)
    members = sparse.csr_array((np.ones(n), groups, np.arange(n + 1)), shape=(n, n_groups))
    return dense(members.T @ rows.astype(np.float64)), np.bincount(groups, minlength=n_groups)
