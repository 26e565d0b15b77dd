"""Warnings that point to the line of the user's code."""

from __future__ import annotations

import inspect
import warnings

INTERNAL_PACKAGES = ("anchorgraph", "contextlib", "sklearn")
"""Packages whose frames are skipped when looking for the line of the user's code; stages are contexts."""


def warn_user(message: str, category: type[Warning] = UserWarning) -> None:
    """Issue a warning for the innermost line of code outside this package and scikit-learn."""
    level, frame = 1, inspect.currentframe()
    while frame is not None and str(frame.f_globals.get("__name__", "")).split(".")[0] in INTERNAL_PACKAGES:
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
