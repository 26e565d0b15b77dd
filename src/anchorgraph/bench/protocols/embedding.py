"""Embed all rows, then cluster the embedding by k-means."""

from __future__ import annotations

from typing import Any

from anchorgraph.bench.forms import Rows
from anchorgraph.bench.protocols.scores import kmeans_scores
from anchorgraph.bench.protocols.timed import timed


def embedding(data: Rows, model: Any, seed: int, *, kmeans: int = 10) -> dict[str, Any]:
    """Agreement of ``kmeans`` runs of k-means with one initialisation each, and the time of the embedding."""
    rows, seconds = timed(lambda: model.fit_transform(data.X))
    return kmeans_scores(rows, data.y, kmeans, seed) | seconds
