"""Base of clusterers that round the spectrum of an anchor graph."""

from __future__ import annotations

from typing import ClassVar

from anchorgraph.contracts import Floats as FloatArray
from anchorgraph.contracts import RowMap
from anchorgraph.estimators.bases.fields import Field, Floats
from anchorgraph.estimators.bases.graph_method import GraphMethod
from anchorgraph.estimators.bases.rounded_clusterer import RoundedClusterer


class AnchorClusterer(RoundedClusterer, GraphMethod):
    """Base of FSC and LSC: the embedding of a new row is ``z(x) Δ^-1/2 V Σ^-1``."""

    saved: ClassVar[dict[str, Field]] = {
        "_anchor_map": Floats("m p"),
        "singular_values_": Floats("s", double=True, empty=True),
    }

    _anchor_map: FloatArray

    def _embedding(self) -> RowMap:
        graph, anchor_map = self._graph, self._anchor_map
        return lambda block: graph(block) @ anchor_map.astype(block.dtype)
