"""Scalable Sparse Subspace Clustering."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.utils.extmath import row_norms
from sklearn.utils.validation import check_is_fitted

from anchorgraph.anchors import RandomAnchors
from anchorgraph.contracts import Block, RowMap
from anchorgraph.contracts import Floats as FloatArray
from anchorgraph.contracts import Integers as IntegerArray
from anchorgraph.estimators.bases.card import Card
from anchorgraph.estimators.bases.clusterer import Clusterer, set_labels
from anchorgraph.estimators.bases.fields import Derived, Field, Floats, Integer, Integers, Record, Size
from anchorgraph.estimators.bases.inputs import (
    check_clusters,
    check_enough_anchors,
    draw_seed,
    map_new_rows,
    read_table,
    resolve_n_anchors,
)
from anchorgraph.estimators.bases.method import Method
from anchorgraph.estimators.bases.parameters import MissingParameter, OutputPath, RandomState
from anchorgraph.estimators.bases.transformer import Transformer
from anchorgraph.graph import code_graph, sparse_codes
from anchorgraph.labels import KMeansRounding, SubspaceClasses, assign, row_products, to_unit_length
from anchorgraph.labels.assign import TIE
from anchorgraph.numerics.blocks import chunks
from anchorgraph.numerics.checks import check_number, check_positive
from anchorgraph.numerics.execution import run
from anchorgraph.spectrum import laplacian_spectrum
from anchorgraph.table import as_table


def _too_long(classes: SubspaceClasses) -> str | None:
    """What is wrong with the anchors of a model file, as the end of a sentence, or None."""
    longest = float(row_norms(classes.rows).max())
    return None if longest < 1.001 else f"has an anchor of length {longest:.2g}, and not of unit length"


class SSSC(Clusterer, Transformer, Method):
    r"""Scalable Sparse Subspace Clustering: clusters as subspaces, learnt on a sample.

    Each row of a sample is coded by the others,

    .. math:: \min_c \tfrac12 \lVert x - S^\top c \rVert^2 + \lambda \lVert c \rVert_1;

    the sample is clustered spectrally by the absolute values of its codes; and every row gets the class that
    reconstructs it best from its part of a ridge regression on the sample: the one with the smallest
    :math:`\lVert x - S_c^\top a_c \rVert / \lVert a_c \rVert`. Rows are scaled to unit length. A baseline of ongr.

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters.
    n_anchors : int, default=None
        Number of rows in the sample. ``None`` uses 1,024 for 4,096 rows or more, otherwise the power of two nearest to
        a quarter of the rows, but at least ``n_clusters + 1``.
    penalty : float, default=1e-6
        λ, the penalty of the sparse codes.
    tol : float, default=0.05
        δ: the lasso path that leads to λ is left after a step that lowers the objective by no more than this share of
        it. A larger value gives sparser codes in less time; with 0 the codes are those of λ, but for rows whose path
        has more than 100 steps.
    ridge : float, default=1e-6
        Ridge penalty of the regression of all rows on the sample.
    n_init : int, default=10
        Number of k-means initialisations on the sample.
    missing : {"error", "mask"}, default="error"
        What to do about rows with NaN: raise an error, or leave them out of the fit and give them the label -1 and NaN
        as other results.
    n_jobs : int, default=None
        Number of threads. ``None`` uses as many as BLAS does.
    random_state : int, RandomState instance or None, default=None

    Attributes
    ----------
    labels_ : ndarray of shape (n_rows,)
        The cluster of each row. For a Dask collection, a Dask array in the memory of the workers: compute or store it
        before they close.
    anchors_ : ndarray of shape (`n_anchors_`, `n_features_in_`)
        The sample, scaled to unit length.
    anchor_labels_ : ndarray of shape (`n_anchors_`,)
        Clusters of the sample.
    n_anchors_ : int
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of the columns of ``X``. Defined only if they are all strings.

    References
    ----------
    .. [1] X. Peng, L. Zhang, Z. Yi. Scalable Sparse Subspace Clustering. 2013.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from anchorgraph import SSSC
    >>> X, _ = load_digits(return_X_y=True)
    >>> SSSC(n_clusters=10, n_anchors=200, random_state=0).fit(X[:1500]).predict(X[1500:]).shape
    (297,)
    """

    card: ClassVar[Card] = Card(
        "sssc",
        "Scalable Sparse Subspace Clustering",
        "Peng, Zhang and Yi 2013",
        "clustering",
        streams=True,
    )
    saved: ClassVar[dict[str, Field]] = {
        "anchors_": Floats("m d"),
        "n_anchors_": Size("m"),
        "_n_features_out": Integer(at_most="m", letter="c"),
        "anchor_labels_": Integers("m", below="c", dtype="int32"),
        "_classes": Record(
            SubspaceClasses,
            {
                "rows": Derived(lambda rows: rows.astype(np.float64), ("anchors_",)),
                "labels": Derived(lambda labels: labels, ("anchor_labels_",)),
                "coder": Floats("m m", double=True),
                "products": Derived(row_products, ("anchors_",)),
            },
            _too_long,
        ),
    }

    anchors_: FloatArray
    n_anchors_: int
    anchor_labels_: IntegerArray
    _classes: SubspaceClasses

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        n_anchors: int | None = None,
        penalty: float = 1e-6,
        tol: float = 0.05,
        ridge: float = 1e-6,
        n_init: int = 10,
        missing: MissingParameter = "error",
        n_jobs: int | None = None,
        random_state: RandomState = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_anchors = n_anchors
        self.penalty = penalty
        self.tol = tol
        self.ridge = ridge
        self.n_init = n_init
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
        check_positive("penalty", self.penalty)
        check_number("tol", self.tol, at_least=0, below=1)
        check_positive("ridge", self.ridge)
        table, seed = read_table(self, X, sample_weight), draw_seed(self.random_state)
        check_clusters(self.n_clusters, table.n_positive, n_spare=1)  # the trivial eigenvector is left out
        self.n_anchors_ = resolve_n_anchors(self.n_anchors, table, at_least=self.n_clusters + 1)
        check_enough_anchors(self.n_anchors_, self.n_clusters, self.n_clusters + 1)
        self.anchors_ = to_unit_length(RandomAnchors().select(table, self.n_anchors_, seed).points)
        graph = code_graph(sparse_codes(self.anchors_, self.penalty, self.tol))
        embedding = to_unit_length(laplacian_spectrum(graph, self.n_clusters, "code", "a smaller tol")[1])
        self.anchor_labels_ = assign(rounding.round(as_table(embedding), self.n_clusters, seed), embedding)
        self._classes = SubspaceClasses.of(self.anchors_, self.anchor_labels_, self.ridge)
        self._n_features_out = self.n_clusters
        set_labels(self, table.keep(_nearest(self._residuals())), self.n_clusters)
        return self

    def transform(self, X: Any, *, out: OutputPath = None) -> Any:
        """Memberships of rows in the clusters: the inverse squared residuals, scaled to sum to one.

        Parameters
        ----------
        X : array-like, sparse matrix, or any source for :func:`anchorgraph.as_table`, of shape (n_rows, n_features)
        out : path, optional
            A ``.npy``, ``.parquet`` or ``.csv`` file, or a new folder of shards, written block by block.

        Returns
        -------
        ndarray of shape (n_rows, n_clusters)
            A lazy Dask array if X is a Dask collection; with ``out``, the path of the file or folder.
        """
        check_is_fitted(self)
        residuals = self._residuals()

        def memberships(block: Block) -> FloatArray:
            left = residuals(block)
            nearest = left.min(axis=1, keepdims=True)
            inverse = np.divide(nearest, left, out=np.ones_like(left), where=left > nearest)
            found: FloatArray = (inverse / inverse.sum(axis=1, keepdims=True)).astype(block.dtype)
            return found

        return map_new_rows(self, X, memberships, out)

    def predict(self, X: Any, *, out: OutputPath = None) -> Any:
        """The cluster of each row; ``labels_`` for the rows of the fit.

        Parameters
        ----------
        X : array-like, sparse matrix, or any source for :func:`anchorgraph.as_table`, of shape (n_rows, n_features)
        out : path, optional
            A ``.npy``, ``.parquet`` or ``.csv`` file, or a new folder of shards, written block by block.

        Returns
        -------
        ndarray of shape (n_rows,)
            A lazy Dask array if X is a Dask collection; with ``out``, the path of the file or folder.
        """
        check_is_fitted(self)
        return map_new_rows(self, X, _nearest(self._residuals()), out, ["label"])

    def _residuals(self) -> RowMap:
        """The row map to the squared residuals of each row for each class."""
        classes = self._classes

        def rows(block: Block) -> FloatArray:
            parts = chunks(block.shape[0], 8 * len(classes.labels))
            return np.concatenate(run(lambda part: classes.residuals(to_unit_length(block[part])), parts))

        return rows


def _nearest(residuals: RowMap) -> RowMap:
    """The row map to the class with the smallest residual; to the first one if several are equal up to rounding."""

    def labels(block: Block) -> IntegerArray:
        left = residuals(block)
        nearest: IntegerArray = (left <= (1 + TIE) * left.min(axis=1, keepdims=True)).argmax(axis=1).astype(np.int32)
        return nearest

    return labels
