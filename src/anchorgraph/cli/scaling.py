"""Columns of mean 0 and deviation 1."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler


def fit_scaler(table: Any) -> StandardScaler:
    """Learn means and deviations in one pass; sparse rows keep their zeros, and so their means."""
    scaler = StandardScaler(with_mean=not table.is_sparse)

    def learn(block: Any) -> tuple[int]:
        scaler.partial_fit(block)
        return (block.shape[0],)

    table.sum_blocks(learn)
    if table.names is not None:
        scaler.feature_names_in_ = np.array(table.names, dtype=object)
    return scaler


def scaled(table: Any, scaler: StandardScaler | None) -> Any:
    """A view of scaled rows, without names as scikit-learn has it; the table itself without a scaler."""
    if scaler is None:
        return table
    unnamed = copy.copy(scaler)
    vars(unnamed).pop("feature_names_in_", None)  # blocks have no names, which scikit-learn would warn of
    return table.view(lambda block: unnamed.transform(block).astype(block.dtype))


def with_scaler(estimator: Any, scaler: StandardScaler | None) -> Any:
    """What is saved: a pipeline of both, or the estimator without a scaler."""
    return estimator if scaler is None else make_pipeline(scaler, estimator)


def parts_of(model: Any) -> tuple[Any, StandardScaler | None, list[str]]:
    """The estimator of a saved model, its scaler where it has one, and the names of the columns that it reads."""
    scaler, estimator = [part for _, part in model.steps] if isinstance(model, Pipeline) else (None, model)
    names = getattr(estimator if scaler is None else scaler, "feature_names_in_", ())
    return estimator, scaler, list(names)
