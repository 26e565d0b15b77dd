"""Spectral clustering through an anchor graph: what FSC and LSC share."""

from __future__ import annotations

import warnings
from typing import ClassVar

import numpy as np

from anchorgraph.estimators.base import AnchorMethod
from anchorgraph.estimators.fields import Floats
from anchorgraph.estimators.inputs import check_choice, check_clusters, draw_seed, read_table
from anchorgraph.estimators.kept_graph import KEPT_GRAPH
from anchorgraph.estimators.rounded import RoundedClusterer
from anchorgraph.spectrum import anchor_gram, eigengap, embedding, leading, spectrum_for_clusters, with_trivial
from anchorgraph.table import unchanged

MOST_CLUSTERS = 30
"""Clusters that the eigengap is looked for among; a graph in more parts has as many clusters as parts."""


class AnchorClusterer(RoundedClusterer, AnchorMethod):
    """Base of the clusterers that round the spectrum of an anchor graph."""

    saved: ClassVar = {
        **KEPT_GRAPH,
        "_anchor_map": Floats("m p"),
        "singular_values_": Floats("s", double=True, empty=True),
    }

    def fit(self, X, y=None):
        """Cluster the rows.

        Parameters
        ----------
        X : array-like, sparse matrix, or any source for :func:`anchorgraph.as_table`, of shape (n_rows, n_features)
        y : ignored

        Returns
        -------
        self
        """
        self._check_rounding()
        check_choice("trivial", self.trivial, ("auto", "drop", "keep"))
        table = read_table(self, X)
        if self.n_clusters is not None:
            check_clusters(self.n_clusters, table.n_rows)
        self._graph = self._fit_graph(table)  # Eq. 7
        Z = table.keep(self._graph)
        spectrum, n_clusters = self._spectrum(Z)  # Eq. 9
        self.singular_values_ = spectrum.singular_values
        if self._keeps_trivial() or not len(spectrum.singular_values):
            spectrum = with_trivial(leading(spectrum, n_clusters - 1), table.n_rows)
        self._anchor_map = spectrum.anchor_map.astype(table.dtype)
        F = self._keep_rows(Z, embedding(spectrum, table.dtype))
        del Z  # as large as F
        self._round(F, n_clusters, draw_seed(self.random_state))
        return self

    def _embedding(self):
        graph, anchor_map = self._graph, self._anchor_map
        return lambda block, span: graph(block, span) @ anchor_map.astype(block.dtype)

    def _spectrum(self, Z):
        """As many vectors as clusters, counting a trivial one that is kept; and the number of clusters."""
        gram, degrees = anchor_gram(Z, unchanged)
        if self.n_clusters is not None:
            n_vectors = self.n_clusters - self._keeps_trivial()
            return spectrum_for_clusters(gram, degrees, n_vectors), self.n_clusters
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="The anchor graph falls into")
            spectrum = spectrum_for_clusters(gram, degrees, MOST_CLUSTERS)
        if spectrum.n_parts > MOST_CLUSTERS:
            return spectrum_for_clusters(gram, degrees, spectrum.n_parts), spectrum.n_parts
        values = spectrum.singular_values
        n_clusters = eigengap(values if len(values) == MOST_CLUSTERS else np.append(values, 0))
        return leading(spectrum, n_clusters), n_clusters

    def _keeps_trivial(self):
        """Rotations need the constant vector: without it, two clusters are opposite and not at right angles."""
        return self.trivial == "keep" or (self.trivial == "auto" and self.rounding != "kmeans")
