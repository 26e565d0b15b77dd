"""A sample of the rows of an embedding."""

from __future__ import annotations

import numpy as np

from anchorgraph.contracts import Floats, RowTable
from anchorgraph.numerics.blocks import dense

N_SAMPLED = 20_000
"""Size of a sample that is enough to find clusters in; tables with no more rows are used completely."""


def sample_rows(rows: RowTable, seed: int) -> Floats:
    """All rows of a table, or a sample of :data:`N_SAMPLED`, in memory and in order; each as often as its weight says.

    Parameters
    ----------
    rows : RowTable
    seed : int

    Returns
    -------
    (s, p) floats
    """
    return dense(rows.draw(min(rows.n_counted, N_SAMPLED), np.random.default_rng(seed)))
