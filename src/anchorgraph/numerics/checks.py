"""Checks of parameters, with the sentence for each way in which they can be wrong."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral, Real
from typing import Any

import numpy as np

LARGEST = 1e100
"""Of a parameter that is a number: its square is one too."""


def check_integer(name: str, value: Any, at_least: int = 1) -> None:
    """Refuse all but integers from ``at_least`` on."""
    if not isinstance(value, Integral) or isinstance(value, bool) or value < at_least:
        raise ValueError(f"{name} must be an integer ≥ {at_least}; got {value!r}.")


def check_number(
    name: str, value: Any, *, at_least: float | None = None, at_most: float = LARGEST, below: float | None = None
) -> None:
    """Refuse all but numbers from ``at_least`` to ``at_most``, or to less than ``below``."""
    low = -at_most if at_least is None else at_least
    number = as_number(value)
    if low <= number <= at_most and (below is None or number < below):
        return
    interval = f"[{low:g}, {at_most:g}]" if below is None else f"[{low:g}, {below:g})"
    raise ValueError(f"{name} must be a number in {interval.replace('e+', 'e')}; got {value!r}.")


def check_positive(name: str, value: Any) -> None:
    """Refuse all but numbers above zero."""
    check_number(name, value, at_least=1 / LARGEST)


def check_choice(name: str, value: Any, choices: Iterable[str]) -> None:
    """Refuse a name that is not one of ``choices``."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, choices))}; got {value!r}.")


def as_number(value: Any) -> float:
    """A parameter as a float: NaN where it is no number, and infinity where it is too large."""
    if not isinstance(value, Real) or isinstance(value, bool | np.bool_):
        return np.nan
    try:
        return float(value)
    except OverflowError:  # of Python's own integers
        return np.inf
