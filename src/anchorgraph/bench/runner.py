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
from typing import Any

from anchorgraph import __version__
from anchorgraph.bench.experiment import Cell
from anchorgraph.bench.records import Records
from anchorgraph.bench.trial import Trial

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
    """The runs of a cell that are still to be done, in this order.

    All trials get their first run before any gets its second. Trials are shuffled, so that they are spread over the
    grid if there is no time for all of them. A trial that exceeded a limit is repeated only under a higher limit, and
    one that failed only with another version of the package.
    """
    trials = list(cell.trials)
    random.Random(zlib.crc32(trials[0].text.encode())).shuffle(trials)
    trials = trials[: limits.choices]
    runs = cell.runs if limits.runs is None else min(cell.runs, limits.runs)
    excluded = {trial for trial in trials for seed in range(runs) if _still_applies(records.stop(trial, seed), limits)}
    return [
        (trial, seed)
        for seed in range(runs)
        for trial in trials
        if trial not in excluded and records.found(trial, seed) is None
    ]


def _still_applies(stop: dict[str, Any] | None, limits: Limits) -> bool:
    """Whether the reason why a run was stopped excludes another attempt."""
    if stop is None:
        return False
    if stop["why"] == "error":
        return bool(stop["version"] == __version__)
    return bool(stop["limit"] >= {"time": limits.seconds, "memory": limits.memory}[stop["why"]])


def run_cell(cell: Cell, records: Records, limits: Limits) -> int:
    """Run the pending runs of a cell, and record the results.

    Parameters
    ----------
    cell : Cell
    records : Records
    limits : Limits

    Returns
    -------
    int
        Number of runs that were tried.
    """
    runs, tried, end = pending_runs(cell, records, limits), 0, time.monotonic() + limits.enough
    while runs and (not tried or time.monotonic() < end):
        done, runs = _run_in_process(runs, records, limits, end)
        tried += done
    return tried


def _run_in_process(
    runs: list[tuple[Trial, int]], records: Records, limits: Limits, end: float
) -> tuple[int, list[tuple[Trial, int]]]:
    """Run in one process until all runs are done or one stops it; return the number of runs tried and those left."""
    specs, enough = [(trial.spec, seed) for trial, seed in runs], end - time.monotonic()
    work = {"runs": specs, "memory": limits.memory, "enough": enough}
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
                        return done, []
                    if not pending:  # all runs are done in spite of the exit code
                        return done, []
                    errors.seek(0)
                    last = errors.read().strip().splitlines()[-1:] or [f"exit code {process.returncode}"]
                    stop = {"why": "error", "sentence": f"The process ended: {last[0]}", "version": __version__}
                    break
                record = json.loads(line)
                records.add(record)
                pending, done = pending[1:], done + 1
                if "stopped" in record:  # the worker skips the other seeds of this trial
                    pending = [run for run in pending if run[0].spec != record["trial"]]
        finally:
            process.kill()
            process.wait()  # but not for the thread: processes that a method left running keep the pipe open
    trial, seed = pending[0]
    records.add({"trial": trial.spec, "seed": seed, "stopped": stop})
    return done + 1, [run for run in pending if run[0] != trial]


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
