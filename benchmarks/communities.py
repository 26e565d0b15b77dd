"""Clusterings of real data: accuracy, NMI, modularity and time of Communities beside other clusterers.

``python benchmarks/communities.py --data usps coil20 --methods Communities FSC --seeds 5``; run by ``make bench`` on
MNIST, USPS, PenDigits, COIL-20 and COIL-100 with all methods. ``--all`` takes every data set of the folder
ANCHORGRAPH_DATA and scikit-learn's digits, iris, wine and breast_cancer.

It prints a table for each data set: mean and standard deviation over seeds of accuracy and NMI, the modularity in the
graph of Communities, the number of clusters, seconds, and seconds in units of G. G is the time of one product of
70,000 x 784 by 784 x 1,024 in float32, measured after each fit. Then come the targets of issue 16, with what was got.

All methods get the same float32 rows and the true number of clusters, but for those that find their own: "Communities,
own number" and Leiden, which get the graph that Communities has for the true number or, of pynndescent, the ties
between rows of which one is among the 15 nearest of the other, in the same principal components; and HDBSCAN. Rows that
this calls noise count as one more cluster. The columns of wine, breast_cancer and german_numeric and the ten measured
ones of covtype, whose units differ, are standardised. Sparse rows are made dense.

What a method does not do within minutes is left out or done less often: HDBSCAN and Genie, which have no seed, run once
on up to 20,000 rows, in 32 principal components where rows are wider; SpectralClustering on up to 10,000 rows; UMAP and
KNNSC on more than 10,000 rows with one seed (``--slow-seeds``). UMAP and pynndescent have compiled before they are
timed, and UMAP is not seeded, because it then would use one thread.
"""

import argparse
import gzip
import json
import os
import random
import sys
import time
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from isolated import in_a_process, memory_of
from record import best_seconds, keep_as, seconds_of_g
from scipy import sparse
from scipy.optimize import linear_sum_assignment
from sklearn.cluster import HDBSCAN, KMeans, SpectralClustering
from sklearn.decomposition import PCA, TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics.cluster import contingency_matrix
from sklearn.preprocessing import StandardScaler, normalize

from anchorgraph import FSC, KNNSC, ONGR, Communities
from anchorgraph.datasets import DatasetUnavailableError, available, load
from anchorgraph.estimators.bases.coordinates import few_coordinates
from anchorgraph.estimators.bases.inputs import draw_seed
from anchorgraph.estimators.bases.row_trees import in_tree_order
from anchorgraph.graph import nearest_rows, reciprocal_ties
from anchorgraph.labels import modularity
from anchorgraph.metrics import clustering_accuracy, nmi
from anchorgraph.numerics.equal_rows import distinct_rows
from anchorgraph.numerics.execution import execution
from anchorgraph.table import as_table

DATA = ("mnist", "usps", "pendigits", "coil20", "coil100_7168")
ALL_COLUMNS = slice(None)
STANDARDISED = {
    "wine": ALL_COLUMNS,
    "breast_cancer": ALL_COLUMNS,
    "german_numeric": ALL_COLUMNS,
    "covtype": slice(10),
}
"""Columns whose units differ; the others of covtype are indicators."""

N_NARROW = 32
"""Principal components for methods that are slow on wide rows."""

MANY_ROWS = 10_000
"""More rows than that are clustered with one seed by slow methods."""


class Rows(NamedTuple):
    """A data set."""

    X: np.ndarray
    y: np.ndarray
    n_clusters: int


class Graph(NamedTuple):
    """The graph that Communities makes, and the node of each row: equal rows are one."""

    ties: sparse.csr_array
    node_of: np.ndarray
    n_neighbors: int


OF_WORDS = "words_of_"
"""Beginning of the names of sentences by their words alone: tf-idf in 200 dimensions, rows of unit length."""


