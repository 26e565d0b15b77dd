"""BKHK as an estimator: balanced clusters, and anchors for other methods."""

from __future__ import annotations

from typing import ClassVar

from sklearn.base import ClusterMixin
from sklearn.utils.validation import check_is_fitted

from anchorgraph.anchors import BKHKAnchors, route, unroutable
from anchorgraph.contracts import BinaryTree
from anchorgraph.estimators.bases.card import Card
from anchorgraph.estimators.bases.fields import Floats, Integer, Integers, Record, Size
from anchorgraph.estimators.bases.inputs import draw_seed, map_new_rows, read_table, resolve_n_anchors
from anchorgraph.estimators.bases.method import Method


class BKHK(ClusterMixin, Method):
    r"""Balanced K-means based Hierarchical K-means: clusters of equal size in time linear in the rows.

    A binary tree is grown from the root; every node splits its rows into two halves of prescribed size by balanced
    2-means,

    .. math:: \min_{g,\,c_1,\,c_2} \sum_i \lVert x_i - c_{g(i)} \rVert^2
        \quad\text{subject to}\quad |\{i : g(i) = 1\}| = \kappa,

    (ulge Eq. 12, fsc Eq. 1), whose assignment step is a selection of the κ smallest :math:`e_{i1} - e_{i2}` (ulge
    Eq. 16). The leaves are the clusters: their sizes differ by at most one, for any ``n_anchors``.

    Parameters
    ----------
    n_anchors : int, default=None
        Number of clusters. ``None`` takes 1024 for 4096 rows or more, else the power of two nearest to a quarter of
        the rows.
    max_iter : int, default=100
        Rounds of balanced 2-means at most in a node, and in the start that it makes in a few coordinates.
    tol : float, default=0.05
        A round that moves no more than this share of a node's rows is its last. The default stops early, as both papers
        suggest, and costs a hundredth or two of the quantisation error; ``tol=0`` goes on until no row moves.
    max_samples : int, default=None
        A node with more rows finds its two centres on a sample of so many of them and then places all of its rows in
        one pass. The sizes stay balanced. Where the rows are not in memory, the whole tree is grown on one uniform
        sample of so many rows (by default of at most 2¹⁸ rows and 256 MiB), and the anchors are the means of all rows
        in each leaf; their sizes are then as equal as the sample can tell.
    n_jobs : int, default=None
        Threads. ``None`` takes as many as the BLAS library may. The tree does not depend on it.
    random_state : int, RandomState instance or None, default=None
        Where each node starts. The same seed gives the same tree.

    Attributes
    ----------
    anchors_ : ndarray of shape (`n_anchors_`, `n_features_in_`)
        The means of the leaves.
    labels_ : ndarray of shape (n_rows,)
        The leaf of each row. Leaves are numbered from left to right, so near numbers tend to be near leaves.
    n_anchors_ : int
    n_iter_ : int
        Rounds that the slowest node took.
    tree_ : BinaryTree
        The planes that part the rows.
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Where ``X`` has column names that are all strings.

    References
    ----------
    .. [1] F. Nie, W. Zhu, X. Li. Unsupervised Large Graph Embedding Based on Balanced and Hierarchical K-Means.
    .. [2] W. Zhu, F. Nie, X. Li. Fast Spectral Clustering with Efficient Large Graph Construction.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_digits
    >>> from anchorgraph import BKHK
    >>> X, _ = load_digits(return_X_y=True)
    >>> model = BKHK(n_anchors=10, random_state=0).fit(X)
    >>> np.bincount(model.labels_)
    array([179, 180, 179, 180, 180, 179, 180, 180, 180, 180])
    """

    card = Card("bkhk", "Balanced K-means based Hierarchical K-means", "ulge, fsc", "anchors", streams=True)
    saved: ClassVar = {
        "anchors_": Floats("m d"),
        "n_anchors_": Size("m"),
        "n_iter_": Integer(at_least=0),
        "tree_": Record(
            BinaryTree,
            {
                "children": Integers("m-1 2", below="m-1", lowest="-m"),
                "directions": Floats("m-1 d"),
                "thresholds": Floats("m-1", double=True),
                "centre": Floats("d"),
            },
            unroutable,
        ),
    }

    def __init__(self, n_anchors=None, *, max_iter=100, tol=0.05, max_samples=None, n_jobs=None, random_state=None):
        self.n_anchors = n_anchors
        self.max_iter = max_iter
        self.tol = tol
        self.max_samples = max_samples
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y=None):
        """Grow the tree.

        Parameters
        ----------
        X : array-like, sparse matrix, or any source for :func:`anchorgraph.as_table`, of shape (n_rows, n_features)
        y : ignored

        Returns
        -------
        self
        """
        options = BKHKAnchors(self.max_iter, self.tol, self.max_samples)
        table = read_table(self, X)
        self.n_anchors_ = resolve_n_anchors(self.n_anchors, table.n_rows)
        if not table.in_memory and self.max_samples is not None and self.max_samples < self.n_anchors_:
            raise ValueError(
                f"max_samples={self.max_samples} is fewer than n_anchors={self.n_anchors_}; the tree of rows outside "
                "memory is grown on so many rows, so use more."
            )
        grown = options.grow(table, self.n_anchors_, draw_seed(self.random_state))  # ulge Algorithm 1
        self.anchors_, self.tree_, self.n_iter_ = grown.anchors.points, grown.anchors.tree, grown.n_iter
        self.labels_ = table.keep(route(self.tree_)).rows() if grown.labels is None else grown.labels
        return self

    def predict(self, X, *, out=None):
        """The leaf of each row, found by the planes of the tree; new rows need not fill the leaves evenly.

        A row of ``fit`` gets its label back, unless it lies on a plane together with rows on the other side.

        Parameters
        ----------
        X : array-like, sparse matrix, or any source for :func:`anchorgraph.as_table`, of shape (n_rows, n_features)
        out : path, optional
            A ``.npy``, ``.parquet`` or ``.csv`` file, or a new folder of shards, for rows as they come.

        Returns
        -------
        labels : ndarray of shape (n_rows,)
            Lazy, if X is a Dask collection; with ``out``, the path of what was written.
        """
        check_is_fitted(self)
        return map_new_rows(self, X, route(self.tree_), out, "label")

    @property
    def cluster_centers_(self):
        """``anchors_`` under the name that scikit-learn gives to the centres of clusters."""
        return self.anchors_
