"""Fit, and look at the clock alone."""

from __future__ import annotations

from typing import Any

from anchorgraph.bench.forms import Rows
from anchorgraph.bench.protocols.timed import timed


def fitting(data: Rows, model: Any, seed: int) -> dict[str, Any]:
    """Seconds of a fit; methods that learn from classes get them."""
    return timed(lambda: model.fit(data.X, data.y))[1]
