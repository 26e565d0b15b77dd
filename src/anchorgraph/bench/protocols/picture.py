"""Embedded rows in two dimensions for a scatter plot."""

from __future__ import annotations

from typing import Any

import numpy as np

from anchorgraph.bench.forms import Rows
from anchorgraph.bench.protocols.timed import timed

MAX_POINTS = 1_000


def picture(data: Rows, model: Any, seed: int, *, anchors: bool = False) -> dict[str, Any]:
    """First and last coordinate and class of some embedded rows; anchors have class -1."""
    _, seconds = timed(lambda: model.fit(data.X, data.y))
    chosen = np.sort(np.random.default_rng(seed).permutation(len(data.y))[:MAX_POINTS])
    rows, groups = model.transform(data.X[chosen]), data.y[chosen]
    if anchors:
        rows = np.vstack([rows, model.transform(model.anchors_)])
        groups = np.concatenate([groups, np.full(len(model.anchors_), -1)])
    points = np.column_stack([rows[:, 0], rows[:, -1]])
    points = np.round((points - points.min(axis=0)) / (np.ptp(points, axis=0) + 1e-300), 3)
    return {
        "points": [[*point, group] for point, group in zip(points.tolist(), groups.tolist(), strict=True)]
    } | seconds
