"""Scaling of columns to mean 0 and standard deviation 1."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from anchorgraph.table import identity


def fit_scaler(table: Any) -> StandardScaler:
    """Compute means and standard deviations in one pass; sparse rows are not centred, to keep their zeros."""
    scaler = StandardScaler(with_mean=not table.is_sparse)

    def learn(block: Any) -> tuple[int]:
        scaler.partial_fit(block)
        return (block.shape[0],)

    table.view(identity).sum_blocks(learn)  # small blocks, because scikit-learn makes several copies
    if table.names is not None:
        scaler.feature_names_in_ = np.array(table.names, dtype=object)
    return scaler


def scale_table(table: Any, scaler: StandardScaler | None) -> Any:
    """A view of the scaled rows, without column names as in scikit-learn; without a scaler, the table itself."""
    if scaler is None:
        return table
    unnamed = copy.copy(scaler)
    vars(unnamed).pop("feature_names_in_", None)  # scikit-learn would warn because blocks have no names
    return table.view(lambda block: unnamed.transform(block).astype(block.dtype))


def with_scaler(estimator: Any, scaler: StandardScaler | None) -> Any:
    """The model to save: a pipeline of both, or the estimator if there is no scaler."""
    return estimator if scaler is None else make_pipeline(scaler, estimator)


def split_pipeline(model: Any) -> tuple[Any, StandardScaler | None, list[str]]:
    """The estimator of a saved model, its scaler or None, and the names of the columns that it reads."""
    scaler, estimator = [part for _, part in model.steps] if isinstance(model, Pipeline) else (None, model)
    names = getattr(estimator if scaler is None else scaler, "feature_names_in_", ())
    return estimator, scaler, list(names)
