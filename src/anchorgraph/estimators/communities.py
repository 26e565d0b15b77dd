"""Communities of the graph of nearest rows."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from anchorgraph.contracts import Block, RowTable, SumStep
from anchorgraph.contracts import Floats as FloatArray
from anchorgraph.contracts import Integers as IntegerArray
from anchorgraph.estimators.bases.batch_method import BatchMethod, Seen
from anchorgraph.estimators.bases.card import Card
from anchorgraph.estimators.bases.clusterer import (
    Clusterer,
    present_rows,
    set_if_in_memory,
    set_labels,
    set_labels_of_batch,
    share_names,
)
from anchorgraph.estimators.bases.coordinates import (
    AsGiven,
    Coordinates,
    CoordinatesAndRest,
    counted_rows,
    few_coordinates,
)
from anchorgraph.estimators.bases.fields import Field, Integer, Number
from anchorgraph.estimators.bases.given_method import GivenMethod
from anchorgraph.estimators.bases.inputs import check_clusters, draw_seed, map_new_rows, read_table
from anchorgraph.estimators.bases.parameters import MissingParameter, OutputPath, RandomState, RowGraphMetricParameter
from anchorgraph.estimators.bases.row_levels import SAVED_LEVELS, Level, RowLevels, described
from anchorgraph.estimators.bases.row_shares import (
    SAVED_GIVEN_SHARES,
    SAVED_SHARES,
    SAVED_TYPICALITY,
    RowTypicality,
    Shares,
)
from anchorgraph.estimators.bases.row_trees import in_tree_order
from anchorgraph.graph import (
    GivenIndex,
    Leaves,
    RowIndex,
    nearest_first,
    nearest_rows,
    reciprocal_ties,
    up_to_farthest,
)
from anchorgraph.labels import (
    MOST_CORES,
    Levels,
    RowSample,
    find_clusters,
    largest_first,
    memberships,
    modularity,
    numbers_as_before,
    settle,
)
from anchorgraph.numerics.checks import check_integer, check_positive
from anchorgraph.numerics.equal_rows import distinct_rows
from anchorgraph.table import count

FEWEST_NEIGHBORS, MOST_NEIGHBORS = 5, 15
"""Limits of the number of neighbours that is chosen from the data."""

OF_DISTANCES = ("n_neighbors_", "_typicality")
"""Attributes that a fit to ties does not have."""


class Communities(Clusterer, GivenMethod, BatchMethod):
    r"""Clusters as communities of the graph of nearest rows; the clusterer to try first.

    Two rows are connected if each is among the other's nearest rows. A cluster is a part of this graph with many more
    ties inside than chance would put there: several partitions of large modularity,

    .. math:: Q = \frac1t \sum_{ij} \Big( w_{ij} - \gamma \frac{d_i d_j}{t} \Big) [c_i = c_j],

    with degrees :math:`d` and their sum :math:`t`, are computed, and the rows on which they agree are merged to
    ``n_clusters`` clusters, or as long as modularity grows. If there are clear gaps between clusters of unequal size or
    of any shape, they are merged along these gaps, at a smaller :math:`\gamma`. Time is near-linear in the rows.

    Parameters
    ----------
    n_clusters : int or None, default=None
        Number of clusters. ``None`` takes clusters that last: those that stay alike over a long range of γ and have
        gaps around them; of several levels that last nearly as long, the finest. Rows without such clusters are one
        cluster. ``levels_`` has other numbers.
    min_cluster_size : int or None, default=None
        At every level, clusters of fewer rows join the one to which they have most ties, or without any the nearest
        one; of a given graph, which has no distances between unconnected parts, these stay. With equal rows, or more
        than ``max_samples``, sizes are estimated from those that are clustered. Only for ``n_clusters=None``. ``None``
        keeps clusters of any size.
    resolution : float or None, default=None
        γ of the partitions that are compared: larger values find more and smaller communities. ``None`` uses 1 with a
        given ``n_clusters``, and otherwise follows the data; a number without ``n_clusters`` asks for the communities
        of this γ.
    n_neighbors : int or None, default=None
        Number of nearest rows of each row. ``None`` uses the square root of the mean cluster size, between 5 and 15; 15
        if ``n_clusters`` is None. Of a given graph of distances, so many of each row are used, or all if it has fewer.
    n_components : int or None, default=None
        Wider rows are reduced to this number of principal components first. ``None`` uses 64, or that of 32, 128 and
        256 in which clearly more of the nearest rows are mutual (see docs/methods/communities.md); up to 64 columns are
        used as they are.
    max_samples : int or None, default=1_000_000
        Maximum number of rows to fit, or to keep of the batches of ``partial_fit``. Of more rows, a uniform sample of
        this size is clustered, and all rows are then labelled in one pass. ``None`` clusters all rows.
    metric : {"euclidean", "cosine", "precomputed", "affinity"}, default="euclidean"
        Distance between rows. ``"cosine"`` is the Euclidean distance between rows of unit length, which are scaled
        each time that they are read; it refuses rows of zeros. With ``"precomputed"``, X is the sparse (n, n) matrix of
        the distances between each row and its nearest ones, as of :class:`sklearn.neighbors.KNeighborsTransformer`,
        :class:`RowGraph`, or scanpy's ``obsp["distances"]``; explicit zeros are distances, and new rows are their
        distances to the n rows of the fit. With ``"affinity"``, X has ties, such as ``obsp["connectivities"]``; of
        both directions, the mean counts. A given graph is clustered whole, and rows are as it has them:
        ``n_components``, ``max_samples`` and ``missing`` have no effect.
    missing : {"error", "mask"}, default="error"
        What to do about rows with NaN, and with ``metric="cosine"`` rows of zeros: raise an error, or leave them out of
        the fit and give them the label -1 and NaN as other results.
    n_jobs : int, default=None
        Number of threads. ``None`` uses as many as BLAS does. The result does not depend on it.
    random_state : int, RandomState instance or None, default=None
        Sampling, and the order in which rows move.

    Attributes
    ----------
    labels_ : ndarray of shape (n_rows,)
        The largest cluster has label 0. Equal rows have the same label, unless a graph was given. After
        ``partial_fit``, those of the last batch, with the numbers that clusters had before.
    n_clusters_ : int
    levels_ : tuple of Level
        Clusterings at several levels, the finest first; each cluster of one lies in a cluster of the next. A level has
        ``labels``, ``n_clusters``, ``resolution`` and ``persistence``. With a given number of clusters, the finest ones
        are the cores that were merged.
    level_ : int
        Place of the clusters of ``labels_`` in ``levels_``.
    tree_ : tuple of ndarray
        For each level but the last, the cluster of the next level in which each of its clusters lies.
    cluster_layers_ : list of ndarray of shape (n_rows,)
        Labels of all levels, the finest first, as those of EVoC.
    cluster_tree_ : dict
        The children ``[(level, cluster), ...]`` of each cluster ``(level, cluster)``, as those of EVoC and toponymy.
        The clusters of the coarsest level are children of ``(number of levels, 0)``.
    resolution_path_ : ndarray of shape (n_steps, 3)
        Resolution, number of clusters and persistence of the partitions that the levels were chosen from.
    probabilities_ : ndarray of shape (n_rows,)
        How clearly each row belongs to its cluster: its share in :meth:`predict_proba`. Not defined for Dask
        collections, and for files with more than ``max_samples`` rows if it does not fit into memory.
    modularity_ : float
        Modularity of the clusters in the graph of the rows that were fitted, for γ = ``resolution``, or 1.
    resolution_ : float
        γ at which the clusters were merged: of those that last, the middle of the range.
    n_neighbors_ : int
        Not defined with ``metric="affinity"``.
    n_components_ : int
        Number of coordinates in which near rows were found. Not defined for given graphs.
    n_rows_seen_ : int
        Number of rows of all batches. Defined only after ``partial_fit``.
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of the columns of ``X``. Defined only if they are all strings.

    See Also
    --------
    RowGraph : the graph of nearest rows as a transformer.
    FSC : spectral clustering by anchors, which is faster.

    References
    ----------
    .. [1] V. D. Blondel, J.-L. Guillaume, R. Lambiotte, E. Lefebvre. Fast unfolding of communities in large networks.
       2008.
    .. [2] J. Reichardt, S. Bornholdt. Statistical mechanics of community detection. 2006.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from anchorgraph import Communities
    >>> from anchorgraph.metrics import clustering_accuracy
    >>> X, y = load_digits(return_X_y=True)
    >>> model = Communities(10, random_state=0).fit(X)
    >>> clustering_accuracy(y, model.labels_) > 0.9
    True
    """

    card: ClassVar[Card] = Card(
        "communities", "Communities of nearest rows", "this package", "clustering", streams=True, finds_clusters=True
    )
    saved: ClassVar[dict[str, Field]] = {
        "n_clusters_": Integer(letter="c"),
        "_shares": SAVED_SHARES,
        "n_neighbors_": Integer(at_least=0),
        "_typicality": SAVED_TYPICALITY,
        "_levels": SAVED_LEVELS,
        "modularity_": Number(),
        "resolution_": Number(),
    }
    saved_given: ClassVar[dict[str, Field]] = {"_shares": SAVED_GIVEN_SHARES}
    _fixed: ClassVar[tuple[str, ...]] = ("n_components", "max_samples", "metric")

    labels_: IntegerArray
    probabilities_: FloatArray
    n_clusters_: int
    modularity_: float
    resolution_: float
    _shares: Shares
    _levels: RowLevels
    _finest: Any
    _typicality: RowTypicality

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        min_cluster_size: int | None = None,
        resolution: float | None = None,
        n_neighbors: int | None = None,
        n_components: int | None = None,
        max_samples: int | None = 1_000_000,
        metric: RowGraphMetricParameter = "euclidean",
        missing: MissingParameter = "error",
        n_jobs: int | None = None,
        random_state: RandomState = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.min_cluster_size = min_cluster_size
        self.resolution = resolution
        self.n_neighbors = n_neighbors
        self.n_components = n_components
        self.max_samples = max_samples
        self.metric: RowGraphMetricParameter = metric
        self.missing: MissingParameter = missing
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Cluster the rows.

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
        if self._is_given():
            return self._fit_given(X, sample_weight)
        table, seed = read_table(self, X, sample_weight), draw_seed(self.random_state)
        self._check_batch(table.n_cols, table.n_positive)
        locate = CoordinatesAndRest(few_coordinates(table, self.n_components, seed))
        rows, weights = self._points(table.view(locate), seed)
        labels, place = self._cluster(locate, rows, weights, seed, table.n_positive)
        self._set_results(table, labels, place)
        return self

    def _fit_given(self, X: Any, sample_weight: Any) -> Self:
        """:meth:`fit` to a graph of near rows."""
        table, index, rows = self._read_given(X, sample_weight)
        seed = draw_seed(self.random_state)
        self._check_batch(table.n_cols, table.n_positive)
        graph, distances = self._given_ties(index, rows)
        weights = table.weight_of_each()[index.columns] if table.weights else None
        n_counted = index.n_points if weights is None else float(weights.sum())
        settled, levels = self._settled(graph, distances, seed, n_counted)
        numbers = largest_first(np.arange(self.n_clusters_), settled, weights)
        labels = numbers[settled]
        self._set_model(graph, AsGiven(), index, labels, levels.renumbered(numbers, weights))
        if distances is not None:
            self._typicality = RowTypicality.of(self._shares, distances, np.zeros(len(labels)), labels)
        found = self._of_all_rows(table, index, self._of_fitted(labels), self._levels)
        set_labels(self, self._set_of_rows(found), self.n_clusters_)
        return self

    def _given_ties(self, index: GivenIndex, rows: Block) -> tuple[sparse.csr_array, FloatArray | None]:
        """The graph that is clustered, and the distances to the nearest rows, if distances were given."""
        for name in OF_DISTANCES:  # of an earlier fit
            vars(self).pop(name, None)
        given = index.among(rows, MOST_NEIGHBORS if self.n_neighbors is None else self.n_neighbors)
        if self.metric == "affinity":
            return given, None
        self.n_neighbors_ = self._n_given_neighbors(given, self._usual_n_neighbors(index.n_points))
        neighbors, distances = nearest_first(given, self.n_neighbors_)
        return reciprocal_ties(neighbors, distances), up_to_farthest(distances)

    def _settled(
        self,
        graph: sparse.csr_array,
        distances: FloatArray | None,
        seed: int,
        n_counted: float,
        points: FloatArray | None = None,
    ) -> tuple[IntegerArray, Levels]:
        """The clusters of a graph, whose number and resolution are set, and their levels.

        ``distances`` are those to the nearest rows, and ``points`` the rows themselves, if they are known; as many as
        ``n_counted`` rows are nodes of the graph, or equal to one, or left out of a sample.
        """
        least_size = max(1, int(np.ceil((self.min_cluster_size or 1) * graph.shape[0] / n_counted)))
        found = find_clusters(
            graph,
            self.n_clusters,
            seed,
            resolution=self.resolution,
            points=points,
            distances=distances,
            least_size=least_size,
        )
        self.n_clusters_, self.resolution_ = int(found.labels.max()) + 1, found.resolution
        settled = settle(graph, found.labels, self.n_clusters_)
        before = found.levels.labels(found.levels.chosen)
        labels = next((own for own in (settled, found.labels) if np.bincount(own).min() >= least_size), before)
        return labels, found.levels.after_moves(graph, labels).without_small(least_size)

    def _set_model(
        self,
        graph: sparse.csr_array,
        coordinates: Coordinates | AsGiven,
        index: RowIndex | GivenIndex,
        labels: IntegerArray,
        levels: Levels,
    ) -> None:
        """Set what new rows are compared with."""
        self.modularity_ = modularity(graph, labels, 1.0 if self.resolution is None else self.resolution)
        self._shares = Shares(coordinates, index, memberships(graph, labels, self.n_clusters_))
        self._levels = RowLevels(self._shares, levels)

    def _of_fitted(self, labels: IntegerArray) -> FloatArray:
        """(n, 3) the label of each row that was clustered, its share, and its label at the finest level."""
        own = self._shares.memberships[np.arange(len(labels)), labels]
        return np.column_stack([labels, own, self._levels.levels.finest])

    def _cluster(
        self,
        locate: CoordinatesAndRest,
        rows: FloatArray,
        weights: FloatArray | None,
        seed: int,
        n_rows: int,
        before: Shares | None = None,
    ) -> tuple[IntegerArray, IntegerArray]:
        """The clusters of the different ones among some of ``n_rows`` rows, and the place of each row among these.

        ``before`` has the clusters of an earlier batch, whose numbers are kept.
        """
        coordinates, rest = locate.apart(rows)
        fitted, number_of = distinct_rows(coordinates)
        self.n_neighbors_ = self._resolve_n_neighbors(len(fitted), n_rows)
        order, trees = in_tree_order(fitted, self.n_neighbors_, seed)
        points = fitted.take(order, axis=0)
        graph, distances = _ties(points, trees, self.n_neighbors_)
        place = np.argsort(order)[number_of]  # of each row among the points
        n_counted = n_rows if weights is None else float(weights.sum())
        settled, levels = self._settled(graph, distances, seed, n_counted, points)
        if before is None:
            numbers = largest_first(np.arange(self.n_clusters_), settled[place], weights)
        else:
            numbers = numbers_as_before(before.best_at(points)[0], settled, self.n_clusters_)
        labels = numbers[settled]
        levels = levels.renumbered(numbers, weights, place)
        self._set_model(graph, locate.coordinates, RowIndex.of(points, trees), labels, levels)
        squared_rest = np.bincount(place, rest) / np.bincount(place)
        self._typicality = RowTypicality.of(self._shares, distances, squared_rest, labels)
        return labels, place

    @property
    def levels_(self) -> tuple[Level, ...]:
        """Clusterings at several levels, the finest first."""
        check_is_fitted(self)
        return described(self._levels.levels, getattr(self, "_finest", None))

    @property
    def level_(self) -> int:
        """Place of the clusters of ``labels_`` in ``levels_``."""
        check_is_fitted(self)
        return self._levels.levels.chosen

    @property
    def tree_(self) -> tuple[IntegerArray, ...]:
        """For each level but the last, the cluster of the next level in which each of its clusters lies."""
        check_is_fitted(self)
        return self._levels.levels.parents()

    @property
    def cluster_layers_(self) -> list[Any]:
        """Labels of all levels, the finest first."""
        return [level.labels for level in self.levels_]

    @property
    def cluster_tree_(self) -> dict[tuple[int, int], list[tuple[int, int]]]:
        """The children of each cluster, which are named by level and label."""
        parents = [*self.tree_, np.zeros(self.levels_[-1].n_clusters, np.intp)]
        children: dict[tuple[int, int], list[tuple[int, int]]] = {}
        for level, own in enumerate(parents):
            for cluster, parent in enumerate(own.tolist()):
                children.setdefault((level + 1, parent), []).append((level, cluster))
        return children

    @property
    def resolution_path_(self) -> FloatArray:
        """Resolution, number of clusters and persistence of the partitions that the levels were chosen from."""
        check_is_fitted(self)
        return self._levels.levels.path

    def labels_at(self, n_clusters: int) -> Any:
        """Labels of the rows of the fit at the level with so many clusters.

        Parameters
        ----------
        n_clusters : int
            A number that one of ``levels_`` has.

        Returns
        -------
        ndarray of shape (n_rows,)
        """
        check_is_fitted(self)
        check_integer("n_clusters", n_clusters)
        for level in self.levels_:
            if level.n_clusters == n_clusters:
                return level.labels
        numbers = ", ".join(str(level.n_clusters) for level in self.levels_)
        raise ValueError(
            f"n_clusters={n_clusters} is not the number of a level; use one of {numbers}, or fit "
            f"Communities(n_clusters={n_clusters})."
        )

    @property
    def n_neighbors_(self) -> int:
        """Number of nearest rows of each row."""
        check_is_fitted(self)
        if "n_neighbors_" not in vars(self):
            raise AttributeError("of a graph that was given with metric='affinity', all ties are used, however many")
        found: int = vars(self)["n_neighbors_"]
        return found

    @n_neighbors_.setter
    def n_neighbors_(self, number: int) -> None:
        vars(self)["n_neighbors_"] = number

    @property
    def n_components_(self) -> int:
        """Number of coordinates in which near rows were found."""
        points = getattr(self._shares.index, "points", None)
        if points is None:
            raise AttributeError(f"a graph that was given with metric={self.metric!r} has no coordinates")
        return int(points.shape[1])

    def predict(self, X: Any, *, level: int | None = None, out: OutputPath = None) -> Any:
        """The cluster with the largest share in :meth:`predict_proba`; ``labels_`` for the rows of the fit.

        In a given graph, a row of the fit is known by its distance of zero to itself. Without zeros on the diagonal,
        and with ``metric="affinity"``, it is a new row, whose neighbours vote.

        Parameters
        ----------
        X : array-like, sparse matrix, or any source for :func:`anchorgraph.as_table`, of shape (n_rows, n_features)
        level : int or None, default=None
            Place in ``levels_``, 0 for the finest. ``None`` is that of ``labels_``. At a coarser level, a row is in the
            cluster that contains its own; at a finer one, in the part of its cluster to which most of its five nearest
            rows belong.
        out : path, optional
            A ``.npy``, ``.parquet`` or ``.csv`` file, or a new folder of shards, written block by block.

        Returns
        -------
        ndarray of shape (n_rows,)
            A lazy Dask array if X is a Dask collection; with ``out``, the path of the file or folder.
        """
        check_is_fitted(self)
        n_levels, levels = len(self._levels.levels.clusters), self._levels
        at = levels.levels.chosen if level is None else level
        check_integer("level", at, at_least=0)
        if at >= n_levels:
            raise ValueError(f"level={level} is too large for {count(n_levels, 'level')}; use at most {n_levels - 1}.")
        self._shares.prepared()
        return map_new_rows(self, X, lambda block: levels.labels_at(at, block), out, ["label"])

    def predict_proba(self, X: Any, *, out: OutputPath = None) -> Any:
        """The shares of the clusters around each row.

        For a row of the fit, the share of a cluster is how often a random walk of four steps from the row ends in it; a
        new row has the mean of its five nearest rows, the nearer ones counting more.

        Parameters
        ----------
        X : array-like, sparse matrix, or any source for :func:`anchorgraph.as_table`, of shape (n_rows, n_features)
        out : path, optional
            A ``.npy``, ``.parquet`` or ``.csv`` file, or a new folder of shards, written block by block.

        Returns
        -------
        ndarray of shape (n_rows, `n_clusters_`)
            Rows sum to one. A lazy Dask array if X is a Dask collection; with ``out``, the path of the file or folder.
        """
        check_is_fitted(self)
        return map_new_rows(self, X, self._shares.prepared(), out, share_names(self.n_clusters_))

    def score_samples(self, X: Any, *, out: OutputPath = None) -> Any:
        """How typical each row is of those of the fit: outliers have the smallest scores.

        The score is minus the mean distance of a row to its ``n_neighbors_`` nearest other rows of the fit, divided by
        the distance that rows of its cluster typically have (see docs/methods/communities.md). About -1 is ordinary.
        Not available with ``metric="affinity"``.

        Parameters
        ----------
        X : array-like, sparse matrix, or any source for :func:`anchorgraph.as_table`, of shape (n_rows, n_features)
        out : path, optional
            A ``.npy``, ``.parquet`` or ``.csv`` file, or a new folder of shards, written block by block.

        Returns
        -------
        ndarray of shape (n_rows,)
            A lazy Dask array if X is a Dask collection; with ``out``, the path of the file or folder.
        """
        check_is_fitted(self)
        if self.metric == "affinity":
            raise ValueError(
                "score_samples needs the distances of rows to their nearest ones, which metric='affinity' does not "
                "have; fit with metric='precomputed' to a graph of distances."
            )
        self._shares.prepared()
        return map_new_rows(self, X, self._typicality, out, ["score"])

    def _seen_before(self) -> Seen | None:
        if self._is_given():
            raise ValueError(
                f"partial_fit needs the rows themselves, which metric={self.metric!r} does not have; call fit with the "
                "graph of all rows."
            )
        return super()._seen_before()

    def _fields_to_save(self) -> dict[str, Field]:
        fields = super()._fields_to_save()
        left_out = OF_DISTANCES if self.metric == "affinity" else ()
        return {name: field for name, field in fields.items() if name not in left_out}

    def _begin(self, table: RowTable, seed: int) -> Seen:
        locate = CoordinatesAndRest(few_coordinates(table, self.n_components, seed))
        return Seen(seed, table.dtype, locate, sample=RowSample(seed, self.max_samples))

    def _batch_step(self, seen: Seen, table: RowTable) -> SumStep:
        return lambda located, block, *weights: ()  # clusters follow from the rows

    def _follow(self, seen: Seen, Z: RowTable) -> None:
        locate, sample = seen.tie, seen.sample
        assert isinstance(locate, CoordinatesAndRest)  # as _begin made them
        assert sample is not None
        before = None if self._seen is None else self._shares
        self._cluster(locate, sample.rows, sample.weights, seen.seed, seen.n_positive, before)
        self._shares.prepared()
        levels = self._levels
        found = Z.keep(lambda rows: levels.at(locate.apart(rows)[0]))
        set_labels_of_batch(self, self._set_of_rows(found))

    def _check_batch(self, n_cols: int, n_positive: int) -> None:
        if self.n_clusters is not None:
            check_clusters(self.n_clusters, n_positive)

    def _check_parameters(self) -> None:
        if self.resolution is not None:
            check_positive("resolution", self.resolution)
        if self.min_cluster_size is not None:
            check_integer("min_cluster_size", self.min_cluster_size)
            if self.n_clusters is not None or self.resolution is not None:
                given = "n_clusters" if self.n_clusters is not None else "resolution"
                raise ValueError(
                    f"min_cluster_size={self.min_cluster_size} cannot be used together with {given}; leave one out."
                )
        if self.n_components is not None:
            check_integer("n_components", self.n_components)
        if self.max_samples is not None:
            check_integer("max_samples", self.max_samples, at_least=2)
        if self.n_neighbors is not None:
            check_integer("n_neighbors", self.n_neighbors)
        if self.n_clusters is not None:
            check_integer("n_clusters", self.n_clusters)
            if self.n_clusters > MOST_CORES:
                raise ValueError(
                    f"n_clusters={self.n_clusters} is too many for Communities; use at most {MOST_CORES}, or "
                    "n_clusters=None with a larger resolution, or BKHK."
                )

    def _points(self, rows: RowTable, seed: int) -> tuple[FloatArray, FloatArray | None]:
        """The rows that are clustered, all that count or a sample, and their weights."""
        if self.max_samples is not None and rows.n_positive > self.max_samples:
            sample: FloatArray = rows.sample(self.max_samples, np.random.default_rng(seed))
            return sample, None  # the sample follows the weights
        # equal rows are one, so that a weight changes only which cluster is the largest
        weights = rows.weight_of_each()[rows.positive_rows()] if rows.weights else None
        return counted_rows(rows), weights

    def _resolve_n_neighbors(self, n_points: int, n_rows: int) -> int:
        """The number of neighbours; raises an error if there are too few different rows for it or for the clusters."""
        is_sample = self.max_samples is not None and n_rows > self.max_samples
        where = count(n_points, "different row") + (
            f" in a sample of max_samples={self.max_samples}" if is_sample else ""
        )
        if self.n_clusters is not None and self.n_clusters > n_points:
            raise ValueError(f"n_clusters={self.n_clusters} is too many for {where}; use at most {n_points}.")
        if self.n_neighbors is None:
            return min(self._usual_n_neighbors(n_points), n_points - 1)
        if self.n_neighbors >= n_points > 1:
            raise ValueError(f"n_neighbors={self.n_neighbors} is too many for {where}; use at most {n_points - 1}.")
        return int(self.n_neighbors)

    def _usual_n_neighbors(self, n_points: int) -> int:
        size = np.inf if self.n_clusters is None else n_points / self.n_clusters  # fewer cut small clouds to pieces
        return int(np.clip(np.sqrt(size), FEWEST_NEIGHBORS, MOST_NEIGHBORS))

    def _set_results(self, table: RowTable, labels: IntegerArray, place: IntegerArray) -> None:
        """Set the attributes with an entry for each row: of the fitted rows, or of all rows in one more pass."""
        if len(place) == table.n_rows:
            found = table.align(self._of_fitted(labels)[place])
        else:
            self._shares.prepared()
            found = table.keep(self._levels)
        set_labels(self, self._set_of_rows(found), self.n_clusters_)

    def _set_of_rows(self, found: RowTable) -> RowTable:
        """Set ``probabilities_`` and the labels of the finest level, the last columns, and return the labels."""
        set_if_in_memory(self, "probabilities_", found.view(_share_column))
        self._finest = present_rows(found.view(_finest_column))
        return found.view(_label_column)  # labels_ of a Dask collection keeps this function, and a lambda has no pickle


def _label_column(found: FloatArray) -> IntegerArray:
    return found[:, 0].astype(np.int32)


def _share_column(found: FloatArray) -> FloatArray:
    return found[:, 1]


def _finest_column(found: FloatArray) -> IntegerArray:
    return found[:, 2].astype(np.int32)


def _ties(points: FloatArray, trees: list[Leaves], n_neighbors: int) -> tuple[sparse.csr_array, FloatArray]:
    """The graph of near rows, and the distances to the nearest ones; a single row is tied to itself."""
    if len(points) == 1:
        return sparse.csr_array(np.ones((1, 1), np.float32)), np.empty((1, 0), np.float32)
    neighbors, distances = nearest_rows(points, trees, n_neighbors)
    return reciprocal_ties(neighbors, distances), distances
