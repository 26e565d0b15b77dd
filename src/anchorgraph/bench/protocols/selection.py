"""Select anchors and measure only the time (ulge, Tables 6 and 8)."""

from __future__ import annotations

from typing import Any

from anchorgraph.anchors import SELECTORS
from anchorgraph.bench.forms import Rows
from anchorgraph.bench.protocols.timed import timed
from anchorgraph.contracts import AnchorSelector
from anchorgraph.numerics.execution import execution
from anchorgraph.table import as_table


def selection(data: Rows, model: Any, seed: int) -> dict[str, Any]:
    """Time in seconds to select the anchors of an :class:`~anchorgraph.AnchorGraph`, without its graph."""
    if hasattr(model.anchors, "fit"):
        return timed(lambda: model.anchors.fit(data.X))[1]
    selector: AnchorSelector = SELECTORS[model.anchors]
    table = as_table(data.X)
    with execution():
        return timed(lambda: selector.select(table, model.n_anchors, seed))[1]
