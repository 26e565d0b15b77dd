"""Limit BLAS to one thread while this package runs threads of its own, and tell how many it may use otherwise."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from threadpoolctl import ThreadpoolController


class _OneBlasThread:
    """Context manager that limits BLAS to one thread while at least one caller is inside it.

    The first caller to enter sets the limit, and the last one to leave restores the previous number of threads.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._n_callers = 0
        self._allowed = 1
        self._limit: Any = None

    def __enter__(self) -> None:
        with self._lock:
            if self._n_callers == 0:
                self._allowed = _blas_threads()
                try:
                    _run_in_new_thread(self._limit_blas)
                except BaseException:  # such as Ctrl-C while waiting for the thread
                    self._restore()
                    raise
            self._n_callers += 1

    def __exit__(self, *error: object) -> None:
        with self._lock:
            self._n_callers -= 1
            if self._n_callers == 0:
                self._restore()

    def _restore(self) -> None:
        if self._limit is not None:
            _run_in_new_thread(self._limit.restore_original_limits)
            self._limit = None

    def _limit_blas(self) -> None:
        self._limit = _blas().limit(limits=1)

    def n_allowed(self) -> int:
        """Number of threads that BLAS may use outside this context."""
        with self._lock:
            return self._allowed if self._n_callers else _blas_threads()


one_blas_thread: _OneBlasThread = _OneBlasThread()


def _run_in_new_thread(work: Callable[[], Any]) -> None:
    """Call ``work`` in a thread that ends afterwards.

    As long as a thread that has limited BLAS is alive, threadpoolctl does not let another thread change the limit.
    """
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()


@lru_cache(maxsize=1)
def _blas() -> ThreadpoolController:
    return ThreadpoolController().select(user_api="blas")


def _blas_threads() -> int:
    return max((int(library["num_threads"]) for library in _blas().info()), default=1)
