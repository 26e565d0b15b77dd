"""Spectral clustering of a graph between all rows."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from anchorgraph.contracts import Block, RowMap
from anchorgraph.contracts import Floats as FloatArray
from anchorgraph.estimators.bases.card import Card
from anchorgraph.estimators.bases.fields import Derived, Field, Floats
from anchorgraph.estimators.bases.inputs import draw_seed
from anchorgraph.estimators.bases.neighbor_method import KEPT_ROWS, NeighborMethod
from anchorgraph.estimators.bases.parameters import Bandwidth, RandomState
from anchorgraph.estimators.bases.rounded_clusterer import RoundedClusterer
from anchorgraph.graph import Gaussian, ties_of_new_rows
from anchorgraph.labels import KMeansRounding, assign, to_unit_length
from anchorgraph.spectrum import laplacian_spectrum, nystrom
from anchorgraph.table import as_table, identity


class KNNSC(RoundedClusterer, NeighborMethod):
    r"""Spectral clustering of the graph of nearest rows: SC in fsc, KNN-SC in ongr.

    The smallest non-trivial eigenvectors of :math:`D^{-1}L` of that graph (see :class:`LE`), scaled to rows of unit
    length and clustered by k-means. New rows are embedded by the Nyström formula. A baseline: time is quadratic in the
    rows.

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters.
    n_init : int, default=10
        Number of k-means initialisations. With more than 20,000 rows they are compared on a sample, and only the best
        one is continued on all rows.
    n_neighbors : int, default=5
        Number of nearest rows that each row is connected to. Two rows are connected if either is among the nearest of
        the other.
    sigma : float or "mean", default="mean"
        Bandwidth of the Gaussian weights; ``"mean"`` is the mean distance between 3,000 sampled rows (csr, footnote 3).
    n_jobs : int, default=None
        Number of threads. ``None`` uses as many as BLAS does.
    random_state : int, RandomState instance or None, default=None
        Sampling of the rows that the bandwidth is learnt from, and initialisation of k-means.

    Attributes
    ----------
    labels_ : ndarray of shape (n_rows,)
    n_clusters_ : int
    embedding_ : ndarray of shape (n_rows, n_components)
        The eigenvectors with rows of unit length, which are clustered by k-means.
    eigenvalues_ : ndarray of shape (n_clusters,)
        Eigenvalues of the Laplacian, smallest first, without the trivial one.
    sigma_ : float
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of the columns of ``X``. Defined only if they are all strings.

    See Also
    --------
    FSC : spectral clustering in time linear in the rows.

    References
    ----------
    .. [1] U. von Luxburg. A Tutorial on Spectral Clustering. 2007.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from anchorgraph import KNNSC
    >>> X, _ = load_digits(return_X_y=True)
    >>> KNNSC(n_clusters=10, random_state=0).fit(X[:1500]).predict(X[1500:]).shape
    (297,)
    """

    card: ClassVar[Card] = Card(
        "knnsc", "Spectral clustering of nearest rows", "fsc, ongr", "clustering", streams=False
    )
    saved: ClassVar[dict[str, Field]] = {
        **KEPT_ROWS,
        "_eigenmaps": Floats("n p"),
        "eigenvalues_": Floats("p", double=True),
        "embedding_": Derived(lambda normalise, rows: normalise(rows), ("_normalise", "_eigenmaps")),
        "labels_": Derived(assign, ("_assignment", "embedding_")),
    }

    eigenvalues_: FloatArray
    _eigenmaps: FloatArray

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        n_init: int = 10,
        n_neighbors: int = 5,
        sigma: Bandwidth = "mean",
        n_jobs: int | None = None,
        random_state: RandomState = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_init = n_init
        self.n_neighbors = n_neighbors
        self.sigma: Bandwidth = sigma
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Self:
        """Cluster the rows.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_rows, n_features)
        y : ignored

        Returns
        -------
        self
        """
        rounding = KMeansRounding(self.n_init)
        table, rows = self._read_rows(X, "n_clusters")
        values, embedding = laplacian_spectrum(self._keep_and_tie(rows), self.n_clusters)  # ulge Eq. 1
        self.eigenvalues_ = 1 - values
        self._eigenmaps = embedding.astype(table.dtype)[self._first]  # equal rows get the same embedding, as in predict
        self._normalise = to_unit_length
        F = as_table(self._eigenmaps).keep(self._normalised(identity))
        assignment = rounding.round(F, self.n_clusters, draw_seed(self.random_state))
        self._set_labels(F, assignment, self.n_clusters)
        return self

    def _embedding(self) -> RowMap:
        def rows(block: Block) -> FloatArray:
            ties = ties_of_new_rows(self._neighbors, self._rows, self._first, Gaussian(self.sigma_), block)
            return nystrom(1 - self.eigenvalues_, self._eigenmaps, *ties).astype(block.dtype)

        return rows
