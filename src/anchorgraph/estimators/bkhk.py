"""BKHK as a clusterer, whose centres can be the anchors of other methods."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any, ClassVar, Literal, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from anchorgraph.anchors import BKHKAnchors, balance, cut_tree, leaf_step, route, unroutable
from anchorgraph.contracts import Anchors, BinaryTree, Block, RowMap, RowTable, SumStep
from anchorgraph.contracts import Floats as FloatArray
from anchorgraph.contracts import Integers as IntegerArray
from anchorgraph.estimators.bases.batch_method import BatchMethod, Seen
from anchorgraph.estimators.bases.card import Card
from anchorgraph.estimators.bases.cluster_sizes import SizesParameter, assign_to_nearest, check_sizes, size_bounds
from anchorgraph.estimators.bases.clusterer import Clusterer, present_rows, set_labels_of_batch
from anchorgraph.estimators.bases.drift import Reach
from anchorgraph.estimators.bases.fields import (
    Field,
    Floats,
    Integer,
    Integers,
    Plain,
    Record,
    Size,
    Text,
)
from anchorgraph.estimators.bases.inputs import check_unscaled, draw_seed, map_new_rows, read_table, resolve_n_anchors
from anchorgraph.estimators.bases.kept_graph import typicality_of
from anchorgraph.estimators.bases.parameters import MetricParameter, MissingParameter, OutputPath, RandomState
from anchorgraph.estimators.bases.scored_method import ScoredMethod
from anchorgraph.estimators.bases.transformer import Transformer
from anchorgraph.estimators.bases.typicality import Typicality
from anchorgraph.graph import AllAnchors, ExactSearch
from anchorgraph.labels import Bounds
from anchorgraph.numerics.checks import LARGEST, check_choice, check_integer
from anchorgraph.numerics.groups import group_means
from anchorgraph.numerics.rounds import go_round
from anchorgraph.table import as_table, is_out_of_core

N_NEIGHBORS = 5
"""Number of nearest centres that rows are compared with by ``score_samples``."""


class BKHK(Clusterer, Transformer, ScoredMethod, BatchMethod):
    r"""Balanced K-means based Hierarchical K-means: clusters of equal size in time linear in the rows.

    A binary tree is grown from the root; every node splits its rows into two halves of prescribed size by balanced
    2-means,

    .. math:: \min_{g,\,c_1,\,c_2} \sum_i \lVert x_i - c_{g(i)} \rVert^2
        \quad\text{subject to}\quad |\{i : g(i) = 1\}| = \kappa,

    (ulge Eq. 12, fsc Eq. 1), whose assignment step is a selection of the κ smallest :math:`e_{i1} - e_{i2}` (ulge
    Eq. 16). The leaves are the clusters: their sizes differ by at most one, for any ``n_clusters`` and wherever the
    rows are stored.

    Parameters
    ----------
    n_clusters : int, default=None
        Number of clusters. ``None`` uses 1,024 for 4,096 rows or more, otherwise the power of two nearest to a quarter
        of the rows.
    sizes : "equal", (smallest, largest) or None, default="equal"
        Sizes of the clusters: as equal as possible, within two bounds, or any. They are numbers of rows, or sums of
        ``sample_weight``; equal sums differ from their mean by no more than the largest weight. Batches of
        ``partial_fit`` are assigned as by ``predict``, of any size.
    assignment : {"auto", "routed", "nearest"}, default="auto"
        How a row gets its cluster. ``"routed"``: it is the leaf that the planes of the tree lead to, in O(d log m)
        operations for m clusters, which is for equal sizes only. ``"nearest"``: it is the nearest of the m centres, in
        O(d m) operations, as far as ``sizes`` allows; two rows of full clusters change places if this makes the sum of
        their squared distances smaller. ``"auto"`` is ``"routed"`` for equal sizes and ``"nearest"`` otherwise.
    n_rounds : int, default=4
        Maximum number of times that rows are assigned with ``assignment="nearest"``; the centres are then the means of
        their rows. The first round gains most. A round takes somewhat longer than the distances of all rows to all
        centres.
    max_iter : int, default=100
        Maximum number of iterations of balanced 2-means in a node, and in its initialisation.
    tol : float, default=0.02
        A node stops when an iteration moves no more than this fraction of its rows. The default stops early, as both
        papers suggest, and increases the quantisation error by about 1 %; ``tol=0`` continues until no row moves.
    max_samples : int, default=None
        A node with more rows than this finds its two centres on a sample of this size and then assigns all of its rows
        in one pass. If the rows are not in memory, the directions of all planes are found on one uniform sample of this
        size (by default of at most 2¹⁸ rows and 256 MiB), and where they divide the rows is found by counting all rows.
    metric : {"euclidean", "cosine"}, default="euclidean"
        Distance between rows. ``"cosine"`` is the Euclidean distance between rows of unit length, which are scaled
        each time that they are read; it refuses rows of zeros. Indexes that search for the largest inner product want
        ``"euclidean"`` (docs/balanced_clusters.md).
    missing : {"error", "mask"}, default="error"
        What to do about rows with NaN, and with ``metric="cosine"`` rows of zeros: raise an error, or leave them out of
        the fit and give them the label -1.
    n_jobs : int, default=None
        Number of threads. ``None`` uses as many as BLAS does. The tree does not depend on it.
    random_state : int, RandomState instance or None, default=None
        Initialisation of the nodes. The same seed gives the same tree.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (`n_clusters_`, `n_features_in_`)
        The means of the clusters: of all rows seen, after ``partial_fit``. With ``assignment="routed"`` and
        ``sample_weight`` in memory, those of the leaves, between which the weight of a row can be divided.
    labels_ : ndarray of shape (n_rows,)
        The cluster of each row. Clusters are numbered by their leaves from left to right, so that close numbers tend to
        be close clusters. For a Dask collection, a Dask array in the memory of the workers. After ``partial_fit``,
        those of the last batch; the tree is that of the first one, and batches are assigned as by ``predict``.
    n_clusters_ : int
    assignment_ : {"routed", "nearest"}
        How rows get their clusters.
    n_iter_ : int
        Largest number of iterations of any node.
    tree_ : BinaryTree
        The hyperplanes that split the rows.
    n_rows_seen_ : int
        Number of rows of all batches. Defined only after ``partial_fit``, as ``drift_`` is.
    drift_ : float
        The share of the rows of the last batch that are farther from every centre than rows of the first batch were
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
    >>> model = BKHK(n_clusters=10, random_state=0).fit(X)
    >>> np.bincount(model.labels_)
    array([179, 180, 179, 180, 180, 179, 180, 180, 180, 180])
    >>> np.bincount(model.labels_at(3))
    array([359, 539, 899])
    >>> bounded = BKHK(n_clusters=10, sizes=(100, 250), random_state=0).fit(X)
    >>> sizes = np.bincount(bounded.labels_)
    >>> bool(sizes.min() >= 100 and sizes.max() <= 250)
    True
    """

    card: ClassVar[Card] = Card(
        "bkhk", "Balanced K-means based Hierarchical K-means", "ulge, fsc", "anchors", streams=True
    )
    saved: ClassVar[dict[str, Field]] = {
        "cluster_centers_": Floats("m d"),
        "n_clusters_": Size("m"),
        "assignment_": Text(("routed", "nearest")),
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
        "_typicality": typicality_of("cluster_centers_"),
        "_n_features_out": Size("m"),
    }
    saved_parameters: ClassVar[dict[str, Plain]] = {"sizes": Plain(array=Floats("2"))}

    cluster_centers_: FloatArray
    n_clusters_: int
    assignment_: str
    labels_: IntegerArray
    n_iter_: int
    tree_: BinaryTree

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        sizes: SizesParameter = "equal",
        assignment: Literal["auto", "routed", "nearest"] = "auto",
        n_rounds: int = 4,
        max_iter: int = 100,
        tol: float = 0.02,
        max_samples: int | None = None,
        metric: MetricParameter = "euclidean",
        missing: MissingParameter = "error",
        n_jobs: int | None = None,
        random_state: RandomState = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.sizes: SizesParameter = sizes
        self.assignment = assignment
        self.n_rounds = n_rounds
        self.max_iter = max_iter
        self.tol = tol
        self.max_samples = max_samples
        self.metric: MetricParameter = metric
        self.missing: MissingParameter = missing
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Grow the tree and assign the rows.

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
        table, seed = read_table(self, X, sample_weight), draw_seed(self.random_state)
        labels = self._cluster(table, seed)
        set_labels_of_batch(self, labels)
        return self

    def _cluster(self, table: RowTable, seed: int) -> RowTable:
        """Set the tree and the centres of a table, and return the cluster of each row."""
        self.n_clusters_ = resolve_n_anchors(self.n_clusters, table, name="n_clusters")
        self._n_features_out = self.n_clusters_
        self._check_samples(table)
        if not isinstance(self.sizes, str | None):
            check_unscaled(table, f"sizes={self.sizes!r}")
        bounds = size_bounds(self.sizes, table.total_weight, self.n_clusters_)
        grown = self._options().grow(table, self.n_clusters_, seed)  # ulge Algorithm 1
        assert grown.anchors.tree is not None  # a grown tree of anchors always has one
        self.tree_, self.n_iter_, self.cluster_centers_ = grown.anchors.tree, grown.n_iter, grown.anchors.points
        if grown.labels is not None:
            labels = table.align(grown.labels)
        else:
            tree, labels = balance(table, self.tree_)  # Eq. 16 for rows that are not divided
            if not grown.is_of_all:
                self.tree_, self.cluster_centers_ = tree, self._means(table, labels)
        if self.assignment_ == "nearest":
            labels, _ = go_round(partial(self._next_round, table, bounds), labels, self.n_rounds)
        if self.sizes is None:
            labels = table.keep(self._assign())  # there is room for all at the last centres
        self._typicality = self._scores(table, seed)
        return labels

    def _next_round(self, table: RowTable, bounds: Bounds | None, labels: RowTable) -> tuple[RowTable, bool]:
        """Assign rows to the nearest centres and move these to the means; tells whether no row has moved."""
        found = assign_to_nearest(table, labels, _search(self.cluster_centers_), bounds)
        self.cluster_centers_ = self._means(table, found)
        (n_moved,) = found.sum_blocks(lambda own, before: (np.count_nonzero(own != before),), labels)
        return found, n_moved == 0

    def _scores(self, table: RowTable, seed: int) -> Typicality:
        n_neighbors = min(N_NEIGHBORS, self.n_clusters_)
        return Typicality.of(_search(self.cluster_centers_), self.cluster_centers_, table, n_neighbors, seed)

    def _means(self, table: RowTable, labels: RowTable) -> FloatArray:
        """The mean of each cluster; a cluster without rows keeps its centre."""
        add = leaf_step(self.n_clusters_)

        def step(block: Block, own: IntegerArray, *weights: FloatArray) -> tuple[Any, ...]:
            return add(own, block, *weights)

        sums, sizes = table.sum_blocks(step, labels, *table.weights)
        return group_means(sums, sizes, self.cluster_centers_).astype(table.dtype)

    def _assign(self) -> RowMap:
        """The row map from rows to clusters."""
        return route(self.tree_) if self.assignment_ == "routed" else partial(_nearest, _search(self.cluster_centers_))

    def _options(self) -> BKHKAnchors:
        return BKHKAnchors(self.max_iter, self.tol, self.max_samples)

    def _check_parameters(self) -> None:
        self._options()
        check_choice("assignment", self.assignment, ("auto", "routed", "nearest"))
        check_integer("n_rounds", self.n_rounds)
        check_sizes(self.sizes, self.assignment)
        by_sizes = "routed" if isinstance(self.sizes, str) else "nearest"
        self.assignment_ = by_sizes if self.assignment == "auto" else self.assignment

    def _check_samples(self, table: RowTable) -> None:
        if not table.in_memory and self.max_samples is not None and self.max_samples < self.n_clusters_:
            raise ValueError(
                f"max_samples={self.max_samples} is fewer than n_clusters={self.n_clusters_}; for rows that are not in "
                f"memory, use at least {self.n_clusters_}."
            )

    def _parameters_to_save(self) -> dict[str, Any]:
        parameters = super()._parameters_to_save()
        is_pair = parameters["sizes"] is not None and not isinstance(parameters["sizes"], str)
        if is_pair:
            parameters["sizes"] = np.minimum(parameters["sizes"], LARGEST)  # infinity is not stored
        return parameters

    def _fixed_parameters(self) -> dict[str, Any]:
        names = ("n_clusters", "sizes", "assignment", "metric")
        return {name: getattr(self, name) for name in names}

    def _begin(self, table: RowTable, seed: int) -> Seen:
        self._cluster(table, seed)
        reach = Reach.of(_search(self.cluster_centers_), table, seed)
        return Seen(seed, table.dtype, self._assign(), reach)

    def _batch_step(self, seen: Seen, table: RowTable) -> SumStep:
        return leaf_step(self.n_clusters_)

    def _follow(self, seen: Seen, Z: RowTable) -> None:
        sums, sizes = seen.sums
        self.cluster_centers_ = group_means(sums, sizes, self.cluster_centers_).astype(seen.dtype)
        self._typicality = replace(self._typicality, search=_search(self.cluster_centers_))
        set_labels_of_batch(self, Z)

    def predict(self, X: Any, *, balanced: bool = False, out: OutputPath = None) -> Any:
        """The cluster of each row.

        With ``assignment="routed"`` it is found by the planes of the tree, and a row of the fit gets its label of
        ``labels_``, unless it lies exactly on a plane with rows of both sides, or ``sample_weight`` was given and it is
        next to a plane. With ``assignment="nearest"`` it is the nearest of ``cluster_centers_``; rows of the fit for
        which there was no room there have another label.

        Parameters
        ----------
        X : array-like, sparse matrix, or any source for :func:`anchorgraph.as_table`, of shape (n_rows, n_features)
        balanced : bool, default=False
            Whether these rows are divided equally among the clusters, so that sizes differ by at most one. The cluster
            of a row then depends on the other rows.
        out : path, optional
            A ``.npy``, ``.parquet`` or ``.csv`` file, or a new folder of shards, written block by block. Not for
            ``balanced=True``.

        Returns
        -------
        labels : ndarray of shape (n_rows,)
            A lazy Dask array if X is a Dask collection; with ``out``, the path of the file or folder.
        """
        check_is_fitted(self)
        if not balanced:
            return map_new_rows(self, X, self._assign(), out, ["label"])
        if out is not None:
            raise ValueError("out cannot be used with balanced=True; save the labels that predict returns.")
        table = read_table(self, X, fitting=False)
        labels = balance(table, self.tree_)[1]
        if self.assignment_ == "nearest":
            labels = assign_to_nearest(table, labels, _search(self.cluster_centers_), None)
        return present_rows(labels)

    def transform(self, X: Any, *, out: OutputPath = None) -> Any:
        r"""The distances :math:`\lVert x - c_j \rVert` of each row to all centres.

        With ``metric="cosine"``, of rows of unit length.

        Parameters
        ----------
        X : array-like, sparse matrix, or any source for :func:`anchorgraph.as_table`, of shape (n_rows, n_features)
        out : path, optional
            A ``.npy``, ``.parquet`` or ``.csv`` file, or a new folder of shards, written block by block.

        Returns
        -------
        ndarray of shape (n_rows, `n_clusters_`)
            A lazy Dask array if X is a Dask collection; with ``out``, the path of the file or folder.
        """
        check_is_fitted(self)
        return map_new_rows(self, X, partial(_distances, _search(self.cluster_centers_)), out)

    def labels_at(self, n_clusters: int, labels: Any = None) -> Any:
        """Labels of fewer clusters: a coarser cut of the same tree.

        The nodes with most leaves are split first, ``n_clusters - 1`` of them. The clusters of any two cuts are nested,
        and those of powers of two are of equal size up to a row for each leaf, if ``n_clusters_`` is a power of two.

        Parameters
        ----------
        n_clusters : int
            From 1 to ``n_clusters_``.
        labels : array-like of int, optional
            Labels of rows, such as those of ``predict``; by default ``labels_``.

        Returns
        -------
        ndarray of shape (n_rows,)
            A Dask array if ``labels_`` is one; -1 stays -1.
        """
        check_is_fitted(self)
        check_integer("n_clusters", n_clusters)
        if n_clusters > self.n_clusters_:
            most = self.n_clusters_
            raise ValueError(f"n_clusters={n_clusters} is more than the {most} of the tree; use at most {most}.")
        if labels is None and not hasattr(self, "labels_"):
            raise ValueError("This BKHK has no labels_; pass labels, such as those of predict.")
        coarser = np.append(cut_tree(self.tree_, n_clusters), -1)  # -1 is the last
        if labels is None and is_out_of_core(self.labels_):
            return as_table(self.labels_[:, np.newaxis]).map_rows(partial(_taken, coarser))
        return coarser[_checked_labels(self.labels_ if labels is None else labels, self.n_clusters_)]


def _checked_labels(labels: Any, n_clusters: int) -> IntegerArray:
    found = np.asarray(labels)
    if found.ndim != 1 or found.dtype.kind not in "iu" or not ((found >= -1) & (found < n_clusters)).all():
        raise ValueError(f"labels must be integers from -1 to {n_clusters - 1}, one for each row, as those of predict.")
    return found


def _taken(coarser: IntegerArray, labels: FloatArray) -> IntegerArray:
    return coarser[labels[:, 0].astype(np.intp)]


def _search(centres: FloatArray) -> AllAnchors:
    return ExactSearch().prepare(Anchors(centres), 1, len(centres))


def _nearest(search: AllAnchors, block: Block) -> IntegerArray:
    return search.nearest(block, 1)[0][:, 0]


def _distances(search: AllAnchors, block: Block) -> FloatArray:
    distances: FloatArray = np.sqrt(search.all(block))
    return distances
