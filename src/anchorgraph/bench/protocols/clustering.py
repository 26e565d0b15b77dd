"""Cluster all rows."""

from __future__ import annotations

from typing import Any

from anchorgraph.bench.forms import Rows
from anchorgraph.bench.protocols.scores import scores
from anchorgraph.bench.protocols.timed import timed


def clustering(data: Rows, model: Any, seed: int) -> dict[str, Any]:
    """Agreement of the clusters with the classes, and the time of the fit."""
    labels, seconds = timed(lambda: model.fit_predict(data.X))
    return scores(data.y, labels) | seconds
