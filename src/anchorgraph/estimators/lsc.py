"""Landmark-based Spectral Clustering."""

from __future__ import annotations

from anchorgraph.estimators.anchor_clusterer import AnchorClusterer
from anchorgraph.estimators.card import Card


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

    card = Card("lsc", "Landmark-based Spectral Clustering", "Chen and Cai 2011", "clustering", streams=True)
    rounding, normalisation, trivial = "kmeans", "rows", "drop"

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
