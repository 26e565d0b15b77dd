"""Supervised projections of MNIST: time against the number of rows, FLRL beside the graphs of all pairs of a class.

Run by ``make bench``; sections can be named: ``python benchmarks/supervised.py growth``. The accuracies that the paper
prints are in experiments/.
"""

import sys

import numpy as np
from record import Row, best_seconds, run_sections
from sklearn.decomposition import PCA

from anchorgraph import ADA, ALLDA, FLRL, LADA
from anchorgraph.datasets import load

SIZES = (1_000, 2_000, 5_000, 10_000, 20_000, 60_000)
MOST_SECONDS = 60
"""A method that took longer than this, or would by the square of the rows, is not tried on more rows."""


def mnist():
    data = load("mnist")
    return data.X[:60_000].astype(np.float32) / np.float32(255), data.y[:60_000]


def growth():
    """Ten rounds each, whatever they converge to, as flrl's Fig. 2 counts iterations: of pixels, and of PCA first."""
    X, y = mnist()
    for form in (X, PCA(0.95, svd_solver="covariance_eigh").fit_transform(X)):
        yield from _growth(form, y)


def _growth(X, y):
    rounds = {"max_iter": 10, "tol": 0.0, "n_components": 10}
    methods = {
        "FLRL": FLRL(random_state=0, **rounds),
        "LADA": LADA(**rounds),
        "ADA": ADA(**rounds),
        "ALLDA": ALLDA(**rounds),
    }
    before = {}
    for n in SIZES:
        seconds = {}
        for name, method in methods.items():
            last_n, last = before.get(name, (n, 0.0))
            if name != "FLRL" and last * (n / last_n) ** 2 > MOST_SECONDS:
                yield Row(
                    f"{name}, {n:,} x {X.shape[1]}",
                    np.inf,
                    "s",
                    "",
                    0,
                    f"left out: over {MOST_SECONDS} s by its square",
                )
                continue
            seconds[name], _ = best_seconds(lambda method=method, n=n: method.fit(X[:n], y[:n]), 2 if n <= 5_000 else 1)
            before[name] = n, seconds[name]
            note = f"{1e6 * seconds[name] / n:.0f} µs a row"
            yield Row(f"{name}, {n:,} x {X.shape[1]}, ten rounds", seconds[name], "s", "", 2 if n <= 5_000 else 1, note)
        for name in seconds:
            if name != "FLRL":
                target = ">= 10" if n == 5_000 else ""
                yield Row(f"{name} / FLRL, {n:,} x {X.shape[1]}", seconds[name] / seconds["FLRL"], "times", target)


def fits():
    """Whole fits of 5,000 rows with default parameters, to their own ends."""
    X, y = mnist()
    methods = (FLRL(10, random_state=0), LADA(10), ADA(10), ALLDA(10))
    seconds = {}
    for method in methods:
        name = type(method).__name__
        seconds[name], model = best_seconds(lambda method=method: method.fit(X[:5_000], y[:5_000]), 1)
        yield Row(f"{name}, 5,000 rows, defaults", seconds[name], "s", "", 1, f"{model.n_iter_} rounds")
    for name in ("LADA", "ADA", "ALLDA"):
        yield Row(f"{name} / FLRL, 5,000 rows, defaults", seconds[name] / seconds["FLRL"], "times", ">= 10")


SECTIONS = {"growth": growth, "fits": fits}

if __name__ == "__main__":
    run_sections("supervised", SECTIONS, sys.argv[1:])
