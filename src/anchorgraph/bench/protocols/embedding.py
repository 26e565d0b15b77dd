"""Embed all rows, then cluster the embedding by k-means."""

from __future__ import annotations

from typing import Any

from sklearn.cluster import KMeans

from anchorgraph.bench.forms import Rows
from anchorgraph.bench.protocols.scores import scores
from anchorgraph.bench.protocols.timed import timed


def embedding(data: Rows, model: Any, seed: int, *, kmeans: int = 10) -> dict[str, Any]:
    """Agreement of ``kmeans`` runs of k-means with one initialisation each, and the time of the embedding."""
    rows, seconds = timed(lambda: model.fit_transform(data.X))
    starts = range(kmeans * seed, kmeans * (seed + 1))
    runs = [KMeans(data.n_classes, n_init=1, random_state=start).fit_predict(rows) for start in starts]
    found = [scores(data.y, labels) for labels in runs]
    return {name: [one[name] for one in found] for name in found[0]} | seconds
