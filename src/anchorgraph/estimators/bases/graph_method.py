"""Base of methods that need nothing of the rows but their anchor graph, which can be passed in their place."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from anchorgraph.contracts import Anchors, RowMap, RowTable
from anchorgraph.estimators.bases.anchor_method import AnchorMethod
from anchorgraph.estimators.bases.fields import Field, Integer, Record, Size
from anchorgraph.estimators.bases.kept_graph import KEPT_GRAPH
from anchorgraph.estimators.bases.parameters import GraphMetricParameter, OutputPath
from anchorgraph.estimators.bases.preparation import METRICS
from anchorgraph.graph import GivenGraph

GIVEN_GRAPH: dict[str, Field] = {
    "n_anchors_": Integer(at_least="d", at_most="d", letter="m"),  # the columns of X are the anchors
    "_graph": Record(GivenGraph, {"n_anchors": Size("m")}),
}


class GraphMethod(AnchorMethod):
    """Base of FSC, LSC, ONGR and CSR: with ``metric="precomputed"``, X is Z, and no anchors are selected."""

    metrics: ClassVar[tuple[str, ...]] = (*METRICS, "precomputed")
    saved: ClassVar[dict[str, Field]] = KEPT_GRAPH

    metric: GraphMetricParameter

    n_anchors_: int
    _graph: RowMap

    def _check_graph(self) -> None:
        if not self._is_given():
            super()._check_graph()

    def _select_anchors(self, table: RowTable, seed: int) -> Anchors:
        """As for other methods; the anchors of a graph that was passed have no coordinates."""
        if not self._is_given():
            return super()._select_anchors(table, seed)
        for name in ("anchors_", "weighting_", "search_", "_typicality"):  # of an earlier fit
            vars(self).pop(name, None)
        self.n_anchors_ = table.n_cols
        return Anchors(np.empty((table.n_cols, 0)))

    def _connect(self, anchors: Anchors, table: RowTable, seed: int) -> RowMap:
        return GivenGraph(table.n_cols) if self._is_given() else super()._connect(anchors, table, seed)

    def score_samples(self, X: Any, *, out: OutputPath = None) -> Any:
        """As for other methods; a graph that was passed has no distances."""
        if self._is_given():
            raise ValueError(
                "score_samples needs the distances of rows to their anchors, which metric='precomputed' does not have; "
                "fit with metric='euclidean' or 'cosine', or use score_samples of the AnchorGraph that Z came from."
            )
        return super().score_samples(X, out=out)

    def _fields_to_save(self) -> dict[str, Field]:
        fields = super()._fields_to_save()
        if not self._is_given():
            return fields
        of_anchors = AnchorMethod.saved.keys() | KEPT_GRAPH.keys()
        return GIVEN_GRAPH | {name: field for name, field in fields.items() if name not in of_anchors}

    def _parameters_to_save(self) -> dict[str, Any]:
        """As for other methods, with the default in place of anchors that were passed with a graph and not used."""
        if self._is_given() and self._selector() is None:
            return super(AnchorMethod, self)._parameters_to_save() | {"anchors": type(self)().anchors}
        return super()._parameters_to_save()

    def _is_given(self) -> bool:
        return self.metric == "precomputed"
