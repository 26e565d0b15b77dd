"""A sample of the rows of an embedding."""

from __future__ import annotations

import numpy as np

from anchorgraph.numerics.dense import dense

N_SAMPLED = 20_000
"""Rows that are enough to see clusters in; of up to so many, all are taken."""


def some_rows(rows, seed):
    """All rows of a table, or a uniform sample of :data:`N_SAMPLED`, in memory and in order.

    Parameters
    ----------
    rows : RowTable
    seed : int

    Returns
    -------
    (s, p) floats
    """
    if rows.n_rows <= N_SAMPLED:
        return dense(rows.take(np.arange(rows.n_rows)))
    return dense(rows.sample(N_SAMPLED, np.random.default_rng(seed)))
