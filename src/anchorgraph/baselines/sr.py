"""Spectral Regression."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np

from anchorgraph.contracts import Floats, LinearMap
from anchorgraph.estimators.bases.card import Card
from anchorgraph.estimators.bases.inputs import check_components
from anchorgraph.estimators.bases.kernel_method import KernelMethod
from anchorgraph.numerics.checks import check_number
from anchorgraph.projection import check_rank, ridge, ridge_solution
from anchorgraph.spectrum import laplacian_spectrum
from anchorgraph.table import as_table


class SR(KernelMethod):
    r"""Spectral Regression, and with a kernel KSR: Laplacian Eigenmaps regressed on the rows.

    .. math:: \min_W \lVert HXW - Y \rVert^2 + \alpha \lVert W \rVert^2

    for the Laplacian Eigenmaps Y of the rows (ulge Eq. 6). With a kernel K the regression is
    :math:`(K + \alpha I)^{-1} Y` (csr Eq. 4). A baseline: time is quadratic in the rows.

    Parameters
    ----------
    n_components : int, default=2
        Number of dimensions of the embedding.
    alpha : float, default=0.01
        Ridge penalty. Its effect depends on the scale of the squares of X: scale X accordingly.
    kernel : str, default=None
        A kernel of :func:`sklearn.metrics.pairwise.pairwise_kernels`, such as ``"rbf"``, for KSR. It requires a
        dense n×n matrix.
    gamma : float, default=None
        Parameter of the kernels that have one. ``None`` uses :math:`1/2\sigma^2` of the graph for ``"rbf"``, as csr
        does, and scikit-learn's default for other kernels.
    degree : float, default=3
    coef0 : float, default=1
    n_neighbors : int, default=5
        Number of nearest rows that each row is connected to. Two rows are connected if either is among the nearest of
        the other.
    sigma : float or "mean", default="mean"
        Bandwidth of the Gaussian weights; ``"mean"`` is the mean distance between 3,000 sampled rows (csr, footnote 3).
    n_jobs : int, default=None
        Number of threads. ``None`` uses as many as BLAS does.
    random_state : int, RandomState instance or None, default=None
        Sampling of the rows that the bandwidth is learnt from.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, `n_features_in_`)
        Wᵀ: one direction per row. With a kernel, one column for each row of the fit.
    mean_ : ndarray of shape (`n_features_in_`,)
        Mean of the rows; zeros with a kernel, because the kernel regression is not centred.
    sigma_ : float
        Bandwidth of the graph.
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of the columns of ``X``. Defined only if they are all strings.

    See Also
    --------
    ULGE : the same regression on the spectrum of an anchor graph, in time linear in the rows.
    LE : the target of the regression.

    References
    ----------
    .. [1] D. Cai, X. He, J. Han. Spectral Regression for Efficient Regularized Subspace Learning. 2007.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from anchorgraph import SR
    >>> X, _ = load_digits(return_X_y=True)
    >>> SR(n_components=10, random_state=0).fit(X[:1500]).transform(X[1500:]).shape
    (297, 10)
    """

    card: ClassVar[Card] = Card("sr", "Spectral Regression", "Cai, He and Han 2007", "embedding", streams=False)

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the projection.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_rows, n_features)
        y : ignored

        Returns
        -------
        self
        """
        check_number("alpha", self.alpha, at_least=0)
        table, rows = self._read_rows(X)
        if self.kernel is None:
            check_components(self.n_components, table.n_cols)
        features = self._fit_kernel(rows)
        _, target = laplacian_spectrum(self._tie(rows), self.n_components)  # ulge Eq. 1
        if self.kernel is None:
            linear = ridge(table, as_table(target), self.alpha)  # ulge Eq. 6
        else:
            linear = self._kernel_regression(features, target)  # csr Eq. 4
        self._set_linear_map(linear, table.dtype)
        return self

    def _kernel_regression(self, kernels: Any, target: Floats) -> LinearMap:
        rounding = len(kernels) * np.finfo(kernels.dtype).eps * np.abs(kernels).max()
        check_rank(1, int(np.ptp(kernels, axis=0).max() > rounding))
        try:
            coefficients = ridge_solution(kernels.astype(np.float64), target, self.alpha)
        except np.linalg.LinAlgError:
            raise ValueError(
                f"kernel={self.kernel!r} is not positive semi-definite on these rows, and alpha={self.alpha} is too "
                "small to correct for it; use another kernel, for example 'rbf', or a larger alpha."
            ) from None
        return LinearMap(coefficients.T, np.zeros(len(kernels)))
