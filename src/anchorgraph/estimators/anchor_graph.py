"""The anchor graph as a transformer."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from anchorgraph.estimators.bases.anchor_method import AnchorMethod, tie_rows
from anchorgraph.estimators.bases.callbacks import with_stages
from anchorgraph.estimators.bases.card import Card
from anchorgraph.estimators.bases.fields import Floats, Size
from anchorgraph.estimators.bases.inputs import draw_seed, map_new_rows, read_table
from anchorgraph.estimators.bases.kept_graph import KEPT_GRAPH
from anchorgraph.estimators.bases.transformer import Transformer
from anchorgraph.numerics.progress import stage


class AnchorGraph(Transformer, AnchorMethod):
    r"""Tie every row to its nearest anchors: X (n, d) becomes the sparse, row-stochastic Z (n, m).

    For each row, with :math:`h_j` the squared distance to its j-th nearest anchor,

    .. math:: z_j = \frac{h_{k+1} - h_j}{\sum_{j'=1}^{k} (h_{k+1} - h_{j'})}, \qquad j \le k

    (ulge Eq. 18, fsc Eq. 7; other weightings can be chosen), and zero for all other anchors. The graph between the rows
    is :math:`A = Z \Delta^{-1} Z^\top` with :math:`\Delta = \mathrm{diag}(Z^\top 1)` (Eq. 19): symmetric, doubly
    stochastic, positive semi-definite, and never formed.

    Parameters
    ----------
    n_anchors : int, default=None
        ``None`` takes 1024 for 4096 rows or more, else the power of two nearest to a quarter of the rows, but at least
        ``n_neighbors + 1``.
    anchors : {"bkhk", "hk", "kmeans", "random"}, array of shape (m, n_features) or clusterer, default="bkhk"
        How anchors are found, or the anchors themselves, or a scikit-learn clusterer with ``cluster_centers_``.
    n_neighbors : int, default=5
        Anchors that a row is tied to.
    weighting : {"adaptive", "gaussian", "inverse"} or an instance of Adaptive, Gaussian, Inverse, default="adaptive"
        Weights of a row's anchors. Pass an instance to set a parameter, for example ``Gaussian(sigma="local")``.
    search : {"auto", "exact", "tree"}, default="auto"
        How nearest anchors are found. ``"tree"`` compares a row with 3.5 √m anchors instead of m, those near to it
        along the upper planes of the tree, and needs anchors from ``"bkhk"`` or ``"hk"``. ``"auto"`` is exact unless
        that takes more than 2³⁵ multiplications in all and the tree at most a third of them.
    n_jobs : int, default=None
        Threads. ``None`` takes as many as the BLAS library may. The result does not depend on it.
    random_state : int, RandomState instance or None, default=None

    Attributes
    ----------
    anchors_ : ndarray of shape (`n_anchors_`, `n_features_in_`)
    degrees_ : ndarray of shape (`n_anchors_`,)
        ``Zᵀ1``: how much of the data each anchor stands for.
    n_anchors_ : int
    search_ : {"exact", "tree"}
    weighting_ : Adaptive, Gaussian or Inverse
        With its bandwidth where that was learnt from the data.
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Where ``X`` has column names that are all strings.

    See Also
    --------
    BKHK : the default anchors, as a clusterer of its own.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from anchorgraph import AnchorGraph
    >>> X, _ = load_digits(return_X_y=True)
    >>> Z = AnchorGraph(n_anchors=64, random_state=0).fit_transform(X)
    >>> Z.shape, Z.nnz
    ((1797, 64), 8985)
    """

    card = Card("anchor_graph", "Anchor graph", "ulge, fsc, csr, ongr, flrl", "graph", streams=True)
    saved: ClassVar = {**KEPT_GRAPH, "degrees_": Floats("m", double=True), "_n_features_out": Size("m")}

    def __init__(
        self,
        n_anchors=None,
        *,
        anchors="bkhk",
        n_neighbors=5,
        weighting="adaptive",
        search="auto",
        n_jobs=None,
        random_state=None,
    ):
        self.n_anchors = n_anchors
        self.anchors = anchors
        self.n_neighbors = n_neighbors
        self.weighting = weighting
        self.search = search
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y=None):
        """Find the anchors and their degrees.

        Parameters
        ----------
        X : array-like, sparse matrix, or any source for :func:`anchorgraph.as_table`, of shape (n_rows, n_features)
        y : ignored

        Returns
        -------
        self
        """
        table = read_table(self, X)
        self._fit_graph(table)
        self._set_degrees(table.view(self._graph))
        return self

    @with_stages
    def fit_transform(self, X, y=None):
        """Find the anchors and return the rows of Z for the same data, which are computed once.

        Parameters
        ----------
        X : array-like, sparse matrix, or any source for :func:`anchorgraph.as_table`, of shape (n_rows, n_features)
        y : ignored

        Returns
        -------
        Z : CSR array of shape (n_rows, `n_anchors_`)
        """
        table = read_table(self, X)
        self._fit_graph(table)
        Z = tie_rows(table, self._graph)
        self._set_degrees(Z)
        return Z.rows()

    def transform(self, X, *, out=None):
        """The rows of Z for any data.

        Parameters
        ----------
        X : array-like, sparse matrix, or any source for :func:`anchorgraph.as_table`, of shape (n_rows, n_features)
        out : path, optional
            A ``.npy``, ``.parquet`` or ``.csv`` file, or a new folder of shards, for rows as they come.

        Returns
        -------
        Z : CSR array of shape (n_rows, `n_anchors_`)
            Lazy, if X is a Dask collection; with ``out``, the path of what was written.
        """
        check_is_fitted(self)
        return map_new_rows(self, X, self._graph, out)

    def _fit_graph(self, table):
        seed = draw_seed(self.random_state)
        anchors = self._select_anchors(table, seed)  # ulge Algorithm 1
        self._graph = self._connect(anchors, table, seed)  # ulge Eq. 18
        self._n_features_out = self.n_anchors_

    def _set_degrees(self, Z):
        with stage("graph"):
            (self.degrees_,) = Z.sum_blocks(lambda z: (z.sum(axis=0, dtype=np.float64),))  # Δ of ulge Eq. 19
