"""Landmark-based Spectral Clustering."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from anchorgraph.contracts import Floats, Rounding, Spectrum
from anchorgraph.estimators.bases.anchor_clusterer import AnchorClusterer
from anchorgraph.estimators.bases.anchor_method import tie_rows
from anchorgraph.estimators.bases.card import Card
from anchorgraph.estimators.bases.inputs import check_clusters, draw_seed, read_table
from anchorgraph.estimators.bases.parameters import (
    AnchorsParameter,
    GraphMetricParameter,
    MissingParameter,
    PartsParameter,
    RandomState,
    SearchParameter,
    WeightingParameter,
)
from anchorgraph.labels import KMeansRounding, to_unit_length
from anchorgraph.spectrum import anchor_sums, embedding, leading, with_trivial


class LSC(AnchorClusterer):
    r"""Landmark-based Spectral Clustering: LSC-R, and with ``anchors="kmeans"`` LSC-K.

    Rows are connected to landmarks (here called anchors) by Gaussian weights,
    :math:`z_j \propto \exp(-\lVert x - u_j \rVert^2 / 2\sigma^2)`; the leading left singular vectors of
    :math:`Z \Delta^{-1/2}`, without the trivial one, are scaled to rows of unit length and clustered by k-means.
    A baseline of fsc and ongr.

    Parameters
    ----------
    n_clusters : int or None, default=8
        Number of clusters. ``None`` chooses the number before the largest gap between eigenvalues, from 2 to 30, if it
        is clear: at least twice as large as any other. Otherwise the stability of the clusters counts too (see
        :func:`cluster_path`), which takes several times as long. If the graph has more than 30 connected components,
        it chooses their number.
    n_init : int, default=10
        Number of k-means initialisations. With more than 20,000 rows they are compared on a sample, and only the best
        one is continued on all rows.
    n_anchors : int, default=None
        Number of anchors. ``None`` uses 1,024 for 4,096 rows or more, otherwise the power of two nearest to a quarter
        of the rows, but more than ``n_neighbors`` and ``n_clusters``.
    anchors : {"bkhk", "hk", "kmeans", "random"}, selector, array-like or clusterer, default="random"
        How anchors are selected: a name, or a selector object such as ``KMeansAnchors(max_iter=100)``, also of a class
        of your own (see :mod:`anchorgraph.contracts`); or the anchors, of shape (m, n_features); or a scikit-learn
        clusterer with ``cluster_centers_``.
    n_neighbors : int, default=5
        Number of nearest anchors that each row is connected to.
    weighting : {"adaptive", "gaussian", "inverse", "self-tuning"} or object, default="gaussian"
        Weights of a row's nearest anchors: a name, or an object such as ``Gaussian(sigma="local")``, also of a class of
        your own (see :mod:`anchorgraph.contracts`).
        ``"gaussian"`` uses the mean distance between 3,000 sampled rows as bandwidth.
    search : {"auto", "exact", "tree"} or object, default="auto"
        How the nearest anchors are found (see :class:`AnchorGraph`): a name, or an object such as ``ExactSearch()``,
        also of a class of your own (see :mod:`anchorgraph.contracts`).
    parts : {"join", "literal"}, default="join"
        What is done if the graph has more unconnected parts than clusters. ``"join"`` joins the nearest parts first, so
        that each cluster consists of whole parts that are near each other. ``"literal"`` does as the papers do, with
        a warning: which parts come together is arbitrary. So it is with ``metric="precomputed"`` in any case,
        whose anchors have no coordinates.
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
    n_clusters_ : int
    probabilities_ : ndarray of shape (n_rows,)
        How clearly each row belongs to its cluster: its share in :meth:`predict_proba`. Defined only if Z is in memory
        (docs/scale.md).
    embedding_ : ndarray of shape (n_rows, n_components)
        The normalised rows of F, which are rounded to clusters. Defined only if they are in memory (docs/scale.md);
        ``transform`` returns them in any case.
    singular_values_ : ndarray of shape (n_components,)
        Singular values of B = Z Δ^-½, without the trivial one.
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
    FSC : the same method with balanced anchors and weights without a bandwidth.

    References
    ----------
    .. [1] X. Chen, D. Cai. Large Scale Spectral Clustering with Landmark-Based Representation. 2011.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from anchorgraph import LSC
    >>> X, _ = load_digits(return_X_y=True)
    >>> LSC(n_clusters=10, random_state=0).fit(X[:1500]).predict(X[1500:]).shape
    (297,)
    """

    card: ClassVar[Card] = Card(
        "lsc",
        "Landmark-based Spectral Clustering",
        "Chen and Cai 2011",
        "clustering",
        streams=True,
        finds_clusters=True,
    )

    singular_values_: Floats

    def __init__(
        self,
        n_clusters: int | None = 8,
        *,
        n_init: int = 10,
        n_anchors: int | None = None,
        anchors: AnchorsParameter = "random",
        n_neighbors: int = 5,
        weighting: WeightingParameter = "gaussian",
        search: SearchParameter = "auto",
        parts: PartsParameter = "join",
        metric: GraphMetricParameter = "euclidean",
        missing: MissingParameter = "error",
        n_jobs: int | None = None,
        random_state: RandomState = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_init = n_init
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
        rounding = self._rounding()
        self._check_graph()
        table, seed = read_table(self, X, sample_weight), draw_seed(self.random_state)
        if self.n_clusters is not None:
            check_clusters(self.n_clusters, table.n_positive)
        anchors = self._select_anchors(table, seed)
        self._graph = self._connect(anchors, table, seed)
        Z, (gram, degrees) = tie_rows(table, self._graph, anchor_sums)
        if self.n_clusters is None:
            spectrum, n_clusters = self._choose_number(gram, degrees, Z, seed)
        else:
            n_clusters = self.n_clusters
            spectrum = self._spectrum_for(gram, degrees, n_clusters, n_clusters)
        self.singular_values_ = spectrum.singular_values
        spectrum = self._components(spectrum, n_clusters, table.total_weight)
        self._anchor_map = spectrum.anchor_map.astype(table.dtype)
        F = self._embedded(Z, embedding(spectrum, table.dtype))
        assignment = rounding.round(F, n_clusters, draw_seed(self.random_state))
        self._set_clusters(Z, F, assignment, gram, n_clusters)
        return self

    def _rounding(self) -> Rounding:
        self._normalise = to_unit_length
        return KMeansRounding(self.n_init)

    def _components(self, spectrum: Spectrum, n_clusters: int, total_weight: float) -> Spectrum:
        is_trivial = not len(spectrum.singular_values)
        return with_trivial(spectrum, total_weight) if is_trivial else leading(spectrum, n_clusters)