def rows_of_words(name):
    """Sentences of the data folder by their words, without those that have none in common with others."""
    y = load(name).y
    path = Path(os.environ["ANCHORGRAPH_DATA"]) / f"{name}_texts.txt.gz"
    if not path.is_file():
        raise DatasetUnavailableError(f"ANCHORGRAPH_DATA has no {path.name}")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        words = TfidfVectorizer(min_df=2, sublinear_tf=True).fit_transform(lines)
    X = normalize(TruncatedSVD(200, random_state=0).fit_transform(words)).astype(np.float32)
    known = np.flatnonzero(X.any(axis=1))
    return Rows(X[known], y[known], int(y.max()) + 1)


def load_rows(name):
    if name.startswith(OF_WORDS):
        return rows_of_words(name.removeprefix(OF_WORDS))
    data = load(name)
    X = data.X.toarray() if sparse.issparse(data.X) else data.X
    if name in STANDARDISED:
        X, columns = X.astype(np.float64), STANDARDISED[name]
        X[:, columns] = StandardScaler().fit_transform(X[:, columns])
    return Rows(np.ascontiguousarray(X, np.float32), data.y, int(data.y.max()) + 1)


def few_columns(X, seed):
    """The rows in the principal components that Communities uses."""
    with execution(None):
        table = as_table(X)
        return table.view(few_coordinates(table, Communities().n_components, draw_seed(seed))).rows()


def graph_of(data, seed):
    """The graph of Communities with this seed, by the steps of its ``fit``."""
    points, number_of = distinct_rows(few_columns(data.X, seed))
    with execution(None):
        n_neighbors = Communities(data.n_clusters)._resolve_n_neighbors(len(points), len(data.X))
        order, trees = in_tree_order(points, n_neighbors, draw_seed(seed))
        neighbors, distances = nearest_rows(points.take(order, axis=0), trees, n_neighbors)
    return Graph(reciprocal_ties(neighbors, distances), np.argsort(order)[number_of], n_neighbors)


def modularity_of(graph, labels):
    """Modularity of a clustering of rows in the graph of Communities."""
    first = np.unique(graph.node_of, return_index=True)[1]
    return modularity(graph.ties, np.unique(labels[first], return_inverse=True)[1], 1.0)


def leiden(ties, seed):
    """Communities by igraph's Leiden, with as many iterations as it does by default; ties have weights."""
    import igraph

    upper = sparse.triu(ties, 1).tocoo()
    random.seed(seed)  # igraph draws from it
    graph = igraph.Graph(ties.shape[0], np.column_stack([upper.row, upper.col]).astype(np.int64))
    return np.array(graph.community_leiden("modularity", weights=upper.data, n_iterations=2).membership)


def ties_either_way(near):
    """Ties between rows of which one is among the nearest of the other; ``near`` may have the row itself."""
    n = len(near)
    start, end = np.repeat(np.arange(n), near.shape[1]), near.ravel()
    is_found = end >= 0  # an index may find fewer
    one_way = sparse.csr_array((np.ones(is_found.sum()), (start[is_found], end[is_found])), shape=(n, n))
    return one_way.maximum(one_way.T)


def leiden_on_our_graph(data, seed, _):
    graph = graph_of(data, seed)
    return leiden(graph.ties, seed)[graph.node_of]


def leiden_on_their_graph(data, seed, _):
    from pynndescent import NNDescent

    points = few_columns(data.X, seed)
    k = min(15, len(points) - 1)
    near = NNDescent(points, n_neighbors=k + 1, n_jobs=-1, random_state=seed).neighbor_graph[0]
    return leiden(ties_either_way(near), seed)


def umap_and_kmeans(data, seed, _):
    from umap import UMAP

    n_neighbors = min(30, len(data.X) - 1)
    reduced = UMAP(n_components=10, n_neighbors=n_neighbors, min_dist=0, n_jobs=-1).fit_transform(data.X)
    return KMeans(data.n_clusters, n_init=10, random_state=seed).fit_predict(reduced)


