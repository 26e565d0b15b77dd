"""Fast Spectral Clustering."""

from __future__ import annotations

from typing import ClassVar

from anchorgraph.estimators.bases.anchor_clusterer import AnchorClusterer
from anchorgraph.estimators.bases.anchor_method import tie_rows
from anchorgraph.estimators.bases.card import Card
from anchorgraph.estimators.bases.choices import choice
from anchorgraph.estimators.bases.inputs import check_clusters, draw_seed, read_table
from anchorgraph.estimators.bases.kept_graph import SAVED_CHOICES
from anchorgraph.estimators.bases.rounded_clusterer import SAVED_ROUNDING
from anchorgraph.labels import NORMALISATIONS, ROUNDINGS, KMeansRounding
from anchorgraph.numerics.checks import check_choice
from anchorgraph.spectrum import anchor_gram, embedding, leading, spectrum_for_clusters, spectrum_with_gap, with_trivial


class FSC(AnchorClusterer):
    r"""Fast Spectral Clustering: spectral clustering in time linear in the rows, with labels for new rows.

    Rows are tied to balanced anchors, and the spectral clustering of that graph,

    .. math:: \min_{F^\top F = I} \mathrm{tr}\, F^\top LF, \qquad L = I - Z \Delta^{-1} Z^\top

    (fsc Eq. 9), has the leading left singular vectors of :math:`B = Z \Delta^{-1/2}` as its solution. Their rows are
    rounded to clusters. A new row x has the row :math:`z(x) \Delta^{-1/2} V \Sigma^{-1}` of F, and is rounded alike.

    Parameters
    ----------
    n_clusters : int or None, default=8
        ``None`` takes the number before the largest gap between eigenvalues, from 2 to 30, or the number of parts of
        a graph in more of them.
    rounding : {"kmeans", "rotation", "qr"}, default="kmeans"
        How rows of F become clusters: k-means, the rotation nearest to indicators (Yu and Shi 2003), or the rotation
        that takes the most different rows to the axes (Damle, Minden and Ying 2019).
    normalisation : {"rows", "none"}, default="rows"
        Whether rows of F are scaled to unit length first.
    trivial : {"auto", "drop", "keep"}, default="auto"
        ``"keep"`` has the constant vector as one of the ``n_clusters`` columns of F, ``"drop"`` takes ``n_clusters``
        others; ``"auto"`` drops it for k-means and keeps it for the rotations, which need it.
    n_init : int, default=10
        Starts of k-means. Above 20,000 rows they are compared on a sample, and the best goes on with all rows.
    n_anchors : int, default=None
        ``None`` takes 1024 for 4096 rows or more, else the power of two nearest to a quarter of the rows, but more
        than ``n_neighbors`` and ``n_clusters``.
    anchors : {"bkhk", "hk", "kmeans", "random"}, array of shape (m, n_features) or clusterer, default="bkhk"
        How anchors are found, or the anchors themselves, or a scikit-learn clusterer with ``cluster_centers_``.
    n_neighbors : int, default=5
        Anchors that a row is tied to.
    weighting : {"adaptive", "gaussian", "inverse"} or an instance of Adaptive, Gaussian, Inverse, default="adaptive"
        Weights of a row's anchors.
    search : {"auto", "exact", "tree"}, default="auto"
        How nearest anchors are found, see :class:`AnchorGraph`.
    n_jobs : int, default=None
        Threads. ``None`` takes as many as the BLAS library may. The result does not depend on it.
    random_state : int, RandomState instance or None, default=None

    Attributes
    ----------
    labels_ : ndarray of shape (n_rows,)
        Of a Dask collection, a Dask array on the workers: compute or store it before they close.
    n_clusters_ : int
    embedding_ : ndarray of shape (n_rows, n_components)
        Rows of F as they are rounded, where memory holds them (docs/scale.md); ``transform`` gives them always.
    singular_values_ : ndarray of shape (n_components,)
        Of B = Z Δ^-½, without the trivial one.
    anchors_ : ndarray of shape (`n_anchors_`, `n_features_in_`)
    n_anchors_ : int
    search_ : {"exact", "tree"}
    weighting_ : Adaptive, Gaussian or Inverse
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Where ``X`` has column names that are all strings.

    See Also
    --------
    LSC : the same with random or k-means anchors and Gaussian weights.

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

    card = Card("fsc", "Fast Spectral Clustering", "fsc", "clustering", streams=True, finds_clusters=True)
    saved_parameters: ClassVar = {**SAVED_CHOICES, "rounding": SAVED_ROUNDING}

    def __init__(
        self,
        n_clusters=8,
        *,
        rounding="kmeans",
        normalisation="rows",
        trivial="auto",
        n_init=10,
        n_anchors=None,
        anchors="bkhk",
        n_neighbors=5,
        weighting="adaptive",
        search="auto",
        n_jobs=None,
        random_state=None,
    ):
        self.n_clusters = n_clusters
        self.rounding = rounding
        self.normalisation = normalisation
        self.trivial = trivial
        self.n_init = n_init
        self.n_anchors = n_anchors
        self.anchors = anchors
        self.n_neighbors = n_neighbors
        self.weighting = weighting
        self.search = search
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y=None):
        """Cluster the rows.

        Parameters
        ----------
        X : array-like, sparse matrix, or any source for :func:`anchorgraph.as_table`, of shape (n_rows, n_features)
        y : ignored

        Returns
        -------
        self
        """
        rounding, keeps_trivial = self._rounding(), self._keeps_trivial()
        table, first_seed = read_table(self, X), draw_seed(self.random_state)
        if self.n_clusters is not None:
            check_clusters(self.n_clusters, table.n_rows)
        anchors = self._select_anchors(table, first_seed)  # Algorithm 1
        self._graph = self._connect(anchors, table, first_seed)  # Eq. 7
        Z = tie_rows(table, self._graph)
        gram, degrees = anchor_gram(Z)  # ZᵀZ, and Δ of Eq. 8
        if self.n_clusters is None:
            spectrum, n_clusters = spectrum_with_gap(gram, degrees)
        else:
            n_clusters = self.n_clusters
            spectrum = spectrum_for_clusters(gram, degrees, n_clusters - keeps_trivial)  # Eq. 9
        self.singular_values_ = spectrum.singular_values
        if keeps_trivial or not len(spectrum.singular_values):
            spectrum = with_trivial(leading(spectrum, n_clusters - 1), table.n_rows)
        self._anchor_map = spectrum.anchor_map.astype(table.dtype)
        F = Z.keep(self._normalised(embedding(spectrum, table.dtype)))
        del Z  # as large as F
        self._set_labels(F, rounding.round(F, n_clusters, draw_seed(self.random_state)), n_clusters)
        return self

    def _rounding(self):
        """How rows of F become clusters, after a look at the parameters for it."""
        check_choice("normalisation", self.normalisation, NORMALISATIONS)
        check_choice("trivial", self.trivial, ("auto", "drop", "keep"))
        self._normalise = NORMALISATIONS[self.normalisation]
        by_kmeans = KMeansRounding(self.n_init)
        return choice("rounding", self.rounding, {**ROUNDINGS, "kmeans": by_kmeans})

    def _keeps_trivial(self):
        """Rotations need the constant vector: without it, two clusters are opposite and not at right angles."""
        by_kmeans = self.rounding == "kmeans" or isinstance(self.rounding, KMeansRounding)
        return self.trivial == "keep" or (self.trivial == "auto" and not by_kmeans)
