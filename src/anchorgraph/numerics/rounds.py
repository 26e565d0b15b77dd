"""The loop of all iterative methods."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

State = TypeVar("State")


def go_round(step: Callable[[State], tuple[State, bool]], start: State, max_iter: int) -> tuple[State, int]:
    """Repeat a step until it reports convergence, at most ``max_iter`` times.

    Parameters
    ----------
    step : callable
        ``state -> (next state, whether it has converged)``.
    start : state
        Initial state.
    max_iter : int
        With 0, ``start`` is returned.

    Returns
    -------
    state
        The last state.
    n_iter : int
        Number of steps taken.
    """
    state, n_iter = start, 0
    for n_iter in range(1, max_iter + 1):
        state, has_converged = step(state)
        if has_converged:
            break
    return state, n_iter
