"""Rows made ready for the metric of an estimator, and rows with missing values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from anchorgraph.contracts import Block, RowMap, RowTable
from anchorgraph.numerics.checks import check_choice
from anchorgraph.numerics.finite import largest_number
from anchorgraph.numerics.missing import are_complete, filled, without_absent
from anchorgraph.numerics.unit_rows import lengths, unit_rows

if TYPE_CHECKING:
    from anchorgraph.estimators.bases.method import Method

METRICS: dict[str, Callable[..., Block] | None] = {"euclidean": None, "cosine": unit_rows}
"""What is done to rows so that Euclidean distances between them are those of a metric; None if nothing.

Errors of it suggest ``missing="mask"`` if it is called with ``can_mask=True``.
"""

MISSING = ("error", "mask")


@dataclass(frozen=True)
class Preparation:
    """What is done to rows before an estimator sees them, in its fit and for new rows.

    Attributes
    ----------
    metric : str
        One of the estimator's ``metrics``: a key of :data:`METRICS`, or that of a graph.
    masks : bool
        Whether rows with NaN are left out, and rows of zeros where the metric compares directions.
    can_mask : bool
        Whether errors suggest the parameter ``missing``, which the estimator has.
    """

    metric: str = "euclidean"
    masks: bool = False
    can_mask: bool = False

    @classmethod
    def of(cls, estimator: Method) -> Preparation:
        """The preparation that the parameters ``metric`` and ``missing`` stand for, where an estimator has them."""
        metric, missing = getattr(estimator, "metric", "euclidean"), getattr(estimator, "missing", "error")
        check_choice("metric", metric, estimator.metrics)
        check_choice("missing", missing, MISSING)
        can_mask = estimator._can_mask()
        return cls(metric, can_mask and missing == "mask", can_mask)

    @property
    def holds(self) -> str:
        """What X holds: rows, or a graph."""
        return "rows" if self.metric in METRICS else "graph"

    def are_present(self, block: Block) -> NDArray[np.bool_]:
        """(n,) whether a row has all values, and a direction where the metric needs one."""
        present = are_complete(block)
        return present & (lengths(block) != 0) if self.metric == "cosine" else present

    def filled(self, block: Block) -> Block:
        """Rows with any finite values in place of those that are not present."""
        return filled(block, self.are_present(block))

    def view(self, table: RowTable) -> RowTable:
        """The rows of a table, ready for the metric; nothing is copied."""
        ready = self._ready()
        return table if ready is None else table.view(ready, table.names)

    def before(self, row_map: RowMap) -> RowMap:
        """The row map that prepares rows and then applies ``row_map``; rows that are not present get no result."""
        ready = self._ready()

        def prepared(block: Block) -> Any:
            if ready is None:
                return row_map(block)
            largest_number(block)  # its error names the place, which is lost where a whole row becomes NaN
            return row_map(ready(block))

        if not self.masks:
            return row_map if ready is None else prepared

        def masked(block: Block) -> Any:
            present = self.are_present(block)
            return without_absent(prepared(filled(block, present)), present)

        return masked

    def _ready(self) -> RowMap | None:
        """What is done to rows for the metric, if anything."""
        row_map = METRICS.get(self.metric)
        return None if row_map is None else partial(row_map, can_mask=self.can_mask)
