"""Rows in two dimensions, to be drawn."""

from __future__ import annotations

from typing import Any

import numpy as np

from anchorgraph.bench.forms import Rows
from anchorgraph.bench.protocols.timed import timed

MOST_POINTS = 1_000


def picture(data: Rows, model: Any, seed: int) -> dict[str, Any]:
    """Some rows of an embedding: the first coordinate, the last of its two, and the class of each."""
    _, seconds = timed(lambda: model.fit(data.X, data.y))
    chosen = np.random.default_rng(seed).permutation(len(data.y))[:MOST_POINTS]
    rows = model.transform(data.X[np.sort(chosen)])
    points = np.column_stack([rows[:, 0], rows[:, -1]])
    points = (points - points.min(axis=0)) / (np.ptp(points, axis=0) + 1e-300)
    classes = data.y[np.sort(chosen)].tolist()
    return {
        "points": [[round(x, 3), round(y, 3), c] for (x, y), c in zip(points.tolist(), classes, strict=True)]
    } | seconds
