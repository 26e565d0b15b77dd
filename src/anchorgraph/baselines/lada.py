"""Locality Adaptive Discriminant Analysis."""

from __future__ import annotations

from anchorgraph.estimators.bases.card import Card
from anchorgraph.estimators.bases.pair_method import PairMethod, weights_of_rows
from anchorgraph.graph import Inverse
from anchorgraph.projection import learn_with_pairs


class LADA(PairMethod):
    r"""Locality Adaptive Discriminant Analysis: pairs of a class weighted by their nearness in the subspace.

    .. math:: \min_{W^\top S_t W = I,\, s} \sum_c \sum_{i,j \in c} s_{ij}^2 \lVert W^\top (x_i - x_j) \rVert^2,
        \qquad \sum_j s_{ij} = 1

    by turns of W and :math:`s_{ij} \propto 1/\lVert W^\top (x_i - x_j) \rVert^2`. A baseline of flrl: time and memory
    are quadratic in the rows of a class.

    Parameters
    ----------
    n_components : int, default=2
    alpha : float, default=1e-06
        Ridge, as a share of the mean variance of the rows. With more columns than rows, the classes fall together
        in more directions than are wanted, and the ridge prefers those in which the rows differ most.
    max_iter : int, default=50
    tol : float, default=0.0001
        A round that changes the objective by no more than this share is the last.
    n_jobs : int, default=None
        Threads. ``None`` takes as many as the BLAS library may. The result does not depend on it.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    components_ : ndarray of shape (n_components, `n_features_in_`)
        Wᵀ.
    mean_ : ndarray of shape (`n_features_in_`,)
        In float64.
    history_ : ndarray of shape (`n_iter_`,)
        The objective, and the ridge, after each update of W.
    n_iter_ : int
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Where ``X`` has column names that are all strings.

    References
    ----------
    .. [1] X. Li, M. Chen, F. Nie, Q. Wang. Locality Adaptive Discriminant Analysis. 2017.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from anchorgraph import LADA
    >>> X, y = load_digits(return_X_y=True)
    >>> LADA(n_components=9).fit(X[:1500], y[:1500]).transform(X[1500:]).shape
    (297, 9)
    """

    card = Card(
        "lada",
        "Locality Adaptive Discriminant Analysis",
        "Li and others 2017",
        "embedding",
        streams=False,
        supervised=True,
    )

    def __init__(self, n_components=2, *, alpha=1e-6, max_iter=50, tol=1e-4, n_jobs=None):
        self.n_components = n_components
        self.alpha = alpha
        self.max_iter = max_iter
        self.tol = tol
        self.n_jobs = n_jobs

    def fit(self, X, y):
        """Learn the projection.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_rows, n_features)
        y : array-like of shape (n_rows,) or str
            Classes, of any type that can be sorted; or the name of the column of X that holds them.

        Returns
        -------
        self
        """
        self._check_rounds()
        weighting = Inverse(2.0)
        table, space, codes = self._read_classes(X, y)
        linear, self.history_ = learn_with_pairs(
            space,
            codes,
            weights_of_rows(lambda h: weighting.weights(h) ** 2),
            n_components=self.n_components,
            alpha=self.alpha,
            max_iter=self.max_iter,
            tol=self.tol,
        )
        self.n_iter_ = len(self.history_)
        self._set_linear_map(linear, table.dtype)
        return self
