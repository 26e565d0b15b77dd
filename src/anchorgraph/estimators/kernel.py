"""What the baselines with a kernel form share."""

from __future__ import annotations

import numpy as np
from sklearn.metrics.pairwise import kernel_metrics
from sklearn.utils.validation import check_is_fitted

from anchorgraph.contracts import LinearMap
from anchorgraph.estimators.inputs import check_choice, read_table
from anchorgraph.estimators.linear import LinearMethod
from anchorgraph.estimators.neighbors import NeighborMethod
from anchorgraph.numerics.kernels import KernelFeatures
from anchorgraph.numerics.threads import chunks, resolve_n_jobs
from anchorgraph.projection import project

CHUNK_BYTES = 2**26
"""Kernels of new rows that exist at once."""


class KernelMethod(LinearMethod, NeighborMethod):
    """Base of the linear baselines, which in kernel form are linear in a row's kernels with the rows of the fit."""

    def _features(self, rows):
        """What the linear map acts on: the rows, or their kernels with each other."""
        if self.kernel is None:
            return rows
        check_choice("kernel", self.kernel, kernel_metrics())
        self.X_fit_ = rows
        return self._kernel_features()(rows)

    def _kernel_features(self):
        gamma = 1 / (2 * self.sigma_**2) if self.gamma is None and self.kernel == "rbf" else self.gamma
        return KernelFeatures(self.X_fit_, self.kernel, gamma, self.degree, self.coef0)

    def transform(self, X):
        """Project rows: ``(X - mean_) @ components_.T``, with a kernel the rows of kernels in place of X.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_rows, n_features)

        Returns
        -------
        ndarray of shape (n_rows, n_components)
        """
        check_is_fitted(self)
        if self.kernel is None:
            return super().transform(X)
        table = read_table(self, X, fitting=False)
        features = self._kernel_features()
        projected = project(LinearMap(self.components_, self.mean_), resolve_n_jobs(self.n_jobs))

        def rows(block, span):
            parts = chunks(block.shape[0], len(self.mean_) * block.dtype.itemsize, CHUNK_BYTES)
            return np.concatenate([projected(features(block[part]), part) for part in parts])

        return table.map_rows(rows)
