"""The record of speed: one line of JSON for each time that ``benchmarks/speed.py`` has run."""

import json
import subprocess
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import numpy as np
from record import RESULTS
from threadpoolctl import threadpool_info

HISTORY = RESULTS / "history.jsonl"
ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Machine:
    """What figures depend on besides the code: those of different machines are not compared."""

    blas: tuple[str, ...]
    """The kernels that BLAS chose for this CPU."""
    cpu: tuple[str, ...]
    """The CPU's features that NumPy uses."""
    threads: int
    """Number of BLAS threads."""

    def __str__(self):
        return f"{', '.join(self.blas)} kernels, {' '.join(self.cpu)}, {self.threads} threads"


@dataclass(frozen=True)
class Entry:
    """What one run of the script measured, each figure several times."""

    commit: str
    clean: bool
    """Whether the files were those of the commit."""
    date: str
    machine: Machine
    seconds_of_g: float | None
    ratios: dict[str, list[float]] = field(default_factory=dict)
    """Times in units of G, one for each run."""
    quality: dict[str, list[float]] = field(default_factory=dict)
    """Scores, one for each seed."""


def this_machine():
    blas = [library for library in threadpool_info() if library["user_api"] == "blas"]
    simd = np.show_config(mode="dicts")["SIMD Extensions"]
    return Machine(
        blas=tuple(sorted({library.get("architecture", "unknown") for library in blas})),
        cpu=(*simd.get("baseline", []), *simd.get("found", [])),
        threads=max((library["num_threads"] for library in blas), default=1),
    )


class Code(NamedTuple):
    """What is measured: a commit, or changed files of it."""

    commit: str
    clean: bool


def this_code():
    """Ask before measuring: files may change meanwhile, but what was imported does not."""
    return Code(full_name("HEAD"), not _git("status", "--porcelain", "--", ".", ":!benchmarks/results"))


def new_entry(code, seconds_of_g, ratios, quality):
    """What was measured just now, on this machine."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return Entry(*code, now, this_machine(), seconds_of_g, ratios, quality)


def append(entry, path=HISTORY):
    path.parent.mkdir(exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(asdict(entry)) + "\n")


def entries(path=HISTORY):
    """All entries, the oldest first; none if nothing was measured yet."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [_entry(json.loads(line)) for line in lines]


def _entry(line):
    machine = line["machine"]
    own = Machine(tuple(machine["blas"]), tuple(machine["cpu"]), machine["threads"])
    return Entry(**line | {"machine": own})


def full_name(commit):
    """The hash of a commit that is named in any of git's ways."""
    return _git("rev-parse", "--verify", "--quiet", f"{commit}^{{commit}}")


def _git(*arguments):
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
