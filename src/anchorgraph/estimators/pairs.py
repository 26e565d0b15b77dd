"""What the baselines on a graph between all rows of a class share."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from sklearn.metrics import euclidean_distances

from anchorgraph.estimators.fields import Floats, Size
from anchorgraph.estimators.inputs import check_count, check_not_negative, check_share
from anchorgraph.estimators.supervised import SupervisedMethod
from anchorgraph.numerics.threads import resolve_n_jobs
from anchorgraph.projection import learn_with_pairs


class PairMethod(SupervisedMethod):
    """Base of LADA, ADA and ALLDA, which differ in the weights of the pairs: ``_weigh(h)``.

    ``h`` has the squared distances of all rows of a class from each other, infinite on the diagonal.
    """

    saved: ClassVar = {"history_": Floats("t", double=True), "n_iter_": Size("t")}

    def fit(self, X, y):
        """Learn the projection.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_rows, n_features)
        y : array-like of shape (n_rows,) or str
            Classes, of any type that can be sorted; or the name of the column of X that holds them.

        Returns
        -------
        self
        """
        check_count("max_iter", self.max_iter)
        check_share("tol", self.tol)
        check_not_negative("alpha", self.alpha)
        self._check_weights()
        table, space, codes = self._read_classes(X, y)
        linear, self.history_ = learn_with_pairs(
            space,
            codes,
            self._weights_of_rows,
            n_components=self.n_components,
            alpha=self.alpha,
            max_iter=self.max_iter,
            tol=self.tol,
            n_jobs=resolve_n_jobs(self.n_jobs),
        )
        self.n_iter_ = len(self.history_)
        self._keep(linear, table.dtype)
        return self

    def _weights_of_rows(self, rows):
        h = euclidean_distances(rows, squared=True)
        if len(h) == 1:
            return h  # a row alone has no pair: zero
        np.fill_diagonal(h, np.inf)
        return self._weigh(h)

    def _check_weights(self):
        """Refuse impossible parameters of the weights."""
