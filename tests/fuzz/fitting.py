"""A fit of a case, in one go or in batches, which can be repeated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, clone

from anchorgraph import cluster_path


@dataclass(frozen=True)
class Fitting:
    """What an estimator is fitted to.

    Attributes
    ----------
    model : estimator
        Not fitted; ``fit`` fits clones of it.
    X, y, weights : any
    ends : sequence of int
        Where batches end; empty if there are none.
    """

    model: Any
    X: Any
    y: Any
    weights: Any
    ends: Sequence[int]

    def fit(self, X: Any = None) -> Any:
        """A fitted clone; to other rows instead, if there are any."""
        X, model = self.X if X is None else X, clone(self.model)
        if not self.ends:
            return model.fit(X, self.y, **_if_given(self.weights))
        for batch in self._batches():
            weights = self.weights if isinstance(self.weights, str | None) else np.asarray(self.weights)[batch]
            model.partial_fit(rows_of(X, batch), **_if_given(weights))
        return model

    @property
    def last(self) -> Any:
        """Numbers of the rows whose labels the fitted model has."""
        return self._batches()[-1] if self.ends else np.arange(n_rows_of(self.X))

    def _batches(self) -> list[Any]:
        numbers = np.arange(n_rows_of(self.X))
        return [numbers[start:end] for start, end in zip([0, *self.ends], self.ends, strict=False)]


def _if_given(weights: Any) -> dict[str, Any]:
    return {} if weights is None else {"sample_weight": weights}


def n_rows_of(X: Any) -> int:
    """The number of rows in any container."""
    return int(X.shape[0]) if hasattr(X, "shape") else len(X)


def rows_of(X: Any, numbers: Any) -> Any:
    """Some rows, in the same container."""
    if isinstance(X, list):
        return [X[number] for number in numbers]
    if hasattr(X, "iloc"):
        return X.iloc[numbers]
    return (sparse.csr_array(X) if sparse.issparse(X) else X)[numbers]


def clusterer_of(model: Any) -> Any:
    """The estimator itself, or the one that it wraps, fitted if there is such."""
    return getattr(model, "estimator_", getattr(model, "estimator", model))


class PathOf(BaseEstimator):
    """``cluster_path`` as an estimator, so that it is tried as these are."""

    def __init__(self, estimator: Any, numbers: Any = (2, 3, 4), n_resamples: Any = 2) -> None:
        self.estimator = estimator
        self.numbers = numbers
        self.n_resamples = n_resamples

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> PathOf:
        """Keep what the path has."""
        options = {"estimator": self.estimator, "n_resamples": self.n_resamples, "sample_weight": sample_weight}
        path = cluster_path(X, self.numbers, **options)
        self.n_clusters_, self.labels_ = path.chosen, path.labels[path.chosen]
        self.all_labels_, self.scores_ = np.stack([*path.labels.values()]), np.stack([*path.scores.values()])
        return self
