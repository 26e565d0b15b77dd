"""Base of clusterers that round the spectrum of an anchor graph."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from anchorgraph.contracts import Assignment, Rounding, RowMap, RowTable, Spectrum
from anchorgraph.contracts import Floats as FloatArray
from anchorgraph.estimators.bases.clusterer import set_labels, set_probabilities, share_names
from anchorgraph.estimators.bases.fields import Field, Floats, Record
from anchorgraph.estimators.bases.inputs import map_new_rows
from anchorgraph.estimators.bases.number_of_clusters import MOST_CLUSTERS, choose_by_gap, choose_by_stability
from anchorgraph.estimators.bases.parameters import OutputPath
from anchorgraph.estimators.bases.part_method import PartMethod
from anchorgraph.estimators.bases.resampled_graph import N_HALVES, AnchorRows, ResampledGraph, Split
from anchorgraph.estimators.bases.rounded_clusterer import RoundedClusterer, assigned
from anchorgraph.labels import AnchorShares, KMeansRounding
from anchorgraph.numerics.chunked import in_chunks
from anchorgraph.spectrum import embedding, leading, spectrum_for_numbers

FEW_INITIALISATIONS = 3
"""Largest number of initialisations of k-means where clusterings are only compared."""

ROUNDING = 1e-6
"""Difference of a sum of shares from one that is taken for rounding."""


def _no_shares(shares: AnchorShares) -> str | None:
    values = shares.of_anchors
    are_shares = values.min() >= 0 and np.abs(values.sum(axis=1) - 1).max() < ROUNDING
    return None if are_shares else "has negative shares, or shares that do not sum to one"


class AnchorClusterer(RoundedClusterer, PartMethod):
    """Base of FSC and LSC: the embedding of a new row is ``z(x) Δ^-1/2 V Σ^-1``."""

    saved: ClassVar[dict[str, Field]] = {
        "_anchor_map": Floats("m p"),
        "_shares": Record(AnchorShares, {"of_anchors": Floats("m c", double=True)}, _no_shares),
        "singular_values_": Floats("s", double=True, empty=True),
    }

    probabilities_: FloatArray
    _anchor_map: FloatArray
    _shares: AnchorShares

    def _embedding(self) -> RowMap:
        graph, embed = self._graph, self._of_ties()
        return lambda block: embed(graph(block))

    def _of_ties(self) -> RowMap:
        """The row map from rows of Z to those of F."""
        anchor_map = self._anchor_map
        return lambda z: z @ anchor_map.astype(z.dtype)

    def _set_clusters(
        self, Z: RowTable, F: RowTable, assignment: Assignment, gram: sparse.csr_array, n_clusters: int
    ) -> None:
        """Set the fitted attributes that follow from Z, F and the assignment of its rows."""
        labels = self._assign(F, assignment, n_clusters)
        self._shares = AnchorShares.of(Z, labels, gram, n_clusters)
        set_probabilities(self, Z, self._shares, labels)
        set_labels(self, labels, n_clusters)

    def predict_proba(self, X: Any, *, out: OutputPath = None) -> Any:
        """The shares of the clusters around each row.

        The share of a cluster is how often a random walk of four steps from the row, each to an anchor or from there
        to a row of the fit, ends in it. The row's own cluster gets at least as large a share as any other.

        Parameters
        ----------
        X : array-like, sparse matrix, or any source for :func:`anchorgraph.as_table`, of shape (n_rows, n_features)
        out : path, optional
            A ``.npy``, ``.parquet`` or ``.csv`` file, or a new folder of shards, written block by block.

        Returns
        -------
        ndarray of shape (n_rows, `n_clusters_`)
            Rows sum to one. A lazy Dask array if X is a Dask collection; with ``out``, the path of the file or folder.
        """
        check_is_fitted(self)
        graph, shares = self._graph, self._shares
        embed, label = self._normalised(self._of_ties()), assigned(self._assignment)

        def of_ties(z: sparse.csr_array) -> FloatArray:
            found: FloatArray = shares(z, label(embed(z))).astype(z.dtype)
            return found

        rows = in_chunks(of_ties)
        return map_new_rows(self, X, lambda block: rows(graph(block)), out, share_names(self.n_clusters_))

    @abstractmethod
    def _rounding(self) -> Rounding:
        """The rounding object, after a check of the parameters of rounding; sets ``_normalise``."""

    @abstractmethod
    def _components(self, spectrum: Spectrum, n_clusters: int, total_weight: float) -> Spectrum:
        """Those of the leading components of a graph that are rounded to so many clusters."""

    def _choose_number(self, gram: Any, degrees: FloatArray, Z: RowTable, seed: int) -> tuple[Spectrum, int]:
        """The number of clusters that the graph suggests, and a spectrum with as many components.

        Parameters
        ----------
        gram, degrees : arrays
            Sums over all rows of Z.
        Z : RowTable
            These rows, or a sample of them.
        seed : int
        """
        spectrum = spectrum_for_numbers(gram, degrees, MOST_CLUSTERS)
        numbers = range(2, max(3, min(MOST_CLUSTERS, len(spectrum.singular_values) + 1) + 1))
        choice = choose_by_gap(spectrum, numbers)
        if choice is None:
            rows = AnchorRows(Z, spectrum, float(degrees.sum()), seed)
            resampled, split = ResampledGraph.of(rows, numbers[-1], N_HALVES), self._quick_split()
            choice = choose_by_stability(spectrum, numbers, lambda number: resampled.stability(split, number))
        return leading(spectrum, choice.n_clusters), choice.n_clusters

    def _split(self, rounding: Rounding) -> Split:
        """How rows of Z are clustered: as a fit with this rounding and any number of clusters does it."""

        def split(rows: AnchorRows, n_clusters: int) -> RowTable:
            components = self._components(rows.spectrum, n_clusters, rows.total_weight)
            F = self._embedded(rows.Z, embedding(components, rows.Z.dtype))
            return self._rounded(F, rounding.round(F, n_clusters, rows.seed))

        return split

    def _quick_split(self) -> Split:
        """The same with few initialisations of k-means."""
        rounding = self._rounding()
        if isinstance(rounding, KMeansRounding):
            rounding = replace(rounding, n_init=min(rounding.n_init, FEW_INITIALISATIONS))
        return self._split(rounding)
