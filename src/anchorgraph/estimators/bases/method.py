"""What all methods share."""

from __future__ import annotations

import functools
from collections.abc import Callable
from numbers import Integral
from typing import Any, ClassVar

from sklearn.base import BaseEstimator

from anchorgraph.estimators.bases.callbacks import CallbackSupportMixin, with_stages
from anchorgraph.estimators.bases.card import Card
from anchorgraph.estimators.bases.fields import Field, Plain
from anchorgraph.numerics.execution import execution

VERBS = ("fit", "fit_transform", "inverse_transform", "predict", "transform")
"""The public methods that compute."""


class Method(CallbackSupportMixin, BaseEstimator):
    """Base of all estimators of the package: they take sparse rows, and tell callbacks how far their fit is.

    Each public method that computes runs in one execution context, on ``n_jobs`` threads. ``card`` is the method's
    entry in the catalogue. ``saved`` declares what a class adds to the fitted attributes that go into a model file,
    ``saved_parameters`` which of its parameters may be more than plain data.
    """

    card: ClassVar[Card]
    saved: ClassVar[dict[str, Field]] = {}
    saved_parameters: ClassVar[dict[str, Plain]] = {}
    n_jobs: int | None

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        for verb in VERBS:
            if verb in vars(cls):
                work = vars(cls)[verb]
                setattr(cls, verb, _in_execution(with_stages(work) if verb == "fit" else work))

    def _parameters_to_save(self) -> dict[str, Any]:
        """The parameters as they go into a model file: neither ``n_jobs``, which is a machine's, nor a generator."""
        parameters: dict[str, Any] = self.get_params(deep=False)
        del parameters["n_jobs"]
        if not isinstance(parameters.get("random_state"), Integral):
            parameters |= {"random_state": None} if "random_state" in parameters else {}
        return parameters

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def _in_execution(verb: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(verb)
    def run(self: Method, *arguments: Any, **named: Any) -> Any:
        with execution(self.n_jobs):
            return verb(self, *arguments, **named)

    return run
