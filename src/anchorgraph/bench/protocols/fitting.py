"""Fit a method and measure only its time."""

from __future__ import annotations

from typing import Any

from anchorgraph.bench.forms import Rows
from anchorgraph.bench.protocols.timed import timed


def fitting(data: Rows, model: Any, seed: int) -> dict[str, Any]:
    """Time of a fit in seconds; the classes are passed as ``y``."""
    return timed(lambda: model.fit(data.X, data.y))[1]
