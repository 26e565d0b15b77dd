"""Base of the baselines with a kernel form."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from sklearn.metrics.pairwise import kernel_metrics
from sklearn.utils.validation import check_is_fitted

from anchorgraph.contracts import Block, LinearMap
from anchorgraph.contracts import Floats as FloatArray
from anchorgraph.estimators.bases.fields import TINY, Field, Floats, Number, Optional, Record, Rows, Text
from anchorgraph.estimators.bases.inputs import map_new_rows
from anchorgraph.estimators.bases.linear_method import LinearMethod
from anchorgraph.estimators.bases.neighbor_method import NeighborMethod
from anchorgraph.estimators.bases.parameters import Bandwidth, OutputPath, RandomState
from anchorgraph.numerics.checks import check_choice, check_number, check_positive
from anchorgraph.numerics.kernels import KernelFeatures
from anchorgraph.projection import project


class KernelMethod(LinearMethod, NeighborMethod):
    """Base of LPP and SR; their kernel forms are linear in the kernels of a row with the rows of the fit."""

    saved: ClassVar[dict[str, Field]] = {
        "components_": Floats("p f"),
        "mean_": Floats("f", double=True),
        "_kernel": Optional(
            Record(
                KernelFeatures,
                {
                    "rows": Rows("f d"),
                    "name": Text(tuple(kernel_metrics())),
                    "gamma": Optional(Number(above=TINY)),
                    "degree": Number(),
                    "coef0": Number(),
                },
            ),
            same=("f", "d"),
        ),
    }

    _kernel: KernelFeatures | None

    def __init__(
        self,
        n_components: int = 2,
        *,
        alpha: float = 0.01,
        kernel: str | None = None,
        gamma: float | None = None,
        degree: float = 3,
        coef0: float = 1,
        n_neighbors: int = 5,
        sigma: Bandwidth = "mean",
        n_jobs: int | None = None,
        random_state: RandomState = None,
    ) -> None:
        self.n_components = n_components
        self.alpha = alpha
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.n_neighbors = n_neighbors
        self.sigma: Bandwidth = sigma
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _fit_kernel(self, rows: Block) -> Block:
        """The features that the linear map acts on: the rows, or their kernels with each other."""
        self._kernel = None
        if self.kernel is None:
            return rows
        check_choice("kernel", self.kernel, kernel_metrics())
        check_number("degree", self.degree)
        check_number("coef0", self.coef0)
        if self.gamma is not None:
            check_positive("gamma", self.gamma)
        gamma = 1 / (2 * self.sigma_**2) if self.gamma is None and self.kernel == "rbf" else self.gamma
        self._kernel = KernelFeatures(rows, self.kernel, gamma, self.degree, self.coef0)
        return self._kernel(rows)

    def transform(self, X: Any, *, out: OutputPath = None) -> Any:
        """Project rows: ``(X - mean_) @ components_.T``, where a kernel replaces X by its kernels with the fitted rows.

        Parameters
        ----------
        X : array-like, sparse matrix, or any source for :func:`anchorgraph.as_table`, of shape (n_rows, n_features)
        out : path, optional
            A ``.npy``, ``.parquet`` or ``.csv`` file, or a new folder of shards, written block by block.

        Returns
        -------
        ndarray of shape (n_rows, n_components)
            A lazy Dask array if X is a Dask collection; with ``out``, the path of the file or folder.
        """
        check_is_fitted(self)
        kernel = self._kernel
        if kernel is None:
            return super().transform(X, out=out)
        projected = project(LinearMap(self.components_, self.mean_))

        def rows(block: Block) -> FloatArray:
            # in float64: coefficients of nearly equal rows are large and of both signs
            kernels = (kernel(block[part].astype(np.float64)) for part in kernel.parts(block))
            found: FloatArray = np.concatenate([projected(some) for some in kernels]).astype(block.dtype)
            return found

        return map_new_rows(self, X, rows, out)
