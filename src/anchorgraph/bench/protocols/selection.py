"""Choose anchors, and look at the clock alone (ulge, Tables 6 and 8)."""

from __future__ import annotations

from typing import Any

from anchorgraph.anchors import SELECTORS
from anchorgraph.bench.forms import Rows
from anchorgraph.bench.protocols.timed import timed
from anchorgraph.numerics.threads import resolve_n_jobs
from anchorgraph.table import as_table


def selection(data: Rows, model: Any, seed: int) -> dict[str, Any]:
    """Seconds in which the anchors of an :class:`~anchorgraph.AnchorGraph` are found, without its graph."""
    if hasattr(model.anchors, "fit"):
        return timed(lambda: model.anchors.fit(data.X))[1]
    select: Any = SELECTORS[model.anchors]
    table, n_jobs = as_table(data.X), resolve_n_jobs(None)
    return timed(lambda: select(table, model.n_anchors, seed=seed, n_jobs=n_jobs))[1]
