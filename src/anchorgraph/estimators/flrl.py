"""Fast Local Representation Learning with an adaptive anchor graph."""

from __future__ import annotations

from typing import ClassVar

from anchorgraph.anchors import count_gaussian_parts, select_per_class
from anchorgraph.estimators.bases.card import Card
from anchorgraph.estimators.bases.fields import Floats, Labels, Size
from anchorgraph.estimators.bases.inputs import draw_seed
from anchorgraph.estimators.bases.supervised_method import SupervisedMethod
from anchorgraph.graph import Inverse
from anchorgraph.numerics.checks import check_integer, check_number
from anchorgraph.projection import learn_with_anchors


class FLRL(SupervisedMethod):
    r"""Fast Local Representation Learning: rows near anchors of their class, in time linear in the rows.

    .. math:: \min_{W, A, Z} \sum_i \sum_{j,h} (A^i_{jh})^r \lVert W^\top x^i_j - z^i_h \rVert^2, \qquad
        A^i_j 1 = 1,\ \lVert A^i_j \rVert_0 = k,\ W^\top S_t W = I

    (flrl Eq. 3) over the classes i, by turns of W (Eq. 9), the weights
    :math:`A_{jh} \propto (\lVert W^\top x_j - z_h \rVert^2)^{1/(1-r)}` of a row's k nearest anchors (Eq. 7), and
    the anchors, weighted means of their class (Eq. 5). Several anchors a class follow classes that are not Gaussian,
    which one mean, as in LDA, does not.

    Parameters
    ----------
    n_components : int, default=2
    anchors_per_class : int or "auto", default=5
        A class of fewer different rows gets as many anchors as those. ``"auto"`` gives each class its own number: it is
        cut in two, and its parts again, as long as the rows of a part, seen along the cut, are not Gaussian. It gets
        an anchor for each part, but no fewer than ``n_neighbors``.
    n_neighbors : int, default=3
        k: anchors that a row is tied to; in a class of fewer anchors, all of them.
    r : float, default=2.0
        Exponent of the weights, above 1.
    alpha : float, default=1e-06
        Ridge, as a share of the mean variance of the rows. With more columns than rows, the classes fall together
        in more directions than are wanted, and the ridge prefers those in which the rows differ most.
    max_iter : int, default=50
    tol : float, default=0.0001
        A round that lowers the objective by no more than this share is the last.
    n_jobs : int, default=None
        Threads. ``None`` takes as many as the BLAS library may. The result does not depend on it.
    random_state : int, RandomState instance or None, default=None
        Of the anchors that the rounds begin with.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    components_ : ndarray of shape (n_components, `n_features_in_`)
        Wᵀ.
    mean_ : ndarray of shape (`n_features_in_`,)
        In float64.
    anchors_ : ndarray of shape (n_anchors, `n_features_in_`)
        Anchors of all classes, in the space of the rows.
    anchor_classes_ : ndarray of shape (n_anchors,)
        The class of each anchor.
    history_ : ndarray of shape (`n_iter_`,)
        The objective of Eq. 3, and the ridge, after each update of W; it never increases, but for rounding.
    n_iter_ : int
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Where ``X`` has column names that are all strings.

    See Also
    --------
    LADA, ADA, ALLDA : the same with a graph between all rows of a class.

    References
    ----------
    .. [1] C. Zhang, F. Nie, Z. Wang, R. Wang, X. Li. Fast Local Representation Learning with Adaptive Anchor Graph.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from anchorgraph import FLRL
    >>> X, y = load_digits(return_X_y=True)
    >>> FLRL(n_components=9, random_state=0).fit(X[:1500], y[:1500]).transform(X[1500:]).shape
    (297, 9)
    """

    card = Card(
        "flrl",
        "Fast Local Representation Learning with Adaptive Anchor Graph",
        "flrl",
        "embedding",
        streams=True,
        supervised=True,
    )
    saved: ClassVar = {
        "anchors_": Floats("m d"),
        "anchor_classes_": Labels("m"),
        "history_": Floats("t", double=True),
        "n_iter_": Size("t"),
    }

    def __init__(
        self,
        n_components=2,
        *,
        anchors_per_class=5,
        n_neighbors=3,
        r=2.0,
        alpha=1e-6,
        max_iter=50,
        tol=1e-4,
        n_jobs=None,
        random_state=None,
    ):
        self.n_components = n_components
        self.anchors_per_class = anchors_per_class
        self.n_neighbors = n_neighbors
        self.r = r
        self.alpha = alpha
        self.max_iter = max_iter
        self.tol = tol
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y):
        """Learn the projection.

        Parameters
        ----------
        X : array-like, sparse matrix, or any source for :func:`anchorgraph.as_table`, of shape (n_rows, n_features)
        y : array-like of shape (n_rows,) or str
            Classes, of any type that can be sorted; or the name of the column of X that holds them.

        Returns
        -------
        self
        """
        check_integer("n_neighbors", self.n_neighbors)
        check_integer("max_iter", self.max_iter)
        check_number("tol", self.tol, at_least=0, below=1)
        check_number("alpha", self.alpha, at_least=0)
        self._check_number()
        weighting = Inverse(self.r)
        table, space, codes = self._read_classes(X, y)
        anchors, owners = select_per_class(table, codes, self._choose_number, seed=draw_seed(self.random_state))
        linear, points, self.history_ = learn_with_anchors(
            space,
            codes,
            anchors,
            owners,
            weigh=weighting.weights,
            r=self.r,
            n_neighbors=self.n_neighbors,
            n_components=self.n_components,
            alpha=self.alpha,
            max_iter=self.max_iter,
            tol=self.tol,
        )  # Algorithm 1
        self.n_iter_ = len(self.history_)
        self.anchors_ = points.astype(table.dtype)
        self.anchor_classes_ = self.classes_[owners]
        self._set_linear_map(linear, table.dtype)
        return self

    def _check_number(self):
        if isinstance(self.anchors_per_class, str):
            if self.anchors_per_class != "auto":
                raise ValueError(f"anchors_per_class must be an integer ≥ 1 or 'auto'; got {self.anchors_per_class!r}.")
            return
        check_integer("anchors_per_class", self.anchors_per_class)
        if self.n_neighbors > self.anchors_per_class:
            raise ValueError(
                f"n_neighbors={self.n_neighbors} is more than anchors_per_class={self.anchors_per_class}; use at most "
                f"{self.anchors_per_class}."
            )

    def _choose_number(self, rows, seed):
        if self.anchors_per_class == "auto":
            return max(self.n_neighbors, count_gaussian_parts(rows, seed))
        return self.anchors_per_class
