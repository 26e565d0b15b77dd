"""How many small changes of the numerics the tests notice, run by ``make mutants``.

A sign or an index is changed at random places of five rooms, one at a time, in copies of the checkout. The tests that
reach the changed line run until one fails: first those of the room, then others, the quickest first. They are those of
``make test-kernels``.

It is a script of its own because mutmut tries every change of every function, and cosmic-ray changes the checkout
itself and runs all tests each time: neither draws a sample, keeps to a time, and runs only tests that reach the line.
"""

import argparse
import contextlib
import importlib.util
import json
import os
import queue
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from bisect import bisect_right
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from itertools import accumulate
from pathlib import Path

from mutations import Mutation, find_mutations
from reached import N_PROCESSES, environment_of, find_reached

ROOT = Path(__file__).parents[1]
BUILD = ROOT / "build" / "mutants"
RESULT = ROOT / "build" / "mutants.json"

ROOMS = ("anchors", "graph", "spectrum", "labels", "projection")
OUTCOMES = ("noticed", "time-out", "not noticed")

START_SECONDS = 120.0
"""What the start of pytest may take, on a busy machine too."""

SLOWER = 5.0
"""How many times as long as under coverage the tests of a mutant may take, on a busy machine; longer is a time-out."""

MEMORY_BYTES = 12 * 2**30
"""Address space of a process: a changed size can ask for any memory."""


@dataclass(frozen=True)
class Mutant:
    """A changed file of the checkout, and what came of it.

    Attributes
    ----------
    file : str
    mutation : Mutation
    outcome : str
        One of :data:`OUTCOMES`; empty until it was tried.
    detail : str
        The test that noticed it, or how many did not.
    """

    file: str
    mutation: Mutation
    outcome: str = ""
    detail: str = ""

    @property
    def room(self):
        return Path(self.file).parent.name

    def shown(self):
        """The place, and the line before and after the change."""
        source = (ROOT / self.file).read_text(encoding="utf-8")
        before = source.splitlines()[self.mutation.line - 1].strip()
        after = self.mutation.changed_line(source).strip()
        return f"{self.file}:{self.mutation.line} ({self.detail})\n  - {before}\n  + {after}"


def all_mutants():
    """Every change of every file of the rooms."""
    paths = [path for room in ROOMS for path in sorted((ROOT / "src" / "anchorgraph" / room).glob("*.py"))]
    return [
        Mutant(path.relative_to(ROOT).as_posix(), mutation)
        for path in paths
        for mutation in find_mutations(path.read_text(encoding="utf-8"))
    ]


def read_result():
    """The mutants of the last run."""
    mutants = json.loads(RESULT.read_text(encoding="utf-8"))["mutants"]
    for mutant in mutants:
        change = mutant["mutation"]
        mutant["mutation"] = Mutation(**change | {"statement": tuple(change["statement"])})
    return [Mutant(**mutant) for mutant in mutants]


def write_result(mutants, seed):
    written = {"seed": seed, "mutants": [asdict(mutant) for mutant in mutants]}
    RESULT.write_text(json.dumps(written, indent=1, ensure_ascii=False), encoding="utf-8")


