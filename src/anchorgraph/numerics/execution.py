"""The context of every public method: its threads, and the listener that is told about progress.

``run`` distributes pieces of work over the threads of the context, each with one BLAS thread. The pieces depend on the
data and never on the number of threads, so all results are bitwise the same for any ``n_jobs``. A thread does not start
further threads.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from dataclasses import dataclass, replace
from functools import partial
from numbers import Integral
from threading import Lock
from typing import Any, TypeVar

from anchorgraph.numerics.blas import one_blas_thread
from anchorgraph.urls import quoted

Listener = Callable[[str, float], None]
"""Called with the name of a stage and the share of it that is done, from 0 to 1."""

AHEAD = 4
"""Pieces for each thread whose results may wait for an earlier one: all of them together would need much memory."""

Piece = TypeVar("Piece")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Progress:
    """The part of a stage that a computation is working on, and the listener to tell.

    Attributes
    ----------
    listener : Listener
    stage : str
        Name of the stage; empty before a stage has begun.
    start, width : float
        The part begins at the share ``start`` of the stage and is the share ``width`` of it.
    """

    listener: Listener
    stage: str = ""
    start: float = 0.0
    width: float = 1.0

    def tell(self, share: float) -> None:
        """Tell the listener that this share of the current part is done."""
        if self.stage:
            self.listener(self.stage, self.start + self.width * share)


class Threads:
    """A thread pool that is started when it is first needed; whoever creates it must call :meth:`end`."""

    number: int
    _pool: ThreadPoolExecutor | None
    _process: int

    def __init__(self, number: int) -> None:
        self.number, self._pool, self._process = number, None, os.getpid()
        self._starting = Lock()

    def belong_to_this_process(self) -> bool:
        """Whether this process created the pool; the threads of a parent process do not exist after a fork."""
        return self._process == os.getpid()

    def map(self, work: Callable[[Piece], Result], pieces: Sequence[Piece]) -> Iterator[Result]:
        """``map(work, pieces)``, in order."""
        if self.number == 1:
            return map(partial(_run_as_worker, work), pieces)
        if len(pieces) == 1:
            return map(work, pieces)  # the threads are free for what it runs itself
        with self._starting:  # a thread that is one piece ahead may need the pool at the same time
            if self._pool is None:
                self._pool = ThreadPoolExecutor(self.number, initializer=_start_worker)
        return self._map_with_pool(self._pool, work, pieces)

    def _map_with_pool(
        self, pool: ThreadPoolExecutor, work: Callable[[Piece], Result], pieces: Sequence[Piece]
    ) -> Iterator[Result]:
        """Results in order; only a few pieces ahead of the one that is waited for are started."""
        n_ahead = AHEAD * self.number
        futures = deque(pool.submit(work, piece) for piece in pieces[:n_ahead])
        try:
            for piece in pieces[n_ahead:]:
                yield futures.popleft().result()
                futures.append(pool.submit(work, piece))
            while futures:
                yield futures.popleft().result()
        finally:  # after an error nothing is at work when the caller goes on
            for future in futures:
                future.cancel()
            wait(futures)

    def end(self) -> None:
        """Wait for work that has started and cancel the rest."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)


@dataclass(frozen=True)
class Execution:
    """How work is executed in the current context.

    Attributes
    ----------
    threads : Threads, optional
        None outside of public methods.
    is_worker : bool
        Whether this is one of several workers, which must not use threads of its own.
    progress : Progress, optional
        None if nobody listens.
    """

    threads: Threads | None = None
    is_worker: bool = False
    progress: Progress | None = None


_execution: ContextVar[Execution] = ContextVar("execution", default=Execution())  # noqa: B039 - frozen


@contextmanager
def set_execution(**changes: Any) -> Iterator[None]:
    """Change some attributes of the current :class:`Execution` within a ``with`` block."""
    token = _execution.set(replace(_execution.get(), **changes))
    try:
        yield
    finally:
        _execution.reset(token)


