"""Which cluster a row of an embedding belongs to."""

from __future__ import annotations

import numpy as np

from anchorgraph.contracts import Assignment, Floats, Integers

TIE = 1e-9
"""Relative difference up to which scores count as equal, since the scores of two equal centres differ by rounding."""


def assign(assignment: Assignment, rows: Floats) -> Integers:
    """``argmax_c f·w_c + b_c`` for the rows f of an embedding; of scores that are equal up to rounding, the first.

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
    labels: Integers = (scores >= best - TIE * np.abs(best)).argmax(axis=1).astype(np.int32)
    return labels
