"""Base of clusterers of an anchor graph that join its nearest unconnected parts, where there are too many."""

from __future__ import annotations

from typing import Any

from anchorgraph.contracts import Floats, Spectrum
from anchorgraph.estimators.bases.graph_method import GraphMethod
from anchorgraph.estimators.bases.parameters import PartsParameter
from anchorgraph.numerics.checks import check_choice
from anchorgraph.spectrum import spectrum_for_clusters, spectrum_of_groups


class PartMethod(GraphMethod):
    """Base of FSC, LSC and ONGR."""

    parts: PartsParameter

    def _check_graph(self) -> None:
        check_choice("parts", self.parts, ("join", "literal"))
        super()._check_graph()

    def _spectrum_for(self, gram: Any, degrees: Floats, n_clusters: int, n_components: int) -> Spectrum:
        """The leading components of a graph, or those that separate groups of its nearest parts."""
        if self._joins_parts():
            joined = spectrum_of_groups(gram, degrees, self.anchors_, n_clusters, n_components)
            if joined is not None:
                return joined
        return spectrum_for_clusters(gram, degrees, n_components)

    def _joins_parts(self) -> bool:
        """Whether parts can be joined: the anchors of a graph that was passed are nowhere."""
        return self.parts == "join" and not self._is_given()
