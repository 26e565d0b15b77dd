"""A cell in a process of its own, with limits."""

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
    """How much a cell may take.

    Attributes
    ----------
    seconds : float
        For one run.
    enough : float
        No run is begun after so many seconds of a cell.
    memory : int
        Bytes that the process may allocate.
    runs : int, optional
        At most so many of each trial.
    choices : int, optional
        At most so many of a grid.
    """

    seconds: float = 1800.0
    enough: float = 1800.0
    memory: int = 8 * 2**30
    runs: int | None = None
    choices: int | None = None


def remaining(cell: Cell, records: Records, limits: Limits) -> list[tuple[Trial, int]]:
    """Runs of a cell that are still to be done, in the order in which they are.

    Round by round over all trials, which are shuffled: where time does not suffice for a whole grid, what was tried
    of it is spread over it. A trial that went over a limit is tried again only under a higher one, and
    one that failed with another version only.
    """
    trials = list(cell.trials)
    random.Random(zlib.crc32(trials[0].text.encode())).shuffle(trials)
    trials = trials[: limits.choices]
    runs = cell.runs if limits.runs is None else min(cell.runs, limits.runs)
    hopeless = {trial for trial in trials for seed in range(runs) if _in_force(records.stop(trial, seed), limits)}
    return [
        (trial, seed)
        for seed in range(runs)
        for trial in trials
        if trial not in hopeless and records.found(trial, seed) is None
    ]


def _in_force(stop: dict[str, Any] | None, limits: Limits) -> bool:
    if stop is None:
        return False
    if stop["why"] == "error":
        return bool(stop["version"] == __version__)
    return bool(stop["limit"] >= {"time": limits.seconds, "memory": limits.memory}[stop["why"]])


def run_cell(cell: Cell, records: Records, limits: Limits) -> int:
    """Run what is left of a cell, and record it.

    Parameters
    ----------
    cell : Cell
    records : Records
    limits : Limits

    Returns
    -------
    int
        Runs that were tried.
    """
    runs, tried, end = remaining(cell, records, limits), 0, time.monotonic() + limits.enough
    while runs and (not tried or time.monotonic() < end):
        done, runs = _in_a_process(runs, records, limits, end)
        tried += done
    return tried


def _in_a_process(
    runs: list[tuple[Trial, int]], records: Records, limits: Limits, end: float
) -> tuple[int, list[tuple[Trial, int]]]:
    """How many runs were tried, and those to go on with, in a new process, after one that ended this process."""
    specs, enough = [(trial.spec, seed) for trial, seed in runs], end - time.monotonic()
    work = {"runs": specs, "memory": limits.memory, "enough": enough}
    with tempfile.TemporaryFile("w+") as words:
        process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=words, text=True)
        lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()  # Ctrl-C in Queue.get may leave its lock taken
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
                    if not pending:  # it failed to end well, but all is done
                        return done, []
                    words.seek(0)
                    last = words.read().strip().splitlines()[-1:] or [f"exit code {process.returncode}"]
                    stop = {"why": "error", "sentence": f"The process ended: {last[0]}", "version": __version__}
                    break
                record = json.loads(line)
                records.add(record)
                pending, done = pending[1:], done + 1
                if "stopped" in record:  # the worker leaves other seeds of such a trial out
                    pending = [run for run in pending if run[0].spec != record["trial"]]
        finally:
            process.kill()
            process.wait()  # and not for the thread: processes that a method left running hold the pipe open
    trial, seed = pending[0]
    records.add({"trial": trial.spec, "seed": seed, "stopped": stop})
    return done + 1, [run for run in pending if run[0] != trial]


def _exchange(process: subprocess.Popen[str], work: str, lines: queue.SimpleQueue[str | None]) -> None:
    """Hand over the work, and take lines as they come, and None at the end.

    Standard input stays open as long as the process runs: it ends itself when that is closed, even by our death.
    """
    assert process.stdin is not None
    assert process.stdout is not None
    with contextlib.suppress(BrokenPipeError), process.stdin, process.stdout:  # it may end before it has read all
        process.stdin.write(work + "\n")
        process.stdin.flush()
        for line in process.stdout:
            lines.put(line)
    lines.put(None)