def files_of_checkout():
    """The files that git knows or would add."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [name for name in told.split("\0") if (ROOT / name).is_file()]


@contextlib.contextmanager
def copies(files, n):
    """Folders with these files of the checkout, which are gone in the end."""
    folders = [BUILD / f"copy-{i}" for i in range(n)]
    try:
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)
            for name in files:
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, folder / name)
        yield folders
    finally:
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)


class StoppedError(Exception):
    """The time is over, or somebody has pressed Ctrl-C."""


@dataclass(frozen=True)
class Trial:
    """How mutants are tried.

    Attributes
    ----------
    reached : Reached
    seconds : float
        Time of the tests that a mutant gets, as they took under coverage; slower ones are left out.
    end : float
        Time of the monotonic clock when all must be done.
    stop : threading.Event
        Set if it must be done at once.
    """

    reached: object
    seconds: float
    end: float
    stop: threading.Event

    def outcome(self, mutant, copy):
        """The mutant with what came of it, in a copy of the checkout; without, if the time was over before."""
        tests = self.reached.tests(mutant.file, *mutant.mutation.statement)
        own = [test for test in tests if test.startswith(f"tests/{mutant.room}/")]
        tests = own + [test for test in tests if test not in own]
        chosen = self._choose(tests)
        if not chosen:
            return replace(mutant, outcome="not noticed", detail="no test reaches it")
        path = copy / mutant.file
        source = path.read_text(encoding="utf-8")
        try:
            write_source(path, mutant.mutation.apply(source))
            for part in filter(None, (chosen[: len(own)], chosen[len(own) :])):
                code, told = self._run(copy, part)
                if code is None:
                    return replace(mutant, outcome="time-out", detail=f"of {len(part)} tests")
                if code:
                    failed = re.findall(r"^(?:FAILED|ERROR) (.*?)(?: - .*)?$", told, flags=re.MULTILINE)
                    detail = failed[0] if failed else f"pytest ended with {code}"
                    return replace(mutant, outcome="noticed", detail=detail)
        except StoppedError:
            return mutant
        finally:
            write_source(path, source)
        left_out = len(tests) - len(chosen)
        detail = f"{len(chosen)} tests pass" + (f", {left_out} slower ones did not run" if left_out else "")
        return replace(mutant, outcome="not noticed", detail=detail)

    def _choose(self, tests):
        """The first tests, up to the time that a mutant gets, and at least one."""
        totals = list(accumulate(map(self.reached.seconds.__getitem__, tests)))
        return tests[: max(1, bisect_right(totals, self.seconds))]

    def _run(self, copy, tests):
        """The exit code of pytest, or None after a time-out, and what it printed."""
        (copy / "names.txt").write_text("\n".join(tests), encoding="utf-8")
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "@names.txt"]
        seconds = START_SECONDS + SLOWER * sum(map(self.reached.seconds.__getitem__, tests))
        with open(copy / "told.txt", "w+", encoding="utf-8") as told:
            process = subprocess.Popen(
                command, cwd=copy, env=environment_of(copy), stdout=told, stderr=told, start_new_session=True
            )
            try:
                limit_memory(process)
                code = self._wait(process, seconds)
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            told.seek(0)
            return code, told.read()

    def _wait(self, process, seconds):
        limit = time.monotonic() + seconds
        while time.monotonic() < limit:
            with contextlib.suppress(subprocess.TimeoutExpired):
                return process.wait(timeout=0.1)
            if self.stop.is_set() or time.monotonic() > self.end:
                raise StoppedError
        return None


def limit_memory(process):
    """On Linux, where it can be done from outside."""
    if sys.platform == "linux":
        import resource

        resource.prlimit(process.pid, resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))


def write_source(path, text):
    """Write a file of Python, and forget what was compiled of it: its time and its size may not have changed."""
    path.write_text(text, encoding="utf-8")
    Path(importlib.util.cache_from_source(str(path))).unlink(missing_ok=True)


def try_all(mutants, folders, trial):
    """The mutants with what came of them; after Ctrl-C or the end of the time, some without."""
    waiting = queue.SimpleQueue()
    for number in range(len(mutants)):
        waiting.put(number)
    outcomes = list(mutants)

    def work(copy):
        with contextlib.suppress(queue.Empty):
            while not trial.stop.is_set() and time.monotonic() < trial.end:
                number = waiting.get_nowait()
                outcomes[number] = tried = trial.outcome(mutants[number], copy)
                if tried.outcome:
                    place = f"{tried.file}:{tried.mutation.line}"
                    print(f"{number + 1}/{len(mutants)} {place} {tried.outcome}: {tried.detail}", flush=True)

    with ThreadPoolExecutor(len(folders)) as pool:
        workers = [pool.submit(work, folder) for folder in folders]
        try:
            for worker in workers:
                worker.result()
        except KeyboardInterrupt:
            print("Stopped; this is what there is.", flush=True)
        finally:
            trial.stop.set()
    return outcomes


def table(mutants):
    """How many of each room were noticed, as a table of Markdown."""
    counts = Counter((mutant.room, mutant.outcome) for mutant in mutants)
    yield f"| room | tried | {' | '.join(OUTCOMES)} |"
    yield "|---" * (2 + len(OUTCOMES)) + "|"
    for name, rooms in [*((room, [room]) for room in ROOMS), ("**all**", ROOMS)]:
        numbers = [sum(counts[room, outcome] for room in rooms) for outcome in OUTCOMES]
        yield f"| {name} | {sum(numbers)} | {' | '.join(map(str, numbers))} |"


def main(options):
    BUILD.mkdir(parents=True, exist_ok=True)
    earlier = read_result() if options.again else []
    drawn = [mutant for mutant in earlier if mutant.outcome == "not noticed"]
    if not options.again:
        drawn = random.Random(options.seed).sample(all_mutants(), options.count)
    earlier = [mutant for mutant in earlier if mutant not in drawn]
    files = files_of_checkout()
    with copies(files, N_PROCESSES) as folders:
        reached = find_reached(folders[0], files, BUILD)
        end = time.monotonic() + 60 * options.minutes
        outcomes = try_all(drawn, folders, Trial(reached, options.seconds, end, threading.Event()))
    write_result([*earlier, *outcomes], options.seed)
    print("\n".join(table([*earlier, *outcomes])))
    for mutant in outcomes:
        if mutant.outcome == "not noticed":
            print(mutant.shown())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=200, help="how many changes are tried")
    parser.add_argument("--seed", type=int, default=0, help="by which they are drawn")
    parser.add_argument("--minutes", type=float, default=35, help="after which no more are tried")
    parser.add_argument("--seconds", type=float, default=40, help="of tests, at most, that each of them gets")
    parser.add_argument("--again", action="store_true", help="try those that the last run left unnoticed")
    main(parser.parse_args())
