"""Run a cell in a separate process, with limits of time and memory."""

from __future__ import annotations

import contextlib
import json
import queue
import random
import subprocess
import sys
import tempfile
import threading
import time
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from anchorgraph import __version__
from anchorgraph.bench.experiment import Cell
from anchorgraph.bench.records import Records
from anchorgraph.bench.shown import mean_shown
from anchorgraph.bench.trial import Trial

ENDED = "The process ended:"
"""How the reason begins if a process was killed, which says nothing about its method."""

COMMAND = [sys.executable, "-m", "anchorgraph.bench.worker"]


@dataclass(frozen=True)
class Limits:
    """Limits for the runs of a cell.

    Attributes
    ----------
    seconds : float
        Time limit of one run.
    enough : float
        Time in seconds after which no further run of a cell is started.
    memory : int
        Maximum number of bytes that the process may allocate.
    runs : int, optional
        Maximum number of runs of each trial.
    choices : int, optional
        Maximum number of choices of a grid.
    """

    seconds: float = 1800.0
    enough: float = 1800.0
    memory: int = 8 * 2**30
    runs: int | None = None
    choices: int | None = None


def pending_runs(cell: Cell, records: Records, limits: Limits) -> list[tuple[Trial, int]]:
    """The runs of a cell that are to be done next, in this order.

    Every choice of a grid is run once, the better half of them again, half of these a third time, and so on, until one
    is left, which gets all runs; of a cell that shows its best single run, only the best choice is run again. Choices
    are shuffled, so that they are spread over the grid if there is no time for all of them. A trial that exceeded a
    limit is repeated only under a higher limit, and one that failed only with another version of the package.
    """
    trials = list(cell.trials)
    random.Random(zlib.crc32(trials[0].text.encode())).shuffle(trials)
    trials = trials[: limits.choices]
    runs = cell.runs if limits.runs is None else min(cell.runs, limits.runs)
    excluded = {trial for trial in trials for seed in range(runs) if _still_applies(records.stop(trial, seed), limits)}
    left = [trial for trial in trials if trial not in excluded]
    for seed in range(runs):
        seeds = range(seed, runs) if len(left) == 1 else (seed,)
        pending = [(trial, one) for one in seeds for trial in left if records.found(trial, one) is None]
        if pending:
            return pending
        left = _better_ones(cell, left, records, seed + 1)
    return []


def _better_ones(cell: Cell, trials: list[Trial], records: Records, n_runs: int) -> list[Trial]:
    """The better half of some trials by the mean of what the cell is judged by, or the best one."""
    n_kept = 1 if cell.best == "run" else (len(trials) + 1) // 2
    return sorted(trials, key=lambda trial: -mean_shown(trial, cell, records, n_runs))[:n_kept]


def _still_applies(stop: dict[str, Any] | None, limits: Limits) -> bool:
    """Whether the reason why a run was stopped excludes another attempt."""
    if stop is None:
        return False
    if stop["why"] == "error":
        return bool(stop["version"] == __version__)
    return bool(stop["limit"] >= {"time": limits.seconds, "memory": limits.memory}[stop["why"]])


def run_cell(cell: Cell, records: Records, limits: Limits, shared: Path | None = None) -> int:
    """Run the pending runs of a cell, and record the results.

    Parameters
    ----------
    cell : Cell
    records : Records
    limits : Limits
    shared : Path, optional
        A folder for work that runs have in common; without it, each does its own.

    Returns
    -------
    int
        Number of runs that were tried.
    """
    tried, end = 0, time.monotonic() + limits.enough
    while (runs := pending_runs(cell, records, limits)) and (not tried or time.monotonic() < end):
        tried += _run_in_process(runs, records, limits, end, shared)
    return tried


def _run_in_process(
    runs: list[tuple[Trial, int]], records: Records, limits: Limits, end: float, shared: Path | None
) -> int:
    """Run in one process until all runs are done or one stops it; return the number of runs tried."""
    specs, enough = [(trial.spec, seed) for trial, seed in runs], end - time.monotonic()
    folder = None if shared is None else str(shared)
    work = {"runs": specs, "memory": limits.memory, "enough": enough, "shared": folder}
    with tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True)
        lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()  # Ctrl-C in Queue.get may leave its lock locked
        pending, done = list(runs), 0
        try:
            threading.Thread(target=_exchange, args=(process, json.dumps(work), lines), daemon=True).start()
            while True:
                try:
                    line = lines.get(timeout=limits.seconds)
                except queue.Empty:
                    stop = {"why": "time", "limit": limits.seconds}
                    break
                if line is None:
                    if process.wait() == 0:
                        return done
                    errors.seek(0)
                    last = errors.read().strip().splitlines()[-1:] or [f"exit code {process.returncode}"]
                    stop = {"why": "error", "sentence": f"{ENDED} {last[0]}", "version": __version__}
                    break
                record = json.loads(line)
                records.add(record)
                pending, done = pending[1:], done + 1
                if "stopped" in record:  # the worker skips the other seeds of this trial
                    pending = [run for run in pending if run[0].spec != record["trial"]]
        finally:
            process.kill()
            process.wait()  # but not for the thread: processes that a method left running keep the pipe open
    if not pending:  # all runs are done, however the process ended
        return done
    trial, seed = pending[0]
    records.add({"trial": trial.spec, "seed": seed, "stopped": stop})
    return done + 1


def _exchange(process: subprocess.Popen[str], work: str, lines: queue.SimpleQueue[str | None]) -> None:
    """Send the work to the process, and put its output lines into the queue, followed by None.

    Standard input stays open while the process runs. The process exits when it is closed, also if this one is killed.
    """
    assert process.stdin is not None
    assert process.stdout is not None
    with contextlib.suppress(BrokenPipeError), process.stdin, process.stdout:  # it may end before it has read its input
        process.stdin.write(work + "\n")
        process.stdin.flush()
        for line in process.stdout:
            lines.put(line)
    lines.put(None)
