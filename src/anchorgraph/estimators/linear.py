"""What the methods that learn a linear map share."""

from __future__ import annotations

import numpy as np
from sklearn.utils.validation import check_is_fitted

from anchorgraph.contracts import LinearMap
from anchorgraph.estimators.inputs import check_numbers, open_table
from anchorgraph.estimators.transformer import Transformer
from anchorgraph.numerics.threads import resolve_n_jobs
from anchorgraph.projection import project


class LinearMethod(Transformer):
    """Mixin of transformers ``x ↦ (x - mean_) components_ᵀ``."""

    def _keep(self, linear, dtype):
        self.components_ = linear.components.astype(dtype)
        self.mean_ = linear.mean  # in float64: far from the origin, float32 has no digits left for a mean
        self._n_features_out = len(self.components_)

    def transform(self, X):
        """Project rows: ``(X - mean_) @ components_.T``.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_rows, n_features)
            Sparse rows are not filled in.

        Returns
        -------
        ndarray of shape (n_rows, n_components)
        """
        check_is_fitted(self)
        table = open_table(self, X, fitting=False)
        n_jobs = resolve_n_jobs(self.n_jobs)
        rows = table.map_rows(project(LinearMap(self.components_, self.mean_), n_jobs))
        if not np.isfinite(rows).all():  # a product shows what is not finite in its factors, and is much smaller
            check_numbers(table, n_jobs)
        return rows
