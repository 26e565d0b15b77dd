"""Anchors, graph and spectrum: speed in units of one matrix product, quality against the exact answer, memory.

G is the time of one ``X @ U.T`` of the same shapes, measured beside each figure, so that a slow minute of the machine
slows both. Run by ``make bench``; sections can be named: ``python benchmarks/foundation.py bkhk search``. The section
``few_columns`` makes 10,000,000 rows, or as many as ``ANCHORGRAPH_ROWS`` says.
"""

import os
import subprocess
import sys
import time
import tracemalloc

import numpy as np
from mixture import unequal_gaussians
from record import Row, best_seconds, in_products, run_sections
from sklearn.cluster import BisectingKMeans, KMeans
from sklearn.metrics import normalized_mutual_info_score
from sklearn.preprocessing import normalize

from anchorgraph import BKHK, AnchorGraph
from anchorgraph.contracts import Anchors
from anchorgraph.datasets import load
from anchorgraph.graph import SEARCHES
from anchorgraph.graph.cells import n_cells, n_groups, n_near
from anchorgraph.graph.tree_search import TOP_PLANES, n_candidates
from anchorgraph.spectrum import anchor_gram, anchor_spectrum
from anchorgraph.table import as_table

N_ROWS = int(os.environ.get("ANCHORGRAPH_ROWS", 10_000_000))


def quantisation(X, anchors, labels):
    """Mean squared distance of a row to its anchor."""
    return np.mean(
        [
            np.mean(np.sum((X[s : s + 5000] - anchors[labels[s : s + 5000]]) ** 2, axis=1))
            for s in range(0, len(X), 5000)
        ]
    )


def mnist():
    return load("mnist").X.astype(np.float32)


def bkhk():
    X = mnist()
    exact = {}
    for m in (1024, 4096):
        for name, options, target in (
            ("to the last moved row", {"tol": 0.0}, "<= 3" if m == 1024 else ""),
            ("defaults", {}, "<= 1.5" if m == 1024 else "<= 1"),
            ("max_samples=2048", {"max_samples": 2048}, ""),
        ):
            ratio, model = in_products(lambda m=m, options=options: BKHK(m, random_state=0, **options).fit(X), X, m, 5)
            yield Row(f"BKHK, {m} anchors, {name}", ratio, "G", target, 5)
            error = quantisation(X, model.anchors_, model.labels_)
            exact.setdefault(m, error)
            if options != {"tol": 0.0}:
                yield Row(f"BKHK, {m} anchors, quantisation error, {name} / exact", error / exact[m], "", "<= 1.01")


def peers():
    X = mnist()
    ours = best_seconds(lambda: BKHK(1024, random_state=0).fit(X), 3)[0]
    peer = best_seconds(lambda: KMeans(1024, init="random", n_init=1, max_iter=10, random_state=0).fit(X), 2)[0]
    yield Row("KMeans(1024, init='random', max_iter=10) / BKHK", peer / ours, "times", ">= 3", 2)
    peer = best_seconds(lambda: KMeans(1024, n_init=1, max_iter=10, random_state=0).fit(X), 1)[0]
    yield Row("KMeans(1024, max_iter=10) / BKHK", peer / ours, "times", ">= 3", 1)
    try:
        import faiss
    except ImportError:
        print("faiss is not installed: left out")
    else:
        peer = best_seconds(lambda: faiss.Kmeans(X.shape[1], 1024, niter=10, seed=1).train(X), 2)[0]
        yield Row("faiss.Kmeans(1024, niter=10) / BKHK", peer / ours, "times", ">= 3", 2)
    peer = best_seconds(lambda: BisectingKMeans(1024, random_state=0).fit(X), 1)[0]
    yield Row("BisectingKMeans(1024) / BKHK", peer / ours, "times", ">= 5", 1)


def search():
    X = mnist()
    for m in (1024, 4096):
        models = {
            name: AnchorGraph(m, anchors="bkhk", search=name, random_state=0).fit(X) for name in ("exact", "tree")
        }
        neighbours = {}
        for name, target in (("exact", "<= 1.7"), ("tree", "<= 0.5" if m == 1024 else "<= 0.2")):
            nearest = models[name]._graph.search.nearest
            ratio, found = in_products(lambda nearest=nearest: nearest(X, 6), X, m, 7)
            neighbours[name] = found[0][:, :5]
            yield Row(f"The 6 nearest of {m} anchors, {name} search", ratio, "G", target, 7)
            ratio, _ = in_products(lambda model=models[name]: model.transform(X), X, m, 5)
            yield Row(f"All of AnchorGraph.transform, {m} anchors, {name} search", ratio, "G", "", 5)
        found = recall(neighbours["tree"], neighbours["exact"])
        yield Row(
            f"Tree search, {m} anchors, recall of the 5 nearest", found, "", ">= 0.99", 1, compared(m, X.shape[1])
        )


