"""Fit an embedding to the training rows; cluster the embedded training rows and new rows (csr)."""

from __future__ import annotations

from typing import Any

from sklearn.cluster import KMeans

from anchorgraph.bench.forms import Rows
from anchorgraph.bench.protocols.scores import scores
from anchorgraph.bench.protocols.timed import timed


def new_rows(data: Rows, model: Any, seed: int, *, starts: int = 10) -> dict[str, Any]:
    """Agreement on training and on new rows, which are clustered separately, and the time of the fit."""
    if data.n_train is None:
        raise ValueError("The data set defines no training rows, which the protocol 'new_rows' requires.")
    learnt, seconds = timed(lambda: model.fit_transform(data.X[: data.n_train]))
    new = model.transform(data.X[data.n_train :])
    parts = {"training": (learnt, data.y[: data.n_train]), "new": (new, data.y[data.n_train :])}
    found: dict[str, Any] = {}
    for part, (rows, classes) in parts.items():
        labels = KMeans(data.n_classes, n_init=starts, random_state=seed).fit_predict(rows)
        found |= {f"{name} of {part} rows": value for name, value in scores(classes, labels).items()}
    return found | seconds
