"""Which cluster a row of an embedding belongs to."""

from __future__ import annotations

import numpy as np


def assign(assignment, rows):
    """``argmax_c f·w_c + b_c`` for the rows f of an embedding; equal ones by number.

    Parameters
    ----------
    assignment : Assignment
    rows : (n, p) floats

    Returns
    -------
    (n,) integers
    """
    scores = rows.astype(np.float64) @ assignment.directions + assignment.offsets
    return scores.argmax(axis=1).astype(np.int32)
