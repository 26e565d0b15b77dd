"""Rows of a benchmark: timed, printed as a table, kept as JSON."""

import json
import platform
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import scipy
import sklearn

RESULTS = Path(__file__).parent / "results"


@dataclass(frozen=True)
class Row:
    """One figure, what it was wanted to be, and how often it was measured."""

    what: str
    value: float
    unit: str
    target: str = ""
    runs: int = 1
    note: str = ""


def best_seconds(work, runs):
    """Shortest of several runs, and what the last one returned."""
    seconds = []
    for _ in range(runs):
        start = time.perf_counter()
        result = work()
        seconds.append(time.perf_counter() - start)
    return min(seconds), result


def show(row):
    print(
        f"{row.what:<58} {row.value:>9.3f} {row.unit:<8} {row.target:<12} best of {row.runs}  {row.note}".rstrip(),
        flush=True,
    )


def keep(name, rows):
    """Write ``results/<name>.json`` with the machine beside the figures."""
    RESULTS.mkdir(exist_ok=True)
    record = {
        "machine": platform.machine(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "scikit-learn": sklearn.__version__,
        "rows": [asdict(row) | {"value": float(row.value)} for row in rows],
    }
    path = RESULTS / f"{name}.json"
    path.write_text(json.dumps(record, indent=2) + "\n")
    print(f"written to {path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path}")
