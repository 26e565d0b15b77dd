"""Orthogonal Unsupervised Large Graph Embedding."""

from __future__ import annotations

import numpy as np
from sklearn.utils import check_array
from sklearn.utils.validation import check_is_fitted

from anchorgraph.contracts import LinearMap
from anchorgraph.estimators.bases.anchor_method import tie_rows
from anchorgraph.estimators.bases.card import Card
from anchorgraph.estimators.bases.inputs import check_components, draw_seed, read_table
from anchorgraph.estimators.ulge import ULGE
from anchorgraph.numerics.checks import check_number
from anchorgraph.projection import orthogonalised, restore, ridge
from anchorgraph.spectrum import anchor_gram, anchor_spectrum, embedding
from anchorgraph.table import as_table


class OULGE(ULGE):
    r"""Orthogonal Unsupervised Large Graph Embedding: ULGE's space with orthonormal directions.

    .. math:: \max_{W^\top W = I} \mathrm{tr}\, (W^\top (X^\top HX + \alpha I) W)^{-1} W^\top X^\top HAHXW

    for the rank-p anchor graph A (ulge Eq. 24). Any basis of ULGE's column space solves it (Lemma 5), so W is replaced
    by its left singular vectors. Distances in the embedding are distances between rows seen from that space, and
    ``inverse_transform`` leads back to the nearest row.

    Parameters
    ----------
    n_components : int, default=2
    alpha : float, default=0.01
        Ridge. It is relative to the squares of X: scale X with it in mind.
    n_anchors : int, default=None
        ``None`` takes 1024 for 4096 rows or more, else the power of two nearest to a quarter of the rows, but at least
        ``n_neighbors + 1``.
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
    components_ : ndarray of shape (n_components, `n_features_in_`)
        Wᵀ, orthonormal rows.
    mean_ : ndarray of shape (`n_features_in_`,)
        In float64.
    singular_values_ : ndarray of shape (n_components,)
        Of B = Z Δ^-½, without the trivial one. A value near one belongs to a component that parts the graph.
    anchors_ : ndarray of shape (`n_anchors_`, `n_features_in_`)
    n_anchors_ : int
    search_ : {"exact", "tree"}
    weighting_ : Adaptive, Gaussian or Inverse
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Where ``X`` has column names that are all strings.

    See Also
    --------
    ULGE : directions scaled by how well they follow the graph.

    References
    ----------
    .. [1] F. Nie, W. Zhu, X. Li. Unsupervised Large Graph Embedding Based on Balanced and Hierarchical K-Means.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_digits
    >>> from anchorgraph import OULGE
    >>> X, _ = load_digits(return_X_y=True)
    >>> model = OULGE(n_components=10, random_state=0).fit(X)
    >>> bool(np.allclose(model.components_ @ model.components_.T, np.eye(10)))
    True
    >>> model.inverse_transform(model.transform(X)).shape
    (1797, 64)
    """

    card = Card("oulge", "Orthogonal Unsupervised Large Graph Embedding", "ulge", "embedding", streams=True)

    def fit(self, X, y=None):
        """Learn the projection.

        Parameters
        ----------
        X : array-like, sparse matrix, or any source for :func:`anchorgraph.as_table`, of shape (n_rows, n_features)
        y : ignored

        Returns
        -------
        self
        """
        check_number("alpha", self.alpha, at_least=0)
        table, seed = read_table(self, X), draw_seed(self.random_state)
        check_components(self.n_components, table.n_cols)
        anchors = self._select_anchors(table, seed)  # Algorithm 1
        Z = tie_rows(table, self._connect(anchors, table, seed))  # Eq. 18
        spectrum = anchor_spectrum(*anchor_gram(Z), self.n_components)  # Eq. 21
        F = Z.view(embedding(spectrum, table.dtype))
        linear = orthogonalised(ridge(table, F, self.alpha))  # Eq. 24 from Eq. 23
        self._set_linear_map(linear, table.dtype)
        self.singular_values_ = spectrum.singular_values
        return self

    def inverse_transform(self, X):
        """The nearest rows to the original ones that project to these: ``X @ components_ + mean_``.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_components)

        Returns
        -------
        ndarray of shape (n_rows, `n_features_in_`)
        """
        check_is_fitted(self)
        X = check_array(X, dtype=[np.float64, np.float32])
        if X.shape[1] != len(self.components_):
            raise ValueError(
                f"X has {X.shape[1]} columns, but the embedding has {len(self.components_)}; pass what transform gave."
            )
        return as_table(X).map_rows(restore(LinearMap(self.components_, self.mean_)))
