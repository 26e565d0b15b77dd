"""What a fitted estimator has to show, also at the end of a pipeline."""

from __future__ import annotations

import warnings
from functools import reduce
from typing import Any

from sklearn.base import is_clusterer
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from anchorgraph.contracts import RowMap
from anchorgraph.table import as_table, computed_labels, is_out_of_core


def split_pipeline(model: Any) -> tuple[RowMap | None, Any]:
    """The row map of all steps of a pipeline but the last, and the last one; None and the model if it is none.

    Parameters
    ----------
    model : estimator or Pipeline
        The last step of a pipeline can be a pipeline.

    Returns
    -------
    before : RowMap or None
    last : estimator
    """
    steps = []
    while isinstance(model, Pipeline):
        steps += [on_arrays(model[:-1].transform)] if len(model) > 1 else []
        model = model[-1]
    return (lambda block: reduce(lambda rows, step: step(rows), steps, block)) if steps else None, model


def on_arrays(method: Any) -> RowMap:
    """A method of an estimator, from arrays to arrays: without its warning about names, and without data frames."""

    def apply(block: Any) -> Any:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "X does not have valid feature names")  # the columns are those of the fit
            found = method(block)
        return found.to_numpy() if hasattr(found, "to_numpy") else found

    return apply


def model_and_rows(estimator: Any, X: Any = None) -> tuple[Any, Any]:
    """A fitted estimator and rows; of a pipeline, its last step and the rows as this step receives them.

    Parameters
    ----------
    estimator : fitted estimator or Pipeline
    X : array-like, or any source for :func:`~anchorgraph.as_table`, optional

    Returns
    -------
    model : fitted estimator
    rows : the same source, an array, a table, or None
    """
    before, model = split_pipeline(estimator)
    check_is_fitted(model)
    if before is None or X is None:
        return model, X
    return model, as_table(X).view(before) if is_out_of_core(X) else before(X)


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
