"""The 15 nearest rows of each row: time, recall and labels of RowGraph beside other searches.

``python benchmarks/row_graph.py --data made --rows 100000 --methods RowGraph FAISS-IVF``; by ``make bench``, on MNIST
and on 1,000,000 x 50 made rows, a mixture of 200 Gaussian clusters of unequal size, width and shape.

It prints a table for each: seconds to build the index and to query it with all rows, these in units of G (the time of
one product of 70,000 x 784 by 784 x 1,024 in float32, measured after each), the share of the exact 15 nearest that is
found for 2,000 random rows, and the share of all neighbours found that have the label of their row. Exact searches are
queried with 20,000 rows, and their seconds multiplied to those of all rows.

All use all cores. pynndescent has compiled before it is timed. hnswlib has M = 16, ef_construction = 100 and ef = 100;
FAISS's HNSW has M = 32, efConstruction = 100 and efSearch = 64, its IVF 4 √n lists, of which 16 are searched.
"""

import argparse
import os
import time

import numpy as np
from mixture import unequal_gaussians
from record import keep_as, seconds_of_g
from sklearn.neighbors import KNeighborsTransformer, NearestNeighbors

from anchorgraph import RowGraph
from anchorgraph.datasets import DatasetUnavailableError, load

K = 15
N_QUERIES = 20_000
"""Rows that exact searches are queried with."""
N_CHECKED = 2_000
N_COLS, N_CLUSTERS = 50, 200


def row_graph(X, _):
    return RowGraph(K, random_state=0).fit_transform(X).indices.reshape(len(X), K + 1)


def pynndescent(X, _):
    from pynndescent import NNDescent

    return NNDescent(X, n_neighbors=K + 1, n_jobs=-1, random_state=0).neighbor_graph[0]


def hnswlib(X, queries):
    from hnswlib import Index

    index = Index("l2", X.shape[1])
    index.init_index(len(X), M=16, ef_construction=100, random_seed=0)
    index.add_items(X, num_threads=os.cpu_count())
    index.set_ef(100)
    return index.knn_query(X[queries], K + 1, num_threads=os.cpu_count())[0].astype(np.intp)


def faiss_hnsw(X, queries):
    import faiss

    index = faiss.IndexHNSWFlat(X.shape[1], 32)
    index.hnsw.efConstruction, index.hnsw.efSearch = 100, 64
    index.add(X)
    return index.search(X[queries], K + 1)[1]


def faiss_ivf(X, queries):
    import faiss

    coarse = faiss.IndexFlatL2(X.shape[1])
    index = faiss.IndexIVFFlat(coarse, X.shape[1], int(4 * np.sqrt(len(X))))
    index.train(X)
    index.add(X)
    index.nprobe = 16
    return index.search(X[queries], K + 1)[1]


def faiss_flat(X, queries):
    import faiss

    index = faiss.IndexFlatL2(X.shape[1])
    index.add(X)
    return index.search(X[queries], K + 1)[1]


def brute_force(X, queries):
    graph = KNeighborsTransformer(n_neighbors=K, algorithm="brute", n_jobs=-1).fit(X).transform(X[queries])
    return graph.indices.reshape(-1, K + 1)


METHODS = {
    "RowGraph": row_graph,
    "pynndescent": pynndescent,
    "hnswlib": hnswlib,
    "FAISS-HNSW": faiss_hnsw,
    "FAISS-IVF": faiss_ivf,
    "FAISS-flat": faiss_flat,
    "KNeighborsTransformer": brute_force,
}
EXACT = ("FAISS-flat", "KNeighborsTransformer")


def rows_of(name, n_rows):
    if name == "made":
        return unequal_gaussians(n_rows, N_COLS, N_CLUSTERS)
    data = load(name)
    return np.ascontiguousarray(data.X, np.float32), data.y


def without_itself(near, rows):
    """The K nearest other rows; the last one gives way if the row itself, or an equal one instead of it, is missing."""
    is_own = near == rows[:, np.newaxis]
    is_own[~is_own.any(axis=1), -1] = True
    return near[~is_own].reshape(len(rows), K)


def measure(method, X, y, checked, exact):
    """Time, recall and the share of equal labels of one search."""
    n = len(X)
    queries = np.arange(n)
    if method in EXACT and n > N_QUERIES:
        others = np.random.default_rng(1).choice(
            np.setdiff1d(queries, checked), N_QUERIES - len(checked), replace=False
        )
        queries = np.concatenate([checked, others])
    start = time.perf_counter()
    near = METHODS[method](X, queries)
    seconds = (time.perf_counter() - start) * n / len(queries)
    g = seconds_of_g()
    near = without_itself(near, queries)
    is_found = (near[np.isin(queries, checked)][:, :, np.newaxis] == exact[:, np.newaxis, :]).any(axis=1)
    is_there = near >= 0  # an index may find fewer
    return {
        "method": method,
        "seconds": seconds,
        "G": seconds / g,
        "recall": float(is_found.mean()),
        "same_label": float((y[near] == y[queries][:, np.newaxis])[is_there].mean()),
        "queries": len(queries),
    }


def table_of(name, n_rows, methods):
    """Print the table of a data set, and return its lines."""
    X, y = rows_of(name, n_rows)
    print(f"\n{name}: {X.shape[0]:,} x {X.shape[1]}")
    print(f"{'':<24} {'seconds':>9} {'G':>8} {'recall':>7} {'same label':>10}")
    checked = np.sort(np.random.default_rng(0).choice(len(X), min(N_CHECKED, len(X)), replace=False))
    search = NearestNeighbors(n_neighbors=K + 1, algorithm="brute", n_jobs=-1).fit(X)
    exact = without_itself(search.kneighbors(X[checked], return_distance=False), checked)
    lines = []
    for method in methods:
        if method == "pynndescent":
            pynndescent(np.random.default_rng(0).random((5_000, X.shape[1]), dtype=np.float32), None)
        try:
            line = {"data": name, **measure(method, X, y, checked, exact)}
        except ImportError as reason:
            print(f"{method} is left out: {reason}")
            continue
        note = f"  from {line['queries']:,} queries" if line["queries"] < len(X) else ""
        figures = f"{line['seconds']:>9.2f} {line['G']:>8.2f} {line['recall']:>7.3f} {line['same_label']:>10.4f}"
        print(f"{method:<24} {figures}{note}", flush=True)
        lines.append(line)
    return lines


def run(names, n_rows, methods):
    lines = []
    for name in names:
        try:
            lines += table_of(name, n_rows, methods)
        except DatasetUnavailableError as reason:
            print(f"{name} is left out: {reason}")
    return lines


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", nargs="+", default=["mnist", "made"], metavar="NAME", help="data sets; or made")
    parser.add_argument("--rows", type=int, default=1_000_000, help="number of made rows")
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=[], metavar="NAME", help=", ".join(METHODS))
    chosen = parser.parse_args()
    keep_as("-".join(["row_graph", *chosen.methods]), run(chosen.data, chosen.rows, chosen.methods or list(METHODS)))
