"""Embeddings of MNIST: the time of a fit in units of one matrix product, and of ``transform`` beside its product.

Run by ``make bench``; sections can be named: ``python benchmarks/embeddings.py fits``. The accuracies that the papers
print are in experiments/.
"""

import sys
import tracemalloc

import numpy as np
from record import Row, best_seconds, in_products, run_sections
from sklearn.decomposition import PCA

from anchorgraph import CSR, LE, LPP, OULGE, SR, ULGE
from anchorgraph.datasets import load

N_ANCHORS = 1024


def mnist():
    return load("mnist").X.astype(np.float32) / np.float32(255)


def fits():
    X = mnist()
    ratios = {}
    for method, runs, target in (
        (ULGE(10, n_anchors=N_ANCHORS, random_state=0), 5, "<= 6"),
        (OULGE(10, n_anchors=N_ANCHORS, random_state=0), 3, ""),
        (CSR(10, n_anchors=N_ANCHORS, random_state=0), 2, ""),
        (PCA(10, random_state=0), 3, ""),
        (LPP(10, random_state=0), 1, ""),
        (LE(10, random_state=0), 1, ""),
        (SR(10, random_state=0), 1, ""),
        (_umap(), 1, ""),
    ):
        if method is None:
            continue
        name = type(method).__name__
        ratios[name], _ = in_products(lambda method=method: method.fit(X), X, N_ANCHORS, runs)
        yield Row(f"{name}, fit", ratios[name], "G", target, runs)
    for name in list(ratios)[2:]:
        yield Row(f"{name} / ULGE", ratios[name] / ratios["ULGE"], "times", ">= 30" if name == "LPP" else "")


def _umap():
    try:
        from umap import UMAP
    except ImportError:
        print("umap-learn is not installed: left out")
        return None
    return UMAP(n_components=10, random_state=0)


def transform():
    X = mnist()
    model = ULGE(10, n_anchors=N_ANCHORS, random_state=0).fit(X)
    W = np.ascontiguousarray(model.components_.T)
    ours, product = [], []
    for _ in range(7):
        # three in a row: the threads of BLAS go on spinning for some milliseconds after a product, and would be
        # counted as ours
        ours.append(best_seconds(lambda: model.transform(X), 3)[0])
        product.append(best_seconds(lambda: X @ W, 3)[0])
    yield Row("ULGE.transform / X @ W", min(ours) / min(product), "times", "<= 1.5", 21)


def scale():
    """Rows of 50 columns from 10⁴ to 10⁶: cost a row, and memory beyond the input."""
    rng = np.random.default_rng(0)
    first = None
    for n in (10**4, 10**5, 10**6):
        centres = 10 * rng.standard_normal((20, 50)).astype(np.float32)
        X = centres[rng.integers(0, 20, n)] + rng.standard_normal((n, 50), dtype=np.float32)
        model = ULGE(19, n_anchors=N_ANCHORS, random_state=0)  # tells twenty groups apart
        each = 1e6 * best_seconds(lambda model=model, X=X: model.fit(X), 3)[0] / n
        first = first or each
        note = f"{each / first:.2f} of that at 10,000 rows"
        yield Row(f"ULGE, {n:>9,} x 50", each, "µs/row", "", 3, note)
        tracemalloc.start()
        model.fit(X)
        peak = tracemalloc.get_traced_memory()[1] / 2**20
        tracemalloc.stop()
        yield Row(
            f"Peak memory beyond the input, {n:>9,} x 50", peak, "MiB", "", 1, f"input {X.nbytes / 2**20:.0f} MiB"
        )


SECTIONS = {"fits": fits, "transform": transform, "scale": scale}

if __name__ == "__main__":
    run_sections("embeddings", SECTIONS, sys.argv[1:])
