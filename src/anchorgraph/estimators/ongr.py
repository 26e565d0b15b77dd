"""Orthogonal and Nonnegative Graph Reconstruction."""

from __future__ import annotations

import numpy as np
from sklearn.base import ClusterMixin
from sklearn.utils.validation import check_is_fitted

from anchorgraph.estimators.base import AnchorMethod
from anchorgraph.estimators.card import Card
from anchorgraph.estimators.inputs import (
    check_choice,
    check_clusters,
    check_count,
    check_not_negative,
    check_share,
    read_table,
)
from anchorgraph.estimators.rounded import tell_missing_clusters
from anchorgraph.estimators.transformer import Transformer
from anchorgraph.labels import STARTS, labels_of, reconstruct, replay
from anchorgraph.numerics.threads import resolve_n_jobs
from anchorgraph.spectrum import anchor_gram, spectrum_for_clusters, with_trivial
from anchorgraph.table import as_table


class ONGR(ClusterMixin, Transformer, AnchorMethod):
    r"""Orthogonal and Nonnegative Graph Reconstruction: clusters without a rounding step.

    .. math:: \min_{F^\top F = I,\, G \ge 0} \lVert A - FG^\top \rVert^2 + \lambda \lVert F - G \rVert^2

    for the anchor graph :math:`A = Z \Delta^{-1} Z^\top` (ongr Eq. 7), by turns of
    :math:`G = ((AF + \lambda F) / (1 + \lambda))_+` (Eq. 9) and :math:`F = UV^\top` from the thin SVD of
    :math:`AG + \lambda G` (Eq. 11). The label of a row is its largest membership in G. Neither A nor any other n×n or
    n×m dense matrix is formed. New rows go through the rounds of the fit.

    Parameters
    ----------
    n_clusters : int, default=8
    lam : float, default=0.001
        λ: how near F and G are held to each other.
    init : {"best", "singular", "qr", "rotation"}, default="best"
        Where F starts: the leading singular vectors, oriented; or rotated so that the most different rows lie on the
        axes; or rotated towards indicators of clusters. ``"best"`` goes all three ways and keeps the least objective.
    max_iter : int, default=100
    tol : float, default=0.001
        A round that changes no more than this share of the labels is the last.
    n_anchors : int, default=None
        ``None`` takes 1024 for 4096 rows or more, else the power of two nearest to a quarter of the rows, but more
        than ``n_neighbors`` and ``n_clusters``.
    anchors : {"bkhk", "hk", "kmeans", "random"}, array of shape (m, n_features) or clusterer, default="bkhk"
        How anchors are found, or the anchors themselves, or a scikit-learn clusterer with ``cluster_centers_``.
        ``"random"``, ``"kmeans"`` and ``"bkhk"`` make ONGR-R, ONGR-K and ONGR-B.
    n_neighbors : int, default=5
        Anchors that a row is tied to.
    weighting : {"adaptive", "gaussian", "inverse"} or an instance of Adaptive, Gaussian, Inverse, default="adaptive"
        Weights of a row's anchors.
        The paper takes ``Gaussian(sigma="local")``.
    search : {"auto", "exact", "tree"}, default="auto"
        How nearest anchors are found, see :class:`AnchorGraph`.
    n_jobs : int, default=None
        Threads. ``None`` takes as many as the BLAS library may. The result does not depend on it.
    random_state : int, RandomState instance or None, default=None

    Attributes
    ----------
    labels_ : ndarray of shape (n_rows,)
    memberships_ : ndarray of shape (n_rows, n_clusters)
        G.
    history_ : ndarray of shape (n_iter_,)
        The objective of Eq. 7 after each round; it never increases, but for rounding.
    init_ : {"singular", "qr", "rotation"}
        The start that led to the least objective.
    n_iter_ : int
    n_zero_rows_ : int
        Rows of the fit without any membership, which take the cluster that most of their neighbours in the graph have.
    anchors_ : ndarray of shape (n_anchors_, n_features_in_)
    n_anchors_ : int
    search_ : {"exact", "tree"}
    weighting_ : Adaptive, Gaussian or Inverse
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Where ``X`` has column names that are all strings.

    See Also
    --------
    FSC : rounds the same spectrum by k-means.

    References
    ----------
    .. [1] J. Han, K. Xiong, F. Nie. Orthogonal and Nonnegative Graph Reconstruction for Large Scale Clustering.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from anchorgraph import ONGR
    >>> X, _ = load_digits(return_X_y=True)
    >>> model = ONGR(n_clusters=10, random_state=0).fit(X)
    >>> bool((model.predict(X) == model.labels_).all()), bool((model.history_[1:] <= model.history_[:-1]).all())
    (True, True)
    """

    card = Card("ongr", "Orthogonal and Nonnegative Graph Reconstruction", "ongr", "clustering", streams=True)

    def __init__(
        self,
        n_clusters=8,
        *,
        lam=1e-3,
        init="best",
        max_iter=100,
        tol=1e-3,
        n_anchors=None,
        anchors="bkhk",
        n_neighbors=5,
        weighting="adaptive",
        search="auto",
        n_jobs=None,
        random_state=None,
    ):
        self.n_clusters = n_clusters
        self.lam = lam
        self.init = init
        self.max_iter = max_iter
        self.tol = tol
        self.n_anchors = n_anchors
        self.anchors = anchors
        self.n_neighbors = n_neighbors
        self.weighting = weighting
        self.search = search
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y=None):
        """Cluster the rows.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_rows, n_features)
        y : ignored

        Returns
        -------
        self
        """
        check_count("max_iter", self.max_iter)
        check_not_negative("lam", self.lam)
        check_share("tol", self.tol)
        check_choice("init", self.init, ("best", *STARTS))
        table = read_table(self, X, fitting=True)
        check_clusters(self.n_clusters, table.n_rows)
        self._graph = self._fit_graph(table)  # Eq. 12
        Z = table.map_rows(self._graph)
        gram, degrees = anchor_gram(as_table(Z), lambda rows, span: rows)
        spectrum = with_trivial(spectrum_for_clusters(gram, degrees, self.n_clusters - 1), table.n_rows)
        F = Z @ spectrum.anchor_map

        def rounds(start):
            return start, *reconstruct(
                Z,
                gram,
                degrees,
                spectrum.anchor_map @ STARTS[start](F),
                lam=self.lam,
                max_iter=self.max_iter,
                tol=self.tol,
                n_jobs=resolve_n_jobs(self.n_jobs),
            )

        outcomes = map(rounds, STARTS if self.init == "best" else (self.init,))  # Eq. 9, 11
        self.init_, self._reconstruction, memberships, self.history_ = min(
            outcomes, key=lambda outcome: outcome[-1][-1]
        )
        self.n_iter_ = len(self.history_)
        self.memberships_ = self._of_all_clusters(memberships).astype(table.dtype)
        self.n_zero_rows_ = int(np.count_nonzero(~memberships.any(axis=1)))
        self.labels_ = labels_of(self._reconstruction, Z, memberships)
        tell_missing_clusters(self.labels_, self.n_clusters, stacklevel=3)
        self._n_features_out = self.n_clusters
        return self

    def transform(self, X):
        """Memberships of rows in the clusters; ``memberships_`` for the rows of the fit.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_rows, n_features)

        Returns
        -------
        ndarray of shape (n_rows, n_clusters)
        """
        check_is_fitted(self)

        def rows(block, span):
            memberships = replay(self._reconstruction, self._graph(block, span))
            return self._of_all_clusters(memberships).astype(block.dtype)

        return read_table(self, X, fitting=False).map_rows(rows)

    def _of_all_clusters(self, memberships):
        """With a column of zeros for each cluster that a graph on few anchors has no component for."""
        n_missing = self.n_clusters - memberships.shape[1]
        return np.pad(memberships, ((0, 0), (0, n_missing)))

    def fit_transform(self, X, y=None):
        """Cluster the rows and return ``memberships_``.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_rows, n_features)
        y : ignored

        Returns
        -------
        ndarray of shape (n_rows, n_clusters)
        """
        return self.fit(X).memberships_

    def predict(self, X):
        """The cluster of each row; ``labels_`` for the rows of the fit.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_rows, n_features)

        Returns
        -------
        ndarray of shape (n_rows,)
        """
        check_is_fitted(self)

        def labels(block, span):
            z = self._graph(block, span)
            return labels_of(self._reconstruction, z, replay(self._reconstruction, z))

        return read_table(self, X, fitting=False).map_rows(labels)