def narrow(X):
    """At most 32 principal components."""
    return PCA(N_NARROW, random_state=0).fit_transform(X) if X.shape[1] > N_NARROW else X


def genie(data, _seed, _graph):
    from genieclust import Genie

    return Genie(n_clusters=data.n_clusters).fit_predict(narrow(data.X))


def spectral(data, seed, _):
    model = SpectralClustering(
        data.n_clusters, affinity="nearest_neighbors", assign_labels="cluster_qr", n_jobs=-1, random_state=seed
    )
    return model.fit_predict(data.X)


class Clusterer(NamedTuple):
    """How a method clusters, given the data, a seed and the graph of Communities, and how far it goes."""

    cluster: Callable
    most_rows: float = np.inf
    is_slow: bool = False
    has_seed: bool = True
    compiles: bool = False


OURS, OWN_NUMBER, LEIDEN, UMAP_KMEANS = "Communities", "Communities-own-number", "Leiden", "UMAP-KMeans"
METHODS = {
    OURS: Clusterer(lambda data, seed, _: Communities(data.n_clusters, random_state=seed).fit(data.X)),
    OWN_NUMBER: Clusterer(
        lambda data, seed, graph: Communities(n_neighbors=graph.n_neighbors, random_state=seed).fit(data.X)
    ),
    LEIDEN: Clusterer(leiden_on_our_graph),
    "Leiden-pynndescent": Clusterer(leiden_on_their_graph, compiles=True),
    "FSC": Clusterer(lambda data, seed, _: FSC(data.n_clusters, random_state=seed).fit_predict(data.X)),
    "ONGR": Clusterer(lambda data, seed, _: ONGR(data.n_clusters, random_state=seed).fit_predict(data.X)),
    "KNNSC": Clusterer(
        lambda data, seed, _: KNNSC(data.n_clusters, random_state=seed).fit_predict(data.X), is_slow=True
    ),
    "KMeans": Clusterer(
        lambda data, seed, _: KMeans(data.n_clusters, n_init=10, random_state=seed).fit_predict(data.X)
    ),
    "SpectralClustering": Clusterer(spectral, most_rows=10_000),
    UMAP_KMEANS: Clusterer(umap_and_kmeans, is_slow=True, compiles=True),
    "HDBSCAN": Clusterer(
        lambda data, *_: HDBSCAN(copy=True).fit_predict(narrow(data.X)), most_rows=20_000, has_seed=False
    ),
    "Genie": Clusterer(genie, most_rows=20_000, has_seed=False),
}


@cache
def compile_first(clusterer):
    """Let a method compile what it does with few rows and with many."""
    for n_rows in (1_000, 5_000):
        X = np.random.default_rng(0).random((n_rows, 64), dtype=np.float32)
        clusterer.cluster(Rows(X, np.zeros(n_rows), 2), 0, None)


def n_seeds(method, n_rows, seeds, slow_seeds):
    if not METHODS[method].has_seed:
        return 1
    return slow_seeds if METHODS[method].is_slow and n_rows > MANY_ROWS else seeds


def measure_once(method, data, seed, graph):
    start = time.perf_counter()
    found = METHODS[method].cluster(data, seed, graph)
    seconds = time.perf_counter() - start
    labels = getattr(found, "labels_", found)
    value = modularity_of(graph, labels)
    if abs(value - getattr(found, "modularity_", value)) > 1e-6:
        print(f"The graph of {method} is not the one of this script: modularity {found.modularity_}, here {value}.")
    return {
        "accuracy": clustering_accuracy(data.y, labels),
        "nmi": nmi(data.y, labels),
        "modularity": value,
        "clusters": len(np.unique(labels)),
        "seconds": seconds,
        "G": seconds_of_g(1),
    }


