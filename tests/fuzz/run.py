"""Cases by their seeds, in processes with limits of memory and time, and what came of each."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import resource
import signal
import tempfile
import threading
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import threadpoolctl

from anchorgraph.numerics.blas import one_blas_thread

FINE = ("done", "refused")
BAD = ("unclear error", "silent nonsense", "crash", "hang")

MEMORY_BYTES = 2 * 2**30
"""That a process may have beyond what it begins with."""

SECONDS = 60.0
"""That a case may take, on a busy machine too: the usual one takes a hundredth of one."""

CASES_A_PROCESS = 2000
"""A process is replaced after so many, lest one case's memory be counted for another's."""


@dataclass(frozen=True)
class Outcome:
    """What came of a case."""

    seed: int
    name: str
    kind: str
    detail: str = ""


@dataclass(frozen=True)
class Suite:
    """A kind of cases.

    Attributes
    ----------
    case : function of a module
        From a seed to the case's name and its work in an empty folder, which returns what is silently wrong, or None.
    is_clear : function of a module
        Whether an exception is a refusal that a user understands.
    """

    case: Callable[[int], tuple[str, Callable[[Path], str | None]]]
    is_clear: Callable[[BaseException], bool]


def outcome_of(suite: Suite, seed: int) -> Outcome:
    """Run one case in this process. Warnings of NumPy are wrong: a user cannot know what they mean."""
    name, work = suite.case(seed)
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", RuntimeWarning)
        try:
            wrong = work(Path(folder))
        except Exception as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            kind = "refused" if suite.is_clear(error) else "unclear error"
            where = f"{Path(last.filename).name}:{last.lineno}"
            return Outcome(seed, name, kind, f"{type(error).__name__}: {error} ({where})")
    return Outcome(seed, name, "silent nonsense", wrong) if wrong else Outcome(seed, name, "done")


def run_cases(suite: Suite, seeds: Iterable[int], n_processes: int = 2) -> Iterator[Outcome]:
    """What comes of the cases with these seeds, in any order.

    Parameters
    ----------
    suite : Suite
    seeds : iterable of int
    n_processes : int

    Yields
    ------
    Outcome
    """
    waiting = list(seeds)
    size = min(CASES_A_PROCESS, -(-len(waiting) // n_processes))
    bundles = [waiting[start : start + size] for start in range(0, len(waiting), size)]
    with ThreadPoolExecutor(n_processes) as pool:
        for outcomes in pool.map(lambda bundle: list(_bundle(suite, bundle)), bundles):
            yield from outcomes


def _bundle(suite: Suite, seeds: list[int]) -> Iterator[Outcome]:
    """Cases one after the other in a process, and in another one after a case that ended it."""
    left = list(seeds)
    while left:
        with _process(suite, left) as (process, line):
            while left:
                try:
                    there = line.poll(SECONDS)
                    outcome = line.recv() if there else None
                except EOFError:
                    process.join()
                    outcome = Outcome(left[0], suite.case(left[0])[0], "crash", f"ended with {process.exitcode}")
                else:
                    outcome = outcome or Outcome(left[0], suite.case(left[0])[0], "hang", f"over {SECONDS:g} s")
                left.pop(0)
                yield outcome
                if outcome.kind in ("crash", "hang"):
                    break


_starting = threading.Lock()


@contextlib.contextmanager
def _process(suite: Suite, seeds: list[int]) -> Iterator[Any]:
    context = multiprocessing.get_context("forkserver")  # a new interpreter would take longer than a hundred cases
    context.set_forkserver_preload([suite.case.__module__])
    with _starting:  # a pipe's end that another process inherited would never close
        here, there = context.Pipe(duplex=False)
        process = context.Process(target=_work, args=(suite, seeds, there), daemon=True)
        process.start()
        there.close()
    try:
        yield process, here
    finally:
        process.kill()
        process.join()
        here.close()


def _work(suite: Suite, seeds: list[int], line: Any) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    used = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY_BYTES, used + MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with threadpoolctl.threadpool_limits(1), one_blas_thread:  # once, and not in each of a thousand small products
        for seed in seeds:
            line.send(outcome_of(suite, seed))
    line.close()
