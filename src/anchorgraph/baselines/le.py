"""Laplacian Eigenmaps."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from sklearn.utils.validation import check_is_fitted

from anchorgraph.contracts import Block
from anchorgraph.contracts import Floats as FloatArray
from anchorgraph.estimators.bases.card import Card
from anchorgraph.estimators.bases.fields import Field, Floats, Size
from anchorgraph.estimators.bases.inputs import map_new_rows
from anchorgraph.estimators.bases.neighbor_method import KEPT_ROWS, NeighborMethod
from anchorgraph.estimators.bases.parameters import Bandwidth, OutputPath, RandomState
from anchorgraph.estimators.bases.transformer import Transformer
from anchorgraph.graph import Gaussian, ties_of_new_rows
from anchorgraph.spectrum import laplacian_spectrum, nystrom


class LE(Transformer, NeighborMethod):
    r"""Laplacian Eigenmaps: the embedding of a graph between all rows.

    .. math:: \min_Y \mathrm{tr}\, (Y^\top DY)^{-1} Y^\top LY

    over a graph W of nearest rows with degrees D and :math:`L = D - W` (ulge Eq. 1): the smallest non-trivial
    eigenvectors of :math:`D^{-1}L`, with :math:`Y^\top DY = I`. New rows are embedded by the Nyström formula,
    :math:`y(x) = \sum_j w(x, x_j)\, y_j / (1-\lambda) \sum_j w(x, x_j)`. A baseline: time is quadratic in the rows.

    Parameters
    ----------
    n_components : int, default=2
        Number of dimensions of the embedding.
    n_neighbors : int, default=5
        Number of nearest rows that each row is connected to. Two rows are connected if either is among the nearest of
        the other.
    sigma : float or "mean", default="mean"
        Bandwidth of the Gaussian weights; ``"mean"`` is the mean distance between 3,000 sampled rows (csr, footnote 3).
    n_jobs : int, default=None
        Number of threads. ``None`` uses as many as BLAS does.
    random_state : int, RandomState instance or None, default=None
        Sampling of the rows that the bandwidth is learnt from.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_rows, n_components)
        Y.
    eigenvalues_ : ndarray of shape (n_components,)
        λ of the Laplacian, smallest first.
    sigma_ : float
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of the columns of ``X``. Defined only if they are all strings.

    See Also
    --------
    CSR : a nonlinear embedding in time linear in the rows.

    References
    ----------
    .. [1] M. Belkin, P. Niyogi. Laplacian Eigenmaps and Spectral Techniques for Embedding and Clustering. 2001.
    .. [2] Y. Bengio et al. Out-of-Sample Extensions for LLE, Isomap, MDS, Eigenmaps, and Spectral Clustering. 2003.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from anchorgraph import LE
    >>> X, _ = load_digits(return_X_y=True)
    >>> LE(n_components=10, random_state=0).fit(X[:1500]).transform(X[1500:]).shape
    (297, 10)
    """

    card: ClassVar[Card] = Card("le", "Laplacian Eigenmaps", "Belkin and Niyogi 2001", "embedding", streams=False)
    saved: ClassVar[dict[str, Field]] = {
        **KEPT_ROWS,
        "embedding_": Floats("n p"),
        "eigenvalues_": Floats("p", double=True),
        "_n_features_out": Size("p"),
    }

    embedding_: FloatArray
    eigenvalues_: FloatArray

    def __init__(
        self,
        n_components: int = 2,
        *,
        n_neighbors: int = 5,
        sigma: Bandwidth = "mean",
        n_jobs: int | None = None,
        random_state: RandomState = None,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.sigma: Bandwidth = sigma
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Self:
        """Embed the rows.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_rows, n_features)
        y : ignored

        Returns
        -------
        self
        """
        table, rows = self._read_rows(X)
        values, embedding = laplacian_spectrum(self._keep_and_tie(rows), self.n_components)  # ulge Eq. 1
        self.eigenvalues_ = 1 - values
        self.embedding_ = embedding.astype(table.dtype)
        self._n_features_out = self.n_components
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Embed the rows and return ``embedding_``.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_rows, n_features)
        y : ignored

        Returns
        -------
        ndarray of shape (n_rows, n_components)
        """
        return self.fit(X).embedding_

    def transform(self, X: Any, *, out: OutputPath = None) -> Any:
        """Embed rows by the Nyström formula; rows of the fit have the same embedding as in ``embedding_``.

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
        weighting = Gaussian(self.sigma_)

        def embedded(block: Block) -> FloatArray:
            ties = ties_of_new_rows(self._neighbors, self._rows, self._first, weighting, block)
            return nystrom(1 - self.eigenvalues_, self.embedding_, *ties).astype(block.dtype)

        return map_new_rows(self, X, embedded, out)