def measure(name, method, data, graphs):
    """One line of the table: means over the seeds, and all that was measured."""
    line = {"data": name, "method": method}
    try:
        if METHODS[method].compiles:
            compile_first(METHODS[method])
        runs = [measure_once(method, data, seed, graph) for seed, graph in enumerate(graphs)]
    except Exception as reason:
        if method in (OURS, OWN_NUMBER):
            raise
        return line | {"left_out": f"{type(reason).__name__}: {reason}"}
    means = {key: float(np.mean([run[key] for run in runs])) for key in runs[0]}
    means["G"] = means["seconds"] / min([seconds_of_g(1), *(run["G"] for run in runs)])
    spreads = {f"{key}_spread": float(np.std([run[key] for run in runs])) for key in ("accuracy", "nmi")}
    return line | means | spreads | {"runs": runs}


def title_of(name, data):
    columns = STANDARDISED.get(name)
    which = f"first {columns.stop} columns " if columns and columns.stop else ""
    made = f", {which}standardised" if columns else ""
    return f"{name}: {data.X.shape[0]:,} x {data.X.shape[1]}{made}, {data.n_clusters} classes"


def show_title(name, data):
    print(f"\n{title_of(name, data)}")
    print(f"{'':<24} {'accuracy':>12} {'NMI':>12} {'modularity':>10} {'clusters':>8} {'seconds':>9} {'G':>8} seeds")


def show_line(line):
    if "left_out" in line:
        print(f"{line['method']:<24} left out: {line['left_out']}", flush=True)
        return
    scores = "".join(f" {line[key]:>6.3f} ±{line[key + '_spread']:.3f}" for key in ("accuracy", "nmi"))
    rest = f"{line['modularity']:>9.4f} {line['clusters']:>8.1f} {line['seconds']:>9.2f} {line['G']:>8.2f}"
    print(f"{line['method']:<24}{scores}  {rest} {len(line['runs']):>5}", flush=True)


def table_of(name, methods, seeds, slow_seeds):
    """Print the table of a data set, and return its lines."""
    data = load_rows(name)
    show_title(name, data)
    graph = cache(lambda seed: graph_of(data, seed))
    lines = []
    for method in methods:
        if len(data.X) > METHODS[method].most_rows:
            line = {"data": name, "method": method}
            line["left_out"] = f"more than {METHODS[method].most_rows:,} rows"
        else:
            graphs = [graph(seed) for seed in range(n_seeds(method, len(data.X), seeds, slow_seeds))]
            line = measure(name, method, data, graphs)
        show_line(line)
        lines.append(line)
    return lines


def new_digits(seeds):
    """Accuracy on the 10,000 test digits, with clusters matched to classes on the training digits; µs a row."""
    data, n = load_rows("mnist"), load("mnist").n_train
    scores, times = [], []
    for seed in range(seeds):
        model = Communities(data.n_clusters, random_state=seed).fit(data.X[:n])
        classes, clusters = linear_sum_assignment(contingency_matrix(data.y[:n], model.labels_), maximize=True)
        seconds, found = best_seconds(lambda model=model: model.predict(data.X[n:]), 3)
        scores.append(float(np.mean(classes[np.argsort(clusters)][found] == data.y[n:])))
        times.append(1e6 * seconds / len(found))
    return {"data": "new digits", "accuracy": np.mean(scores), "spread": np.std(scores), "us_a_row": np.mean(times)}


def memory_of_mnist():
    """Print what a fit of MNIST takes in this process; a small fit has loaded all libraries before."""
    data = load_rows("mnist")
    Communities(data.n_clusters, random_state=0).fit(data.X[:1000].copy())
    print(json.dumps(memory_of(lambda: Communities(data.n_clusters, random_state=0).fit(data.X))[1]))


WANTED = {
    "mnist": (0.96, 0.905),
    "usps": (0.94, 0.885),
    "pendigits": (0.885, 0.855),
    "coil20": (0.95, 0.96),
    "coil100_7168": (0.80, 0.94),
}
"""Accuracy and NMI."""


