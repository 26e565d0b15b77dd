"""What the methods that learn a linear map share."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from anchorgraph.contracts import LinearMap
from anchorgraph.estimators.bases.fields import Floats, Size
from anchorgraph.estimators.bases.inputs import finite, map_checked_rows
from anchorgraph.estimators.bases.method import Method
from anchorgraph.estimators.bases.transformer import Transformer
from anchorgraph.numerics.finite import largest_number
from anchorgraph.projection import project


class LinearMethod(Transformer, Method):
    """Base of transformers ``x ↦ (x - mean_) components_ᵀ``."""

    saved: ClassVar = {
        "components_": Floats("p d"),
        "mean_": Floats("d", double=True),
        "_n_features_out": Size("p"),
    }

    def _set_linear_map(self, linear, dtype):
        self.components_ = linear.components.astype(dtype)
        self.mean_ = linear.mean  # in float64: far from the origin, float32 has no digits left for a mean
        self._n_features_out = len(self.components_)

    def transform(self, X, *, out=None):
        """Project rows: ``(X - mean_) @ components_.T``.

        Parameters
        ----------
        X : array-like, sparse matrix, or any source for :func:`anchorgraph.as_table`, of shape (n_rows, n_features)
            Sparse rows are not filled in.
        out : path, optional
            A ``.npy``, ``.parquet`` or ``.csv`` file, or a new folder of shards, for rows as they come.

        Returns
        -------
        ndarray of shape (n_rows, n_components)
            Lazy, if X is a Dask collection; with ``out``, the path of what was written.
        """
        check_is_fitted(self)
        projected = project(LinearMap(self.components_, self.mean_))

        def rows(block):
            found = projected(block)
            if not np.isfinite(found).all():  # a product shows what is not finite in its factors, and is much smaller
                largest_number(block)  # says where
                finite(found)
            return found

        return map_checked_rows(self, X, rows, out)
