"""Base of methods that tell how typical rows are."""

from __future__ import annotations

from typing import Any

from sklearn.utils.validation import check_is_fitted

from anchorgraph.estimators.bases.inputs import map_new_rows
from anchorgraph.estimators.bases.method import Method
from anchorgraph.estimators.bases.parameters import OutputPath
from anchorgraph.estimators.bases.typicality import Typicality


class ScoredMethod(Method):
    """Base of methods with anchors or centres, to which rows are near or far."""

    _typicality: Typicality

    def score_samples(self, X: Any, *, out: OutputPath = None) -> Any:
        """How typical each row is of those of the fit: outliers have the smallest scores.

        The score is minus the mean distance of a row to its ``n_neighbors`` nearest anchors (five in ``BKHK``), divided
        by the distance that rows of the fit around the nearest one typically have (see docs/methods/anchor_graph.md).
        About -1 is ordinary. Not available with ``metric="precomputed"``.

        Parameters
        ----------
        X : array-like, sparse matrix, or any source for :func:`anchorgraph.as_table`, of shape (n_rows, n_features)
        out : path, optional
            A ``.npy``, ``.parquet`` or ``.csv`` file, or a new folder of shards, written block by block.

        Returns
        -------
        ndarray of shape (n_rows,)
            A lazy Dask array if X is a Dask collection; with ``out``, the path of the file or folder.
        """
        check_is_fitted(self)
        return map_new_rows(self, X, self._typicality, out, ["score"])
