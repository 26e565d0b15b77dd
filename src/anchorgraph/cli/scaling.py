"""Scaling of columns to mean 0 and standard deviation 1."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from anchorgraph.numerics.blocks import take_rows
from anchorgraph.numerics.missing import are_complete
from anchorgraph.table import identity


def fit_scaler(table: Any, weights: Any = None, *, masks: bool = False) -> StandardScaler:
    """Compute means and standard deviations in one pass; sparse rows are not centred, to keep their zeros.

    Parameters
    ----------
    table : RowTable
    weights : (n,) array of float64, optional
        Rows of weight zero take no part.
    masks : bool
        Whether rows with NaN take no part.

    Returns
    -------
    StandardScaler
    """
    scaler = StandardScaler(with_mean=not table.is_sparse)

    def learn(block: Any, *aligned: Any) -> tuple[int]:
        counts = are_complete(block) if masks else np.ones(block.shape[0], dtype=bool)
        for own in aligned:
            counts &= own > 0
        chosen = np.flatnonzero(counts)
        if len(chosen) < block.shape[0]:
            block = take_rows(block, chosen)
        if len(chosen) and aligned:  # scikit-learn adds weights in the dtype of the rows
            scaler.partial_fit(block.astype(np.float64), sample_weight=aligned[0][chosen])
        elif len(chosen):
            scaler.partial_fit(block)
        return (len(chosen),)

    aligned = () if weights is None else (table.align(weights),)
    # small blocks, because scikit-learn makes several copies
    (n_rows,) = table.view(identity).sum_blocks(learn, *aligned)
    if not n_rows:
        raise ValueError("--scale: no row counts, because each has missing values or the weight 0; leave out --scale.")
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
