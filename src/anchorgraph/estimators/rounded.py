"""What the clusterers that round an embedding share."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from sklearn.base import ClusterMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from anchorgraph.contracts import Assignment
from anchorgraph.estimators.fields import Floats, Named, Record, Size
from anchorgraph.estimators.inputs import check_choice, check_count, finite, map_new_rows
from anchorgraph.estimators.transformer import Transformer
from anchorgraph.labels import NORMALISATIONS, ROUNDINGS, assign
from anchorgraph.numerics.progress import portion
from anchorgraph.numerics.threads import resolve_n_jobs
from anchorgraph.numerics.warn import warn_user
from anchorgraph.table import unchanged


class RoundedClusterer(ClusterMixin, Transformer):
    """Mixin of clusterers whose labels follow from the rows of an embedding, for rows of the fit and for new ones.

    ``_embedding`` of a subclass makes the row map from any rows to those of F; its ``fit`` ends with :meth:`_round`.
    """

    saved: ClassVar = {
        "_assignment": Record(
            Assignment, {"directions": Floats("p c", double=True), "offsets": Floats("c", double=True)}
        ),
        "_normalise": Named(NORMALISATIONS),
        "n_clusters_": Size("c"),
        "_n_features_out": Size("p"),
    }

    def _check_rounding(self):
        check_count("n_init", self.n_init)
        check_choice("rounding", self.rounding, ROUNDINGS)
        check_choice("normalisation", self.normalisation, NORMALISATIONS)

    def _keep_rows(self, table, embed):
        """The rows of F that a row map makes of a table, scaled as they will be for new rows."""
        self._normalise = NORMALISATIONS[self.normalisation]
        return table.keep(self._normalised(embed))

    def _normalised(self, embed):
        normalise = self._normalise
        return lambda block, span: normalise(finite(embed(block, span)))

    def _round(self, F, n_clusters, seed):
        self._n_features_out = F.n_cols
        self.n_clusters_ = n_clusters
        n_jobs = resolve_n_jobs(self.n_jobs)
        with portion("clusters", 0, 1):
            self._assignment = ROUNDINGS[self.rounding](F, n_clusters, seed=seed, n_init=self.n_init, n_jobs=n_jobs)
        keep_in_memory(self, "embedding_", F)
        keep_labels(self, F.keep(_assigned(self._assignment)), n_clusters)

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
        return map_new_rows(self, X, lambda block, span: assigned(embed(block, span), span), out, "label")


def _assigned(assignment):
    return lambda rows, span: assign(assignment, rows)


def keep_in_memory(estimator, name, rows):
    """An attribute with an entry for each row, where memory holds them: else ``transform`` gives them."""
    vars(estimator).pop(name, None)  # of an earlier fit
    if rows.in_memory:
        setattr(estimator, name, rows.map_rows(unchanged))


def keep_labels(estimator, labels, n_clusters):
    """The attribute ``labels_``, and a warning of clusters that got no row, at the line that called ``fit``."""
    estimator.labels_ = labels.map_rows(unchanged)
    (sizes,) = labels.sum_blocks(lambda own, span: (np.bincount(own, minlength=n_clusters),))
    n_found = np.count_nonzero(sizes)
    if n_found < n_clusters:
        sentence = f"Only {n_found} of n_clusters={n_clusters} clusters have rows; ask for fewer."
        warn_user(sentence, ConvergenceWarning)
