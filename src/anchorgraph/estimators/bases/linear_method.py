"""Base of methods that learn a linear map."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from anchorgraph.contracts import Block, LinearMap
from anchorgraph.contracts import Floats as FloatArray
from anchorgraph.estimators.bases.fields import Field, Floats, Size
from anchorgraph.estimators.bases.inputs import finite, map_checked_rows
from anchorgraph.estimators.bases.method import Method
from anchorgraph.estimators.bases.parameters import OutputPath
from anchorgraph.estimators.bases.transformer import Transformer
from anchorgraph.numerics.finite import largest_number
from anchorgraph.projection import project


class LinearMethod(Transformer, Method):
    """Base of transformers ``x ↦ (x - mean_) components_ᵀ``."""

    saved: ClassVar[dict[str, Field]] = {
        "components_": Floats("p d"),
        "mean_": Floats("d", double=True),
        "_n_features_out": Size("p"),
    }

    components_: FloatArray
    mean_: FloatArray

    def _set_linear_map(self, linear: LinearMap, dtype: np.dtype[Any]) -> None:
        self.components_ = linear.components.astype(dtype)
        self.mean_ = linear.mean  # in float64: far from the origin, float32 cannot represent a mean accurately
        self._n_features_out = len(self.components_)

    def transform(self, X: Any, *, out: OutputPath = None) -> Any:
        """Project rows: ``(X - mean_) @ components_.T``.

        Parameters
        ----------
        X : array-like, sparse matrix, or any source for :func:`anchorgraph.as_table`, of shape (n_rows, n_features)
            Sparse rows are not converted to dense ones.
        out : path, optional
            A ``.npy``, ``.parquet`` or ``.csv`` file, or a new folder of shards, written block by block.

        Returns
        -------
        ndarray of shape (n_rows, n_components)
            A lazy Dask array if X is a Dask collection; with ``out``, the path of the file or folder.
        """
        check_is_fitted(self)
        projected = project(LinearMap(self.components_, self.mean_))

        def rows(block: Block) -> FloatArray:
            found: FloatArray = projected(block)
            if not np.isfinite(found).all():  # cheaper than a check of the block, which has many more columns
                largest_number(block)  # its error names the row and the column
                finite(found)
            return found

        return map_checked_rows(self, X, rows, out)
