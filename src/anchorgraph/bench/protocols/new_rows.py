"""Learn an embedding from the training rows; cluster them, and the new ones, in it (csr)."""

from __future__ import annotations

from typing import Any

from sklearn.cluster import KMeans

from anchorgraph.bench.forms import Rows
from anchorgraph.bench.protocols.scores import scores
from anchorgraph.bench.protocols.timed import timed


def new_rows(data: Rows, model: Any, seed: int, *, starts: int = 10) -> dict[str, Any]:
    """Agreement on training and on new rows, each clustered by itself, and the time of learning."""
    if data.n_train is None:
        raise ValueError("The data have no training rows of their own.")
    learnt, seconds = timed(lambda: model.fit_transform(data.X[: data.n_train]))
    new = model.transform(data.X[data.n_train :])
    parts = {"training": (learnt, data.y[: data.n_train]), "new": (new, data.y[data.n_train :])}
    found: dict[str, Any] = {}
    for part, (rows, classes) in parts.items():
        labels = KMeans(data.n_classes, n_init=starts, random_state=seed).fit_predict(rows)
        found |= {f"{name} of {part} rows": value for name, value in scores(classes, labels).items()}
    return found | seconds
