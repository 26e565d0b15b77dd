"""Orthogonal and Nonnegative Graph Reconstruction."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Literal, Self

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from anchorgraph.contracts import Block, RowMap, RowTable, Spectrum
from anchorgraph.contracts import Floats as FloatArray
from anchorgraph.estimators.bases.anchor_method import tie_rows
from anchorgraph.estimators.bases.card import Card
from anchorgraph.estimators.bases.clusterer import (
    Clusterer,
    set_if_in_memory,
    set_labels,
    set_probabilities,
    share_names,
)
from anchorgraph.estimators.bases.fields import Field, Floats, Integer, Number, Optional, Record, Rows, Size, Text
from anchorgraph.estimators.bases.inputs import check_clusters, draw_seed, finite, map_new_rows, read_table
from anchorgraph.estimators.bases.parameters import (
    AnchorsParameter,
    GraphMetricParameter,
    MissingParameter,
    OutputPath,
    PartsParameter,
    RandomState,
    SearchParameter,
    WeightingParameter,
)
from anchorgraph.estimators.bases.part_method import PartMethod
from anchorgraph.estimators.bases.transformer import Transformer
from anchorgraph.labels import (
    LOSSES,
    PLUS,
    STARTS,
    Objective,
    Reconstruction,
    labels_of,
    random_start,
    reconstruct,
    replay,
    shares_of,
)
from anchorgraph.numerics.checks import check_choice, check_integer, check_number
from anchorgraph.spectrum import anchor_sums, embedding, with_trivial

TIE = 1e-9
"""Objectives that differ by less are equal up to rounding: they are sums of squares of about one."""

MOST_CLUSTERS = 2**14
"""Maximum number of clusters in a model file, which can be more than the number of components of its anchors."""


def _negative(objective: Objective) -> str | None:
    return None if min(objective.lam, objective.sparsity) >= 0 else "has a negative lam or sparsity"


def _unusable(reconstruction: Reconstruction) -> str | None:
    if reconstruction.votes.min() < 0:
        return "has negative votes"
    needed, found = reconstruction.objective.loss == "l21", sparse.issparse(reconstruction.kernel)
    return None if needed == found else "has a loss and a kernel that do not belong together"


_RECONSTRUCTION = Record(
    Reconstruction,
    {
        "start": Floats("m c", double=True),
        "of_f": Floats("t m c", double=True),
        "of_g": Floats("t m c", double=True),
        "polars": Floats("t c c", double=True),
        "completions": Floats("t c c", double=True),
        "votes": Floats("m c", double=True),
        "objective": Record(
            Objective, {"lam": Number(), "plus": Text(PLUS), "loss": Text(LOSSES), "sparsity": Number()}, _negative
        ),
        "kernel": Optional(Rows("m m")),
    },
    _unusable,
)


@dataclass(frozen=True)
class Outcome:
    """The result of the iterations from one start."""

    init: str
    reconstruction: Reconstruction
    memberships: RowTable
    objectives: FloatArray


class ONGR(Clusterer, Transformer, PartMethod):
    r"""Orthogonal and Nonnegative Graph Reconstruction: clusters without a rounding step.

    .. math:: \min_{F^\top F = I,\, G \ge 0} \lVert A - FG^\top \rVert^2 + \lambda \lVert F - G \rVert^2

    for the anchor graph :math:`A = Z \Delta^{-1} Z^\top` (ongr Eq. 7), by alternating updates of
    :math:`G = ((AF + \lambda F) / (1 + \lambda))_+` (Eq. 9) and of :math:`F = UV^\top` from the thin SVD of
    :math:`AG + \lambda G` (Eq. 11). The label of a row is its largest membership in G. Neither A nor any other n×n or
    n×m dense matrix is formed. New rows go through the iterations of the fit.

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters.
    lam : float, default=0.001
        λ: a larger value keeps F and G closer to each other.
    plus : {"clip", "abs"}, default="clip"
        :math:`(\cdot)_+` of Eq. 9: max(·, 0), which minimises the objective (``"clip"``), or the absolute value, as the
        paper's text says (``"abs"``). With ``"abs"`` the objective can increase.
    loss : {"squared", "l21"}, default="squared"
        Squares of the norms :math:`\lVert a_i - F g_i \rVert` of the n rows, as in Eq. 7, or the norms themselves
        (``"l21"``), on which rows that are badly reconstructed have less influence. λ weighs differently then.
    sparsity : float, default=0.0
        μ of a further term :math:`\mu \lVert G \rVert_1`: a larger value makes more memberships zero.
    init : {"best", "singular", "qr", "rotation", "random"}, default="best"
        Initial F: the leading singular vectors with fixed signs (``"singular"``), rotated so that the most different
        rows lie on the axes (``"qr"``), or rotated towards cluster indicators (``"rotation"``). ``"best"`` tries these
        three and keeps the result with the smallest objective. ``"random"`` is a random F with orthonormal columns.
    max_iter : int, default=100
        Maximum number of iterations.
    tol : float, default=0.001
        Stop when an iteration changes no more than this fraction of the labels.
    n_anchors : int, default=None
        Number of anchors. ``None`` uses 1,024 for 4,096 rows or more, otherwise the power of two nearest to a quarter
        of the rows, but more than ``n_neighbors`` and ``n_clusters``.
    anchors : {"bkhk", "hk", "kmeans", "random"}, selector, array-like or clusterer, default="bkhk"
        How anchors are selected: a name, or a selector object such as ``KMeansAnchors(max_iter=100)``, also of a class
        of your own (see :mod:`anchorgraph.contracts`); or the anchors, of shape (m, n_features); or a scikit-learn
        clusterer with ``cluster_centers_``.
        ``"random"``, ``"kmeans"`` and ``"bkhk"`` give the paper's ONGR-R, ONGR-K and ONGR-B.
    n_neighbors : int, default=5
        Number of nearest anchors that each row is connected to.
    weighting : {"adaptive", "gaussian", "inverse", "self-tuning"} or object, default="adaptive"
        Weights of a row's nearest anchors: a name, or an object such as ``Gaussian(sigma="local")``, also of a class of
        your own (see :mod:`anchorgraph.contracts`).
        The paper's self-tuning bandwidth is ``Gaussian(sigma="local")``, or ``"self-tuning"``.
    search : {"auto", "exact", "tree"} or object, default="auto"
        How the nearest anchors are found (see :class:`AnchorGraph`): a name, or an object such as ``ExactSearch()``,
        also of a class of your own (see :mod:`anchorgraph.contracts`).
    parts : {"join", "literal"}, default="join"
        What is done if the graph has more unconnected parts than clusters. ``"join"`` joins the nearest parts first, so
        that each cluster consists of whole parts that are near each other. ``"literal"`` does as the papers do, with
        a warning: which parts come together is arbitrary. So it is with ``init="random"`` and,
        ``metric="precomputed"``, whose anchors have no coordinates.
    metric : {"euclidean", "cosine", "precomputed"}, default="euclidean"
        Distance between rows. ``"cosine"`` is the Euclidean distance between rows of unit length, which are scaled
        each time that they are read; it refuses rows of zeros. With ``"precomputed"``, X is Z: the rows of an anchor
        graph, such as those of :class:`AnchorGraph`, which are not negative and sum to one; the other parameters of
        anchors and of the graph are then not used, and ``anchors_``, ``search_`` and ``weighting_`` are not defined.
    missing : {"error", "mask"}, default="error"
        What to do about rows with NaN, and with ``metric="cosine"`` rows of zeros: raise an error, or leave them out of
        the fit and give them the label -1 and NaN as other results.
    n_jobs : int, default=None
        Number of threads. ``None`` uses as many as BLAS does. The result does not depend on it.
    random_state : int, RandomState instance or None, default=None

    Attributes
    ----------
    labels_ : ndarray of shape (n_rows,)
        The cluster of each row. For a Dask collection, a Dask array in the memory of the workers: compute or store it
        before they close.
    probabilities_ : ndarray of shape (n_rows,)
        How clearly each row belongs to its cluster: its share in :meth:`predict_proba`. Defined only if Z is in memory
        (docs/scale.md).
    memberships_ : ndarray of shape (n_rows, n_clusters)
        G. Defined only if it is in memory (docs/scale.md); ``transform`` returns it in any case.
    history_ : ndarray of shape (`n_iter_`,)
        The objective after each iteration: Eq. 7, with ``loss`` and ``sparsity`` as they are. It never increases, up to
        rounding, unless ``plus="abs"``.
    init_ : {"singular", "qr", "rotation", "random"}
        The initialisation that was used: with ``init="best"``, the one with the smallest objective.
    n_iter_ : int
    n_zero_rows_ : int
        Number of rows of the fit whose memberships are all zero. They get the cluster that most of their neighbours in
        the graph have.
    anchors_ : ndarray of shape (`n_anchors_`, `n_features_in_`)
    n_anchors_ : int
    search_ : str
        Name of the search that was used: ``"exact"``, ``"tree"``, or that of a search of your own.
    weighting_ : Weighting
        The weighting object, with the bandwidth if that was learnt from the data.
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of the columns of ``X``. Defined only if they are all strings.

    See Also
    --------
    FSC : clusters the same spectrum by k-means.

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

    card: ClassVar[Card] = Card(
        "ongr", "Orthogonal and Nonnegative Graph Reconstruction", "ongr", "clustering", streams=True
    )
    saved: ClassVar[dict[str, Field]] = {
        "_reconstruction": _RECONSTRUCTION,
        "history_": Floats("t", double=True),
        "n_iter_": Size("t"),
        "init_": Text((*STARTS, "random")),
        "n_zero_rows_": Integer(at_least=0, at_most=2**53),
        "_n_features_out": Integer(at_least="c", at_most=MOST_CLUSTERS),
    }

    memberships_: FloatArray
    probabilities_: FloatArray
    history_: FloatArray
    init_: str
    n_iter_: int
    n_zero_rows_: int
    _reconstruction: Reconstruction

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        lam: float = 1e-3,
        plus: Literal["clip", "abs"] = "clip",
        loss: Literal["squared", "l21"] = "squared",
        sparsity: float = 0.0,
        init: Literal["best", "singular", "qr", "rotation", "random"] = "best",
        max_iter: int = 100,
        tol: float = 1e-3,
        n_anchors: int | None = None,
        anchors: AnchorsParameter = "bkhk",
        n_neighbors: int = 5,
        weighting: WeightingParameter = "adaptive",
        search: SearchParameter = "auto",
        parts: PartsParameter = "join",
        metric: GraphMetricParameter = "euclidean",
        missing: MissingParameter = "error",
        n_jobs: int | None = None,
        random_state: RandomState = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.lam = lam
        self.plus = plus
        self.loss = loss
        self.sparsity = sparsity
        self.init = init
        self.max_iter = max_iter
        self.tol = tol
        self.n_anchors = n_anchors
        self.anchors: AnchorsParameter = anchors
        self.n_neighbors = n_neighbors
        self.weighting: WeightingParameter = weighting
        self.search: SearchParameter = search
        self.parts: PartsParameter = parts
        self.metric: GraphMetricParameter = metric
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
        check_integer("max_iter", self.max_iter)
        check_number("lam", self.lam, at_least=0)
        check_number("tol", self.tol, at_least=0, below=1)
        check_number("sparsity", self.sparsity, at_least=0)
        check_choice("plus", self.plus, PLUS)
        check_choice("loss", self.loss, LOSSES)
        check_choice("init", self.init, ("best", *STARTS, "random"))
        self._check_graph()
        table, seed = read_table(self, X, sample_weight), draw_seed(self.random_state)
        check_clusters(self.n_clusters, table.n_positive)
        anchors = self._select_anchors(table, seed)
        self._graph = self._connect(anchors, table, seed)  # Eq. 12
        Z, (gram, degrees) = tie_rows(table, self._graph, anchor_sums)
        separating = self._spectrum_for(gram, degrees, self.n_clusters, self.n_clusters - 1)
        spectrum = with_trivial(separating, table.total_weight)
        starts = self._starts(Z, gram, spectrum)
        objective = Objective(float(self.lam), self.plus, self.loss, float(self.sparsity))
        iterate = partial(reconstruct, Z, gram, degrees, objective=objective, max_iter=self.max_iter, tol=self.tol)
        outcomes = (Outcome(name, *iterate(start)) for name, start in starts.items())  # Eq. 9, 11
        best = _best(outcomes)
        self.init_, self._reconstruction, self.history_ = best.init, best.reconstruction, best.objectives
        self.n_iter_, self._n_features_out = len(self.history_), self.n_clusters
        (n_zero_rows,) = best.memberships.sum_blocks(lambda g: (np.count_nonzero(~g.any(axis=1)),))
        self.n_zero_rows_ = int(n_zero_rows)
        set_if_in_memory(self, "memberships_", best.memberships.keep(_padded(self.n_clusters, table.dtype)))
        set_probabilities(self, Z, partial(shares_of, self._reconstruction), best.memberships)
        set_labels(self, Z.keep(_labelled(self._reconstruction), best.memberships), self.n_clusters)
        return self

    def _starts(self, Z: RowTable, gram: sparse.csr_array, spectrum: Spectrum) -> dict[str, FloatArray]:
        """The matrices ``start`` of the initial ``F = Z start``, by name."""
        seed = draw_seed(self.random_state)
        if self.init == "random":
            return {"random": random_start(gram, spectrum.anchor_map, seed)}
        F = Z.keep(embedding(spectrum, np.dtype(np.float64)))
        names = STARTS if self.init == "best" else (self.init,)
        return {name: spectrum.anchor_map @ STARTS[name](F, seed) for name in names}

    def _joins_parts(self) -> bool:
        """A random start is not one of groups of parts, and the iterations from it do not lead to one."""
        return self.init != "random" and super()._joins_parts()

    def transform(self, X: Any, *, out: OutputPath = None) -> Any:
        """Memberships of rows in the clusters; ``memberships_`` for the rows of the fit.

        Parameters
        ----------
        X : array-like, sparse matrix, or any source for :func:`anchorgraph.as_table`, of shape (n_rows, n_features)
        out : path, optional
            A ``.npy``, ``.parquet`` or ``.csv`` file, or a new folder of shards, written block by block.

        Returns
        -------
        ndarray of shape (n_rows, n_clusters)
            A lazy Dask array if X is a Dask collection; with ``out``, the path of the file or folder.
        """
        check_is_fitted(self)
        graph, reconstruction, n_clusters = self._graph, self._reconstruction, self._n_features_out

        def rows(block: Block) -> FloatArray:
            found: FloatArray = _padded(n_clusters, block.dtype)(replay(reconstruction, graph(block)))
            return found

        return map_new_rows(self, X, rows, out)

    def fit_transform(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Cluster the rows and return ``memberships_``.

        Parameters
        ----------
        X : array-like, sparse matrix, or any source for :func:`anchorgraph.as_table`, of shape (n_rows, n_features)
        y : ignored
        sample_weight : array-like of shape (n_rows,) or str, default=None
            Weights of the rows: 2 counts as the row twice, 0 as no row. Or the name of the column of X that holds them.

        Returns
        -------
        ndarray of shape (n_rows, n_clusters)
        """
        self.fit(X, sample_weight=sample_weight)
        return self.memberships_ if hasattr(self, "memberships_") else self.transform(X)

    def predict(self, X: Any, *, out: OutputPath = None) -> Any:
        """The cluster of each row; ``labels_`` for the rows of the fit.

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
        graph, reconstruction = self._graph, self._reconstruction
        labelled = _labelled(reconstruction)

        def labels(block: Block) -> Any:
            z = graph(block)
            return labelled(z, finite(replay(reconstruction, z)))

        return map_new_rows(self, X, labels, out, ["label"])

    def predict_proba(self, X: Any, *, out: OutputPath = None) -> Any:
        """The shares of the clusters in the memberships of each row: its row of G divided by its sum.

        For a row whose memberships are all zero, the shares are those of the vote of its neighbours, which decides its
        label.

        Parameters
        ----------
        X : array-like, sparse matrix, or any source for :func:`anchorgraph.as_table`, of shape (n_rows, n_features)
        out : path, optional
            A ``.npy``, ``.parquet`` or ``.csv`` file, or a new folder of shards, written block by block.

        Returns
        -------
        ndarray of shape (n_rows, n_clusters)
            Rows sum to one. A lazy Dask array if X is a Dask collection; with ``out``, the path of the file or folder.
        """
        check_is_fitted(self)
        graph, reconstruction, n_clusters = self._graph, self._reconstruction, self._n_features_out

        def rows(block: Block) -> FloatArray:
            z = graph(block)
            shares = shares_of(reconstruction, z, finite(replay(reconstruction, z)))
            found: FloatArray = _padded(n_clusters, z.dtype)(shares)
            return found

        return map_new_rows(self, X, rows, out, share_names(n_clusters))


def _best(outcomes: Iterator[Outcome]) -> Outcome:
    """The outcome with the smallest objective; the first one if several are equal up to rounding."""
    best = next(outcomes)
    for other in outcomes:
        best = other if other.objectives[-1] < best.objectives[-1] - TIE else best
        del other  # frees its memberships before the next start is computed
    return best


def _padded(n_clusters: int, dtype: np.dtype[Any]) -> RowMap:
    """The row map that adds columns of zeros, up to ``n_clusters``, if the graph has fewer components."""
    return lambda g: np.pad(g, ((0, 0), (0, n_clusters - g.shape[1]))).astype(dtype)


def _labelled(reconstruction: Reconstruction) -> RowMap:
    """The row map from rows of Z and their memberships to labels."""
    return lambda z, g: labels_of(reconstruction, z, g)
