"""Fast Spectral Clustering."""

from __future__ import annotations

from anchorgraph.estimators.anchor_clusterer import AnchorClusterer
from anchorgraph.estimators.card import Card


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

    card = Card("fsc", "Fast Spectral Clustering", "fsc", "clustering", streams=True)

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
