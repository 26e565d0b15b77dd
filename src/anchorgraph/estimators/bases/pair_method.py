"""What the baselines on a graph between all rows of a class share."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from sklearn.metrics import euclidean_distances

from anchorgraph.estimators.bases.fields import Floats, Size
from anchorgraph.estimators.bases.supervised_method import SupervisedMethod
from anchorgraph.numerics.checks import check_integer, check_number


class PairMethod(SupervisedMethod):
    """Base of LADA, ADA and ALLDA, which differ in the weights of the pairs."""

    saved: ClassVar = {"history_": Floats("t", double=True), "n_iter_": Size("t")}

    def _check_rounds(self):
        check_integer("max_iter", self.max_iter)
        check_number("tol", self.tol, at_least=0, below=1)
        check_number("alpha", self.alpha, at_least=0)


def weights_of_rows(weigh):
    """The weights of all pairs of some rows, from ``weigh(h)`` of their squared distances, infinite on the diagonal."""

    def weights(rows):
        h = euclidean_distances(rows, squared=True)
        if len(h) == 1:
            return h  # a row alone has no pair: zero
        np.fill_diagonal(h, np.inf)
        return weigh(h)

    return weights
