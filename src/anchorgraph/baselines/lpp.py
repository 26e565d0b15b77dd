"""Locality Preserving Projections."""

from __future__ import annotations

from anchorgraph.estimators.bases.card import Card
from anchorgraph.estimators.bases.inputs import check_components
from anchorgraph.estimators.bases.kernel_method import KernelMethod
from anchorgraph.numerics.checks import check_number
from anchorgraph.projection import locality_preserving


class LPP(KernelMethod):
    r"""Locality Preserving Projections, and with a kernel KLPP: the linear map that keeps neighbours near.

    .. math:: \max_W \mathrm{tr}\, (W^\top (X^\top HDHX + \alpha I) W)^{-1} W^\top X^\top HAHXW

    over a graph A of nearest rows with degrees D: the minimum over the Laplacian :math:`L = D - A` of ulge Eq. 4, with
    the ridge on both sides of it. With a kernel, the rows of kernels with all rows of the fit stand in the place of X.
    A baseline: time is quadratic in the rows.

    Parameters
    ----------
    n_components : int, default=2
    alpha : float, default=0.01
        Ridge. It is relative to the squares of X: scale X with it in mind.
    kernel : str, default=None
        A kernel of :func:`sklearn.metrics.pairwise.pairwise_kernels`, such as ``"rbf"``, for KLPP. It takes a
        dense n×n matrix.
    gamma : float, default=None
        Of the kernels that have one. ``None`` is :math:`1/2\sigma^2` of the graph for ``"rbf"`` (csr's choice), and
        scikit-learn's default for others.
    degree : float, default=3
    coef0 : float, default=1
    n_neighbors : int, default=5
        Rows that a row is tied to; the graph has a tie where one of two rows has the other among its nearest.
    sigma : float or "mean", default="mean"
        Bandwidth of the Gaussian weights; ``"mean"`` is the mean distance of 3,000 sampled rows (csr, footnote 3).
    n_jobs : int, default=None
        Threads. ``None`` takes as many as the BLAS library may.
    random_state : int, RandomState instance or None, default=None
        Rows that the bandwidth is learnt from.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, `n_features_in_`)
        Wᵀ. With a kernel, one column for each row of the fit.
    mean_ : ndarray of shape (`n_features_in_`,)
        Mean of the rows, with a kernel of the rows of kernels.
    sigma_ : float
        Bandwidth of the graph.
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Where ``X`` has column names that are all strings.

    See Also
    --------
    ULGE : the same objective over an anchor graph, in time linear in the rows.

    References
    ----------
    .. [1] X. He, P. Niyogi. Locality Preserving Projections. 2003.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from anchorgraph import LPP
    >>> X, _ = load_digits(return_X_y=True)
    >>> LPP(n_components=10, random_state=0).fit(X[:1500]).transform(X[1500:]).shape
    (297, 10)
    """

    card = Card("lpp", "Locality Preserving Projections", "He and Niyogi 2003", "embedding", streams=False)

    def fit(self, X, y=None):
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
        graph = self._tie(rows)
        linear = locality_preserving(features, graph, self.n_components, self.alpha)  # ulge Eq. 4
        self._set_linear_map(linear, table.dtype)
        return self
