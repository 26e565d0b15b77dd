"""A sample of the rows of an embedding."""

from __future__ import annotations

import numpy as np

from anchorgraph.contracts import Floats, RowTable
from anchorgraph.numerics.blocks import dense

N_SAMPLED = 20_000
"""Size of a sample that is enough to find clusters in; tables with no more rows are used completely."""


def sample_rows(rows: RowTable, seed: int, size: int = N_SAMPLED) -> Floats:
    """All rows of a table, or a sample of the rows of a larger one, in memory and in order; each as its weight says.

    Parameters
    ----------
    rows : RowTable
    seed : int
    size : int
        Number of rows of the sample, if the table has more than :data:`N_SAMPLED`.

    Returns
    -------
    (s, p) floats
    """
    n_rows = rows.n_counted if rows.n_counted <= N_SAMPLED else min(size, N_SAMPLED)
    return dense(rows.draw(n_rows, np.random.default_rng(seed)))
