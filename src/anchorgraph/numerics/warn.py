"""Warnings that point at the user's line."""

from __future__ import annotations

import inspect
import warnings

OURS = ("anchorgraph", "sklearn")
"""Packages whose frames lie between a user's line and what it leads to."""


def warn_user(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the innermost line that is neither this package's nor scikit-learn's."""
    level, frame = 1, inspect.currentframe()
    while frame is not None and str(frame.f_globals.get("__name__", "")).split(".")[0] in OURS:
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
