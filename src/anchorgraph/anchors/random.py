"""Anchors that are rows of the data, chosen at random (LSC-R, ONGR-R, Nyström)."""

from __future__ import annotations

import numpy as np

from anchorgraph.contracts import Anchors
from anchorgraph.numerics.dense import dense


def select_random(table, n_anchors, *, seed, n_jobs):
    """``n_anchors`` different rows of a table."""
    chosen = np.random.default_rng(seed).choice(table.n_rows, n_anchors, replace=False)
    rows = table.take(np.sort(chosen))
    return Anchors(dense(rows))
