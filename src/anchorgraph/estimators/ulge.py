"""Unsupervised Large Graph Embedding."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar, Self

from anchorgraph.contracts import Block, LinearMap, RowMap, RowTable, Spectrum, SumStep
from anchorgraph.contracts import Floats as FloatArray
from anchorgraph.estimators.bases.anchor_method import sum_ties, tie_rows
from anchorgraph.estimators.bases.batch_method import AnchorBatchMethod, Seen
from anchorgraph.estimators.bases.card import Card
from anchorgraph.estimators.bases.fields import Field, Floats
from anchorgraph.estimators.bases.inputs import check_components, draw_seed, read_table
from anchorgraph.estimators.bases.linear_method import LinearMethod
from anchorgraph.estimators.bases.parameters import (
    AnchorsParameter,
    MetricParameter,
    MissingParameter,
    RandomState,
    SearchParameter,
    WeightingParameter,
)
from anchorgraph.numerics.checks import check_number
from anchorgraph.projection import (
    approximate_mean,
    check_summable,
    follows_from_sums,
    regression_step,
    ridge,
    ridge_of_sums,
)
from anchorgraph.spectrum import anchor_spectrum, anchor_sums, embedding


class ULGE(LinearMethod, AnchorBatchMethod):
    r"""Unsupervised Large Graph Embedding: Locality Preserving Projections in time linear in the rows.

    Rows are connected to anchors, and the p leading non-trivial singular vectors F of that graph are regressed on the
    rows,

    .. math:: \min_W \lVert HXW - F \rVert^2 + \alpha \lVert W \rVert^2
        \quad\Rightarrow\quad W = (X^\top HX + \alpha I)^{-1} X^\top HF

    (ulge Eq. 23), with :math:`H = I - 11^\top / n`. Its columns span the solution of ridge LPP on the rank-p anchor
    graph (Eq. 22, Theorem 2), which usually requires an n×n graph and a generalised eigenproblem. With
    ``anchors="hk"`` this is the paper's HKULGE.

    Parameters
    ----------
    n_components : int, default=2
        Number of dimensions of the embedding.
    alpha : float, default=0.01
        Ridge penalty. Its effect depends on the scale of the squares of X: scale X accordingly.
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
        How the nearest anchors are found (see :class:`AnchorGraph`): a name, or an object such as ``ExactSearch()``,
        also of a class of your own (see :mod:`anchorgraph.contracts`).
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
    components_ : ndarray of shape (n_components, `n_features_in_`)
        Wᵀ: one direction per row.
    mean_ : ndarray of shape (`n_features_in_`,)
        Mean of the rows, in float64.
    singular_values_ : ndarray of shape (n_components,)
        Singular values of B = Z Δ^-½, without the trivial one. A value near one belongs to a component that separates
        parts of the graph.
    anchors_ : ndarray of shape (`n_anchors_`, `n_features_in_`)
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
    OULGE : the same space with orthonormal directions.
    CSR : a nonlinear embedding from an anchor graph.
    LPP : the same objective over a graph between all rows.

    References
    ----------
    .. [1] F. Nie, W. Zhu, X. Li. Unsupervised Large Graph Embedding Based on Balanced and Hierarchical K-Means.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from anchorgraph import ULGE
    >>> X, _ = load_digits(return_X_y=True)
    >>> ULGE(n_components=10, random_state=0).fit(X[:1500]).transform(X[1500:]).shape
    (297, 10)
    """

    card: ClassVar[Card] = Card("ulge", "Unsupervised Large Graph Embedding", "ulge", "embedding", streams=True)
    saved: ClassVar[dict[str, Field]] = {"singular_values_": Floats("p", double=True)}

    singular_values_: FloatArray

    def __init__(
        self,
        n_components: int = 2,
        *,
        alpha: float = 0.01,
        n_anchors: int | None = None,
        anchors: AnchorsParameter = "bkhk",
        n_neighbors: int = 5,
        weighting: WeightingParameter = "adaptive",
        search: SearchParameter = "auto",
        metric: MetricParameter = "euclidean",
        missing: MissingParameter = "error",
        n_jobs: int | None = None,
        random_state: RandomState = None,
    ) -> None:
        self.n_components = n_components
        self.alpha = alpha
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
        """Learn the projection.

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
        check_components(self.n_components, table.n_cols)
        anchors = self._select_anchors(table, seed)  # Algorithm 1
        graph = self._connect(anchors, table, seed)  # Eq. 18
        spectrum, linear = self._regression(table, graph)  # Eq. 21, 23
        self._set_linear_map(linear, table.dtype)
        self.singular_values_ = spectrum.singular_values
        return self

    def _regression(self, table: RowTable, graph: RowMap) -> tuple[Spectrum, LinearMap]:
        """The spectrum, and the regression of its vectors on the rows: from the sums of one pass, where that works.

        Rows in memory are read a second time instead: the vectors are fewer than the columns of Z.
        """
        if table.in_memory or not follows_from_sums(table):
            Z, (gram, degrees) = tie_rows(table, graph, anchor_sums)
            spectrum = anchor_spectrum(gram, degrees, self.n_components)
            return spectrum, ridge(table, Z.view(embedding(spectrum, table.dtype)), self.alpha)
        origin = approximate_mean(table)
        sums = sum_ties(table, graph, _sums_with_ties(table, origin))
        return self._from_sums(sums, origin, table.total_weight)

    def _from_sums(self, sums: tuple[Any, ...], origin: FloatArray, total_weight: float) -> tuple[Spectrum, LinearMap]:
        gram, degrees, scatter, cross, total = sums
        spectrum = anchor_spectrum(gram, degrees, self.n_components)
        of_f = cross @ spectrum.anchor_map, total, degrees @ spectrum.anchor_map  # F = Z anchor_map
        return spectrum, ridge_of_sums(scatter, *of_f, origin=origin, total_weight=total_weight, alpha=self.alpha)

    def _check_parameters(self) -> None:
        check_number("alpha", self.alpha, at_least=0)
        self._check_graph()

    def _check_batch(self, n_cols: int, n_positive: int) -> None:
        check_components(self.n_components, n_cols)
        check_summable(n_cols)

    def _begin(self, table: RowTable, seed: int) -> Seen:
        return replace(super()._begin(table, seed), origin=approximate_mean(table))

    def _batch_step(self, seen: Seen, table: RowTable) -> SumStep:
        assert seen.origin is not None  # of the first batch
        return _sums_with_ties(table, seen.origin)

    def _follow(self, seen: Seen, Z: RowTable) -> None:
        assert seen.origin is not None
        spectrum, linear = self._from_sums(seen.sums, seen.origin, seen.total_weight)  # Eq. 21, 23
        self._set_linear_map(self._directions(linear), seen.dtype)
        self.singular_values_ = spectrum.singular_values

    def _directions(self, linear: LinearMap) -> LinearMap:
        """The map that is learnt, from the regression."""
        return linear


def _sums_with_ties(table: RowTable, origin: FloatArray) -> SumStep:
    """The step that sums ZᵀZ, Zᵀ1, XᵀX, XᵀZ and Xᵀ1, from which all regressions on ``Z anchor_map`` follow."""
    regress = regression_step(table, origin)

    def step(z: Any, block: Block, *weights: FloatArray) -> tuple[Any, ...]:
        scatter, cross, total, _ = regress(block, z, *weights)
        return *anchor_sums(z, block, *weights), scatter, cross, total

    return step
