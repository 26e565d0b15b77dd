"""The limit on BLAS while our own threads work, and how many threads it may use otherwise."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from threadpoolctl import ThreadpoolController


class _OneBlasThread:
    """Keeps BLAS at one thread while any caller is inside: the first one in limits it, the last one out restores it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._n_inside = 0
        self._allowed = 1
        self._limit: Any = None

    def __enter__(self) -> None:
        with self._lock:
            if self._n_inside == 0:
                self._allowed = _blas_threads()
                _in_a_thread(self._set)
            self._n_inside += 1

    def __exit__(self, *error: object) -> None:
        with self._lock:
            self._n_inside -= 1
            if self._n_inside == 0:
                _in_a_thread(self._limit.restore_original_limits)

    def _set(self) -> None:
        self._limit = _blas().limit(limits=1)

    def n_allowed(self) -> int:
        """Threads that BLAS may use when nobody is inside."""
        with self._lock:
            return self._allowed if self._n_inside else _blas_threads()


one_blas_thread = _OneBlasThread()


def _in_a_thread(work: Callable[[], Any]) -> None:
    """Work in a thread that ends with it: while a thread that set BLAS lives, threadpoolctl lets no other one do so."""
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()


@lru_cache(maxsize=1)
def _blas() -> ThreadpoolController:
    return ThreadpoolController().select(user_api="blas")


def _blas_threads() -> int:
    return max((int(library["num_threads"]) for library in _blas().info()), default=1)
