"""Base of all methods."""

from __future__ import annotations

import functools
from collections.abc import Callable
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from anchorgraph.estimators.bases.callbacks import CallbackSupportMixin, with_stages
from anchorgraph.estimators.bases.card import Card
from anchorgraph.estimators.bases.fields import Field, Plain, saved_fields
from anchorgraph.estimators.bases.preparation import METRICS
from anchorgraph.estimators.bases.sklearn_bases import BaseEstimator
from anchorgraph.numerics.execution import execution

VERBS = (
    "fit",
    "fit_transform",
    "inverse_transform",
    "partial_fit",
    "predict",
    "predict_proba",
    "score_samples",
    "transform",
)
"""The public methods that compute."""

LEARNING = ("fit", "fit_transform", "partial_fit")
"""Those that change the estimator."""


class Method(CallbackSupportMixin, BaseEstimator):
    """Base of all estimators of the package: they accept sparse rows, and report the progress of a fit to callbacks.

    Each public method that computes runs in one execution context, on ``n_jobs`` threads. ``card`` is the method's
    entry in the catalogue, ``metrics`` are the choices of the parameter ``metric`` where it has one. ``saved`` declares
    the fitted attributes that a class adds to a model file, ``saved_parameters`` the parameters that can be more than a
    number or a string.
    """

    card: ClassVar[Card]
    metrics: ClassVar[tuple[str, ...]] = tuple(METRICS)
    saved: ClassVar[dict[str, Field]] = {}
    saved_parameters: ClassVar[dict[str, Plain]] = {}

    n_jobs: int | None

    n_features_in_: int
    feature_names_in_: NDArray[np.object_]

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        for verb in VERBS:
            if verb in vars(cls):
                work = vars(cls)[verb]
                work = _or_unchanged(work) if verb in LEARNING else work
                setattr(cls, verb, _in_execution(with_stages(work) if verb in ("fit", "partial_fit") else work))

    def _start_anew(self) -> None:
        """Forget what earlier fits have left and this one does not set."""

    def _can_mask(self) -> bool:
        """Whether rows with missing values can be left out."""
        return hasattr(self, "missing")

    def _fields_to_save(self) -> dict[str, Field]:
        """The fitted attributes for a model file."""
        return saved_fields(type(self))

    def _parameters_to_save(self) -> dict[str, Any]:
        """The parameters for a model file, without ``n_jobs``, which is of one machine, and without a generator."""
        parameters = self.get_params(deep=False)
        parameters.pop("n_jobs", None)
        if not isinstance(parameters.get("random_state"), Integral):
            parameters |= {"random_state": None} if "random_state" in parameters else {}
        return parameters

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def _or_unchanged(fit: Callable[..., Any]) -> Callable[..., Any]:
    """``fit`` that leaves the attributes of the estimator as they were if it fails.

    Numbers are checked while rows are read, so that it may fail late. What was learnt before is therefore kept until
    the fit has succeeded. A ``RandomState`` of the user's goes on.
    """

    @functools.wraps(fit)
    def run(self: Method, *arguments: Any, **named: Any) -> Any:
        before = dict(vars(self))
        try:
            return fit(self, *arguments, **named)
        except BaseException:
            vars(self).clear()
            vars(self).update(before)
            raise

    return run


def _in_execution(verb: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(verb)
    def run(self: Method, *arguments: Any, **named: Any) -> Any:
        with execution(getattr(self, "n_jobs", None)):
            return verb(self, *arguments, **named)

    return run
