"""The graph of nearest rows as a transformer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn import get_config
from sklearn.utils.validation import check_is_fitted

from anchorgraph.contracts import Block
from anchorgraph.contracts import Floats as FloatArray
from anchorgraph.contracts import Integers as IntegerArray
from anchorgraph.estimators.bases.callbacks import with_stages
from anchorgraph.estimators.bases.card import Card
from anchorgraph.estimators.bases.coordinates import SEARCH_OF_ROWS, Coordinates, few_coordinates
from anchorgraph.estimators.bases.fields import Field, Floats, Integer, Integers, Record, Rows, Size, Text
from anchorgraph.estimators.bases.inputs import draw_seed, map_new_rows, read_table
from anchorgraph.estimators.bases.method import Method
from anchorgraph.estimators.bases.parameters import MetricParameter, OutputPath, RandomState
from anchorgraph.estimators.bases.row_trees import in_tree_order
from anchorgraph.estimators.bases.transformer import Transformer
from anchorgraph.graph import KINDS, RowIndex, fuzzy_weights, nearest_rows, symmetric_distances, ties
from anchorgraph.numerics.blocks import dense
from anchorgraph.numerics.checks import check_choice, check_integer

MODES = ("distance", "connectivity")

SKETCH_AXES = 64
"""Number of coordinates in which candidates of rows with many columns are found."""

MANY_COLUMNS = 128
"""Up to so many columns, candidates are found in all of them: axes would cost more than they save, and lose some."""

N_ROUNDS = 2
"""Rounds in which the neighbours of neighbours are looked at; communities do with one."""


@dataclass(frozen=True)
class TiesOfNewRows:
    """The row map to the ties of new rows to those of the fit.

    Attributes
    ----------
    coordinates : Coordinates
    index : RowIndex
        Of the rows of the fit in few coordinates.
    rows : (n, d) Block
        The rows of the fit, in the order of the index.
    order : (n,) integers
        The number of each of them in the data.
    radii : (n,) floats
        Distance of each of them to its k-th nearest.
    n_neighbors : int
    mode, kind : str
    """

    coordinates: Coordinates
    index: RowIndex
    rows: Block
    order: IntegerArray
    radii: FloatArray
    n_neighbors: int
    mode: str
    kind: str

    def __call__(self, block: Block) -> sparse.csr_array:
        """(b, n) ties of the rows of a block."""
        near, distances = self._nearest(block, self.n_neighbors + (self.mode == "distance"))
        if self.mode == "distance":
            values = distances
        else:
            values = fuzzy_weights(distances) if self.kind == "fuzzy" else np.ones_like(distances)
        graph = ties(self.order[near], values, len(self.order))
        return _only(graph, distances <= self.radii[near]) if self.kind == "mutual" else graph

    def _nearest(self, block: Block, k: int) -> tuple[IntegerArray, FloatArray]:
        block = sparse.csr_array(block) if sparse.issparse(self.rows) else dense(block)  # stored as those of the fit
        if self.coordinates.axes is None:
            return self.index.nearest(dense(block), k)
        return self.index.nearest_in_all_columns(self.coordinates(block), k, block, self.rows)


def _only(graph: sparse.csr_array, is_kept: NDArray[np.bool_]) -> sparse.csr_array:
    """Some of the ties of a graph with the same number of ties in each row, by a mask of them."""
    starts = np.concatenate([[0], np.cumsum(is_kept.sum(axis=1))]).astype(graph.indptr.dtype)
    kept = is_kept.ravel()
    return sparse.csr_array((graph.data[kept], graph.indices[kept], starts), shape=graph.shape)


def _as_configured(graph: sparse.csr_array) -> Any:
    """The graph as scikit-learn's own transformers return it: a matrix, or an array if its configuration says so."""
    return graph if get_config().get("sparse_interface") == "sparray" else sparse.csr_matrix(graph)


def without_order(found: TiesOfNewRows) -> str | None:
    """What is wrong with the rows of a model file, as the end of a sentence, or None."""
    return None if len(np.unique(found.order)) == len(found.order) else "has two rows of the same number"


