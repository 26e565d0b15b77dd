"""Fit on some rows of each class, and predict the class of the other rows by the nearest one (flrl)."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.neighbors import KNeighborsClassifier

from anchorgraph.bench.forms import Rows
from anchorgraph.bench.protocols.timed import timed
from anchorgraph.metrics import nmi


def nearest(data: Rows, model: Any, seed: int, *, share: float = 0.4) -> dict[str, Any]:
    """Accuracy on the test rows of the class of the nearest training row; ``share`` of each class are training rows."""
    seen = _some_of_each_class(data.y, share, seed)
    _, seconds = timed(lambda: model.fit(data.X[seen], data.y[seen]))
    rows = model.transform(data.X)
    classifier = KNeighborsClassifier(1).fit(rows[seen], data.y[seen])
    predicted = classifier.predict(rows[~seen])
    accuracy = 100 * float(np.mean(predicted == data.y[~seen]))
    return {"accuracy": accuracy, "nmi": 100 * nmi(data.y[~seen], predicted)} | seconds


def _some_of_each_class(y: np.ndarray, share: float, seed: int) -> np.ndarray:
    rng, seen = np.random.default_rng(seed), np.zeros(len(y), dtype=bool)
    for name in np.unique(y):
        own = rng.permutation(np.flatnonzero(y == name))
        seen[own[: max(1, round(share * len(own)))]] = True
    return seen
