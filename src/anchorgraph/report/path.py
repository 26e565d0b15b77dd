"""Scores of models with other numbers of clusters."""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping
from typing import Any

from anchorgraph.estimators.cluster_path import ClusterPath
from anchorgraph.table import shorten


def read_path(path: Any) -> list[dict[str, Any]]:
    """Scores by number of clusters.

    Parameters
    ----------
    path : mapping or ClusterPath, optional
        Scores by number of clusters, ``{2: 0.1, 3: 0.3}``, or such mappings by the name of a score.

    Returns
    -------
    list of dict
        For each score its ``name``, numbers of clusters (``n_clusters``, ascending) and ``values``, without those that
        are NaN or infinite.
    """
    if path is None:
        return []
    if isinstance(path, ClusterPath):
        numbers = path.n_clusters.tolist()
        path = {name: dict(zip(numbers, values.tolist(), strict=True)) for name, values in path.scores.items()}
    if not isinstance(path, Mapping):
        raise _not_a_path(path)
    by_name = path if any(isinstance(scores, Mapping) for scores in path.values()) else {"score": path}
    return [read for name, scores in by_name.items() if (read := _read_scores(shorten(str(name)), scores))["values"]]


def _read_scores(name: str, scores: Any) -> dict[str, Any]:
    try:
        pairs = sorted((operator.index(number), float(value)) for number, value in scores.items())
    except (AttributeError, TypeError, ValueError):
        raise _not_a_path(scores) from None
    finite = [pair for pair in pairs if math.isfinite(pair[1])]
    return {"name": name, "n_clusters": [number for number, _ in finite], "values": [value for _, value in finite]}


def _not_a_path(got: Any) -> ValueError:
    example = '{"silhouette": {2: 0.1, 3: 0.3}}'
    return ValueError(f"path must have scores by number of clusters, such as {example}; got {got!r}.")
