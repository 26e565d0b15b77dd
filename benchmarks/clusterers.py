"""Clusterings of MNIST: the time of a fit in units of one matrix product, beside scikit-learn's spectral clustering.

Run by ``make bench``; sections can be named: ``python benchmarks/clusterers.py fits``. The accuracies that the papers
print are in experiments/.
"""

import sys
import tracemalloc
import warnings

import numpy as np
from record import Row, best_seconds, in_products, run_sections
from sklearn.cluster import KMeans, SpectralClustering

from anchorgraph import FSC, KNNSC, LSC, ONGR, SSSC, NystromSC
from anchorgraph.datasets import load
from anchorgraph.metrics import nmi

N_ANCHORS = 1024


def mnist():
    data = load("mnist")
    return data.X.astype(np.float32) / np.float32(255), data.y


def fits():
    """Whole fits, rounding included, with the NMI that they end in."""
    X, y = mnist()
    ratios = {}
    for method, runs, target in (
        (FSC(10, n_anchors=N_ANCHORS, random_state=0), 5, "<= 4"),
        (ONGR(10, n_anchors=N_ANCHORS, random_state=0), 5, ""),
        (LSC(10, n_anchors=N_ANCHORS, random_state=0), 2, ""),
        (NystromSC(10, n_anchors=N_ANCHORS, random_state=0), 1, ""),
        (SSSC(10, n_anchors=N_ANCHORS, random_state=0), 1, ""),
        (KMeans(10, n_init=10, random_state=0), 1, ""),
        (KNNSC(10, random_state=0), 1, ""),
    ):
        name = type(method).__name__
        ratios[name], model = in_products(lambda method=method: method.fit(X), X, N_ANCHORS, runs)
        yield Row(f"{name}, fit", ratios[name], "G", target, runs, f"NMI {100 * nmi(y, model.labels_):.1f}")
    yield Row("ONGR / FSC", ratios["ONGR"] / ratios["FSC"], "times", "<= 3", 5)


def spectral():
    """scikit-learn's spectral clustering, on as many rows as it does within minutes, and FSC on the same rows."""
    X, y = mnist()
    order = np.random.default_rng(0).permutation(len(X))
    warnings.filterwarnings("ignore", message="Graph is not fully connected")
    for n in (5_000, 10_000, 20_000, 40_000, 70_000):
        rows, classes = X[order[:n]], y[order[:n]]
        theirs = SpectralClustering(
            10, affinity="nearest_neighbors", assign_labels="cluster_qr", n_jobs=-1, random_state=0
        )
        seconds, ours = best_seconds(lambda rows=rows: FSC(10, random_state=0).fit(rows), 3)
        slow_seconds, theirs = best_seconds(lambda theirs=theirs, rows=rows: theirs.fit(rows), 1)
        yield Row(f"SpectralClustering / FSC, {n:,} rows", slow_seconds / seconds, "times", ">= 50")
        gain = 100 * (nmi(classes, ours.labels_) - nmi(classes, theirs.labels_))
        yield Row(f"NMI of FSC beyond SpectralClustering's, {n:,} rows", gain, "points", ">= 0")
        if slow_seconds > 120:
            break


def scale():
    """Rows of 50 columns from 10⁴ to 10⁶: cost a row, and memory beyond the input."""
    rng = np.random.default_rng(0)
    first = {}
    for n in (10**4, 10**5, 10**6):
        centres = 10 * rng.standard_normal((20, 50)).astype(np.float32)
        X = centres[rng.integers(0, 20, n)] + rng.standard_normal((n, 50), dtype=np.float32)
        for method in (FSC, ONGR):
            model = method(20, n_anchors=N_ANCHORS, random_state=0)
            each = 1e6 * best_seconds(lambda model=model, X=X: model.fit(X), 2)[0] / n
            yield Row(f"{method.__name__}, {n:>9,} x 50", each, "µs/row", "", 2)
            share = each / first.setdefault(method, each)
            yield Row(f"{method.__name__}, cost a row / that at 10,000 rows", share, "times", "<= 1", 2)
            tracemalloc.start()
            model.fit(X)
            peak = tracemalloc.get_traced_memory()[1] / 2**20
            tracemalloc.stop()
            what = f"{method.__name__}, memory beyond the input, {n:>9,} x 50"
            yield Row(what, peak, "MiB", "<= 1536", 1, f"input {X.nbytes / 2**20:.0f} MiB")


SECTIONS = {"fits": fits, "spectral": spectral, "scale": scale}

if __name__ == "__main__":
    run_sections("clusterers", SECTIONS, sys.argv[1:])
