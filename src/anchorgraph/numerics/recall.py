"""Results that several fits of the same rows have in common, computed once while somebody keeps them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Protocol

import numpy as np

Arrays = tuple[np.ndarray[Any, Any], ...]


class Keeper(Protocol):
    """Keeps results by what they are and what they were computed from.

    ``saved`` counts the seconds that the recalled ones took when they were computed.
    """

    saved: float

    def recall(self, what: str, of: tuple[Any, ...], compute: Callable[[], Arrays]) -> Arrays:
        """The result of ``compute`` if it is new, otherwise the kept one."""


_KEEPER: ContextVar[Keeper | None] = ContextVar("keeper", default=None)


@contextmanager
def recalling(keeper: Keeper) -> Iterator[None]:
    """Let a keeper answer :func:`recall` inside the ``with`` block.

    Parameters
    ----------
    keeper : Keeper
    """
    token = _KEEPER.set(keeper)
    try:
        yield
    finally:
        _KEEPER.reset(token)


def recall(what: str, of: tuple[Any, ...], compute: Callable[[], Arrays]) -> Arrays:
    """``compute()``, or what a keeper has of it; without :func:`recalling`, always the former.

    Parameters
    ----------
    what : str
        What is computed.
    of : tuple
        All that it depends on: arrays, sparse arrays, numbers and texts.
    compute : callable without arguments
        Returns a tuple of arrays.

    Returns
    -------
    tuple of ndarray
    """
    keeper = _KEEPER.get()
    return compute() if keeper is None else keeper.recall(what, of, compute)


def saved_seconds() -> float:
    """Seconds that recalled results have saved so far."""
    keeper = _KEEPER.get()
    return 0.0 if keeper is None else keeper.saved
