"""Orthogonal and Nonnegative Graph Reconstruction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from sklearn.base import ClusterMixin
from sklearn.utils.validation import check_is_fitted

from anchorgraph.contracts import Floats as FloatArray
from anchorgraph.contracts import RowTable
from anchorgraph.estimators.bases.anchor_method import AnchorMethod, tie_rows
from anchorgraph.estimators.bases.card import Card
from anchorgraph.estimators.bases.fields import Floats, Integer, Number, Record, Size, Text
from anchorgraph.estimators.bases.inputs import check_clusters, draw_seed, finite, map_new_rows, read_table
from anchorgraph.estimators.bases.kept_graph import KEPT_GRAPH
from anchorgraph.estimators.bases.rounded_clusterer import set_if_in_memory, set_labels
from anchorgraph.estimators.bases.transformer import Transformer
from anchorgraph.labels import STARTS, Reconstruction, labels_of, reconstruct, replay
from anchorgraph.numerics.checks import check_choice, check_integer, check_number
from anchorgraph.spectrum import anchor_gram, embedding, spectrum_for_clusters, with_trivial

TIE = 1e-9
"""Objectives that differ by less are equal but for rounding: the squares that they sum are of size one."""

MOST_CLUSTERS = 2**14
"""Columns of memberships that a saved model may ask for beyond those that its anchors tell apart."""

_RECONSTRUCTION = Record(
    Reconstruction,
    {
        "start": Floats("m c", double=True),
        "of_f": Floats("t m c", double=True),
        "of_g": Floats("t m c", double=True),
        "polars": Floats("t c c", double=True),
        "completions": Floats("t c c", double=True),
        "votes": Floats("m c", double=True),
        "lam": Number(),
    },
    lambda reconstruction: None if reconstruction.lam >= 0 else "has a negative lam",
)


@dataclass(frozen=True)
class Outcome:
    """Where the rounds from one start lead."""

    init: str
    reconstruction: Reconstruction
    memberships: RowTable
    objectives: FloatArray


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
        Of a Dask collection, a Dask array on the workers: compute or store it before they close.
    memberships_ : ndarray of shape (n_rows, n_clusters)
        G, where memory holds it (docs/scale.md); ``transform`` gives it always.
    history_ : ndarray of shape (`n_iter_`,)
        The objective of Eq. 7 after each round; it never increases, but for rounding.
    init_ : {"singular", "qr", "rotation"}
        The start that led to the least objective.
    n_iter_ : int
    n_zero_rows_ : int
        Rows of the fit without any membership, which take the cluster that most of their neighbours in the graph have.
    anchors_ : ndarray of shape (`n_anchors_`, `n_features_in_`)
    n_anchors_ : int
    search_ : {"exact", "tree"}
    weighting_ : Adaptive, Gaussian or Inverse
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
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
    saved: ClassVar = {
        **KEPT_GRAPH,
        "_reconstruction": _RECONSTRUCTION,
        "history_": Floats("t", double=True),
        "n_iter_": Size("t"),
        "init_": Text(tuple(STARTS)),
        "n_zero_rows_": Integer(at_least=0, at_most=2**53),
        "_n_features_out": Integer(at_least="c", at_most=MOST_CLUSTERS),
    }

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
        X : array-like, sparse matrix, or any source for :func:`anchorgraph.as_table`, of shape (n_rows, n_features)
        y : ignored

        Returns
        -------
        self
        """
        check_integer("max_iter", self.max_iter)
        check_number("lam", self.lam, at_least=0)
        check_number("tol", self.tol, at_least=0, below=1)
        check_choice("init", self.init, ("best", *STARTS))
        table, first_seed = read_table(self, X), draw_seed(self.random_state)
        check_clusters(self.n_clusters, table.n_rows)
        anchors = self._select_anchors(table, first_seed)
        self._graph = self._connect(anchors, table, first_seed)  # Eq. 12
        Z = tie_rows(table, self._graph)
        gram, degrees = anchor_gram(Z)
        spectrum = with_trivial(spectrum_for_clusters(gram, degrees, self.n_clusters - 1), table.n_rows)
        starts = self._starts(Z, spectrum)
        rules = {"lam": float(self.lam), "max_iter": self.max_iter, "tol": self.tol}
        outcomes = (Outcome(name, *reconstruct(Z, gram, degrees, start, **rules)) for name, start in starts.items())
        best = _best(outcomes)  # Eq. 9, 11
        self.init_, self._reconstruction, self.history_ = best.init, best.reconstruction, best.objectives
        self.n_iter_, self._n_features_out = len(self.history_), self.n_clusters
        (n_zero_rows,) = best.memberships.sum_blocks(lambda g: (np.count_nonzero(~g.any(axis=1)),))
        self.n_zero_rows_ = int(n_zero_rows)
        set_if_in_memory(self, "memberships_", best.memberships.keep(_padded(self.n_clusters, table.dtype)))
        set_labels(self, Z.keep(_labelled(self._reconstruction), best.memberships), self.n_clusters)
        return self

    def _starts(self, Z, spectrum):
        """``F = Z start`` to begin with, by the name of the start."""
        F, seed = Z.keep(embedding(spectrum, np.float64)), draw_seed(self.random_state)
        names = STARTS if self.init == "best" else (self.init,)
        return {name: spectrum.anchor_map @ STARTS[name](F, seed) for name in names}

    def transform(self, X, *, out=None):
        """Memberships of rows in the clusters; ``memberships_`` for the rows of the fit.

        Parameters
        ----------
        X : array-like, sparse matrix, or any source for :func:`anchorgraph.as_table`, of shape (n_rows, n_features)
        out : path, optional
            A ``.npy``, ``.parquet`` or ``.csv`` file, or a new folder of shards, for rows as they come.

        Returns
        -------
        ndarray of shape (n_rows, n_clusters)
            Lazy, if X is a Dask collection; with ``out``, the path of what was written.
        """
        check_is_fitted(self)
        graph, reconstruction, n_clusters = self._graph, self._reconstruction, self._n_features_out

        def rows(block):
            return _padded(n_clusters, block.dtype)(replay(reconstruction, graph(block)))

        return map_new_rows(self, X, rows, out)

    def fit_transform(self, X, y=None):
        """Cluster the rows and return ``memberships_``.

        Parameters
        ----------
        X : array-like, sparse matrix, or any source for :func:`anchorgraph.as_table`, of shape (n_rows, n_features)
        y : ignored

        Returns
        -------
        ndarray of shape (n_rows, n_clusters)
        """
        self.fit(X)
        return self.memberships_ if hasattr(self, "memberships_") else self.transform(X)

    def predict(self, X, *, out=None):
        """The cluster of each row; ``labels_`` for the rows of the fit.

        Parameters
        ----------
        X : array-like, sparse matrix, or any source for :func:`anchorgraph.as_table`, of shape (n_rows, n_features)
        out : path, optional
            A ``.npy``, ``.parquet`` or ``.csv`` file, or a new folder of shards, for rows as they come.

        Returns
        -------
        ndarray of shape (n_rows,)
            Lazy, if X is a Dask collection; with ``out``, the path of what was written.
        """
        check_is_fitted(self)
        graph, reconstruction = self._graph, self._reconstruction
        labelled = _labelled(reconstruction)

        def labels(block):
            z = graph(block)
            return labelled(z, finite(replay(reconstruction, z)))

        return map_new_rows(self, X, labels, out, "label")


def _best(outcomes):
    """The outcome with the lowest objective; the first of those that rounding alone tells apart."""
    best = next(outcomes)
    for other in outcomes:
        best = other if other.objectives[-1] < best.objectives[-1] - TIE else best
        del other  # whose memberships would be held through the rounds of the next one
    return best


def _padded(n_clusters, dtype):
    """The row map that adds a column of zeros for each cluster that a graph on few anchors has no component for."""
    return lambda g: np.pad(g, ((0, 0), (0, n_clusters - g.shape[1]))).astype(dtype)


def _labelled(reconstruction):
    """The row map from rows of Z, with memberships beside, to labels."""
    return lambda z, g: labels_of(reconstruction, z, g)