def current_progress() -> Progress | None:
    """The progress of the current context, or None if nobody listens."""
    return _execution.get().progress


@contextmanager
def execution(n_jobs: int | None = None) -> Iterator[None]:
    """Let ``run`` use ``n_jobs`` threads within a ``with`` block; they are started once.

    Within another context, ``None`` and the same number use its threads. A worker does not start threads.
    """
    n_threads, current = resolve_n_jobs(n_jobs), _execution.get()
    existing = current.threads
    is_enough = (
        existing is not None and existing.belong_to_this_process() and (n_jobs is None or existing.number == n_threads)
    )
    if current.is_worker or is_enough:
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
    """Run as one of several workers: one BLAS thread and no other threads, whatever ``n_jobs`` is."""
    with one_blas_thread, set_execution(is_worker=True):
        yield


def resolve_n_jobs(n_jobs: int | None) -> int:
    """Number of threads. None and -1 use as many as BLAS does, -2 one less, and so on."""
    allowed = one_blas_thread.n_allowed()
    if n_jobs is None:
        return allowed
    if not isinstance(n_jobs, Integral) or isinstance(n_jobs, bool) or n_jobs == 0:
        raise ValueError(f"n_jobs must be a non-zero integer or None; got {quoted(n_jobs)}.")
    return int(n_jobs) if n_jobs > 0 else max(1, allowed + 1 + int(n_jobs))


def current_n_threads() -> int:
    """Number of threads that may be used in the current context."""
    current = _execution.get()
    if current.is_worker:
        return 1
    return resolve_n_jobs(None) if current.threads is None else current.threads.number


def run(work: Callable[[Piece], Result], pieces: Iterable[Piece]) -> list[Result]:
    """``[work(piece) for piece in pieces]`` on the threads of the context, in order."""
    return list(_results(work, list(pieces)))


def run_sum(work: Callable[[Piece], tuple[Any, ...]], pieces: Iterable[Piece]) -> tuple[Any, ...]:
    """The sums over all pieces of the arrays that ``work(piece)`` returns, added in order while results arrive."""
    total: tuple[Any, ...] = ()
    for part in _results(work, list(pieces)):
        total = tuple(a + b for a, b in zip(total, part, strict=True)) if total else part
    return total


def run_ahead(work: Callable[[Piece], Result], pieces: Iterable[Piece]) -> Generator[Result, None, None]:
    """``map(work, pieces)``, in order: while the caller uses a result, a thread of its own makes the next one.

    It is meant for work that waits, such as reading. Errors are raised in the place of the result. When the iterator
    ends or is closed, the thread has ended.
    """
    if current_n_threads() == 1:
        yield from map(work, pieces)
        return
    context = copy_context()
    with ThreadPoolExecutor(1) as thread:
        following: deque[Future[Result]] = deque()
        for piece in pieces:
            following.append(thread.submit(context.run, _run_quietly, work, piece))
            if len(following) > 1:
                yield following.popleft().result()
        while following:
            yield following.popleft().result()


def _run_quietly(work: Callable[[Piece], Result], piece: Piece) -> Result:
    with set_execution(progress=None):  # the listener follows what is done with the results
        return work(piece)


def _results(work: Callable[[Piece], Result], pieces: Sequence[Piece]) -> Iterator[Result]:
    current = _execution.get()
    if current.is_worker:
        yield from map(work, pieces)
        return
    threads = current.threads
    if threads is None or not threads.belong_to_this_process():  # not in a public method: threads for this call only
        threads = Threads(resolve_n_jobs(None))
    with one_blas_thread:
        try:
            for number, result in enumerate(threads.map(work, pieces), 1):
                yield result
                if current.progress is not None:
                    current.progress.tell(number / len(pieces))
        finally:
            if threads is not current.threads:
                threads.end()


def _run_as_worker(work: Callable[[Piece], Result], piece: Piece) -> Result:
    with set_execution(is_worker=True, progress=None):  # as in a thread of the pool
        return work(piece)


def _start_worker() -> None:
    _execution.set(Execution(is_worker=True))
