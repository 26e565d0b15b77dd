"""Locality Preserving Projections."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from anchorgraph.estimators.bases.card import Card
from anchorgraph.estimators.bases.inputs import check_components
from anchorgraph.estimators.bases.kernel_method import KernelMethod
from anchorgraph.numerics.checks import check_number
from anchorgraph.projection import locality_preserving


class LPP(KernelMethod):
    r"""Locality Preserving Projections, and with a kernel KLPP: the linear map that keeps neighbours close.

    .. math:: \max_W \mathrm{tr}\, (W^\top (X^\top HDHX + \alpha I) W)^{-1} W^\top X^\top HAHXW

    over a graph A of nearest rows with degrees D: the minimum over the Laplacian :math:`L = D - A` of ulge Eq. 4, with
    the ridge on both sides of it. With a kernel, X is replaced by the kernels of its rows with all rows of the fit. A
    baseline: time is quadratic in the rows.

    Parameters
    ----------
    n_components : int, default=2
        Number of dimensions of the embedding.
    alpha : float, default=0.01
        Ridge penalty. Its effect depends on the scale of the squares of X: scale X accordingly.
    kernel : str, default=None
        A kernel of :func:`sklearn.metrics.pairwise.pairwise_kernels`, such as ``"rbf"``, for KLPP. It requires three
        dense n×n matrices, and time cubic in the rows.
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
        Mean of the rows, or with a kernel the mean of their kernels with the rows of the fit.
    sigma_ : float
        Bandwidth of the graph.
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of the columns of ``X``. Defined only if they are all strings.

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

    card: ClassVar[Card] = Card(
        "lpp", "Locality Preserving Projections", "He and Niyogi 2003", "embedding", streams=False
    )

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
        graph = self._tie(rows)
        linear = locality_preserving(features, graph, self.n_components, self.alpha)  # ulge Eq. 4
        self._set_linear_map(linear, table.dtype)
        return self
