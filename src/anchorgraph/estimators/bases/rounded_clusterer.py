"""What the clusterers that round an embedding share."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from sklearn.base import ClusterMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from anchorgraph.contracts import Assignment
from anchorgraph.estimators.bases.fields import Either, Floats, Integer, Named, Plain, Record, Size
from anchorgraph.estimators.bases.inputs import finite, map_new_rows
from anchorgraph.estimators.bases.method import Method
from anchorgraph.estimators.bases.transformer import Transformer
from anchorgraph.labels import NORMALISATIONS, KMeansRounding, QRRounding, RotationRounding, assign
from anchorgraph.numerics.warn import warn_user

SAVED_ROUNDING = Plain(
    record=Either(
        {
            "kmeans": Record(KMeansRounding, {"n_init": Integer()}),
            "rotation": Record(RotationRounding, {"max_iter": Integer()}),
            "qr": Record(QRRounding, {}),
        }
    )
)
"""A rounding as a parameter."""


class RoundedClusterer(ClusterMixin, Transformer, Method):
    """Base of clusterers whose labels follow from the rows of an embedding, for rows of the fit and for new ones.

    ``_embedding`` of a subclass makes the row map from any rows to those of F; its ``fit`` ends with ``_set_labels``.
    """

    saved: ClassVar = {
        "_assignment": Record(
            Assignment, {"directions": Floats("p c", double=True), "offsets": Floats("c", double=True)}
        ),
        "_normalise": Named(NORMALISATIONS),
        "n_clusters_": Size("c"),
        "_n_features_out": Size("p"),
    }

    def _normalised(self, embed):
        """The row map to rows of F as they are rounded."""
        normalise = self._normalise
        return lambda block: normalise(finite(embed(block)))

    def _set_labels(self, F, assignment, n_clusters):
        """What is known of the rows when those of F are rounded."""
        self._assignment, self._n_features_out, self.n_clusters_ = assignment, F.n_cols, n_clusters
        set_if_in_memory(self, "embedding_", F)
        set_labels(self, F.keep(_assigned(assignment)), n_clusters)

    def transform(self, X, *, out=None):
        """The embedding of rows, as it is rounded to clusters; ``embedding_`` for the rows of the fit.

        Parameters
        ----------
        X : array-like, sparse matrix, or any source for :func:`anchorgraph.as_table`, of shape (n_rows, n_features)
        out : path, optional
            A ``.npy``, ``.parquet`` or ``.csv`` file, or a new folder of shards, for rows as they come.

        Returns
        -------
        ndarray of shape (n_rows, n_components)
            Lazy, if X is a Dask collection; with ``out``, the path of what was written.
        """
        check_is_fitted(self)
        return map_new_rows(self, X, self._normalised(self._embedding()), out)

    def fit_transform(self, X, y=None):
        """Cluster the rows and return ``embedding_``.

        Parameters
        ----------
        X : array-like, sparse matrix, or any source for :func:`anchorgraph.as_table`, of shape (n_rows, n_features)
        y : ignored

        Returns
        -------
        ndarray of shape (n_rows, n_components)
        """
        self.fit(X)
        return self.embedding_ if hasattr(self, "embedding_") else self.transform(X)

    def predict(self, X, *, out=None):
        """The cluster of each row; ``labels_`` for the rows of the fit.

        Parameters
        ----------
        X : array-like, sparse matrix, or any source for :func:`anchorgraph.as_table`, of shape (n_rows, n_features)
        out : path, optional
            A ``.npy``, ``.parquet`` or ``.csv`` file, or a new folder of shards, for rows as they come.

        Returns
        -------
        ndarray of shape (n_rows,)
            Lazy, if X is a Dask collection; with ``out``, the path of what was written.
        """
        check_is_fitted(self)
        embed, assigned = self._normalised(self._embedding()), _assigned(self._assignment)
        return map_new_rows(self, X, lambda block: assigned(embed(block)), out, "label")


def _assigned(assignment):
    return lambda rows: assign(assignment, rows)


def set_if_in_memory(estimator, name, rows):
    """An attribute with an entry for each row, where memory holds them: else ``transform`` gives them."""
    vars(estimator).pop(name, None)  # of an earlier fit
    if rows.in_memory:
        setattr(estimator, name, rows.rows())


def set_labels(estimator, labels, n_clusters):
    """The attribute ``labels_``, and a warning of clusters that got no row, at the line that called ``fit``."""
    estimator.labels_ = labels.rows()
    (sizes,) = labels.sum_blocks(lambda own: (np.bincount(own, minlength=n_clusters),))
    n_found = np.count_nonzero(sizes)
    if n_found < n_clusters:
        sentence = f"Only {n_found} of n_clusters={n_clusters} clusters have rows; ask for fewer."
        warn_user(sentence, ConvergenceWarning)
