"""Orthogonal Unsupervised Large Graph Embedding."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.utils import check_array
from sklearn.utils.validation import check_is_fitted

from anchorgraph.contracts import Floats, LinearMap
from anchorgraph.estimators.bases.card import Card
from anchorgraph.estimators.bases.inputs import check_components, draw_seed, read_table
from anchorgraph.estimators.ulge import ULGE
from anchorgraph.projection import orthogonalised, restore
from anchorgraph.table import as_table, count


class OULGE(ULGE):
    r"""Orthogonal Unsupervised Large Graph Embedding: ULGE's space with orthonormal directions.

    .. math:: \max_{W^\top W = I} \mathrm{tr}\, (W^\top (X^\top HX + \alpha I) W)^{-1} W^\top X^\top HAHXW

    for the rank-p anchor graph A (ulge Eq. 24). Any basis of ULGE's column space solves it (Lemma 5), so W is replaced
    by its left singular vectors. The embedding is an orthogonal projection of the rows, and ``inverse_transform``
    returns the projected rows in the original coordinates.

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
        Wᵀ: one direction per row, orthonormal.
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
    ULGE : the same space without orthonormal directions.

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

    card: ClassVar[Card] = Card(
        "oulge", "Orthogonal Unsupervised Large Graph Embedding", "ulge", "embedding", streams=True
    )

    singular_values_: Floats

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
        self._set_linear_map(self._directions(linear), table.dtype)  # Eq. 24
        self.singular_values_ = spectrum.singular_values
        return self

    def _directions(self, linear: LinearMap) -> LinearMap:
        return orthogonalised(linear)

    def inverse_transform(self, X: Any) -> Floats:
        """Map an embedding back to the space of the original rows: ``X @ components_ + mean_``.

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
                f"X has {count(X.shape[1], 'column')}, but the embedding has {len(self.components_)}; pass the output "
                "of transform."
            )
        restored: Floats = as_table(X).map_rows(restore(LinearMap(self.components_, self.mean_)))
        return restored
