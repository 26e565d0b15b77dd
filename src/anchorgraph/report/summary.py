"""Summary of a fitted method as plain data."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.decomposition import PCA

import anchorgraph
from anchorgraph.table import MemoryTable, as_table

MAX_POINTS = 70_000
"""Maximum number of rows in the scatter plot; of more rows, a uniform sample is shown."""


def summarise(
    estimator: Any, rows: Any, *, title: str, labels: Any = None, seconds: dict[str, float] | None = None, seed: int = 0
) -> dict[str, Any]:
    """Numbers, names and points for a page about a fitted method.

    Parameters
    ----------
    estimator : fitted estimator
    rows : array, data frame, or any source for :func:`anchorgraph.as_table`
        The training rows.
    title : str
    labels : (n,) array, optional
        Known classes, used as colours if the method has no clusters.
    seconds : dict, optional
        Time of each stage.
    seed : int
        Seed for the sample of rows in the scatter plot.

    Returns
    -------
    dict
        JSON types only.
    """
    rows = as_table(rows)
    found = getattr(estimator, "labels_", None)
    groups = labels if found is None else found
    return {
        "title": title,
        "version": anchorgraph.__version__,
        "method": type(estimator).__name__,
        "name": estimator.card.title,
        "facts": _facts(estimator, rows),
        "parameters": {name: repr(value) for name, value in sorted(estimator.get_params(deep=False).items())},
        "seconds": {stage: round(time, 4) for stage, time in (seconds or {}).items()},
        "sizes": [] if found is None else np.bincount(np.asarray(found)).tolist(),
        "eigenvalues": _rounded(getattr(estimator, "singular_values_", np.empty(0)) ** 2),
        "history": _rounded(getattr(estimator, "history_", np.empty(0))),
        "anchor_sizes": _anchor_sizes(estimator, rows),
        "points": _points(estimator, rows, groups, seed),
    }


def _facts(estimator: Any, rows: Any) -> dict[str, Any]:
    facts = {"rows": rows.n_rows, "columns": rows.n_cols}
    for attribute, name in (
        ("n_anchors_", "anchors"),
        ("n_clusters_", "clusters"),
        ("n_iter_", "iterations"),
        ("init_", "start"),
    ):
        if hasattr(estimator, attribute):
            facts[name] = getattr(estimator, attribute)
    return facts


def _anchor_sizes(estimator: Any, rows: Any) -> list[float]:
    """Zᵀ1: the total weight of the rows of each anchor, largest first."""
    graph = getattr(estimator, "_graph", None)
    if graph is None:
        return []
    (degrees,) = rows.sum_blocks(lambda block: (graph(block).sum(axis=0),))
    return _rounded(np.sort(degrees)[::-1])


def _points(estimator: Any, rows: Any, groups: Any, seed: int) -> dict[str, Any]:
    """Some embedded rows in two dimensions, by PCA if the embedding has more."""
    if not hasattr(estimator, "transform") or estimator.card.task == "graph":
        return {}
    size = min(MAX_POINTS, rows.n_rows)
    chosen = np.sort(np.random.default_rng(seed).choice(rows.n_rows, size, replace=False, shuffle=False))
    embedded = np.asarray(estimator.transform(MemoryTable(rows.take(chosen), names=rows.names)), dtype=np.float64)
    if embedded.shape[1] == 1:
        embedded = np.column_stack([embedded, np.zeros(len(embedded))])
    elif embedded.shape[1] > 2:
        embedded = PCA(2, random_state=seed).fit_transform(embedded)
    low, high = embedded.min(axis=0), embedded.max(axis=0)
    scaled = (embedded - low) / np.where(high > low, high - low, 1)
    names, codes = (["all rows"], np.zeros(size, dtype=int)) if groups is None else _codes(np.asarray(groups)[chosen])
    return {
        "x": np.round(scaled[:, 0] * 9999).astype(int).tolist(),
        "y": np.round(scaled[:, 1] * 9999).astype(int).tolist(),
        "group": codes.tolist(),
        "names": names,
        "shown": size,
    }


def _codes(groups: Any) -> tuple[list[str], Any]:
    names, codes = np.unique(groups, return_inverse=True)
    return [str(name) for name in names], codes


def _rounded(values: Any) -> list[float]:
    return [float(f"{value:.5g}") for value in np.asarray(values, dtype=np.float64)]
