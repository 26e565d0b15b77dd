"""Positions for the rows of a clusterer."""

from __future__ import annotations

from typing import Any

import numpy as np

from anchorgraph.estimators import AnchorMap
from anchorgraph.estimators.bases.parameters import MetricParameter
from anchorgraph.numerics.blocks import dense
from anchorgraph.table import as_table


def map_of_rows(X: Any, clusterer: Any, max_points: int) -> Any:
    """(n, 2) positions of the rows of a clusterer; NaN for rows that are not placed.

    Rows of two columns are a map already.

    Parameters
    ----------
    X : array-like, or any source for :func:`~anchorgraph.as_table`
    clusterer : fitted clusterer
        Directions are compared if its metric is cosine. Rows with missing values are not placed.
    max_points : int
        Number of rows that are placed at most: they are a sample if there are more.
    """
    table = as_table(X)
    chosen = np.arange(table.n_rows)
    if table.n_rows > max_points:
        chosen = np.sort(np.random.default_rng(0).choice(chosen, max_points, replace=False, shuffle=False))
    rows = table.take(chosen)
    positions = np.full((table.n_rows, 2), np.nan, dtype=np.float32)
    if table.n_cols == 2:
        positions[chosen] = dense(rows)
    else:
        metric: MetricParameter = "cosine" if getattr(clusterer, "metric", None) == "cosine" else "euclidean"
        positions[chosen] = AnchorMap(metric=metric, missing="mask", random_state=0).fit_transform(rows)
    return positions
