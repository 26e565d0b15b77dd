"""The one loop of all methods that go round by round."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

State = TypeVar("State")


def go_round(step: Callable[[State], tuple[State, bool]], start: State, max_iter: int) -> tuple[State, int]:
    """Take a step again and again, until it says that it is the last, or ``max_iter`` times.

    Parameters
    ----------
    step : callable
        ``state -> (next state, whether nothing is left to do)``.
    start : state
    max_iter : int, at least 1

    Returns
    -------
    state
    n_iter : int
        Steps that were taken.
    """
    state, is_last = start, False
    for n_iter in range(1, max_iter + 1):
        state, is_last = step(state)
        if is_last:
            break
    return state, n_iter
