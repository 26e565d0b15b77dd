"""What a fitted estimator has to show, also at the end of a pipeline."""

from __future__ import annotations

import warnings
from typing import Any

from sklearn.base import is_clusterer
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from anchorgraph.table import as_table, computed_labels, is_out_of_core


def model_and_rows(estimator: Any, X: Any = None) -> tuple[Any, Any]:
    """A fitted estimator and rows; of a pipeline, its last step and the rows as this step receives them.

    Parameters
    ----------
    estimator : fitted estimator or Pipeline
    X : array-like, or any source for :func:`~anchorgraph.as_table`, optional

    Returns
    -------
    model : fitted estimator
    rows : the same kind of source, a table, or None
    """
    if isinstance(estimator, Pipeline):
        has_steps = X is not None and len(estimator) > 1
        return model_and_rows(estimator[-1], _transformed(X, estimator[:-1]) if has_steps else X)
    check_is_fitted(estimator)
    return estimator, X


def _transformed(X: Any, steps: Pipeline) -> Any:
    def transform(block: Any) -> Any:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "X does not have valid feature names")  # the columns are those of the fit
            found = steps.transform(block)
        return found.to_numpy() if hasattr(found, "to_numpy") else found

    return as_table(X).view(transform) if is_out_of_core(X) else steps.transform(X)


def has_clusters(model: Any) -> bool:
    """Whether a fitted model is a clusterer; one from a file has no ``labels_``."""
    return hasattr(model, "labels_") or (is_clusterer(model) and hasattr(model, "predict"))


def labels_of(model: Any, rows: Any = None) -> Any:
    """(n,) the clusters of the fit, or if the model has not kept them, those that it predicts for rows."""
    if not hasattr(model, "labels_") and has_clusters(model):
        if rows is None:
            raise ValueError(f"{type(model).__name__} has no labels_, which model files do not keep; pass X.")
        return computed_labels(model.predict(rows))
    labels = computed_labels(attribute_of(model, "labels_"))
    if rows is not None and (n_rows := as_table(rows).n_rows) != len(labels):
        raise ValueError(f"X must be the {len(labels):,} rows of the fit; it has {n_rows:,}.")
    return labels


def attribute_of(model: Any, *names: str) -> Any:
    """The first of some attributes that a fitted model has."""
    for name in names:
        if hasattr(model, name):
            return getattr(model, name)
    raise ValueError(f"{type(model).__name__} has no {' or '.join(names)} to draw.")
