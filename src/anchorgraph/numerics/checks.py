"""Checks of parameters, with the error message for each way in which they can be wrong."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral, Real
from typing import Any

import numpy as np

from anchorgraph.urls import quoted

LARGEST = 1e100
"""Largest value of a numeric parameter, so that its square does not overflow."""


def check_integer(name: str, value: Any, at_least: int = 1) -> None:
    """Raise ``ValueError`` unless ``value`` is an integer ≥ ``at_least``."""
    if not isinstance(value, Integral) or isinstance(value, bool) or value < at_least:
        raise ValueError(f"{name} must be an integer ≥ {at_least}; got {quoted(value)}.")


def check_number(
    name: str, value: Any, *, at_least: float | None = None, at_most: float = LARGEST, below: float | None = None
) -> None:
    """Raise ``ValueError`` unless ``value`` is a number in [at_least, at_most], or in [at_least, below) if given."""
    low = -at_most if at_least is None else at_least
    number = as_number(value)
    if low <= number <= at_most and (below is None or number < below):
        return
    interval = f"[{low:g}, {at_most:g}]" if below is None else f"[{low:g}, {below:g})"
    raise ValueError(f"{name} must be a number in {interval.replace('e+', 'e')}; got {quoted(value)}.")


def check_positive(name: str, value: Any) -> None:
    """Raise ``ValueError`` unless ``value`` is a positive number."""
    check_number(name, value, at_least=1 / LARGEST)


def check_choice(name: str, value: Any, choices: Iterable[str]) -> None:
    """Raise ``ValueError`` unless ``value`` is one of the strings ``choices``."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, choices))}; got {quoted(value)}.")


def as_number(value: Any) -> float:
    """A parameter as a float: NaN if it is not a number, infinity if it is too large for a float."""
    if not isinstance(value, Real) or isinstance(value, bool | np.bool_):
        return np.nan
    try:
        return float(value)
    except OverflowError:  # Python integers have no upper limit
        return np.inf
