"""Compressed Spectral Regression."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from sklearn.utils.validation import check_is_fitted

from anchorgraph.anchors import KMeansAnchors, RandomAnchors
from anchorgraph.contracts import AnchorSelector, RowTable, Spectrum, SumStep
from anchorgraph.contracts import Floats as FloatArray
from anchorgraph.estimators.bases.anchor_method import sum_ties
from anchorgraph.estimators.bases.batch_method import AnchorBatchMethod, Seen
from anchorgraph.estimators.bases.card import Card
from anchorgraph.estimators.bases.fields import Field, Floats, Size
from anchorgraph.estimators.bases.graph_method import GraphMethod
from anchorgraph.estimators.bases.inputs import draw_seed, map_new_rows, read_table
from anchorgraph.estimators.bases.parameters import (
    AnchorsParameter,
    GraphMetricParameter,
    MissingParameter,
    OutputPath,
    RandomState,
    SearchParameter,
    WeightingParameter,
)
from anchorgraph.estimators.bases.transformer import Transformer
from anchorgraph.numerics.checks import check_integer, check_number
from anchorgraph.projection import ridge_solution
from anchorgraph.spectrum import anchor_spectrum, anchor_sums

DEFAULT_ROUNDS = 5
"""Rounds of k-means of csr's experiments, "usually enough"."""


