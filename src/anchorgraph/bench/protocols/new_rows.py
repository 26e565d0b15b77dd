"""Fit an embedding to the training rows; cluster the embedded training rows and new rows (csr)."""

from __future__ import annotations

from typing import Any

from anchorgraph.bench.forms import Rows
from anchorgraph.bench.protocols.scores import kmeans_scores
from anchorgraph.bench.protocols.timed import timed


def new_rows(data: Rows, model: Any, seed: int, *, kmeans: int = 10) -> dict[str, Any]:
    """Agreement on training and on new rows, which are clustered separately, and the time of the fit.

    Both parts are clustered by ``kmeans`` runs of k-means with one initialisation each.
    """
    if data.n_train is None:
        raise ValueError("The data set defines no training rows, which the protocol 'new_rows' requires.")
    learnt, seconds = timed(lambda: model.fit_transform(data.X[: data.n_train]))
    new = model.transform(data.X[data.n_train :])
    parts = {"training": (learnt, data.y[: data.n_train]), "new": (new, data.y[data.n_train :])}
    found: dict[str, Any] = {}
    for part, (rows, classes) in parts.items():
        runs = kmeans_scores(rows, classes, kmeans, seed)
        found |= {f"{name} of {part} rows": values for name, values in runs.items()}
    return found | seconds
