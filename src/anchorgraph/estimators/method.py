"""What all methods share."""

from __future__ import annotations

from sklearn.base import BaseEstimator


class Method(BaseEstimator):
    """Base of all estimators of the package: they take sparse rows."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