def recall(found, exact):
    """Share of the nearest anchors that were found."""
    return (found[:, :, np.newaxis] == exact[:, np.newaxis, :]).any(axis=2).mean()


def compared(m, d):
    cells = n_cells(m, d)
    return (
        f"{n_candidates(m, d, 6)} distances a row, and {n_groups(cells)} + {n_near(cells)} in {TOP_PLANES} coordinates"
    )


def few_columns():
    """Rows of 32 columns: what 100,000 anchors cost beside 1,000, and how many of the nearest ones are found."""
    X, _ = unequal_gaussians(N_ROWS, 32, 100)
    some = X[:: max(1, N_ROWS // 5000)].copy()
    seconds = {}
    for m in (1000, 100_000):
        fitting, model = best_seconds(lambda m=m: AnchorGraph(m, random_state=0).fit(X), 1)
        connecting, _ = best_seconds(lambda model=model: model.transform(X), 1)
        seconds[m] = fitting + connecting
        yield Row(f"AnchorGraph({m}).fit, {N_ROWS:,} x 32", 1e6 * fitting / N_ROWS, "µs/row")
        note = f"{model.search_} search"
        yield Row(f"AnchorGraph({m}).transform, {N_ROWS:,} x 32", 1e6 * connecting / N_ROWS, "µs/row", "", 1, note)
        anchors = Anchors(model.anchors_)
        exact, _ = SEARCHES["exact"].prepare(anchors, 5, len(some)).nearest(some, 5)
        found = recall(model._graph.search.nearest(some, 6)[0][:, :5], exact)
        yield Row(f"Recall of the 5 nearest of {m} anchors", found, "", ">= 0.95", 1, compared(m, 32))
    ratio = seconds[100_000] / seconds[1000]
    yield Row("100000 anchors / 1000 anchors, fit and transform", ratio, "times", "<= 3")


def quality():
    for name in ("mnist", "usps", "pendigits"):
        data = load(name)
        X = data.X.astype(np.float32)
        scores = {"exact": [], "tree": []}
        for seed in range(5):
            for how in scores:
                Z = AnchorGraph(1024, search=how, random_state=seed).fit_transform(X)
                spectrum = anchor_spectrum(*anchor_gram(as_table(Z)), 10)
                F = normalize(Z @ spectrum.anchor_map.astype(np.float32))
                labels = KMeans(10, n_init=10, random_state=0).fit_predict(F)
                scores[how].append(100 * normalized_mutual_info_score(data.y, labels))
        means = {how: np.mean(values) for how, values in scores.items()}
        note = ", ".join(f"{how} {np.mean(values):.1f} ± {np.std(values):.1f}" for how, values in scores.items())
        yield Row(f"NMI, tree - exact, {name}, 5 trees", means["tree"] - means["exact"], "points", ">= -1", 5, note)


def scale():
    """Rows of 50 columns from 10⁴ to 10⁶, and wide ones: cost a row, and memory beyond the input."""
    rng = np.random.default_rng(0)
    first = None
    for n, d in ((10**4, 50), (10**5, 50), (10**6, 50), (10**5, 400)):
        centres = 10 * rng.standard_normal((20, d)).astype(np.float32)
        X = centres[rng.integers(0, 20, n)] + rng.standard_normal((n, d), dtype=np.float32)
        seconds, _ = best_seconds(lambda X=X: AnchorGraph(1024, random_state=0).fit_transform(X), 3)
        each = 1e6 * seconds / n
        first = first or each
        yield Row(
            f"Anchors and graph, {n:>9,} x {d}", each, "µs/row", "", 3, f"{each / first:.2f} of that at 10,000 rows"
        )
        tracemalloc.start()
        AnchorGraph(1024, random_state=0).fit_transform(X)
        peak = tracemalloc.get_traced_memory()[1] / 2**20
        tracemalloc.stop()
        note = f"input {X.nbytes / 2**20:.0f} MiB; n x m would be {n * 1024 * 4 / 2**20:.0f} MiB"
        yield Row(f"Peak memory beyond the input, {n:>9,} x {d}", peak, "MiB", "", 1, note)


def imports():
    def seconds(statement):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", statement], check=True)
        return time.perf_counter() - start

    ours, peer = [], []
    for _ in range(7):
        ours.append(seconds("from anchorgraph import FSC"))
        peer.append(seconds("import sklearn.cluster"))
    yield Row("from anchorgraph import FSC / import sklearn.cluster", min(ours) / min(peer), "times", "<= 1.2", 7)


SECTIONS = {
    "bkhk": bkhk,
    "peers": peers,
    "search": search,
    "few_columns": few_columns,
    "quality": quality,
    "scale": scale,
    "imports": imports,
}


if __name__ == "__main__":
    run_sections("foundation", SECTIONS, sys.argv[1:])
