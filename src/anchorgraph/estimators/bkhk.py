"""BKHK as a clusterer, whose centres can be the anchors of other methods."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from sklearn.utils.validation import check_is_fitted

from anchorgraph.anchors import BKHKAnchors, leaf_step, route, unroutable
from anchorgraph.contracts import Anchors, BinaryTree, RowTable, SumStep
from anchorgraph.contracts import Floats as FloatArray
from anchorgraph.contracts import Integers as IntegerArray
from anchorgraph.estimators.bases.batch_method import BatchMethod, Seen
from anchorgraph.estimators.bases.card import Card
from anchorgraph.estimators.bases.clusterer import Clusterer, set_labels_of_batch
from anchorgraph.estimators.bases.drift import Reach
from anchorgraph.estimators.bases.fields import Field, Floats, Integer, Integers, Record, Size
from anchorgraph.estimators.bases.inputs import draw_seed, map_new_rows, read_table, resolve_n_anchors
from anchorgraph.estimators.bases.parameters import MetricParameter, MissingParameter, OutputPath, RandomState
from anchorgraph.graph import ExactSearch
from anchorgraph.numerics.groups import group_means


class BKHK(Clusterer, BatchMethod):
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
        Number of clusters. ``None`` uses 1,024 for 4,096 rows or more, otherwise the power of two nearest to a quarter
        of the rows.
    max_iter : int, default=100
        Maximum number of iterations of balanced 2-means in a node, and in its initialisation.
    tol : float, default=0.02
        A node stops when an iteration moves no more than this fraction of its rows. The default stops early, as both
        papers suggest, and increases the quantisation error by about 1 %; ``tol=0`` continues until no row moves.
    max_samples : int, default=None
        A node with more rows than this finds its two centres on a sample of this size and then assigns all of its rows
        in one pass; the sizes stay balanced. If the rows are not in memory, the whole tree is grown on one uniform
        sample of this size (by default of at most 2¹⁸ rows and 256 MiB), and the anchors are the means of all rows in
        each leaf; the sizes of the leaves are then only approximately equal.
    metric : {"euclidean", "cosine"}, default="euclidean"
        Distance between rows. ``"cosine"`` is the Euclidean distance between rows of unit length, which are scaled
        each time that they are read; it refuses rows of zeros.
    missing : {"error", "mask"}, default="error"
        What to do about rows with NaN, and with ``metric="cosine"`` rows of zeros: raise an error, or leave them out of
        the fit and give them the label -1.
    n_jobs : int, default=None
        Number of threads. ``None`` uses as many as BLAS does. The tree does not depend on it.
    random_state : int, RandomState instance or None, default=None
        Initialisation of the nodes. The same seed gives the same tree.

    Attributes
    ----------
    anchors_ : ndarray of shape (`n_anchors_`, `n_features_in_`)
        The means of the leaves: of all rows seen, after ``partial_fit``.
    labels_ : ndarray of shape (n_rows,)
        The leaf of each row. Leaves are numbered from left to right, so that close numbers tend to be close leaves.
        After ``partial_fit``, those of the last batch; the tree is that of the first one.
    n_anchors_ : int
    n_iter_ : int
        Largest number of iterations of any node.
    tree_ : BinaryTree
        The hyperplanes that split the rows.
    n_rows_seen_ : int
        Number of rows of all batches. Defined only after ``partial_fit``, as ``drift_`` is.
    drift_ : float
        The share of the rows of the last batch that are farther from every anchor than rows of the first batch were
        (see docs/partial_fit.md); 0 for the first batch.
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of the columns of ``X``. Defined only if they are all strings.

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

    card: ClassVar[Card] = Card(
        "bkhk", "Balanced K-means based Hierarchical K-means", "ulge, fsc", "anchors", streams=True
    )
    saved: ClassVar[dict[str, Field]] = {
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

    anchors_: FloatArray
    n_anchors_: int
    labels_: IntegerArray
    n_iter_: int
    tree_: BinaryTree

    def __init__(
        self,
        n_anchors: int | None = None,
        *,
        max_iter: int = 100,
        tol: float = 0.02,
        max_samples: int | None = None,
        metric: MetricParameter = "euclidean",
        missing: MissingParameter = "error",
        n_jobs: int | None = None,
        random_state: RandomState = None,
    ) -> None:
        self.n_anchors = n_anchors
        self.max_iter = max_iter
        self.tol = tol
        self.max_samples = max_samples
        self.metric: MetricParameter = metric
        self.missing: MissingParameter = missing
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Grow the tree.

        Parameters
        ----------
        X : array-like, sparse matrix, or any source for :func:`anchorgraph.as_table`, of shape (n_rows, n_features)
        y : ignored
        sample_weight : array-like of shape (n_rows,) or str, default=None
            Weights of the rows: 2 counts as the row twice, 0 as no row. Or the name of the column of X that holds them.

        Returns
        -------
        self
        """
        self._check_parameters()
        table = read_table(self, X, sample_weight)
        labels = self._grow(table, draw_seed(self.random_state))  # ulge Algorithm 1
        set_labels_of_batch(self, table.keep(route(self.tree_)) if labels is None else table.align(labels))
        return self

    def _grow(self, table: RowTable, seed: int) -> IntegerArray | None:
        """Set the tree of a table and its anchors, and return the leaf of each row, if known."""
        self.n_anchors_ = resolve_n_anchors(self.n_anchors, table.n_counted)
        if not table.in_memory and self.max_samples is not None and self.max_samples < self.n_anchors_:
            raise ValueError(
                f"max_samples={self.max_samples} is fewer than n_anchors={self.n_anchors_}; for rows that are not in "
                f"memory, use at least {self.n_anchors_}."
            )
        grown = self._options().grow(table, self.n_anchors_, seed)
        tree = grown.anchors.tree
        assert tree is not None  # a grown tree of anchors always has one
        self.anchors_, self.tree_, self.n_iter_ = grown.anchors.points, tree, grown.n_iter
        return grown.labels

    def _options(self) -> BKHKAnchors:
        return BKHKAnchors(self.max_iter, self.tol, self.max_samples)

    def _check_parameters(self) -> None:
        self._options()

    def _begin(self, table: RowTable, seed: int) -> Seen:
        self._grow(table, seed)
        search = ExactSearch().prepare(Anchors(self.anchors_), 1, table.n_rows)
        return Seen(seed, table.dtype, route(self.tree_), Reach.of(search, table, seed))

    def _batch_step(self, seen: Seen, table: RowTable) -> SumStep:
        return leaf_step(len(self.anchors_))

    def _follow(self, seen: Seen, Z: RowTable) -> None:
        sums, sizes = seen.sums
        self.anchors_ = group_means(sums, sizes, self.anchors_).astype(seen.dtype)
        set_labels_of_batch(self, Z)

    def predict(self, X: Any, *, out: OutputPath = None) -> Any:
        """The leaf of each row, found by the hyperplanes of the tree. Leaves of new rows can differ in size.

        A row of the fit gets its label of ``labels_``, unless it lies exactly on a hyperplane with rows of both sides.

        Parameters
        ----------
        X : array-like, sparse matrix, or any source for :func:`anchorgraph.as_table`, of shape (n_rows, n_features)
        out : path, optional
            A ``.npy``, ``.parquet`` or ``.csv`` file, or a new folder of shards, written block by block.

        Returns
        -------
        labels : ndarray of shape (n_rows,)
            A lazy Dask array if X is a Dask collection; with ``out``, the path of the file or folder.
        """
        check_is_fitted(self)
        return map_new_rows(self, X, route(self.tree_), out, ["label"])

    @property
    def cluster_centers_(self) -> FloatArray:
        """``anchors_`` under scikit-learn's name for the centres of clusters."""
        return self.anchors_
