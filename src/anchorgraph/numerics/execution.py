"""One context around every public method: its threads, and who is told how far it is.

``run`` hands pieces of work to the threads of the context, each with one BLAS thread. Pieces are fixed by the data and
never by the number of threads, so every result is the same, to the bit, whatever ``n_jobs`` is. A thread starts no
threads of its own.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import partial
from numbers import Integral
from typing import Any, TypeVar

from anchorgraph.numerics.blas import one_blas_thread

Listener = Callable[[str, float], None]
"""Is told the name of a stage and the share of it that is done, from 0 to 1."""

Piece = TypeVar("Piece")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Course:
    """The part of a stage that a computation is in."""

    listener: Listener
    stage: str = ""
    start: float = 0.0
    width: float = 1.0

    def tell(self, share: float) -> None:
        """A share of the present part is done."""
        if self.stage:
            self.listener(self.stage, self.start + self.width * share)


class Threads:
    """A pool that is started when it is first needed, and ended by whoever made it."""

    def __init__(self, number: int) -> None:
        self.number, self._pool, self._process = number, None, os.getpid()

    def belong_here(self) -> bool:
        """Whether the threads were started by this process: a fork has none of them."""
        return self._process == os.getpid()

    def map(self, work: Callable[[Piece], Result], pieces: Sequence[Piece]) -> Iterator[Result]:
        """``map(work, pieces)``, in order."""
        if self.number == 1 or len(pieces) == 1:
            return map(partial(_alone, work), pieces)
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.number, initializer=_start_worker)
        return self._pool.map(work, pieces)

    def end(self) -> None:
        """Wait for what is at work, drop what is not."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    _pool: ThreadPoolExecutor | None


@dataclass(frozen=True)
class Execution:
    """Threads to work on: none of one's own, as one of many workers, or before any public method. And who listens."""

    threads: Threads | None = None
    is_worker: bool = False
    course: Course | None = None


_execution: ContextVar[Execution] = ContextVar("execution", default=Execution())  # noqa: B039 - frozen


@contextmanager
def set_execution(**changes: Any) -> Iterator[None]:
    """The present context with some changes, for what happens inside."""
    token = _execution.set(replace(_execution.get(), **changes))
    try:
        yield
    finally:
        _execution.reset(token)


def present_course() -> Course | None:
    """The course that is told of progress."""
    return _execution.get().course


@contextmanager
def execution(n_jobs: int | None = None) -> Iterator[None]:
    """Have ``run`` use so many threads for all that happens inside; they are started once.

    Within a context of as many threads these are used, and one of many workers stays alone.
    """
    n_threads, present = resolve_n_jobs(n_jobs), _execution.get()
    there = present.threads
    if present.is_worker or (there is not None and there.number == n_threads and there.belong_here()):
        yield
        return
    threads = Threads(n_threads)
    try:
        with set_execution(threads=threads):
            yield
    finally:
        threads.end()


@contextmanager
def as_worker() -> Iterator[None]:
    """As one of many workers: BLAS on one thread, and no threads of one's own, whatever ``n_jobs`` says."""
    with one_blas_thread, set_execution(is_worker=True):
        yield


def resolve_n_jobs(n_jobs: int | None) -> int:
    """Number of threads: ``None`` means as many as the BLAS library may use, ``-1`` likewise, ``-2`` one less …"""
    allowed = one_blas_thread.n_allowed()
    if n_jobs is None:
        return allowed
    if not isinstance(n_jobs, Integral) or isinstance(n_jobs, bool) or n_jobs == 0:
        raise ValueError(f"n_jobs must be a non-zero integer or None; got {n_jobs!r}.")
    return int(n_jobs) if n_jobs > 0 else max(1, allowed + 1 + int(n_jobs))


def present_threads() -> int:
    """Threads that work may use here."""
    present = _execution.get()
    if present.is_worker:
        return 1
    return resolve_n_jobs(None) if present.threads is None else present.threads.number


def run(work: Callable[[Piece], Result], pieces: Iterable[Piece]) -> list[Result]:
    """``[work(piece) for piece in pieces]`` on the threads of the context, in order."""
    return list(_results(work, list(pieces)))


def run_sum(work: Callable[[Piece], tuple[Any, ...]], pieces: Iterable[Piece]) -> tuple[Any, ...]:
    """The sums over all pieces of the arrays that ``work(piece)`` returns, added in order and as they come."""
    total: tuple[Any, ...] = ()
    for part in _results(work, list(pieces)):
        total = tuple(a + b for a, b in zip(total, part, strict=True)) if total else part
    return total


def _results(work: Callable[[Piece], Result], pieces: Sequence[Piece]) -> Iterator[Result]:
    present = _execution.get()
    if present.is_worker:
        yield from map(work, pieces)
        return
    threads = present.threads
    if threads is None or not threads.belong_here():  # nobody called a public method: threads for this work alone
        threads = Threads(resolve_n_jobs(None))
    with one_blas_thread:
        try:
            for number, result in enumerate(threads.map(work, pieces), 1):
                yield result
                if present.course is not None:
                    present.course.tell(number / len(pieces))
        finally:
            if threads is not present.threads:
                threads.end()


def _alone(work: Callable[[Piece], Result], piece: Piece) -> Result:
    with set_execution(is_worker=True):
        return work(piece)


def _start_worker() -> None:
    _execution.set(Execution(is_worker=True))
