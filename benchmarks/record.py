"""Rows of a benchmark: timed, printed as a table, kept as JSON."""

import json
import platform
import time
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

import numpy as np
import scipy
import sklearn

from anchorgraph.datasets import DatasetUnavailableError

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


@cache
def _factors():
    rng = np.random.default_rng(0)
    X = rng.random((70_000, 784), dtype=np.float32)
    return X, np.ascontiguousarray(X[:1024].T)


def seconds_of_g(runs=2):
    """G for data of any shape: seconds of 70,000 x 784 by 784 x 1,024 in float32, the best of some runs."""
    X, U = _factors()
    return best_seconds(lambda: X @ U, runs)[0]


def in_products(work, X, n_anchors, runs):
    """Seconds of ``work`` over seconds of ``X @ U.T``, each the best of alternating runs; and the last result."""
    U = X[:n_anchors].copy()
    ours, product = [], []
    for _ in range(runs):
        seconds, result = best_seconds(work, 1)
        ours.append(seconds)
        product.append(best_seconds(lambda: X @ U.T, 2)[0])
    return min(ours) / min(product), result


def show(row):
    print(
        f"{row.what:<58} {row.value:>9.3f} {row.unit:<8} {row.target:<12} best of {row.runs}  {row.note}".rstrip(),
        flush=True,
    )


def keep(name, rows):
    """Write figures to ``results/<name>.json``."""
    keep_as(name, [asdict(row) | {"value": float(row.value)} for row in rows])


def keep_as(name, rows):
    """Write records to ``results/<name>.json`` with the machine beside them."""
    RESULTS.mkdir(exist_ok=True)
    record = {
        "machine": platform.machine(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "scikit-learn": sklearn.__version__,
        "rows": rows,
    }
    path = RESULTS / f"{name}.json"
    path.write_text(json.dumps(record, indent=2) + "\n")
    print(f"written to {path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path}")


def run_sections(name, sections, chosen):
    """Run the sections that are named, or all; print their rows and keep them."""
    rows = []
    for section in chosen or sections:
        try:
            for row in sections[section]():
                show(row)
                rows.append(row)
        except DatasetUnavailableError as reason:
            print(f"{section} is left out: {reason}")
    keep("-".join([name, *chosen]), rows)
