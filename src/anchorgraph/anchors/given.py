"""Anchors passed by the user: an array, or a scikit-learn clusterer with centres."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import check_array, has_fit_parameter

from anchorgraph.contracts import Anchors, BinaryTree, Floats, RowTable
from anchorgraph.numerics.finite import SIZES
from anchorgraph.table import check_mask, count
from anchorgraph.urls import quoted


def given(anchors: Any, table: RowTable) -> Anchors:
    """Use an array as it is, or the ``cluster_centers_`` of a clusterer; if it is not fitted, a copy of it is fitted.

    If the clusterer has a :class:`~anchorgraph.contracts.BinaryTree` as its ``tree_``, that is used too.

    Parameters
    ----------
    anchors : (m, d) array-like, or estimator
    table : RowTable

    Returns
    -------
    Anchors
    """
    tree = None
    if hasattr(anchors, "fit"):
        model = anchors
        if not hasattr(model, "cluster_centers_"):
            rows, weights = _rows_to_fit(anchors, table)
            try:
                model = clone(anchors).fit(rows, **weights)
            except ValueError as error:
                raise ValueError(f"anchors={anchors!r} cannot be fitted to X: {error}") from error
        if not hasattr(model, "cluster_centers_"):
            raise TypeError(
                f"anchors={anchors!r} has no cluster_centers_ after fit; pass a clusterer with centres, such as KMeans."
            )
        anchors, tree = model.cluster_centers_, getattr(model, "tree_", None)
    elif np.ndim(anchors) != 2:
        raise ValueError(
            f"anchors={quoted(anchors)} is neither a name, an array of anchors nor a clusterer; pass one of these."
        )
    check_mask(anchors, "anchors")
    points = check_array(anchors, dtype=(np.float64, np.float32), input_name="anchors", copy=True)
    largest, limit = np.abs(points).max(), SIZES[table.dtype][1]
    if largest > limit:
        raise ValueError(f"anchors has values as large as {largest:.2g}, above {limit:g}; scale X and anchors first.")
    if points.shape[1] != table.n_cols:
        raise ValueError(
            f"anchors has {count(points.shape[1], 'column')}, but X has {table.n_cols}; pass anchors with the columns "
            "of X."
        )
    return Anchors(np.ascontiguousarray(points, dtype=table.dtype), tree if isinstance(tree, BinaryTree) else None)


def _rows_to_fit(model: Any, table: RowTable) -> tuple[Any, dict[str, Floats]]:
    """What to fit a clusterer to, and the weights of these rows if they have any.

    An estimator of this package that streams gets the table, which has its weights; others all rows that count.
    """
    if getattr(getattr(model, "card", None), "streams", False):
        return table, {}
    if not table.in_memory:
        raise ValueError(
            f"anchors={model!r} cannot be fitted to rows that are not in memory; fit it to some of them first, or use "
            "anchors='kmeans'."
        )
    if not table.weights:
        return table.rows(), {}
    counted = table.positive_rows()
    weights = table.weight_of_each()[counted]
    if (weights == 1).all():  # only missing rows are left out
        return table.take(counted), {}
    if not has_fit_parameter(model, "sample_weight"):
        raise ValueError(
            f"anchors={model!r} has no sample_weight in fit, so it cannot weigh rows; fit it first, or use another "
            "clusterer."
        )
    return table.take(counted), {"sample_weight": weights}
