"""Which cluster a row of an embedding belongs to."""

from __future__ import annotations

import numpy as np

TIE = 1e-9
"""Share by which scores differ that are equal but for rounding, as those of two equal centres are."""


def assign(assignment, rows):
    """``argmax_c f·w_c + b_c`` for the rows f of an embedding; of scores that rounding alone tells apart, the first.

    Parameters
    ----------
    assignment : Assignment
    rows : (n, p) floats

    Returns
    -------
    (n,) integers
    """
    scores = rows.astype(np.float64) @ assignment.directions + assignment.offsets
    best = scores.max(axis=1, keepdims=True)
    return (scores >= best - TIE * np.abs(best)).argmax(axis=1).astype(np.int32)
