"""Summary of a fitted method as plain data."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.decomposition import PCA

import anchorgraph
from anchorgraph.estimators.bases.coordinates import few_coordinates
from anchorgraph.estimators.bases.preparation import Preparation
from anchorgraph.table import MemoryTable, as_table

MAX_POINTS = 70_000
"""Maximum number of rows in the scatter plot; of more rows, a uniform sample is shown."""

N_BINS = 10
"""Number of bars of the histogram of probabilities."""


def summarise(
    estimator: Any, rows: Any, *, title: str, labels: Any = None, seconds: dict[str, float] | None = None, seed: int = 0
) -> dict[str, Any]:
    """Numbers, names and points for a page about a fitted method.

    Rows that ``missing="mask"`` leaves out are counted as masked, and are in no chart.

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
    preparation = Preparation.of(estimator)
    present = np.flatnonzero(np.asarray(rows.map_rows(preparation.are_present))) if preparation.masks else None
    return {
        "title": title,
        "version": anchorgraph.__version__,
        "method": type(estimator).__name__,
        "name": estimator.card.title,
        "facts": _facts(estimator, rows, present),
        "parameters": {name: repr(value) for name, value in sorted(estimator.get_params(deep=False).items())},
        "seconds": {stage: round(time, 4) for stage, time in (seconds or {}).items()},
        "sizes": [] if found is None else _sizes(np.asarray(found)),
        "probabilities": _histogram(getattr(estimator, "probabilities_", None)),
        "eigenvalues": _rounded(getattr(estimator, "singular_values_", np.empty(0)) ** 2),
        "history": _rounded(getattr(estimator, "history_", np.empty(0))),
        "anchor_sizes": _anchor_sizes(estimator, rows, preparation),
        "points": _points(estimator, rows, present, groups, seed),
    }


def _facts(estimator: Any, rows: Any, present: Any) -> dict[str, Any]:
    facts = {"rows": rows.n_rows, "columns": rows.n_cols}
    if present is not None and len(present) < rows.n_rows:
        facts["masked"] = rows.n_rows - len(present)
    for attribute, name in (
        ("n_anchors_", "anchors"),
        ("n_clusters_", "clusters"),
        ("n_neighbors_", "neighbours"),
        ("modularity_", "modularity"),
        ("resolution_", "resolution"),
        ("n_iter_", "iterations"),
        ("init_", "start"),
    ):
        if hasattr(estimator, attribute):
            value = getattr(estimator, attribute)
            facts[name] = float(f"{value:.4g}") if isinstance(value, float) else value
    return facts


def _sizes(labels: Any) -> list[int]:
    """Numbers of rows of the clusters; masked rows have the label -1."""
    sizes: list[int] = np.bincount(labels[labels >= 0]).tolist()
    return sizes


def _histogram(probabilities: Any) -> list[int]:
    """Numbers of rows by their probability: up to 0.1, up to 0.2, and so on."""
    if probabilities is None:
        return []
    known = np.asarray(probabilities)
    known = known[~np.isnan(known)]  # those of masked rows are NaN
    counts: list[int] = np.histogram(np.clip(known, 0, 1), bins=N_BINS, range=(0, 1))[0].tolist()
    return counts


def _anchor_sizes(estimator: Any, rows: Any, preparation: Preparation) -> list[float]:
    """Zᵀ1: the total weight of the rows of each anchor, largest first."""
    graph = getattr(estimator, "_graph", None)
    if graph is None:
        return []
    connect = preparation.before(graph)

    def step(block: Any) -> tuple[Any]:
        Z = connect(block)
        return ((Z[preparation.are_present(block)] if preparation.masks else Z).sum(axis=0),)

    (degrees,) = rows.sum_blocks(step)
    return _rounded(np.sort(degrees)[::-1])


def _points(estimator: Any, rows: Any, present: Any, groups: Any, seed: int) -> dict[str, Any]:
    """Some rows in two dimensions, with their groups; none for a graph, whose columns are anchors or rows."""
    if estimator.card.task == "graph":
        return {}
    n_rows = rows.n_rows if present is None else len(present)
    size = min(MAX_POINTS, n_rows)
    chosen = np.sort(np.random.default_rng(seed).choice(n_rows, size, replace=False, shuffle=False))
    chosen = chosen if present is None else present[chosen]
    sample = MemoryTable(rows.take(chosen), names=rows.names)
    plane = _plane(estimator, sample, seed)
    low, high = plane.min(axis=0), plane.max(axis=0)
    scaled = (plane - low) / np.where(high > low, high - low, 1)
    names, codes = (["all rows"], np.zeros(size, dtype=int)) if groups is None else _codes(np.asarray(groups)[chosen])
    return {
        "x": np.round(scaled[:, 0] * 9999).astype(int).tolist(),
        "y": np.round(scaled[:, 1] * 9999).astype(int).tolist(),
        "group": codes.tolist(),
        "names": names,
        "shown": size,
        "what": "Embedding" if hasattr(estimator, "transform") else "Principal components",
    }


def _plane(estimator: Any, rows: Any, seed: int) -> Any:
    """(n, 2) the first principal components of the embedding; of the rows, if the method has no embedding."""
    if hasattr(estimator, "transform"):
        found = np.asarray(estimator.transform(rows), dtype=np.float64)
        found = PCA(2, random_state=seed).fit_transform(found) if found.shape[1] > 2 else found
    else:
        found = rows.view(few_coordinates(rows, 2, seed)).rows().astype(np.float64)
    return np.pad(found, ((0, 0), (0, 2 - found.shape[1])))


def _codes(groups: Any) -> tuple[list[str], Any]:
    names, codes = np.unique(groups, return_inverse=True)
    return [str(name) for name in names], codes


def _rounded(values: Any) -> list[float]:
    return [float(f"{value:.5g}") for value in np.asarray(values, dtype=np.float64)]
