"""Unsupervised Large Graph Embedding."""

from __future__ import annotations

from typing import ClassVar

from anchorgraph.estimators.bases.anchor_method import AnchorMethod, tie_rows
from anchorgraph.estimators.bases.card import Card
from anchorgraph.estimators.bases.fields import Floats
from anchorgraph.estimators.bases.inputs import check_components, draw_seed, read_table
from anchorgraph.estimators.bases.linear_method import LinearMethod
from anchorgraph.numerics.checks import check_number
from anchorgraph.projection import ridge
from anchorgraph.spectrum import anchor_gram, anchor_spectrum, embedding


class ULGE(LinearMethod, AnchorMethod):
    r"""Unsupervised Large Graph Embedding: Locality Preserving Projections in time linear in the rows.

    Rows are tied to anchors, and the p leading non-trivial singular vectors F of that graph are regressed on the rows,

    .. math:: \min_W \lVert HXW - F \rVert^2 + \alpha \lVert W \rVert^2
        \quad\Rightarrow\quad W = (X^\top HX + \alpha I)^{-1} X^\top HF

    (ulge Eq. 23), with :math:`H = I - 11^\top / n`. Its columns span the solution of ridge LPP on the rank-p anchor
    graph (Eq. 22, Theorem 2), which usually takes an n×n graph and a generalised eigenproblem. On ``anchors="hk"`` this
    is the paper's HKULGE.

    Parameters
    ----------
    n_components : int, default=2
    alpha : float, default=0.01
        Ridge. It is relative to the squares of X: scale X with it in mind.
    n_anchors : int, default=None
        ``None`` takes 1024 for 4096 rows or more, else the power of two nearest to a quarter of the rows, but at least
        ``n_neighbors + 1``.
    anchors : {"bkhk", "hk", "kmeans", "random"}, array of shape (m, n_features) or clusterer, default="bkhk"
        How anchors are found, or the anchors themselves, or a scikit-learn clusterer with ``cluster_centers_``.
    n_neighbors : int, default=5
        Anchors that a row is tied to.
    weighting : {"adaptive", "gaussian", "inverse"} or an instance of Adaptive, Gaussian, Inverse, default="adaptive"
        Weights of a row's anchors.
    search : {"auto", "exact", "tree"}, default="auto"
        How nearest anchors are found, see :class:`AnchorGraph`.
    n_jobs : int, default=None
        Threads. ``None`` takes as many as the BLAS library may. The result does not depend on it.
    random_state : int, RandomState instance or None, default=None

    Attributes
    ----------
    components_ : ndarray of shape (n_components, `n_features_in_`)
        Wᵀ.
    mean_ : ndarray of shape (`n_features_in_`,)
        In float64.
    singular_values_ : ndarray of shape (n_components,)
        Of B = Z Δ^-½, without the trivial one. A value near one belongs to a component that parts the graph.
    anchors_ : ndarray of shape (`n_anchors_`, `n_features_in_`)
    n_anchors_ : int
    search_ : {"exact", "tree"}
    weighting_ : Adaptive, Gaussian or Inverse
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Where ``X`` has column names that are all strings.

    See Also
    --------
    OULGE : the same space with orthonormal directions.
    CSR : a nonlinear embedding from such a graph.
    LPP : the method that this one speeds up.

    References
    ----------
    .. [1] F. Nie, W. Zhu, X. Li. Unsupervised Large Graph Embedding Based on Balanced and Hierarchical K-Means.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from anchorgraph import ULGE
    >>> X, _ = load_digits(return_X_y=True)
    >>> ULGE(n_components=10, random_state=0).fit(X[:1500]).transform(X[1500:]).shape
    (297, 10)
    """

    card = Card("ulge", "Unsupervised Large Graph Embedding", "ulge", "embedding", streams=True)
    saved: ClassVar = {"singular_values_": Floats("p", double=True)}

    def __init__(
        self,
        n_components=2,
        *,
        alpha=0.01,
        n_anchors=None,
        anchors="bkhk",
        n_neighbors=5,
        weighting="adaptive",
        search="auto",
        n_jobs=None,
        random_state=None,
    ):
        self.n_components = n_components
        self.alpha = alpha
        self.n_anchors = n_anchors
        self.anchors = anchors
        self.n_neighbors = n_neighbors
        self.weighting = weighting
        self.search = search
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y=None):
        """Learn the projection.

        Parameters
        ----------
        X : array-like, sparse matrix, or any source for :func:`anchorgraph.as_table`, of shape (n_rows, n_features)
        y : ignored

        Returns
        -------
        self
        """
        check_number("alpha", self.alpha, at_least=0)
        table, seed = read_table(self, X), draw_seed(self.random_state)
        check_components(self.n_components, table.n_cols)
        anchors = self._select_anchors(table, seed)  # Algorithm 1
        Z = tie_rows(table, self._connect(anchors, table, seed))  # Eq. 18
        spectrum = anchor_spectrum(*anchor_gram(Z), self.n_components)  # Eq. 21
        F = Z.view(embedding(spectrum, table.dtype))
        self._set_linear_map(ridge(table, F, self.alpha), table.dtype)  # Eq. 23
        self.singular_values_ = spectrum.singular_values
        return self
