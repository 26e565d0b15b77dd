"""Choose anchors, and look at the clock alone (ulge, Tables 6 and 8)."""

from __future__ import annotations

from typing import Any

from anchorgraph.anchors import SELECTORS
from anchorgraph.bench.forms import Rows
from anchorgraph.bench.protocols.timed import timed
from anchorgraph.numerics.execution import execution
from anchorgraph.table import as_table


def selection(data: Rows, model: Any, seed: int) -> dict[str, Any]:
    """Seconds in which the anchors of an :class:`~anchorgraph.AnchorGraph` are found, without its graph."""
    if hasattr(model.anchors, "fit"):
        return timed(lambda: model.anchors.fit(data.X))[1]
    selector, table = SELECTORS[model.anchors], as_table(data.X)
    with execution():
        return timed(lambda: selector.select(table, model.n_anchors, seed))[1]