class RowGraph(Transformer, Method):
    r"""Connect every row to its nearest other rows: X (n, d) becomes a sparse (n, n) graph, in near-linear time.

    Interchangeable with :class:`sklearn.neighbors.KNeighborsTransformer`, which computes all distances. Here a row is
    compared with the rows of near leaves of two balanced trees (see :class:`BKHK`), and with the neighbours of what is
    found; rows of more than 128 columns are searched along 64 principal axes and compared in all columns. With up to
    4,096 rows the neighbours are exact, with more nearly all of them are found. The distances are exact.

    Parameters
    ----------
    n_neighbors : int, default=15
        Number k of nearest rows of each row.
    mode : {"distance", "connectivity"}, default="distance"
        Whether the entries are Euclidean distances, or the weights of the ties: one, or those of ``kind="fuzzy"``.
    kind : {"directed", "mutual", "union", "fuzzy"}, default="directed"
        Which pairs are connected: each row to its nearest ones; two rows if both are among the nearest of the other;
        two rows if one is; or these with the weights of UMAP for k + 1 neighbours, which count the row itself,
        :math:`a_{ij} + a_{ji} - a_{ij} a_{ji}`, where :math:`a_{ij}` decreases exponentially with the distance at a
        scale of each row's own.
    metric : {"euclidean", "cosine"}, default="euclidean"
        Distance between rows. ``"cosine"`` is the Euclidean distance between rows of unit length, which are scaled
        each time that they are read; it refuses rows of zeros.
    n_jobs : int, default=None
        Number of threads. ``None`` uses as many as BLAS does. The result does not depend on it.
    random_state : int, RandomState instance or None, default=None
        Growing of the trees.

    Attributes
    ----------
    n_samples_fit_ : int
        Number of rows of the fit.
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of the columns of ``X``. Defined only if they are all strings.

    See Also
    --------
    Communities : clusters of this graph.
    AnchorGraph : rows connected to anchors, for data outside memory.

    Notes
    -----
    As in :class:`sklearn.neighbors.KNeighborsTransformer`, rows of a graph of distances are sorted by distance and
    begin with an explicit zero on the diagonal, in addition to the k neighbours; in a directed graph of mode
    ``"connectivity"`` the row itself is one of the k neighbours. Other graphs of this mode have no diagonal. They are
    SciPy matrices, or arrays if scikit-learn (1.9 or later) is configured with ``sparse_interface="sparray"``.

    Examples
    --------
    >>> from sklearn.cluster import DBSCAN
    >>> from sklearn.datasets import load_digits
    >>> from sklearn.pipeline import make_pipeline
    >>> from anchorgraph import RowGraph
    >>> X, _ = load_digits(return_X_y=True)
    >>> graph = RowGraph(n_neighbors=10).fit_transform(X)
    >>> graph.shape, graph.nnz
    ((1797, 1797), 19767)
    >>> make_pipeline(RowGraph(), DBSCAN(eps=20, metric="precomputed")).fit_predict(X).shape
    (1797,)
    """

    card: ClassVar[Card] = Card("row_graph", "Graph of nearest rows", "this package", "graph", streams=False)
    saved: ClassVar[dict[str, Field]] = {
        "_ties": Record(
            TiesOfNewRows,
            {
                **SEARCH_OF_ROWS,
                "rows": Rows("n d"),
                "order": Integers("n", below="n", dtype="int32"),
                "radii": Floats("n"),
                "n_neighbors": Integer(at_most="n-1"),
                "mode": Text(MODES),
                "kind": Text(tuple(KINDS)),
            },
            without_order,
        ),
        "n_samples_fit_": Size("n"),
        "_n_features_out": Size("n"),
    }

    n_samples_fit_: int
    _ties: TiesOfNewRows

    def __init__(
        self,
        n_neighbors: int = 15,
        *,
        mode: Literal["distance", "connectivity"] = "distance",
        kind: Literal["directed", "mutual", "union", "fuzzy"] = "directed",
        metric: MetricParameter = "euclidean",
        n_jobs: int | None = None,
        random_state: RandomState = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.mode: Literal["distance", "connectivity"] = mode
        self.kind: Literal["directed", "mutual", "union", "fuzzy"] = kind
        self.metric: MetricParameter = metric
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the nearest rows of each row, and prepare the search for those of new rows.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_rows, n_features)
        y : ignored

        Returns
        -------
        self
        """
        self._connect(X)
        return self

    @with_stages
    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """The graph of the rows.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_rows, n_features)
        y : ignored

        Returns
        -------
        graph : CSR matrix of shape (n_rows, n_rows)
        """
        return _as_configured(self._ties_among(*self._connect(X)))

    def transform(self, X: Any, *, out: OutputPath = None) -> Any:
        """Connect rows to their nearest rows of the fit.

        New rows do not change the ties of the fit: of ``kind="mutual"``, a new row is connected to those of its nearest
        rows that have it among their k nearest; of ``kind="union"``, as of ``"directed"``, to all of them; of
        ``kind="fuzzy"`` with its own weights :math:`a_{ij}`.

        Parameters
        ----------
        X : array-like, sparse matrix, or any source for :func:`anchorgraph.as_table`, of shape (n_rows, n_features)
        out : path, optional
            A new folder of shards, written block by block.

        Returns
        -------
        graph : CSR matrix of shape (n_rows, `n_samples_fit_`)
            A lazy Dask array if X is a Dask collection; with ``out``, the path of the folder.
        """
        check_is_fitted(self)
        self._ties.index.prepared()
        graph = map_new_rows(self, X, self._ties, out)
        return _as_configured(graph) if sparse.issparse(graph) else graph

    def _connect(self, X: Any) -> tuple[IntegerArray, FloatArray]:
        """Fit; the nearest other rows of each row, and the distances to them."""
        check_integer("n_neighbors", self.n_neighbors)
        check_choice("mode", self.mode, MODES)
        check_choice("kind", self.kind, KINDS)
        table = read_table(self, X)
        n, k = table.n_rows, int(self.n_neighbors)
        if k >= n:
            raise ValueError(f"n_neighbors={self.n_neighbors} is too many for n_samples={n}; use at most {n - 1}.")
        seed = draw_seed(self.random_state)
        coordinates = few_coordinates(table, SKETCH_AXES, seed) if table.n_cols > MANY_COLUMNS else Coordinates(None)
        sketch = table.view(coordinates).rows()
        order, trees = in_tree_order(sketch, k, seed)
        points = sketch.take(order, axis=0)
        rows = points if coordinates.axes is None else table.take(order)
        found, lengths = nearest_rows(points, trees, k, rows, N_ROUNDS)
        radii, index = lengths[:, -1].copy(), RowIndex.of(points, trees)
        self._ties = TiesOfNewRows(coordinates, index, rows, order.astype(np.int32), radii, k, self.mode, self.kind)
        self.n_samples_fit_ = self._n_features_out = n
        neighbors, distances = np.empty_like(found), np.empty_like(lengths)
        neighbors[order], distances[order] = order[found], lengths
        return neighbors, distances

    def _ties_among(self, neighbors: IntegerArray, distances: FloatArray) -> sparse.csr_array:
        """The graph of the rows of the fit."""
        if self.kind == "directed":
            n_others = self.n_neighbors - (self.mode == "connectivity")
            own = np.arange(len(neighbors), dtype=neighbors.dtype)[:, np.newaxis]
            neighbors = np.hstack([own, neighbors[:, :n_others]])
            distances = np.hstack([np.zeros_like(distances[:, :1]), distances[:, :n_others]])
            values = distances if self.mode == "distance" else np.ones_like(distances)
            return ties(neighbors, values, len(neighbors))
        if self.mode == "connectivity":
            return KINDS[self.kind](neighbors, distances)
        return symmetric_distances(neighbors, distances, n_ways=2 if self.kind == "mutual" else 1)
