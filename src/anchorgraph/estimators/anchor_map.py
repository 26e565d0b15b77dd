"""A map of the rows in two or three dimensions."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from anchorgraph.anchors import BKHKAnchors
from anchorgraph.contracts import Floats as FloatArray
from anchorgraph.contracts import RowTable
from anchorgraph.estimators.bases.card import Card
from anchorgraph.estimators.bases.clusterer import set_if_in_memory
from anchorgraph.estimators.bases.coordinates import AsGiven, Coordinates, counted_rows, few_coordinates
from anchorgraph.estimators.bases.fields import Derived, Field, Size
from anchorgraph.estimators.bases.given_method import GivenMethod
from anchorgraph.estimators.bases.inputs import draw_seed, map_new_rows, read_table
from anchorgraph.estimators.bases.parameters import MissingParameter, OutputPath, RandomState, RowGraphMetricParameter
from anchorgraph.estimators.bases.places import GIVEN_PLACES, MOST_COMPONENTS, PLACES, AnchorPlaces, RowPlaces
from anchorgraph.estimators.bases.row_trees import in_tree_order
from anchorgraph.estimators.bases.transformer import Transformer
from anchorgraph.graph import (
    Adaptive,
    AutoSearch,
    RowIndex,
    connect,
    nearest_first,
    nearest_rows,
    ties_both_ways,
    ties_of_near,
)
from anchorgraph.layout import map_anchors, map_rows, smooth_coordinates
from anchorgraph.numerics.blocks import n_full_rows
from anchorgraph.numerics.checks import check_choice, check_integer
from anchorgraph.numerics.equal_rows import distinct_rows
from anchorgraph.projection import along_axes, principal_axes
from anchorgraph.table import as_table, count

GRAPHS = ("rows", "anchors")

MOST_ROWS = 1_000_000
"""Rows up to which ``graph="auto"`` connects rows to rows."""

N_AXES = 32
"""Wider rows are reduced to this number of principal components."""

N_NEIGHBORS = 10

N_ANCHORS = 4096

SAMPLE_ROWS = 2**18
"""Rows that the ties between anchors are computed from, at most."""


class AnchorMap(Transformer, GivenMethod):
    r"""Map rows to two or three dimensions, so that near rows are near and clusters are islands.

    As in t-SNE, rows attract their nearest rows and repel all others. A row moves along

    .. math:: \sum_j w_{ij} q_{ij} (y_j - y_i) + \frac{n}{\rho Z} \sum_j q_{ij}^2 (y_i - y_j), \qquad
              q_{ij} = \frac{1}{1 + |y_i - y_j|^2}, \quad Z = \sum_{i \neq j} q_{ij},

    with :math:`w_{ij}` the weights of the ties between near rows, whose sum is n, and ρ, by which attraction is
    exaggerated. Groups of near rows are laid out first, then the rows, and the repulsion is computed on a mesh, so that
    the time is near-linear in the rows. More than a million rows are placed in a map of anchors instead.

    Parameters
    ----------
    n_components : int, default=2
        Dimensions of the map, at most three.
    n_neighbors : int or None, default=None
        Number of nearest rows, or anchors, that attract a row; of anchors at least 2. ``None`` uses 10, or all others
        if they are fewer. Of a given graph of distances, so many of each row attract it; of ties, all do.
    graph : {"auto", "rows", "anchors"}, default="auto"
        What rows are connected to. ``"rows"`` lays out all rows, and holds them in memory, in at most 32 coordinates.
        ``"anchors"`` lays out anchors, which takes little time and memory for any number of rows, and places each row
        among its nearest anchors. ``"auto"`` uses ``"anchors"`` for more than one million rows.
    n_anchors : int or None, default=None
        Number of anchors for ``graph="anchors"``. ``None`` uses 4,096, or a quarter of the rows if that is less.
    metric : {"euclidean", "cosine", "precomputed", "affinity"}, default="euclidean"
        Distance between rows. ``"cosine"`` is the Euclidean distance between rows of unit length, which are scaled
        each time that they are read; it refuses rows of zeros. With ``"precomputed"``, X is the sparse (n, n) matrix of
        the distances between each row and its nearest ones, as of :class:`sklearn.neighbors.KNeighborsTransformer`,
        :class:`RowGraph`, or scanpy's ``obsp["distances"]``; explicit zeros are distances, and new rows are their
        distances to the n rows of the fit. With ``"affinity"``, X has ties, such as ``obsp["connectivities"]``; of
        both directions, the mean counts. A given graph is laid out whole, and rows are as it has them: ``missing`` has
        no effect.
    missing : {"error", "mask"}, default="error"
        What to do about rows with NaN, and with ``metric="cosine"`` rows of zeros: raise an error, or leave them out of
        the fit and give them NaN as their results.
    n_jobs : int, default=None
        Number of threads. ``None`` uses as many as BLAS does. The result does not depend on it.
    random_state : int, RandomState instance or None, default=None
        Growing of the trees, and where rows begin.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_rows, n_components)
        The map. Not defined for Dask collections, and with ``graph_="anchors"`` for files: call ``transform``.
    graph_ : {"rows", "anchors"}
        What rows were connected to.
    n_neighbors_ : int
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of the columns of ``X``. Defined only if they are all strings.

    See Also
    --------
    Communities : clusters of the graph of nearest rows.
    CSR : an embedding in any number of dimensions.

    Notes
    -----
    Distances between islands, their sizes and densities mean little; which rows are neighbours does mean something.

    References
    ----------
    .. [1] L. van der Maaten, G. Hinton. Visualizing data using t-SNE. 2008.
    .. [2] G. C. Linderman, M. Rachh, J. G. Hoskins, S. Steinerberger, Y. Kluger. Fast interpolation-based t-SNE for
       improved visualization of single-cell RNA-seq data. 2019.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from anchorgraph import AnchorMap
    >>> X, _ = load_digits(return_X_y=True)
    >>> AnchorMap(random_state=0).fit_transform(X).shape
    (1797, 2)
    """

    card: ClassVar[Card] = Card("anchor_map", "Map of nearest rows", "this package", "embedding", streams=True)
    saved: ClassVar[dict[str, Field]] = {
        "_places": PLACES,
        "graph_": Derived(lambda places: places.kind, ("_places",)),
        "n_neighbors_": Derived(lambda places: places.n_neighbors, ("_places",)),
        "_n_features_out": Size("p"),
    }
    saved_given: ClassVar[dict[str, Field]] = {"_places": GIVEN_PLACES}

    embedding_: FloatArray
    graph_: str
    n_neighbors_: int
    _places: RowPlaces | AnchorPlaces

    def __init__(
        self,
        n_components: int = 2,
        *,
        n_neighbors: int | None = None,
        graph: Literal["auto", "rows", "anchors"] = "auto",
        n_anchors: int | None = None,
        metric: RowGraphMetricParameter = "euclidean",
        missing: MissingParameter = "error",
        n_jobs: int | None = None,
        random_state: RandomState = None,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.graph: Literal["auto", "rows", "anchors"] = graph
        self.n_anchors = n_anchors
        self.metric: RowGraphMetricParameter = metric
        self.missing: MissingParameter = missing
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Lay out the map.

        Parameters
        ----------
        X : array-like, sparse matrix, or any source for :func:`anchorgraph.as_table`, of shape (n_rows, n_features)
        y : ignored
        sample_weight : array-like of shape (n_rows,) or str, default=None
            Weights of the rows: 2 counts as the row twice, 0 as no row. Or the name of the column of X that holds them.
            Equal rows have one place, so that with ``graph="rows"`` it only matters which weights are zero.

        Returns
        -------
        self
        """
        self._check_parameters()
        if self._is_given():
            self._lay_out_graph(X, sample_weight)
        else:
            self._lay_out(X, sample_weight)
        self.graph_, self.n_neighbors_ = self._places.kind, self._places.n_neighbors
        self._n_features_out = self.n_components
        return self

    def fit_transform(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Lay out the map, and return the places of the rows.

        Parameters
        ----------
        X : array-like, sparse matrix, or any source for :func:`anchorgraph.as_table`, of shape (n_rows, n_features)
        y : ignored
        sample_weight : array-like of shape (n_rows,) or str, default=None
            As in :meth:`fit`.

        Returns
        -------
        ndarray of shape (n_rows, n_components)
            ``embedding_``, where that is defined; a lazy Dask array if X is a Dask collection.
        """
        self.fit(X, sample_weight=sample_weight)
        return self.embedding_ if hasattr(self, "embedding_") else self.transform(X)

    def transform(self, X: Any, *, out: OutputPath = None) -> Any:
        """Place rows in the map; the other rows stay where they are.

        A row is placed where the attraction of its nearest rows, or anchors, is in balance; one that is equal to a row
        of the fit has the same place.

        Parameters
        ----------
        X : array-like, sparse matrix, or any source for :func:`anchorgraph.as_table`, of shape (n_rows, n_features)
        out : path, optional
            A ``.npy``, ``.parquet`` or ``.csv`` file, or a new folder of shards, written block by block.

        Returns
        -------
        ndarray of shape (n_rows, n_components)
            A lazy Dask array if X is a Dask collection; with ``out``, the path of the file or folder.
        """
        check_is_fitted(self)
        if isinstance(self._places, RowPlaces):
            self._places.index.prepared()
        return map_new_rows(self, X, self._places, out)

    def _lay_out(self, X: Any, sample_weight: Any) -> None:
        table, seed = read_table(self, X, sample_weight), draw_seed(self.random_state)
        coordinates = few_coordinates(table, N_AXES, seed)
        is_large = table.n_positive > MOST_ROWS
        if self.graph == "anchors" or (self.graph == "auto" and is_large):
            self._lay_out_anchors(table, coordinates, seed)
        else:
            self._lay_out_rows(table, coordinates, seed)

    def _lay_out_graph(self, X: Any, sample_weight: Any) -> None:
        table, index, rows = self._read_given(X, sample_weight)
        seed = draw_seed(self.random_state)
        given = index.among(rows, self.n_neighbors or N_NEIGHBORS)
        n_neighbors = self._n_given_neighbors(given, N_NEIGHBORS)
        neighbors, lengths = nearest_first(index.lengths(given), n_neighbors)
        graph = given if self.metric == "affinity" else ties_of_near(neighbors, lengths)
        points = smooth_coordinates(graph, seed)
        start = _first_axes(points, self.n_components, seed)
        order, _ = in_tree_order(points, n_neighbors, seed)
        place_of = np.argsort(order)
        found = map_rows(graph[order][:, order], place_of[neighbors[order]], start[order], seed)
        self._places = RowPlaces(AsGiven(), index, n_neighbors, found[place_of])
        positions = self._places.positions.astype(table.dtype)
        set_if_in_memory(self, "embedding_", self._of_all_rows(table, index, positions, self._places))

    def _lay_out_rows(self, table: RowTable, coordinates: Coordinates, seed: int) -> None:
        distinct, number_of = distinct_rows(counted_rows(table.view(coordinates)))
        if len(distinct) == 1:
            distinct = np.repeat(distinct, 2, axis=0)  # a map has two points at least
        start = _first_axes(distinct, self.n_components, seed)
        along = np.lexsort(start.T[::-1])  # an order of the rows that rounding hardly ever changes
        n_neighbors = self._resolve_n_neighbors(len(distinct), "different rows")
        in_tree, trees = in_tree_order(distinct.take(along, axis=0), n_neighbors, seed)
        order = along[in_tree]
        points = distinct.take(order, axis=0)
        neighbors, _ = nearest_rows(points, trees, n_neighbors)
        positions = map_rows(ties_both_ways(neighbors), neighbors, start[order], seed)
        self._places = RowPlaces(coordinates, RowIndex.of(points, trees), n_neighbors, positions)
        if len(number_of) == table.n_rows:
            place_of = np.argsort(order)[number_of]
            found = table.align(positions[place_of].astype(table.dtype))
        else:
            found = table.keep(self._places)
        set_if_in_memory(self, "embedding_", found)

    def _lay_out_anchors(self, table: RowTable, coordinates: Coordinates, seed: int) -> None:
        rows = table.view(coordinates) if coordinates.axes is None else table.keep(coordinates)
        anchors = BKHKAnchors().select(rows, self._resolve_n_anchors(table.n_positive), seed)
        graph = connect(
            anchors,
            n_neighbors=self._resolve_n_neighbors(len(anchors.points), "anchors", at_least=2),
            weighting=Adaptive(),
            search=AutoSearch(),
            n_rows=n_full_rows(rows),
        )
        sample = rows.draw(min(SAMPLE_ROWS, rows.n_counted), np.random.default_rng(seed))
        positions = map_anchors(graph(sample), _first_axes(anchors.points, self.n_components, seed), seed)
        self._places = AnchorPlaces(coordinates, anchors.points, graph, positions)
        vars(self).pop("embedding_", None)
        if table.in_memory:
            set_if_in_memory(self, "embedding_", table.keep(self._places))

    def _check_parameters(self) -> None:
        check_integer("n_components", self.n_components)
        if self.n_components > MOST_COMPONENTS:
            raise ValueError(
                f"n_components={self.n_components} is too many for a map; use at most {MOST_COMPONENTS}, or CSR, which "
                "embeds rows in any number of dimensions."
            )
        check_choice("graph", self.graph, ("auto", *GRAPHS))
        if self.graph == "anchors" and self._is_given():
            raise ValueError(
                f"graph='anchors' needs the rows themselves, which metric={self.metric!r} does not have; use "
                "graph='auto'."
            )
        for name in ("n_neighbors", "n_anchors"):
            if getattr(self, name) is not None:
                check_integer(name, getattr(self, name))

    def _resolve_n_neighbors(self, n_points: int, what: str, at_least: int = 1) -> int:
        most = n_points - 1
        if most < at_least:
            raise ValueError(
                f"graph='anchors' needs {at_least + 1} {what}, and there are {n_points}; use graph='rows'."
            )
        if self.n_neighbors is None:
            return min(N_NEIGHBORS, most)
        if self.n_neighbors > most:
            raise ValueError(f"n_neighbors={self.n_neighbors} is too many for {n_points} {what}; use at most {most}.")
        if self.n_neighbors < at_least:
            raise ValueError(
                f"n_neighbors={self.n_neighbors} is too few for graph='anchors', in which rows tie anchors to each "
                f"other; use at least {at_least}."
            )
        return int(self.n_neighbors)

    def _resolve_n_anchors(self, n_rows: int) -> int:
        if self.n_anchors is None:
            return min(N_ANCHORS, max(n_rows // 4, min(3, n_rows)))
        if self.n_anchors > n_rows:
            raise ValueError(
                f"n_anchors={self.n_anchors} is more than the {count(n_rows, 'row')} of X; use at most {n_rows}."
            )
        return int(self.n_anchors)


def _first_axes(points: FloatArray, n_axes: int, seed: int) -> FloatArray:
    """(n, n_axes) coordinates along the first principal axes; zeros, where there are fewer."""
    found = points
    if points.shape[1] > n_axes:
        found = along_axes(principal_axes(as_table(points), n_axes, seed))(points)
    return np.pad(found, ((0, 0), (0, n_axes - found.shape[1])))
