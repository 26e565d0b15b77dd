"""The report about a fitted model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from inspect import signature
from typing import Any

import numpy as np
from numpy.typing import NDArray

import anchorgraph
from anchorgraph.estimators.cluster_path import ClusterPath
from anchorgraph.plot.fitted import split_pipeline
from anchorgraph.report.agreement import compare_with_classes
from anchorgraph.report.clusters import choose_groups, describe_groups
from anchorgraph.report.columns import choose_columns, name_columns
from anchorgraph.report.differences import column_variances
from anchorgraph.report.groups import Groups, find_clusters, read_classes
from anchorgraph.report.images import Images, check_image
from anchorgraph.report.levels import ClusterLevels, read_levels
from anchorgraph.report.page import Report
from anchorgraph.report.path import read_path
from anchorgraph.report.points import colour_by_columns, colour_by_groups, colour_by_numbers, place_points
from anchorgraph.report.positions import positions
from anchorgraph.report.scores import Score, find_scores
from anchorgraph.report.shown import ShownRows, choose_rows, name_rows
from anchorgraph.report.tree import tree_of_levels, tree_of_splits
from anchorgraph.table import as_table, count, shorten
from anchorgraph.urls import shown

N_BINS = 10
"""Number of bars of the histogram of probabilities."""

FACTS = {
    "n_anchors_": "anchors",
    "n_neighbors_": "neighbours",
    "modularity_": "modularity",
    "resolution_": "resolution",
    "n_iter_": "iterations",
    "init_": "start",
}
"""Attributes of models that the first line of a page tells, and their names."""

OF_OWN_LEVEL = ("probability", "modularity", "resolution")
"""Scores and facts that a model has for the clusters of ``labels_``, and not for those of other levels."""


def report(
    model: Any,
    X: Any,
    *,
    labels: Any = None,
    ids: Any = None,
    image: Sequence[int] | None = None,
    level: int | None = None,
    path: Mapping[Any, Any] | ClusterPath | None = None,
    title: str | None = None,
    command: str | None = None,
    seconds: dict[str, float] | None = None,
    seed: int = 0,
) -> Report:
    """A page about a fitted model: a map of the rows, what each cluster is like, and the numbers of the fit.

    A notebook shows it where it is the last line of a cell; :meth:`Report.save` writes it to a file.

    Parameters
    ----------
    model : fitted estimator
        Any method of this package, a clusterer or an embedding of scikit-learn, or a pipeline that ends in one.
    X : array, data frame, or any source for :func:`anchorgraph.as_table`
        The rows of the fit. Of more than 70,000, a uniform sample is read and shown.
    labels : array-like of shape (n_rows,), optional
        Known classes, which are compared with the clusters.
    ids : array-like of shape (n_rows,), optional
        Names of the rows; by default their numbers.
    image : tuple of int, optional
        Shape of the images that the rows are: (height, width), or (height, width, 3) for red, green and blue.
    level : int, optional
        Index of the level in ``levels_`` whose clusters are described; by default that of ``labels_``. The map can be
        switched to the other levels.
    path : mapping or ClusterPath, optional
        Scores of models with other numbers of clusters, ``{2: 0.1, 3: 0.3}``, or several by their names,
        ``{"silhouette": {2: 0.1, 3: 0.3}}``; or what :func:`anchorgraph.cluster_path` returns.
    title : str, optional
        By default the name of the method.
    command : str, optional
        What to run to get the same result; by default, how the model is made.
    seconds : dict, optional
        Time of each stage of the fit.
    seed : int, default=0
        Seed of the map and of the sample.

    Returns
    -------
    Report

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from anchorgraph import Communities
    >>> from anchorgraph.report import report
    >>> wine = load_wine()
    >>> model = Communities(3, random_state=0).fit(wine.data)
    >>> page = report(model, wine.data, labels=wine.target, title="Wine")
    >>> page.summary["facts"]["clusters"]
    3
    >>> page.save("wine.html")  # doctest: +SKIP
    """
    before, method = split_pipeline(model)
    is_ours = hasattr(method, "card")
    table = as_table(X)
    _check_columns(model, table.n_cols)
    shape = None if image is None else check_image(image, table.n_cols)
    other_numbers = read_path(path)
    levels = read_levels(method, table, before, level)
    clusters = find_clusters(method, table, before) if levels is None else levels.clusters()
    classes = read_classes(labels, table.n_rows)
    rows = choose_rows(table, method, before, seed)
    row_ids = name_rows(rows, ids)
    is_other_level = levels is not None and levels.shown != levels.own
    scores = [score for score in find_scores(method, rows) if not (is_other_level and score.name in OF_OWN_LEVEL)]
    names = name_columns(table.names, table.n_cols, shape)
    images = None if shape is None else Images.of(rows.values, shape)
    groups = clusters or classes
    described = None if groups is None else choose_groups(groups, rows)
    importance = column_variances(rows.values) if described is None else described.differences.explained
    columns = choose_columns(importance, len(rows))
    colourings = [colour_by_groups(own, rows) for own in (clusters, classes) if own is not None]
    finest, of_levels = (None, []) if levels is None else levels.colour(rows)
    if levels is not None:
        colourings[0]["codes"] = of_levels[levels.shown]["codes"]
    return Report(
        {
            "title": shorten(shown(title or type(method).__name__)),
            "version": anchorgraph.__version__,
            "method": type(method).__name__,
            "name": method.card.title if is_ours else "",
            "facts": _facts(method, rows, clusters, without=OF_OWN_LEVEL if is_other_level else ()),
            "parameters": {name: repr(value) for name, value in sorted(method.get_params(deep=False).items())},
            "command": command or _in_full(model),
            "seconds": {stage: round(time, 4) for stage, time in (seconds or {}).items()},
            "levels": None if levels is None else levels.describe(),
            "tree": _tree(method, clusters, levels),
            "sizes": [] if clusters is None else clusters.sizes.tolist(),
            "probabilities": [] if clusters is None else _histogram(scores, clusters.codes[rows.numbers] >= 0),
            "eigenvalues": _rounded(_eigenvalues(method)) if is_ours else [],
            "path": other_numbers,
            "history": _rounded(getattr(method, "history_", np.empty(0))) if is_ours else [],
            "agreement": compare_with_classes(clusters, classes) if clusters and classes else None,
            "groups": None if described is None else describe_groups(described, rows, row_ids, scores, names, images),
            "map": {
                "shown": len(rows),
                "rows": rows.n_all,
                "incomplete": int(np.count_nonzero(~rows.complete)),
                "ids": row_ids,
                "pictures": None if images is None else images.pictures(rows.values),
                **place_points(positions(method, rows, seed)),
                "finest": finest,
                "colourings": [
                    *colourings,
                    *[colour_by_numbers(score.name, score.values) for score in scores],
                    *of_levels,
                    *colour_by_columns(rows, columns, names),
                ],
            },
        }
    )


def _check_columns(model: Any, n_columns: int) -> None:
    """Raise an error if a model, or the first step of a pipeline, was fitted to other columns."""
    expected = getattr(model, "n_features_in_", n_columns)
    if expected != n_columns:
        raise ValueError(
            f"X has {count(n_columns, 'column')}, but the model was fitted to {expected:,}; pass the same X."
        )


def _in_full(model: Any) -> str:
    """How a model is made, without the dots that scikit-learn puts in place of a part of long ones."""
    if "N_CHAR_MAX" in signature(model.__repr__).parameters:
        return str(model.__repr__(N_CHAR_MAX=10**6))
    return repr(model)


def _tree(model: Any, clusters: Groups | None, levels: ClusterLevels | None) -> dict[str, Any] | None:
    if levels is not None:
        return tree_of_levels(levels.describe())
    return None if clusters is None else tree_of_splits(model, clusters.sizes)


def _facts(model: Any, rows: ShownRows, clusters: Groups | None, without: Sequence[str]) -> dict[str, Any]:
    facts: dict[str, Any] = {"rows": rows.n_all, "columns": rows.values.shape[1]}
    if clusters is not None:
        facts["clusters"] = int(np.count_nonzero(clusters.sizes))
        if (clusters.codes < 0).any():
            facts["not clustered"] = int(np.count_nonzero(clusters.codes < 0))
    for attribute, name in FACTS.items():
        value = getattr(model, attribute, None)
        if value is None or np.ndim(value) != 0 or name in without:
            continue
        plain = np.asarray(value).item()
        if not isinstance(plain, float) or np.isfinite(plain):
            facts[name] = float(f"{plain:.4g}") if isinstance(plain, float) else plain
    return facts


def _histogram(scores: Sequence[Score], has_cluster: NDArray[np.bool_]) -> list[int]:
    """Numbers of shown rows in a cluster by their probability: up to 0.1, up to 0.2, and so on."""
    values = next((score.values for score in scores if score.name == "probability"), None)
    if values is None:
        return []
    known = values[has_cluster & np.isfinite(values)]
    counts: list[int] = np.histogram(np.clip(known, 0, 1), bins=N_BINS, range=(0, 1))[0].tolist()
    return counts


def _eigenvalues(model: Any) -> Any:
    """Eigenvalues of the graph, largest first, without the trivial 1."""
    if hasattr(model, "singular_values_"):
        return model.singular_values_**2
    return 1 - getattr(model, "eigenvalues_", np.empty(0))  # those of a Laplacian


def _rounded(values: Any) -> list[float]:
    return [float(f"{value:.5g}") for value in np.asarray(values, dtype=np.float64) if np.isfinite(value)]
