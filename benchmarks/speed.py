"""Times of fits of MNIST in units of G, and the quality that they reach, each measured several times.

G is the time of one ``X @ U.T`` in float32, 70,000 x 784 by 784 x 1,024, measured after each fit, so that a slow minute
of the machine slows both. ``make bench-speed``, or ``python benchmarks/speed.py --sections fits --runs 9``.

``fits`` goes through all methods, then through all of them again, so that runs of one are apart.
``quality`` has FSC's NMI with ten seeds, and the mean squared distance of a row to its anchor of BKHK, divided by that
with ``tol=0``. A line with every single figure is appended to results/history.jsonl, which ``make bench-compare``
reads.
"""

import argparse
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from foundation import quantisation
from history import HISTORY, append, new_entry, this_code
from record import best_seconds

from anchorgraph import BKHK, CSR, FSC, LSC, ONGR, ULGE, AnchorGraph, Communities
from anchorgraph.datasets import DatasetUnavailableError, load
from anchorgraph.metrics import nmi

SECTIONS = ("fits", "quality")
M = 1024
N_SEEDS = 10
BKHK_ERROR, MOST_ERROR = "BKHK, error / tol=0", 1.01


class Figure(NamedTuple):
    """A fit to be timed, and how many G it may take."""

    fit: Callable
    target: float | None = None


FIGURES = {
    "FSC": Figure(lambda X: FSC(10, n_anchors=M, random_state=0).fit(X), 1.5),
    "ULGE": Figure(lambda X: ULGE(10, n_anchors=M, random_state=0).fit(X), 2),
    "ONGR": Figure(lambda X: ONGR(10, n_anchors=M, random_state=0).fit(X), 3),
    "CSR": Figure(lambda X: CSR(10, n_anchors=M, random_state=0).fit(X), 4),
    "BKHK": Figure(lambda X: BKHK(M, random_state=0).fit(X), 1.2),
    "AnchorGraph": Figure(lambda X: AnchorGraph(M, random_state=0).fit_transform(X)),
    "LSC": Figure(lambda X: LSC(10, n_anchors=M, random_state=0).fit(X)),
    "Communities": Figure(lambda X: Communities(10, random_state=0).fit(X)),
}


def rows_of(name):
    data = load(name)
    return np.ascontiguousarray(data.X, np.float32), data.y


def fits(runs):
    """Seconds of G, and for each figure the time of each run in units of the G measured after it."""
    X, _ = rows_of("mnist")
    X /= np.float32(255)
    U = X[:M].copy()
    for figure in FIGURES.values():
        figure.fit(X[:5000])  # loads what is loaded once
    products, ratios = [], {name: [] for name in FIGURES}
    for _ in range(runs):
        for name, figure in FIGURES.items():
            seconds, _ = best_seconds(lambda figure=figure: figure.fit(X), 1)
            product, _ = best_seconds(lambda: X @ U.T, 2)
            products.append(product)
            ratios[name].append(seconds / product)
    return float(np.median(products)), ratios


def quality():
    """FSC's NMI in per cent, and what BKHK's tolerance costs; one value for each seed."""
    scores = {}
    for name in ("mnist", "usps", "pendigits"):
        X, y = rows_of(name)
        models = (FSC(10, n_anchors=M, random_state=seed).fit(X) for seed in range(N_SEEDS))
        scores[f"FSC, NMI of {name}"] = [100 * nmi(y, model.labels_) for model in models]
    X, _ = rows_of("mnist")
    scores[BKHK_ERROR] = [error_of_bkhk(X, seed) for seed in range(3)]
    return scores


def error_of_bkhk(X, seed):
    usual, exact = (BKHK(M, random_state=seed, **options).fit(X) for options in ({}, {"tol": 0.0}))
    return float(quantisation(X, usual.anchors_, usual.labels_) / quantisation(X, exact.anchors_, exact.labels_))


def show_fits(seconds_of_g, ratios):
    print(f"G: {seconds_of_g:.3f} s")
    print(f"{'in G':<24} {'median':>8} {'least':>8} {'most':>8} {'wanted':>8}")
    for name, values in ratios.items():
        figures = f"{np.median(values):>8.2f} {min(values):>8.2f} {max(values):>8.2f}"
        print(f"{name:<24} {figures} {verdict(np.median(values), FIGURES[name].target)}".rstrip())


def show_quality(scores):
    print(f"{'over seeds':<24} {'mean':>8} {'error':>8}")
    for name, values in scores.items():
        error = np.std(values, ddof=1) / np.sqrt(len(values))
        target = MOST_ERROR if name == BKHK_ERROR else None
        print(f"{name:<24} {np.mean(values):>8.3f} {error:>8.3f} {verdict(np.mean(values), target)}".rstrip())


def verdict(value, target):
    return "" if target is None else f"{f'<= {target:g}':>8}  {'yes' if value <= target else 'NO'}"


def measure(sections, runs):
    """Print what is measured, and append it to the history."""
    code = this_code()
    seconds_of_g, ratios, scores = None, {}, {}
    if "fits" in sections:
        seconds_of_g, ratios = fits(runs)
        show_fits(seconds_of_g, ratios)
    if "quality" in sections:
        scores = quality()
        show_quality(scores)
    append(new_entry(code, seconds_of_g, ratios, scores))
    print(f"a line was appended to benchmarks/results/{HISTORY.name}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sections", nargs="+", choices=SECTIONS, default=SECTIONS)
    parser.add_argument("--runs", type=int, default=5, help="number of runs of each fit")
    chosen = parser.parse_args()
    try:
        measure(chosen.sections, chosen.runs)
    except DatasetUnavailableError as reason:
        print(f"nothing was measured: {reason}")
