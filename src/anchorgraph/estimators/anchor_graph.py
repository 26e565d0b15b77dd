"""The anchor graph as a transformer."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from anchorgraph.contracts import Block, RowMap, RowTable, SumStep
from anchorgraph.contracts import Floats as FloatArray
from anchorgraph.estimators.bases.anchor_method import sum_ties, tie_rows
from anchorgraph.estimators.bases.batch_method import AnchorBatchMethod, Seen
from anchorgraph.estimators.bases.callbacks import with_stages
from anchorgraph.estimators.bases.card import Card
from anchorgraph.estimators.bases.fields import Field, Floats, Size
from anchorgraph.estimators.bases.inputs import draw_seed, map_new_rows, read_table
from anchorgraph.estimators.bases.kept_graph import KEPT_GRAPH
from anchorgraph.estimators.bases.parameters import (
    AnchorsParameter,
    MetricParameter,
    MissingParameter,
    OutputPath,
    RandomState,
    SearchParameter,
    WeightingParameter,
)
from anchorgraph.estimators.bases.transformer import Transformer
from anchorgraph.numerics.blocks import weigh


class AnchorGraph(Transformer, AnchorBatchMethod):
    r"""Connect every row to its nearest anchors: X (n, d) becomes the sparse, row-stochastic Z (n, m).

    For each row, with :math:`h_j` the squared distance to its j-th nearest anchor,

    .. math:: z_j = \frac{h_{k+1} - h_j}{\sum_{j'=1}^{k} (h_{k+1} - h_{j'})}, \qquad j \le k

    (ulge Eq. 18, fsc Eq. 7; see ``weighting`` for others), and zero for all other anchors. The graph between the rows
    is :math:`A = Z \Delta^{-1} Z^\top` with :math:`\Delta = \mathrm{diag}(Z^\top 1)` (Eq. 19): symmetric, doubly
    stochastic, positive semi-definite, and never formed.

    Parameters
    ----------
    n_anchors : int, default=None
        Number of anchors. ``None`` uses 1,024 for 4,096 rows or more, otherwise the power of two nearest to a quarter
        of the rows, but at least ``n_neighbors + 1``.
    anchors : {"bkhk", "hk", "kmeans", "random"}, selector, array-like or clusterer, default="bkhk"
        How anchors are selected: a name, or a selector object such as ``KMeansAnchors(max_iter=100)``, also of a class
        of your own (see :mod:`anchorgraph.contracts`); or the anchors, of shape (m, n_features); or a scikit-learn
        clusterer with ``cluster_centers_``.
    n_neighbors : int, default=5
        Number of nearest anchors that each row is connected to.
    weighting : {"adaptive", "gaussian", "inverse", "self-tuning"} or object, default="adaptive"
        Weights of a row's nearest anchors: a name, or an object such as ``Gaussian(sigma="local")``, also of a class of
        your own (see :mod:`anchorgraph.contracts`).
    search : {"auto", "exact", "tree"} or object, default="auto"
        How the nearest anchors are found. ``"tree"`` compares a row with only 3.5 √m of the m anchors (with up to 62
        columns 4 √m, at least 256), which it finds by the top hyperplanes of the tree; it requires anchors from
        ``"bkhk"`` or ``"hk"``, and misses some neighbours, many if the rows have no structure. ``"auto"`` is exact,
        unless an exact search needs more than 2³⁵ operations and the tree at most half of them. An object, also of a
        class of your own, can be passed as well (see :mod:`anchorgraph.contracts`).
    metric : {"euclidean", "cosine"}, default="euclidean"
        Distance between rows. ``"cosine"`` is the Euclidean distance between rows of unit length, which are scaled
        each time that they are read; it refuses rows of zeros. Anchors are points among these.
    missing : {"error", "mask"}, default="error"
        What to do about rows with NaN, and with ``metric="cosine"`` rows of zeros: raise an error, or leave them out of
        the fit and give them NaN as their results.
    n_jobs : int, default=None
        Number of threads. ``None`` uses as many as BLAS does. The result does not depend on it.
    random_state : int, RandomState instance or None, default=None

    Attributes
    ----------
    anchors_ : ndarray of shape (`n_anchors_`, `n_features_in_`)
    degrees_ : ndarray of shape (`n_anchors_`,)
        ``Zᵀ1``: the sum of the weights of each anchor over all rows.
    n_anchors_ : int
    search_ : str
        Name of the search that was used: ``"exact"``, ``"tree"``, or that of a search of your own.
    weighting_ : Weighting
        The weighting object, with the bandwidth if that was learnt from the data.
    n_rows_seen_ : int
        Number of rows of all batches. Defined only after ``partial_fit``, as ``drift_`` is.
    drift_ : float
        The share of the rows of the last batch that are farther from every anchor than rows of the first batch were
        (see docs/partial_fit.md); 0 for the first batch.
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of the columns of ``X``. Defined only if they are all strings.

    See Also
    --------
    BKHK : the default anchor selection, as a clusterer.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from anchorgraph import AnchorGraph
    >>> X, _ = load_digits(return_X_y=True)
    >>> Z = AnchorGraph(n_anchors=64, random_state=0).fit_transform(X)
    >>> Z.shape, Z.nnz
    ((1797, 64), 8985)
    """

    card: ClassVar[Card] = Card("anchor_graph", "Anchor graph", "ulge, fsc, csr, ongr, flrl", "graph", streams=True)
    saved: ClassVar[dict[str, Field]] = {
        **KEPT_GRAPH,
        "degrees_": Floats("m", double=True),
        "_n_features_out": Size("m"),
    }

    degrees_: FloatArray
    _graph: RowMap

    def __init__(
        self,
        n_anchors: int | None = None,
        *,
        anchors: AnchorsParameter = "bkhk",
        n_neighbors: int = 5,
        weighting: WeightingParameter = "adaptive",
        search: SearchParameter = "auto",
        metric: MetricParameter = "euclidean",
        missing: MissingParameter = "error",
        n_jobs: int | None = None,
        random_state: RandomState = None,
    ) -> None:
        self.n_anchors = n_anchors
        self.anchors: AnchorsParameter = anchors
        self.n_neighbors = n_neighbors
        self.weighting: WeightingParameter = weighting
        self.search: SearchParameter = search
        self.metric: MetricParameter = metric
        self.missing: MissingParameter = missing
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Find the anchors and their degrees.

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
        self._fit_graph(table)
        (self.degrees_,) = sum_ties(table, self._graph, _degrees)
        return self

    @with_stages
    def fit_transform(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Find the anchors and return the rows of Z for the same data, which are computed only once.

        Parameters
        ----------
        X : array-like, sparse matrix, or any source for :func:`anchorgraph.as_table`, of shape (n_rows, n_features)
        y : ignored
        sample_weight : array-like of shape (n_rows,) or str, default=None
            Weights of the rows: 2 counts as the row twice, 0 as no row. Or the name of the column of X that holds them.

        Returns
        -------
        Z : CSR array of shape (n_rows, `n_anchors_`)
        """
        self._check_parameters()
        table = read_table(self, X, sample_weight)
        self._fit_graph(table)
        Z, (self.degrees_,) = tie_rows(table, self._graph, _degrees)
        return Z.rows()

    def transform(self, X: Any, *, out: OutputPath = None) -> Any:
        """The rows of Z for any rows.

        Parameters
        ----------
        X : array-like, sparse matrix, or any source for :func:`anchorgraph.as_table`, of shape (n_rows, n_features)
        out : path, optional
            A ``.npy``, ``.parquet`` or ``.csv`` file, or a new folder of shards, written block by block.

        Returns
        -------
        Z : CSR array of shape (n_rows, `n_anchors_`)
            A lazy Dask array if X is a Dask collection; with ``out``, the path of the file or folder.
        """
        check_is_fitted(self)
        return map_new_rows(self, X, self._graph, out)

    def _fit_graph(self, table: RowTable) -> None:
        seed = draw_seed(self.random_state)
        anchors = self._select_anchors(table, seed)  # ulge Algorithm 1
        self._graph = self._connect(anchors, table, seed)  # ulge Eq. 18
        self._n_features_out = self.n_anchors_

    def _check_parameters(self) -> None:
        self._check_graph()

    def _batch_step(self, seen: Seen, table: RowTable) -> SumStep:
        return _degrees

    def _follow(self, seen: Seen, Z: RowTable) -> None:
        self._graph, self._n_features_out = seen.tie, self.n_anchors_
        (self.degrees_,) = seen.sums


def _degrees(z: sparse.csr_array, block: Block, *weights: FloatArray) -> tuple[FloatArray]:
    """Δ of ulge Eq. 19."""
    return (weigh(z.astype(np.float64), *weights).sum(axis=0),)
