"""scikit-learn's callbacks, if the installed version has them: a task for each stage of a fit."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, cast

from anchorgraph.numerics.progress import listening

Fit = TypeVar("Fit", bound=Callable[..., Any])

if TYPE_CHECKING:  # scikit-learn has no type information

    class CallbackSupportMixin:
        """Mixin of estimators that accept callbacks."""

    with_callbacks: Callable[[Callable[..., Any]], Callable[..., Any]] | None
else:
    try:
        from sklearn.callback import CallbackSupportMixin, with_callbacks
    except ImportError:  # scikit-learn < 1.9

        class CallbackSupportMixin:
            """Empty: this version of scikit-learn has no callbacks."""

        with_callbacks = None

N_PARTS = 20
"""Number of subtasks of a stage."""


def with_stages(fit: Fit) -> Fit:
    """``fit``, or ``fit_transform``, that reports its stages to callbacks, each in twenty equal parts."""
    if with_callbacks is None:
        return fit

    @functools.wraps(fit)
    @with_callbacks
    def reported(self: Any, X: Any, *rest: Any, **named: Any) -> Any:
        context = self._init_callback_context(max_subtasks=None)
        context.call_on_fit_task_begin(estimator=self, X=X)
        stages = _Stages(self, context)
        with listening(stages):
            result = fit(self, X, *rest, **named)
        stages.end()
        context.call_on_fit_task_end(estimator=self, X=X)
        return result

    return cast(Fit, reported)


class _Stages:
    """A listener that turns progress reports into tasks of scikit-learn's callbacks."""

    def __init__(self, estimator: Any, context: Any) -> None:
        self._estimator, self._context = estimator, context
        self._stage, self._share, self._n_reported = "", 0.0, 0
        self._task: Any = None

    def __call__(self, stage: str, share: float) -> None:
        if self._task is None or stage != self._stage or share < self._share:
            self.end()
            self._stage, self._n_reported = stage, 0
            self._task = self._context.subcontext(task_name=stage, max_subtasks=N_PARTS)
            self._task.call_on_fit_task_begin(estimator=self._estimator)
        self._share = share
        while self._n_reported < int(share * N_PARTS):
            self._n_reported += 1
            part = self._task.subcontext(task_name="part")
            part.call_on_fit_task_begin(estimator=self._estimator)
            part.call_on_fit_task_end(estimator=self._estimator)

    def end(self) -> None:
        """End the task of the current stage."""
        if self._task is not None:
            self._task.call_on_fit_task_end(estimator=self._estimator)
            self._task = None
