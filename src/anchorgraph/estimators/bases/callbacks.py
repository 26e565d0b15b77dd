"""scikit-learn's callbacks, where the installed version has them: a task for each stage of a fit."""

from __future__ import annotations

import functools

from anchorgraph.numerics.progress import listening

try:
    from sklearn.callback import CallbackSupportMixin, with_callbacks
except ImportError:  # scikit-learn before 1.9

    class CallbackSupportMixin:
        """Nothing: there are no callbacks."""

    with_callbacks = None

N_PARTS = 20
"""Subtasks of a stage."""


def with_stages(fit):
    """``fit``, or ``fit_transform``, that tells callbacks of its stages, and of a twentieth of a stage at a time."""
    if with_callbacks is None:
        return fit

    @functools.wraps(fit)
    @with_callbacks
    def told(self, X, *rest, **named):
        context = self._init_callback_context(max_subtasks=None)
        context.call_on_fit_task_begin(estimator=self, X=X)
        stages = _Stages(self, context)
        with listening(stages):
            result = fit(self, X, *rest, **named)
        stages.end()
        context.call_on_fit_task_end(estimator=self, X=X)
        return result

    return told


class _Stages:
    """A listener that turns what it hears into tasks."""

    def __init__(self, estimator, context):
        self._estimator, self._context = estimator, context
        self._stage, self._task, self._share, self._n_told = "", None, 0.0, 0

    def __call__(self, stage, share):
        if self._task is None or stage != self._stage or share < self._share:
            self.end()
            self._stage, self._n_told = stage, 0
            self._task = self._context.subcontext(task_name=stage, max_subtasks=N_PARTS)
            self._task.call_on_fit_task_begin(estimator=self._estimator)
        self._share = share
        while self._n_told < int(share * N_PARTS):
            self._n_told += 1
            part = self._task.subcontext(task_name="part")
            part.call_on_fit_task_begin(estimator=self._estimator)
            part.call_on_fit_task_end(estimator=self._estimator)

    def end(self):
        """The present stage is over."""
        if self._task is not None:
            self._task.call_on_fit_task_end(estimator=self._estimator)
            self._task = None
