"""Spectral clustering by the Nyström method."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np

from anchorgraph.anchors import RandomAnchors
from anchorgraph.contracts import Block, RowMap
from anchorgraph.contracts import Floats as FloatArray
from anchorgraph.estimators.bases.card import Card
from anchorgraph.estimators.bases.fields import TINY, Derived, Field, Floats, Number, Record, Size
from anchorgraph.estimators.bases.inputs import (
    bandwidth_rng,
    check_bandwidth,
    check_clusters,
    check_enough_anchors,
    draw_seed,
    read_table,
    resolve_n_anchors,
)
from anchorgraph.estimators.bases.parameters import Bandwidth, MetricParameter, MissingParameter, RandomState
from anchorgraph.estimators.bases.rounded_clusterer import RoundedClusterer
from anchorgraph.graph import Gaussian
from anchorgraph.labels import KMeansRounding, to_unit_length
from anchorgraph.numerics.kernels import KernelFeatures
from anchorgraph.spectrum import ColumnSpectrum, column_spectrum


def _gaussian_kernel(rows: FloatArray, sigma: float) -> KernelFeatures:
    return KernelFeatures(rows, "rbf", 1 / (2 * sigma**2), 0, 0)


class NystromSC(RoundedClusterer):
    r"""Spectral clustering of a full Gaussian graph, approximated from the columns of a sample (Nyström method).

    With the kernels :math:`C = K(X, S)` of all rows with a sample and :math:`A = K(S, S)`, the graph is
    :math:`CA^{-1}C^\top`. Its degrees and the eigenvectors of its normalised form follow from two passes over C, which
    is never stored as a whole (one-shot orthogonalisation). Their rows are scaled to unit length and clustered by
    k-means. A baseline of ongr.

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters.
    n_anchors : int, default=None
        Number of rows in the sample. ``None`` uses 1,024 for 4,096 rows or more, otherwise the power of two nearest to
        a quarter of the rows, but at least ``n_clusters``.
    sigma : float or "mean", default="mean"
        Bandwidth of the Gaussian kernel; ``"mean"`` is the mean distance between 3,000 sampled rows (csr, footnote 3).
    n_init : int, default=10
        Number of k-means initialisations. With more than 20,000 rows they are compared on a sample, and only the best
        one is continued on all rows.
    metric : {"euclidean", "cosine"}, default="euclidean"
        Distance between rows. ``"cosine"`` is the Euclidean distance between rows of unit length, which are scaled
        each time that they are read; it refuses rows of zeros.
    missing : {"error", "mask"}, default="error"
        What to do about rows with NaN, and with ``metric="cosine"`` rows of zeros: raise an error, or leave them out of
        the fit and give them the label -1 and NaN as other results.
    n_jobs : int, default=None
        Number of threads. ``None`` uses as many as BLAS does.
    random_state : int, RandomState instance or None, default=None

    Attributes
    ----------
    labels_ : ndarray of shape (n_rows,)
        The cluster of each row. For a Dask collection, a Dask array in the memory of the workers: compute or store it
        before they close.
    n_clusters_ : int
    embedding_ : ndarray of shape (n_rows, n_components)
        Eigenvectors with rows of unit length, which are clustered by k-means: ``n_clusters`` of them, including the
        trivial one, or fewer if there are no more. Defined only if they are in memory (docs/scale.md); ``transform``
        returns them in any case.
    anchors_ : ndarray of shape (`n_anchors_`, `n_features_in_`)
        The sample.
    n_anchors_ : int
    sigma_ : float
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of the columns of ``X``. Defined only if they are all strings.

    References
    ----------
    .. [1] C. Fowlkes, S. Belongie, F. Chung, J. Malik. Spectral Grouping Using the Nyström Method. 2004.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from anchorgraph import NystromSC
    >>> X, _ = load_digits(return_X_y=True)
    >>> NystromSC(n_clusters=10, random_state=0).fit(X[:1500]).predict(X[1500:]).shape
    (297,)
    """

    card: ClassVar[Card] = Card(
        "nystrom_sc", "Nyström spectral clustering", "Fowlkes et al. 2004", "clustering", streams=True
    )
    saved: ClassVar[dict[str, Field]] = {
        "anchors_": Floats("m d"),
        "n_anchors_": Size("m"),
        "sigma_": Number(above=TINY),
        "_kernel": Derived(_gaussian_kernel, ("anchors_", "sigma_")),
        "_spectrum": Record(
            ColumnSpectrum, {"degree_map": Floats("m", double=True), "vector_map": Floats("m p", double=True)}
        ),
    }

    anchors_: FloatArray
    n_anchors_: int
    sigma_: float
    _kernel: KernelFeatures
    _spectrum: ColumnSpectrum

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        n_anchors: int | None = None,
        sigma: Bandwidth = "mean",
        n_init: int = 10,
        metric: MetricParameter = "euclidean",
        missing: MissingParameter = "error",
        n_jobs: int | None = None,
        random_state: RandomState = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_anchors = n_anchors
        self.sigma = sigma
        self.n_init = n_init
        self.metric: MetricParameter = metric
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
        rounding = KMeansRounding(self.n_init)
        weighting = Gaussian(check_bandwidth(self.sigma))
        table, seed = read_table(self, X, sample_weight), draw_seed(self.random_state)
        check_clusters(self.n_clusters, table.n_positive)
        self.n_anchors_ = resolve_n_anchors(self.n_anchors, table, at_least=self.n_clusters)
        check_enough_anchors(self.n_anchors_, self.n_clusters, self.n_clusters)
        self.anchors_ = RandomAnchors().select(table, self.n_anchors_, seed).points
        self.sigma_ = float(weighting.with_number(table, bandwidth_rng(seed)).sigma)
        self._kernel, self._normalise = _gaussian_kernel(self.anchors_, self.sigma_), to_unit_length
        corner = self._kernel(self.anchors_.astype(np.float64))
        self._spectrum = column_spectrum(table, self._kernel, corner, self.n_clusters)
        F = table.keep(self._normalised(self._embedding()))
        self._set_labels(F, rounding.round(F, self.n_clusters, seed), self.n_clusters)
        return self

    def _embedding(self) -> RowMap:
        kernel, spectrum = self._kernel, self._spectrum

        def rows(block: Block) -> FloatArray:
            parts = [spectrum.rows(kernel(block[part])) for part in kernel.parts(block)]
            found: FloatArray = np.concatenate(parts).astype(block.dtype)
            return found

        return rows
