"""Whether a result is the published one, by what both are known to vary."""

from __future__ import annotations

from math import sqrt

from anchorgraph.bench.printed import Printed

REPRODUCED, HIGHER, NOT_REPRODUCED = "reproduced", "differs (higher)", "not reproduced"
TOO_FEW, TOO_LONG = "too few runs", "over the time limit"

FEWEST_RUNS = 5
"""A mean of fewer runs is no evidence."""

TOLERANCE = 1.0
"""Scores that differ by at most this many percentage points count as equal: other code is never quite the same."""

RELATIVE_TOLERANCE = 0.1
"""Upper limit of the tolerance as a fraction of the published score."""

ERRORS = 2.0
"""Standard errors of the difference of two means that chance explains."""

TIME_LIMIT = 300.0
"""Seconds that the fewest runs of a cell, or half of its grid, may take: what takes longer is not judged."""


def standard_error(spread: float | None, n_runs: int | None) -> float:
    """``s / √n`` of a mean; 0 if the spread or the number of runs is not known."""
    return spread / sqrt(n_runs) if spread is not None and n_runs else 0.0


def judge(ours: float, error: float, printed: Printed, repeats: int | None) -> str:
    """The verdict on a mean of enough runs.

    Parameters
    ----------
    ours : float
    error : float
        Its standard error.
    printed : Printed
    repeats : int or None
        Number of runs behind the printed number.

    Returns
    -------
    str
    """
    value = printed.value or 0.0
    chance = ERRORS * sqrt(error**2 + standard_error(printed.spread, repeats) ** 2)
    if abs(ours - value) <= max(chance, min(TOLERANCE, RELATIVE_TOLERANCE * abs(value))):
        return REPRODUCED
    return HIGHER if ours > value else NOT_REPRODUCED
