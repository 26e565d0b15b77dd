"""Base of the baselines on a graph between all rows of a class."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from sklearn.metrics import euclidean_distances

from anchorgraph.contracts import Floats as FloatArray
from anchorgraph.estimators.bases.fields import Field, Floats, Size
from anchorgraph.estimators.bases.supervised_method import SupervisedMethod
from anchorgraph.numerics.checks import check_integer, check_number


class PairMethod(SupervisedMethod):
    """Base of LADA, ADA and ALLDA, which differ in the weights of the pairs."""

    saved: ClassVar[dict[str, Field]] = {"history_": Floats("t", double=True), "n_iter_": Size("t")}

    alpha: float
    max_iter: int
    tol: float

    history_: FloatArray
    n_iter_: int

    def _check_rounds(self) -> None:
        check_integer("max_iter", self.max_iter)
        check_number("tol", self.tol, at_least=0, below=1)
        check_number("alpha", self.alpha, at_least=0)

    def _set_history(self, history: FloatArray) -> None:
        self.history_, self.n_iter_ = history, len(history)


def weights_of_rows(weigh: Callable[[FloatArray], Any]) -> Callable[[FloatArray], Any]:
    """A function that returns ``weigh(h)`` for the squared distances h between some rows, infinite on the diagonal."""

    def weights(rows: FloatArray) -> Any:
        h = euclidean_distances(rows, squared=True)
        if len(h) == 1:
            return h  # a single row has no pair: its weight is zero
        np.fill_diagonal(h, np.inf)
        return weigh(h)

    return weights
