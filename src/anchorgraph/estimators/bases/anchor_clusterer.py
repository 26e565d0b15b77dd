"""What clusterers that round the spectrum of an anchor graph share."""

from __future__ import annotations

from typing import ClassVar

from anchorgraph.estimators.bases.anchor_method import AnchorMethod
from anchorgraph.estimators.bases.fields import Floats
from anchorgraph.estimators.bases.kept_graph import KEPT_GRAPH
from anchorgraph.estimators.bases.rounded_clusterer import RoundedClusterer


class AnchorClusterer(RoundedClusterer, AnchorMethod):
    """Base of FSC and LSC: a new row embeds as ``z(x) Δ^-1/2 V Σ^-1``."""

    saved: ClassVar = {
        **KEPT_GRAPH,
        "_anchor_map": Floats("m p"),
        "singular_values_": Floats("s", double=True, empty=True),
    }

    def _embedding(self):
        graph, anchor_map = self._graph, self._anchor_map
        return lambda block: graph(block) @ anchor_map.astype(block.dtype)
