"""Clusterings of made shapes: the adjusted Rand index beside that of other clusterers, all with their defaults.

``python benchmarks/shapes.py --seeds 5 --methods FSC KMeans``. Every method but HDBSCAN, which finds its own, is told
the true number of clusters. Each seed makes new rows and seeds the method. Noise rows are clustered with the others,
but not scored; rows that a method calls noise are scored as one more cluster.
"""

import argparse
import time
import warnings

import numpy as np
from record import keep_as
from sklearn.cluster import HDBSCAN, AgglomerativeClustering, KMeans
from sklearn.metrics import adjusted_rand_score
from sklearn.mixture import GaussianMixture

from anchorgraph import FSC, KNNSC, LSC, ONGR, Communities
from anchorgraph.datasets import SHAPES, make_shape

METHODS = {
    "Communities": lambda k, seed: Communities(k, random_state=seed),
    "FSC": lambda k, seed: FSC(k, random_state=seed),
    "ONGR": lambda k, seed: ONGR(k, random_state=seed),
    "LSC": lambda k, seed: LSC(k, random_state=seed),
    "KNNSC": lambda k, seed: KNNSC(k, random_state=seed),
    "KMeans": lambda k, seed: KMeans(k, n_init=10, random_state=seed),
    "Ward": lambda k, seed: AgglomerativeClustering(k),
    "GaussianMixture": lambda k, seed: GaussianMixture(k, n_init=3, random_state=seed),
    "HDBSCAN": lambda k, seed: HDBSCAN(copy=True),
}

try:
    from genieclust import Genie
except ImportError:
    print("genieclust is not installed: left out")
else:
    METHODS["Genie"] = lambda k, seed: Genie(n_clusters=k)


def score(method, shape, seed):
    """Adjusted Rand index and seconds of one fit; 0 if it fails, with the reason."""
    X, y = make_shape(shape, random_state=seed)
    known = y >= 0
    start = time.perf_counter()
    try:
        labels = METHODS[method](y.max() + 1, seed).fit_predict(X)
    except Exception as reason:
        return 0.0, time.perf_counter() - start, f"{type(reason).__name__}: {reason}"
    return adjusted_rand_score(y[known], labels[known]), time.perf_counter() - start, ""


def measure(method, shape, seeds):
    """One cell of the table."""
    scores, seconds, failures = zip(*(score(method, shape, seed) for seed in range(seeds)), strict=True)
    return {
        "shape": shape,
        "method": method,
        "ari": float(np.mean(scores)),
        "scores": [float(value) for value in scores],
        "seconds": float(np.mean(seconds)),
        "failures": [failure for failure in failures if failure],
    }


def show_line(title, cells, width):
    print(f"{title:<{width}}" + "".join(f" {cell:>{len(name)}}" for name, cell in cells.items()), flush=True)


SUMMARIES = {
    "mean": lambda cells: np.mean([cell["ari"] for cell in cells]),
    "spread of the mean": lambda cells: np.std(np.mean([cell["scores"] for cell in cells], axis=0)),
    "seconds a fit": lambda cells: np.mean([cell["seconds"] for cell in cells]),
}


def show_targets(means):
    """Compare Communities with those that it is to be as good as, or better than."""
    for other, allowed in (("Genie", 0.01), ("FSC", 0.0), ("ONGR", 0.0)):
        if other in means and "Communities" in means:
            wanted = means[other] - allowed
            verdict = "yes" if means["Communities"] >= wanted else "NO"
            print(f"wanted at least {wanted:.3f} ({other} less {allowed}), got {means['Communities']:.3f}: {verdict}")


def run(methods, seeds):
    """Print the table, shape by shape, and what failed; keep every cell."""
    short = {method: f"{method:>7}" for method in methods}  # columns are as wide as their titles
    width = max(map(len, SHAPES))
    show_line("", {title: title for title in short.values()}, width)
    records = []
    for shape in SHAPES:
        cells = [measure(method, shape, seeds) for method in methods]
        show_line(shape, {short[cell["method"]]: f"{cell['ari']:.3f}" for cell in cells}, width)
        records += cells
    for title, summary in SUMMARIES.items():
        cells = {method: [cell for cell in records if cell["method"] == method] for method in methods}
        show_line(title, {short[method]: f"{summary(cells[method]):.3f}" for method in methods}, width)
    show_targets({method: SUMMARIES["mean"](cells[method]) for method in methods})
    for cell in records:
        for failure in cell["failures"]:
            print(f"{cell['method']} failed on {cell['shape']}, which counts as 0: {failure}")
    return records


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=5, help="number of data sets of each shape")
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=[], metavar="NAME", help=", ".join(METHODS))
    chosen = parser.parse_args()
    warnings.filterwarnings("ignore")  # of graphs in several parts and k-means that goes on: scores are what counts
    keep_as("-".join(["shapes", *chosen.methods]), run(chosen.methods or list(METHODS), chosen.seeds))
