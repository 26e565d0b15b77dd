"""One level of parallelism: Python threads over pieces of work, one BLAS thread each.

The pieces are fixed by the data and never by the number of threads, so every result is the same, to the bit,
whatever ``n_jobs`` is.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import lru_cache
from numbers import Integral
from typing import Any

from scipy import sparse
from threadpoolctl import ThreadpoolController

from anchorgraph.numerics.progress import done

CHUNK_BYTES = 2**21
"""Rows handled at once within a block: small enough for a core's share of the cache, large enough for BLAS."""

PRODUCT_BYTES = 2**23
"""Rows whose products with each other are added up: the (d, d) sums must not cost more to add than to make."""

_inside = threading.local()


class _OneBlasThread:
    """Keeps BLAS at one thread while any caller is inside: the first one in limits it, the last one out restores it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._n_inside = 0
        self._limit: Any = None

    def __enter__(self) -> None:
        with self._lock:
            if self._n_inside == 0:
                self._allowed = _blas_threads()
                _in_passing(self._set)
            self._n_inside += 1

    def __exit__(self, *error: object) -> None:
        with self._lock:
            self._n_inside -= 1
            if self._n_inside == 0:
                _in_passing(self._limit.restore_original_limits)

    def _set(self) -> None:
        self._limit = _blas().limit(limits=1)

    def n_allowed(self) -> int:
        """Threads that BLAS may use when nobody is inside."""
        with self._lock:
            return self._allowed if self._n_inside else _blas_threads()


one_blas_thread = _OneBlasThread()


@contextmanager
def alone() -> Iterator[None]:
    """As one of many workers: BLAS on one thread, and no threads of one's own, whatever ``n_jobs`` says."""
    was_inside = getattr(_inside, "work", False)
    _inside.work = True
    try:
        with one_blas_thread:
            yield
    finally:
        _inside.work = was_inside


def _in_passing(work: Callable[[], Any]) -> None:
    """Work in a thread that ends with it: while a thread that set BLAS lives, threadpoolctl lets no other one do so."""
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()


@lru_cache(maxsize=1)
def _blas() -> ThreadpoolController:
    return ThreadpoolController().select(user_api="blas")


def _blas_threads() -> int:
    return max((int(library["num_threads"]) for library in _blas().info()), default=1)


def resolve_n_jobs(n_jobs: int | None) -> int:
    """Number of threads: ``None`` means as many as the BLAS library may use, ``-1`` likewise, ``-2`` one less …"""
    allowed = one_blas_thread.n_allowed()
    if n_jobs is None:
        return allowed
    if not isinstance(n_jobs, Integral) or isinstance(n_jobs, bool) or n_jobs == 0:
        raise ValueError(
            f"n_jobs={n_jobs!r} is no number of threads; pass a positive one, a negative one to count down, or None."
        )
    return int(n_jobs) if n_jobs > 0 else max(1, allowed + 1 + int(n_jobs))


def run(work: Callable[[Any], Any], pieces: Iterable[Any], n_jobs: int) -> list[Any]:
    """``[work(piece) for piece in pieces]`` on ``n_jobs`` threads, in order.

    Called from within such a thread it is a plain loop: there is never a second level of threads.
    """
    return list(_results(work, list(pieces), n_jobs))


def run_sum(work: Callable[[Any], tuple[Any, ...]], pieces: Iterable[Any], n_jobs: int) -> tuple[Any, ...]:
    """The sums over all pieces of the arrays that ``work(piece)`` returns, added in order and as they come."""
    total: tuple[Any, ...] = ()
    for part in _results(work, list(pieces), n_jobs):
        total = tuple(a + b for a, b in zip(total, part, strict=True)) if total else part
    return total


def _results(work: Callable[[Any], Any], pieces: Sequence[Any], n_jobs: int) -> Iterator[Any]:
    if getattr(_inside, "work", False):
        yield from map(work, pieces)
        return
    with one_blas_thread:
        if n_jobs == 1 or len(pieces) == 1:
            _inside.work = True
            try:
                for number, result in enumerate(map(work, pieces), 1):
                    yield result
                    done(number, len(pieces))
            finally:
                _inside.work = False
        else:
            with ThreadPoolExecutor(n_jobs, initializer=_mark) as pool:
                for number, result in enumerate(pool.map(work, pieces), 1):
                    yield result
                    done(number, len(pieces))


def row_bytes(block: Any) -> int:
    """Memory that a row of a dense or sparse block takes on average."""
    held = block.data.nbytes + block.indices.nbytes if sparse.issparse(block) else block.nbytes
    return int(held / max(block.shape[0], 1))


def take_rows(block: Any, rows: Any) -> Any:
    """Rows of a block by number: of an array with ``take``, which lets other threads run as indexing does not."""
    return block[rows] if sparse.issparse(block) else block.take(rows, axis=0)


def chunks(n_rows: int, row_bytes: int, chunk_bytes: int = CHUNK_BYTES) -> list[slice]:
    """Consecutive slices of ``n_rows`` rows of about ``chunk_bytes`` each."""
    step = max(16, chunk_bytes // max(row_bytes, 1))
    return [slice(start, min(start + step, n_rows)) for start in range(0, n_rows, step)]


def _mark() -> None:
    _inside.work = True
