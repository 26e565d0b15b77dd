"""Fast Spectral Clustering."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar, Literal, Self

from anchorgraph.contracts import Floats, Integers, Rounding, RowTable, Spectrum, SumStep
from anchorgraph.estimators.bases.anchor_clusterer import AnchorClusterer
from anchorgraph.estimators.bases.anchor_method import tie_rows
from anchorgraph.estimators.bases.batch_method import AnchorBatchMethod, Seen
from anchorgraph.estimators.bases.card import Card
from anchorgraph.estimators.bases.clusterer import set_labels_of_batch, set_probabilities
from anchorgraph.estimators.bases.fields import Plain
from anchorgraph.estimators.bases.inputs import check_clusters, draw_seed, read_table
from anchorgraph.estimators.bases.kept_graph import SAVED_CHOICES
from anchorgraph.estimators.bases.parameters import (
    AnchorsParameter,
    GraphMetricParameter,
    MissingParameter,
    PartsParameter,
    RandomState,
    RoundingParameter,
    SearchParameter,
    WeightingParameter,
    choice,
)
from anchorgraph.estimators.bases.rounded_clusterer import SAVED_ROUNDING, assigned
from anchorgraph.labels import (
    N_SAMPLED,
    NORMALISATIONS,
    ROUNDINGS,
    AnchorShares,
    KMeansRounding,
    RowSample,
    numbers_as_before,
    renumbered,
)
from anchorgraph.numerics.checks import check_choice
from anchorgraph.numerics.chunked import in_chunks
from anchorgraph.spectrum import anchor_sums, embedding, leading, with_trivial


class FSC(AnchorClusterer, AnchorBatchMethod):
    r"""Fast Spectral Clustering: spectral clustering in time linear in the rows, with labels for new rows.

    Rows are connected to balanced anchors, and the spectral clustering of that graph,

    .. math:: \min_{F^\top F = I} \mathrm{tr}\, F^\top LF, \qquad L = I - Z \Delta^{-1} Z^\top

    (fsc Eq. 9), has the leading left singular vectors of :math:`B = Z \Delta^{-1/2}` as its solution. Their rows are
    rounded to clusters. A new row x has the row :math:`z(x) \Delta^{-1/2} V \Sigma^{-1}` of F, which is rounded in
    the same way.

    Parameters
    ----------
    n_clusters : int or None, default=8
        Number of clusters. ``None`` chooses the number before the largest gap between eigenvalues, from 2 to 30, if it
        is clear: at least twice as large as any other. Otherwise the stability of the clusters counts too (see
        :func:`cluster_path`), which takes several times as long. If the graph has more than 30 connected components,
        it chooses their number.
    rounding : {"kmeans", "rotation", "qr"} or object, default="kmeans"
        How rows of F become clusters: k-means, the rotation nearest to cluster indicators (Yu and Shi 2003), or the
        rotation of the most different rows to the axes (Damle, Minden and Ying 2019). An object such as
        ``RotationRounding(max_iter=100)``, also of a class of your own, can be passed as well (see
        :mod:`anchorgraph.contracts`).
    normalisation : {"rows", "none"}, default="rows"
        Whether rows of F are scaled to unit length before rounding.
    trivial : {"auto", "drop", "keep"}, default="auto"
        Whether F contains the constant vector: with ``"keep"`` it is one of the ``n_clusters`` columns, with ``"drop"``
        F has ``n_clusters`` other columns. ``"auto"`` drops it for k-means and keeps it for other roundings: rotations
        need it.
    n_init : int, default=10
        Number of k-means initialisations. With more than 20,000 rows they are compared on a sample, and only the best
        one is continued on all rows; after ``partial_fit``, only on a sample of 20,000 of the rows seen.
    n_anchors : int, default=None
        Number of anchors. ``None`` uses 1,024 for 4,096 rows or more, otherwise the power of two nearest to a quarter
        of the rows, but more than ``n_neighbors`` and ``n_clusters``.
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
        before they close. After ``partial_fit``, those of the last batch, as ``probabilities_`` and ``embedding_``;
        clusters have the numbers that they had before.
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
    LSC : the same method with random or k-means anchors and Gaussian weights.

    References
    ----------
    .. [1] W. Zhu, F. Nie, X. Li. Fast Spectral Clustering with Efficient Large Graph Construction.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from anchorgraph import FSC
    >>> X, y = make_moons(1000, noise=0.05, random_state=0)
    >>> model = FSC(n_clusters=2, n_anchors=100, n_neighbors=3, random_state=0).fit(X[:800])
    >>> bool((model.predict(X[:800]) == model.labels_).all())
    True
    """

    card: ClassVar[Card] = Card(
        "fsc", "Fast Spectral Clustering", "fsc", "clustering", streams=True, finds_clusters=True
    )
    saved_parameters: ClassVar[dict[str, Plain]] = {**SAVED_CHOICES, "rounding": SAVED_ROUNDING}

    singular_values_: Floats

    def __init__(
        self,
        n_clusters: int | None = 8,
        *,
        rounding: RoundingParameter = "kmeans",
        normalisation: Literal["rows", "none"] = "rows",
        trivial: Literal["auto", "drop", "keep"] = "auto",
        n_init: int = 10,
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
        self.rounding = rounding
        self.normalisation = normalisation
        self.trivial = trivial
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
        self._check_parameters()
        table, seed = read_table(self, X, sample_weight), draw_seed(self.random_state)
        self._check_batch(table.n_cols, table.n_positive)
        anchors = self._select_anchors(table, seed)  # Algorithm 1
        self._graph = self._connect(anchors, table, seed)  # Eq. 7
        Z, (gram, degrees) = tie_rows(table, self._graph, anchor_sums)  # ZᵀZ, and Δ of Eq. 8
        spectrum, n_clusters = self._spectrum(gram, degrees, Z, seed)  # Eq. 9
        self._anchor_map = spectrum.anchor_map.astype(table.dtype)
        F = self._embedded(Z, embedding(spectrum, table.dtype))
        assignment = self._rounding().round(F, n_clusters, draw_seed(self.random_state))
        self._set_clusters(Z, F, assignment, gram, n_clusters)
        return self

    def _spectrum(self, gram: Any, degrees: Floats, Z: RowTable, seed: int) -> tuple[Spectrum, int]:
        """The components to round, and the number of clusters; sets ``singular_values_``."""
        if self.n_clusters is None:
            spectrum, n_clusters = self._choose_number(gram, degrees, Z, seed)
        else:
            n_clusters = self.n_clusters
            spectrum = self._spectrum_for(gram, degrees, n_clusters, n_clusters - self._keeps_trivial())
        self.singular_values_ = spectrum.singular_values
        return self._components(spectrum, n_clusters, float(degrees.sum())), n_clusters

    def _components(self, spectrum: Spectrum, n_clusters: int, total_weight: float) -> Spectrum:
        if self._keeps_trivial() or not len(spectrum.singular_values):
            return with_trivial(leading(spectrum, n_clusters - 1), total_weight)
        return leading(spectrum, n_clusters)

    def _check_parameters(self) -> None:
        self._rounding()
        self._check_graph()

    def _check_batch(self, n_cols: int, n_positive: int) -> None:
        if self.n_clusters is not None:
            check_clusters(self.n_clusters, n_positive)

    def _begin(self, table: RowTable, seed: int) -> Seen:
        return replace(super()._begin(table, seed), sample=RowSample(seed, N_SAMPLED))

    def _batch_step(self, seen: Seen, table: RowTable) -> SumStep:
        return anchor_sums

    def _follow(self, seen: Seen, Z: RowTable) -> None:
        assert seen.sample is not None  # from the first batch on
        sample, (gram, degrees) = seen.sample.table(), seen.sums
        before = None if self._seen is None else self._clusters_of_ties(sample)
        spectrum, n_clusters = self._spectrum(gram, degrees, sample, seen.seed)  # Eq. 9
        self._graph, self._anchor_map = seen.tie, spectrum.anchor_map.astype(seen.dtype)
        embed = self._normalised(embedding(spectrum, seen.dtype))
        F = sample.keep(embed)
        assignment = self._rounding().round(F, n_clusters, seen.seed)
        if before is not None:
            now = F.keep(assigned(assignment)).rows()
            assignment = renumbered(assignment, numbers_as_before(before, now, n_clusters))
        self._shares = AnchorShares.of(sample, F.keep(assigned(assignment)), gram, n_clusters)
        labels = self._assign(Z.keep(embed), assignment, n_clusters)
        set_probabilities(self, Z, self._shares, labels)
        set_labels_of_batch(self, labels)

    def _clusters_of_ties(self, Z: RowTable) -> Integers:
        """(n,) the clusters of rows of Z."""
        embed, label = self._normalised(self._of_ties()), assigned(self._assignment)
        labels: Integers = Z.keep(in_chunks(lambda z: label(embed(z)))).rows()
        return labels

    def _rounding(self) -> Rounding:
        check_choice("normalisation", self.normalisation, NORMALISATIONS)
        check_choice("trivial", self.trivial, ("auto", "drop", "keep"))
        self._normalise = NORMALISATIONS[self.normalisation]
        by_kmeans = KMeansRounding(self.n_init)
        found: Rounding = choice("rounding", self.rounding, {**ROUNDINGS, "kmeans": by_kmeans})
        return found

    def _keeps_trivial(self) -> bool:
        """Whether F keeps the constant vector: without it two clusters are opposite, and no rotation fits them."""
        by_kmeans = self.rounding == "kmeans" or isinstance(self.rounding, KMeansRounding)
        return self.trivial == "keep" or (self.trivial == "auto" and not by_kmeans)
