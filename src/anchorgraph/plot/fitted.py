"""What a fitted estimator has to show."""

from __future__ import annotations

from typing import Any

from sklearn.utils.validation import check_is_fitted


def attribute_of(estimator: Any, *names: str) -> Any:
    """The first of some attributes that a fitted estimator has."""
    check_is_fitted(estimator)
    for name in names:
        if hasattr(estimator, name):
            return getattr(estimator, name)
    raise ValueError(f"{type(estimator).__name__} has no {' or '.join(names)} to draw.")
