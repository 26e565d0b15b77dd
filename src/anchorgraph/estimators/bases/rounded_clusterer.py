"""Base of clusterers that round an embedding."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar

from sklearn.utils.validation import check_is_fitted

from anchorgraph.contracts import Assignment, RowMap, RowTable
from anchorgraph.contracts import Floats as FloatArray
from anchorgraph.estimators.bases.clusterer import Clusterer, set_if_in_memory, set_labels
from anchorgraph.estimators.bases.fields import Either, Field, Floats, Integer, Named, Plain, Record, Size
from anchorgraph.estimators.bases.inputs import finite, map_new_rows
from anchorgraph.estimators.bases.method import Method
from anchorgraph.estimators.bases.parameters import OutputPath
from anchorgraph.estimators.bases.transformer import Transformer
from anchorgraph.labels import NORMALISATIONS, KMeansRounding, QRRounding, RotationRounding, assign
from anchorgraph.numerics.chunked import in_chunks

SAVED_ROUNDING = Plain(
    record=Either(
        {
            "kmeans": Record(KMeansRounding, {"n_init": Integer()}),
            "rotation": Record(RotationRounding, {"max_iter": Integer()}),
            "qr": Record(QRRounding, {}),
        }
    )
)
"""The field of a rounding that is a parameter."""


class RoundedClusterer(Clusterer, Transformer, Method):
    """Base of clusterers whose labels are computed from an embedding, for the rows of the fit and for new ones.

    A subclass implements ``_embedding``, and its ``fit`` ends with ``_set_labels``.
    """

    saved: ClassVar[dict[str, Field]] = {
        "_assignment": Record(
            Assignment, {"directions": Floats("p c", double=True), "offsets": Floats("c", double=True)}
        ),
        "_normalise": Named(NORMALISATIONS),
        "n_clusters_": Size("c"),
        "_n_features_out": Size("p"),
    }

    n_clusters_: int
    embedding_: FloatArray
    _assignment: Assignment
    _normalise: RowMap = staticmethod(NORMALISATIONS["none"])

    @abstractmethod
    def _embedding(self) -> RowMap:
        """The row map from any rows to those of F."""

    def _normalised(self, embed: RowMap) -> RowMap:
        """The row map to the normalised rows of F, which are rounded."""
        normalise = self._normalise
        return lambda block: normalise(finite(embed(block)))

    def _embedded(self, Z: RowTable, embed: RowMap) -> RowTable:
        """The normalised rows of F: stored if in memory, as ``embedding_``, otherwise made of Z when they are read."""
        rows = in_chunks(self._normalised(embed))
        return Z.keep(rows) if Z.in_memory else Z.view(rows)

    def _set_labels(self, F: RowTable, assignment: Assignment, n_clusters: int) -> None:
        """Set the fitted attributes that follow from F and the assignment of its rows."""
        set_labels(self, self._assign(F, assignment, n_clusters), n_clusters)

    def _assign(self, F: RowTable, assignment: Assignment, n_clusters: int) -> RowTable:
        """The labels of the rows of F; sets the other attributes that follow from these."""
        self._assignment, self._n_features_out, self.n_clusters_ = assignment, F.n_cols, n_clusters
        set_if_in_memory(self, "embedding_", F)
        return self._rounded(F, assignment)

    def _rounded(self, F: RowTable, assignment: Assignment) -> RowTable:
        """The cluster of each row of F."""
        return F.keep(in_chunks(assigned(assignment)))

    def transform(self, X: Any, *, out: OutputPath = None) -> Any:
        """The embedding of rows, which is rounded to clusters; ``embedding_`` for the rows of the fit.

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
        return map_new_rows(self, X, self._normalised(self._embedding()), out)

    def fit_transform(self, X: Any, y: Any = None, **fit_parameters: Any) -> Any:
        """Cluster the rows and return ``embedding_``.

        Parameters
        ----------
        X : array-like, sparse matrix, or any source for :func:`anchorgraph.as_table`, of shape (n_rows, n_features)
        y : ignored
        **fit_parameters
            Passed to ``fit``, such as ``sample_weight``.

        Returns
        -------
        ndarray of shape (n_rows, n_components)
        """
        self.fit(X, **fit_parameters)
        return self.embedding_ if hasattr(self, "embedding_") else self.transform(X)

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
        embed, label = self._normalised(self._embedding()), assigned(self._assignment)
        return map_new_rows(self, X, lambda block: label(embed(block)), out, ["label"])


def assigned(assignment: Assignment) -> RowMap:
    """The row map from normalised rows of F to labels."""
    return lambda rows: assign(assignment, rows)
