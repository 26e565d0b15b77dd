"""Landmark-based Spectral Clustering."""

from __future__ import annotations

from anchorgraph.estimators.bases.anchor_clusterer import AnchorClusterer
from anchorgraph.estimators.bases.anchor_method import tie_rows
from anchorgraph.estimators.bases.card import Card
from anchorgraph.estimators.bases.inputs import check_clusters, draw_seed, read_table
from anchorgraph.labels import KMeansRounding, to_unit_length
from anchorgraph.spectrum import anchor_gram, embedding, spectrum_for_clusters, spectrum_with_gap, with_trivial


class LSC(AnchorClusterer):
    r"""Landmark-based Spectral Clustering: LSC-R, and with ``anchors="kmeans"`` LSC-K.

    Rows are tied to landmarks (anchors, here) by Gaussian weights,
    :math:`z_j \propto \exp(-\lVert x - u_j \rVert^2 / 2\sigma^2)`; the leading left singular vectors of
    :math:`Z \Delta^{-1/2}`, without the trivial one, are scaled to rows of unit length and clustered by k-means.
    A baseline of fsc and ongr.

    Parameters
    ----------
    n_clusters : int or None, default=8
        ``None`` takes the number before the largest gap between eigenvalues, from 2 to 30, or the number of parts of
        a graph in more of them.
    n_init : int, default=10
        Starts of k-means. Above 20,000 rows they are compared on a sample, and the best goes on with all rows.
    n_anchors : int, default=None
        ``None`` takes 1024 for 4096 rows or more, else the power of two nearest to a quarter of the rows, but more
        than ``n_neighbors`` and ``n_clusters``.
    anchors : {"bkhk", "hk", "kmeans", "random"}, array of shape (m, n_features) or clusterer, default="random"
        How anchors are found, or the anchors themselves, or a scikit-learn clusterer with ``cluster_centers_``.
    n_neighbors : int, default=5
        Anchors that a row is tied to.
    weighting : {"adaptive", "gaussian", "inverse"} or an instance of Adaptive, Gaussian, Inverse, default="gaussian"
        Weights of a row's anchors.
        ``"gaussian"`` takes the mean distance of 3,000 sampled rows as bandwidth.
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
    FSC : the same with balanced anchors and weights without a parameter.

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

    card = Card(
        "lsc",
        "Landmark-based Spectral Clustering",
        "Chen and Cai 2011",
        "clustering",
        streams=True,
        finds_clusters=True,
    )

    def __init__(
        self,
        n_clusters=8,
        *,
        n_init=10,
        n_anchors=None,
        anchors="random",
        n_neighbors=5,
        weighting="gaussian",
        search="auto",
        n_jobs=None,
        random_state=None,
    ):
        self.n_clusters = n_clusters
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
        rounding = KMeansRounding(self.n_init)
        table, first_seed = read_table(self, X), draw_seed(self.random_state)
        if self.n_clusters is not None:
            check_clusters(self.n_clusters, table.n_rows)
        anchors = self._select_anchors(table, first_seed)
        self._graph = self._connect(anchors, table, first_seed)
        Z = tie_rows(table, self._graph)
        gram, degrees = anchor_gram(Z)
        if self.n_clusters is None:
            spectrum, n_clusters = spectrum_with_gap(gram, degrees)
        else:
            spectrum, n_clusters = spectrum_for_clusters(gram, degrees, self.n_clusters), self.n_clusters
        self.singular_values_ = spectrum.singular_values
        if not len(spectrum.singular_values):
            spectrum = with_trivial(spectrum, table.n_rows)
        self._anchor_map, self._normalise = spectrum.anchor_map.astype(table.dtype), to_unit_length
        F = Z.keep(self._normalised(embedding(spectrum, table.dtype)))
        del Z  # as large as F
        self._set_labels(F, rounding.round(F, n_clusters, draw_seed(self.random_state)), n_clusters)
        return self
