"""Sums and means of the rows of each of some groups."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from anchorgraph.numerics.dense import dense


def sums_by_group(rows, groups, n_groups):
    """(n_groups, d) sums of rows in float64, and (n_groups,) numbers of rows."""
    n = len(groups)
    members = sparse.csr_array((np.ones(n), groups, np.arange(n + 1)), shape=(n, n_groups))
    return dense(members.T @ rows.astype(np.float64)), np.bincount(groups, minlength=n_groups)


def group_means(sums, sizes, otherwise):
    """(n_groups, d) means of the rows of each group, or of none what stands in ``otherwise``.

    Parameters
    ----------
    sums : (n_groups, d) floats
    sizes : (n_groups,) floats
        Numbers of rows, or their weights.
    otherwise : (n_groups, d) floats
    """
    filled = sizes > 0
    return np.where(filled[:, np.newaxis], sums / np.where(filled, sizes, 1)[:, np.newaxis], otherwise)