class Target(NamedTuple):
    what: str
    got: float
    limit: float
    is_least: bool


def targets(lines):
    """The targets for the lines that were measured."""
    found = {(line["data"], line["method"]): line for line in lines if "left_out" not in line}
    for name in dict.fromkeys(line["data"] for line in lines):
        ours, leidens = found.get((name, OURS)), found.get((name, LEIDEN))
        if ours and name in WANTED:
            yield Target(f"{name}: accuracy", ours["accuracy"], WANTED[name][0], True)
            yield Target(f"{name}: NMI", ours["nmi"], WANTED[name][1], True)
        if ours and name == "mnist":
            yield Target("mnist: G of a fit", ours["G"], 6, False)
        umap = found.get((name, UMAP_KMEANS))
        if ours and umap and name in ("mnist", "usps", "coil100_7168"):
            yield Target(f"{name}: times faster than UMAP + k-means", umap["G"] / ours["G"], 10, True)
            yield Target(f"{name}: NMI beyond that of UMAP + k-means", ours["nmi"] - umap["nmi"], 0, True)
        if leidens and (name, OWN_NUMBER) in found:
            share = found[name, OWN_NUMBER]["modularity"] / leidens["modularity"]
            yield Target(f"{name}: modularity / Leiden's on the same graph", share, 0.99, True)


def targets_of_mnist(seeds):
    """The targets that need fits of their own, and what was measured for them."""
    new, memory = new_digits(seeds), in_a_process(__file__)
    beyond = memory["beyond"] / 1e6
    return [new, {"data": "memory of MNIST", **memory}], [
        Target("new digits: accuracy", new["accuracy"], 0.955, True),
        Target("new digits: µs a row", new["us_a_row"], 30, False),
        Target("mnist: MB beyond the input at the peak of a fit", beyond, 400, False),
    ]


def show_targets(found):
    if not found:
        return
    print(f"\n{'target':<58} {'got':>10} {'wanted':>10}")
    for what, got, limit, is_least in found:
        is_met = got >= limit if is_least else got <= limit
        wanted = f"{'>=' if is_least else '<='} {limit:g}"
        print(f"{what:<58} {got:>10.4g} {wanted:>10}  {'yes' if is_met else 'NO'}")


def run(names, methods, seeds, slow_seeds):
    """Print all tables and the targets; the lines."""
    lines = []
    for name in names:
        try:
            lines += table_of(name, methods, seeds, slow_seeds)
        except DatasetUnavailableError as reason:
            print(f"{name} is left out: {reason}")
    found, more = list(targets(lines)), []
    if OURS in methods and any(line["data"] == "mnist" for line in lines):
        more, further = targets_of_mnist(seeds)
        found += further
    show_targets(found)
    return lines + more + [target._asdict() for target in found]


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", nargs="+", default=[], metavar="NAME", help="data sets")
    parser.add_argument("--all", action="store_true", help="every data set of the folder, and scikit-learn's")
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=[], metavar="NAME", help=", ".join(METHODS))
    parser.add_argument("--seeds", type=int, default=5, help="number of seeds")
    parser.add_argument("--slow-seeds", type=int, default=1, help="number of seeds of UMAP and KNNSC on many rows")
    return parser.parse_args()


if __name__ == "__main__":
    if sys.argv[1:2] == ["measure"]:
        memory_of_mnist()
    else:
        chosen = parse()
        warnings.filterwarnings("ignore")  # of graphs in several parts and k-means that goes on: scores are what counts
        names = chosen.data or (sorted(available(), key=lambda name: (name not in DATA, name)) if chosen.all else DATA)
        records = run(names, chosen.methods or list(METHODS), chosen.seeds, chosen.slow_seeds)
        is_part = bool(chosen.data or chosen.methods)
        keep_as("communities" + "-all" * chosen.all + "-part" * is_part, records)