class CSR(Transformer, AnchorBatchMethod, GraphMethod):
    r"""Compressed Spectral Regression: a nonlinear embedding through the anchors, in time linear in the rows.

    Rows are compressed to their weights Z on the anchors, and the leading non-trivial singular vectors F of that graph
    are regressed on Z,

    .. math:: P = (Z^\top Z + \alpha I)^{-1} Z^\top F

    (csr Eq. 12). The embedding of any row x is :math:`z(x) P`.

    Parameters
    ----------
    n_components : int, default=2
        Number of dimensions of the embedding.
    alpha : float, default=0.01
        Ridge penalty of the regression.
    n_anchors : int, default=None
        Number of anchors. ``None`` uses 1,024 for 4,096 rows or more, otherwise the power of two nearest to a quarter
        of the rows, but at least ``n_neighbors + 1``.
    anchors : {"bkhk", "hk", "kmeans", "random"}, selector, array-like or clusterer, default="kmeans"
        How anchors are selected: a name, or a selector object such as ``KMeansAnchors(max_iter=100)``, also of a class
        of your own (see :mod:`anchorgraph.contracts`); or the anchors, of shape (m, n_features); or a scikit-learn
        clusterer with ``cluster_centers_``.
    kmeans_rounds : int, default=5
        t, the number of iterations of k-means from random rows, for ``anchors="kmeans"``; 0 uses the random rows
        themselves, as ``anchors="random"`` does. The paper varies it from 0 to 20. Other anchors do not use it: a
        value other than the default is an error with them.
    n_neighbors : int, default=5
        Number of nearest anchors that each row is connected to.
    weighting : {"adaptive", "gaussian", "inverse", "self-tuning"} or object, default="gaussian"
        Weights of a row's nearest anchors: a name, or an object such as ``Gaussian(sigma="local")``, also of a class of
        your own (see :mod:`anchorgraph.contracts`).
        ``"gaussian"`` uses the mean distance between 3,000 sampled rows as bandwidth, as the paper does.
    search : {"auto", "exact", "tree"} or object, default="auto"
        How the nearest anchors are found (see :class:`AnchorGraph`): a name, or an object such as ``ExactSearch()``,
        also of a class of your own (see :mod:`anchorgraph.contracts`).
    metric : {"euclidean", "cosine", "precomputed"}, default="euclidean"
        Distance between rows. ``"cosine"`` is the Euclidean distance between rows of unit length, which are scaled
        each time that they are read; it refuses rows of zeros. With ``"precomputed"``, X is Z: the rows of an anchor
        graph, such as those of :class:`AnchorGraph`, which are not negative and sum to one; the other parameters of
        anchors and of the graph are then not used, and ``anchors_``, ``search_`` and ``weighting_`` are not defined.
    missing : {"error", "mask"}, default="error"
        What to do about rows with NaN, and with ``metric="cosine"`` rows of zeros: raise an error, or leave them out of
        the fit and give them NaN as their results.
    n_jobs : int, default=None
        Number of threads. ``None`` uses as many as BLAS does. The result does not depend on it.
    random_state : int, RandomState instance or None, default=None

    Attributes
    ----------
    coefficients_ : ndarray of shape (`n_anchors_`, n_components)
        P, the coefficients of the regression.
    singular_values_ : ndarray of shape (n_components,)
        Singular values of B = Z Δ^-½, without the trivial one.
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
        (see docs/partial_fit.md); 0 for the first batch. Not defined with ``metric="precomputed"``.
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of the columns of ``X``. Defined only if they are all strings.

    See Also
    --------
    ULGE : a linear embedding from an anchor graph.
    LE : the embedding of a graph between all rows.

    References
    ----------
    .. [1] D. Cai. Compressed Spectral Regression for Efficient Nonlinear Dimensionality Reduction.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from anchorgraph import CSR
    >>> X, _ = load_digits(return_X_y=True)
    >>> CSR(n_components=10, random_state=0).fit(X[:1500]).transform(X[1500:]).shape
    (297, 10)
    """

    card: ClassVar[Card] = Card("csr", "Compressed Spectral Regression", "csr", "embedding", streams=True)
    saved: ClassVar[dict[str, Field]] = {
        "coefficients_": Floats("m p"),
        "singular_values_": Floats("p", double=True),
        "_n_features_out": Size("p"),
    }

    coefficients_: FloatArray
    singular_values_: FloatArray

    def __init__(
        self,
        n_components: int = 2,
        *,
        alpha: float = 0.01,
        n_anchors: int | None = None,
        anchors: AnchorsParameter = "kmeans",
        kmeans_rounds: int = DEFAULT_ROUNDS,
        n_neighbors: int = 5,
        weighting: WeightingParameter = "gaussian",
        search: SearchParameter = "auto",
        metric: GraphMetricParameter = "euclidean",
        missing: MissingParameter = "error",
        n_jobs: int | None = None,
        random_state: RandomState = None,
    ) -> None:
        self.n_components = n_components
        self.alpha = alpha
        self.n_anchors = n_anchors
        self.anchors: AnchorsParameter = anchors
        self.kmeans_rounds = kmeans_rounds
        self.n_neighbors = n_neighbors
        self.weighting: WeightingParameter = weighting
        self.search: SearchParameter = search
        self.metric: GraphMetricParameter = metric
        self.missing: MissingParameter = missing
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn the embedding.

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
        anchors = self._select_anchors(table, seed)  # Algorithm 1, step 1
        self._graph = self._connect(anchors, table, seed)  # Eq. 7
        gram, degrees = sum_ties(table, self._graph, anchor_sums)
        spectrum = anchor_spectrum(gram, degrees, self.n_components)  # Eq. 8, 9
        coefficients = ridge_solution(gram, gram @ spectrum.anchor_map, self.alpha)  # Eq. 12, with F = Z anchor_map
        self._set_embedding(spectrum, coefficients.astype(table.dtype))
        return self

    def _set_embedding(self, spectrum: Spectrum, coefficients: FloatArray) -> None:
        self.coefficients_, self.singular_values_ = coefficients, spectrum.singular_values
        self._n_features_out = self.n_components

    def _check_parameters(self) -> None:
        check_integer("n_components", self.n_components)
        check_number("alpha", self.alpha, at_least=0)
        check_integer("kmeans_rounds", self.kmeans_rounds, at_least=0)
        self._check_graph()
        self._check_rounds_are_used()

    def _batch_step(self, seen: Seen, table: RowTable) -> SumStep:
        return anchor_sums

    def _follow(self, seen: Seen, Z: RowTable) -> None:
        gram, degrees = seen.sums
        spectrum = anchor_spectrum(gram, degrees, self.n_components)  # Eq. 8, 9
        coefficients = ridge_solution(gram, gram @ spectrum.anchor_map, self.alpha)  # Eq. 12
        self._graph = seen.tie
        self._set_embedding(spectrum, coefficients.astype(seen.dtype))

    def transform(self, X: Any, *, out: OutputPath = None) -> Any:
        """Embed rows by their weights on the anchors: ``z(x) P``.

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
        graph, coefficients = self._graph, self.coefficients_
        return map_new_rows(self, X, lambda x: graph(x) @ coefficients.astype(x.dtype), out)

    def _check_rounds_are_used(self) -> None:
        if self.kmeans_rounds != DEFAULT_ROUNDS and not self._has_rounds():
            raise ValueError(
                f"kmeans_rounds={self.kmeans_rounds} is only used with anchors='kmeans'; leave it at {DEFAULT_ROUNDS} "
                "for other anchors, or set the options of a selector, such as KMeansAnchors(max_iter=...)."
            )

    def _has_rounds(self) -> bool:
        return isinstance(self.anchors, str) and self.anchors == "kmeans"

    def _selector(self) -> AnchorSelector | None:
        """As for other methods, but ``"kmeans"`` has its own number of rounds."""
        if not self._has_rounds():
            return super()._selector()
        return KMeansAnchors(max_iter=self.kmeans_rounds) if self.kmeans_rounds else RandomAnchors()
