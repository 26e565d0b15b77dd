"""Base of clusterers that round the spectrum of an anchor graph."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from anchorgraph.contracts import Assignment, RowMap, RowTable
from anchorgraph.contracts import Floats as FloatArray
from anchorgraph.estimators.bases.clusterer import set_labels, set_probabilities, share_names
from anchorgraph.estimators.bases.fields import Field, Floats, Record
from anchorgraph.estimators.bases.graph_method import GraphMethod
from anchorgraph.estimators.bases.inputs import map_new_rows
from anchorgraph.estimators.bases.parameters import OutputPath
from anchorgraph.estimators.bases.rounded_clusterer import RoundedClusterer, assigned
from anchorgraph.labels import AnchorShares
from anchorgraph.numerics.chunked import in_chunks

ROUNDING = 1e-6
"""Difference of a sum of shares from one that is taken for rounding."""


def _no_shares(shares: AnchorShares) -> str | None:
    values = shares.of_anchors
    are_shares = values.min() >= 0 and np.abs(values.sum(axis=1) - 1).max() < ROUNDING
    return None if are_shares else "has negative shares, or shares that do not sum to one"


class AnchorClusterer(RoundedClusterer, GraphMethod):
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
