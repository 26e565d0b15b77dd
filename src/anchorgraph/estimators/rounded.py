"""What the clusterers that round an embedding share."""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.base import ClusterMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from anchorgraph.estimators.inputs import check_choice, check_count, read_table
from anchorgraph.estimators.transformer import Transformer
from anchorgraph.labels import NORMALISATIONS, ROUNDINGS, assign


class RoundedClusterer(ClusterMixin, Transformer):
    """Mixin of clusterers whose labels follow from the rows of an embedding, for rows of the fit and for new ones.

    A subclass has the row map ``_embed``, for any rows, and its ``fit`` hands the rows of F to :meth:`_round`.
    """

    def _check_rounding(self):
        check_count("n_init", self.n_init)
        check_choice("rounding", self.rounding, ROUNDINGS)
        check_choice("normalisation", self.normalisation, NORMALISATIONS)

    def _round(self, rows, n_clusters, seed):
        self._normalise = NORMALISATIONS[self.normalisation]
        self.embedding_ = self._normalise(rows)
        self._n_features_out = rows.shape[1]
        self.n_clusters_ = n_clusters
        self._assignment = ROUNDINGS[self.rounding](self.embedding_, n_clusters, seed=seed, n_init=self.n_init)
        self.labels_ = assign(self._assignment, self.embedding_)
        tell_missing_clusters(self.labels_, n_clusters, stacklevel=4)

    def transform(self, X):
        """The embedding of rows, as it is rounded to clusters; ``embedding_`` for the rows of the fit.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_rows, n_features)

        Returns
        -------
        ndarray of shape (n_rows, n_components)
        """
        return self._embedded(X)

    def fit_transform(self, X, y=None):
        """Cluster the rows and return ``embedding_``.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_rows, n_features)
        y : ignored

        Returns
        -------
        ndarray of shape (n_rows, n_components)
        """
        return self.fit(X).embedding_

    def predict(self, X):
        """The cluster of each row; ``labels_`` for the rows of the fit.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_rows, n_features)

        Returns
        -------
        ndarray of shape (n_rows,)
        """
        embedded = self._embedded(X)
        return assign(self._assignment, embedded)

    def _embedded(self, X):
        check_is_fitted(self)
        return self._normalise(read_table(self, X, fitting=False).map_rows(self._embed))


def tell_missing_clusters(labels, n_clusters, stacklevel):
    """Warn of clusters that got no row, at the line that called ``fit``."""
    n_found = len(np.unique(labels))
    if n_found < n_clusters:
        warnings.warn(
            f"Only {n_found} of n_clusters={n_clusters} clusters have rows; ask for fewer.",
            ConvergenceWarning,
            stacklevel=stacklevel,
        )
