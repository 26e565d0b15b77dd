"""Our clusterers beside those that people use otherwise: time, memory, accuracy and NMI, as a table and a picture.

``make bench-peers``, on MNIST and on 1,000,000 x 50 made rows, a mixture of 100 Gaussian clusters of unequal size,
width and shape. ``python benchmarks/peers.py --rows 20000`` is a trial on so many rows of each. Results are kept as
they come in results/peers.json, and those that are there are not measured again, unless named: ``--only HDBSCAN``.
Delete the file to begin anew. The picture is docs/images/peers.svg; that of a trial stays in results/.

Each method runs once, on all cores, in a process of its own, which has clustered few rows before, so that libraries are
loaded and UMAP has compiled; the seconds of that are kept as "before". Then it is ended after ``--limit`` seconds. MiB
are those that the process had at its peak beyond what it had with the data loaded. All get the same float32 rows and
the true number of clusters, but HDBSCAN and Leiden, which find their own; rows that HDBSCAN calls noise count as one
more cluster.

Ours have their defaults, and so have FAISS's k-means, which trains on 256 rows a cluster, and MiniBatchKMeans.
SpectralClustering has nearest neighbours and ``cluster_qr``, UMAP 10 dimensions, 30 neighbours and no seed, with which
it would use one thread; HDBSCAN gets 32 principal components. Leiden is igraph's, by modularity, on the ties of each
row to its 15 nearest, found by FAISS's HNSW (M = 32, efConstruction = 100, efSearch = 64) or by RowGraph.
"""

import argparse
import json
import sys
import warnings
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

import numpy as np
from communities import METHODS, UMAP_KMEANS, Rows, leiden, load_rows, ties_either_way
from isolated import end_after, in_a_process, memory_of
from lines import Lines, is_known, outcome, surroundings
from mixture import unequal_gaussians
from peers_picture import Panel, Point, picture
from record import RESULTS, best_seconds
from row_graph import faiss_hnsw, row_graph
from sklearn.cluster import MiniBatchKMeans

from anchorgraph import LSC
from anchorgraph.metrics import clustering_accuracy, nmi

PICTURE = Path(__file__).parents[1] / "docs" / "images" / "peers.svg"
DATA = {"mnist": 70_000, "made": 1_000_000}
TITLES = {"mnist": "MNIST", "made": "Gaussian mixture"}
N_COLS, N_CLUSTERS = 50, 100
FEW_ROWS = 5_000
"""Enough for UMAP to compile all that it needs for many."""


class Peer(NamedTuple):
    """How a method clusters, and the package that it is of."""

    cluster: Callable
    package: str

    @property
    def is_ours(self):
        return self.package == "anchorgraph"


def as_in_communities(method, package):
    """A method as benchmarks/communities.py has it."""
    return Peer(lambda data: METHODS[method].cluster(data, 0, None), package)


def faiss_kmeans(data):
    import faiss

    model = faiss.Kmeans(data.X.shape[1], data.n_clusters, seed=1)
    model.train(data.X)
    return model.assign(data.X)[1]


def leiden_by(search):
    def cluster(data):
        return leiden(ties_either_way(search(data.X, slice(None))), 0)

    return cluster


PEERS = {
    "Communities": as_in_communities("Communities", "anchorgraph"),
    "FSC": as_in_communities("FSC", "anchorgraph"),
    "ONGR": as_in_communities("ONGR", "anchorgraph"),
    "LSC": Peer(lambda data: LSC(data.n_clusters, random_state=0).fit_predict(data.X), "anchorgraph"),
    "FAISS k-means": Peer(faiss_kmeans, "faiss-cpu"),
    "MiniBatchKMeans": Peer(
        lambda data: MiniBatchKMeans(data.n_clusters, random_state=0).fit_predict(data.X), "scikit-learn"
    ),
    "SpectralClustering": as_in_communities("SpectralClustering", "scikit-learn"),
    "UMAP + k-means": as_in_communities(UMAP_KMEANS, "umap-learn"),
    "HDBSCAN": as_in_communities("HDBSCAN", "scikit-learn"),
    "FAISS HNSW + Leiden": Peer(leiden_by(faiss_hnsw), "igraph"),
    "RowGraph + Leiden": Peer(leiden_by(row_graph), "igraph"),
}


def rows_of(name, n_rows):
    if name == "made":
        return Rows(*unequal_gaussians(n_rows, N_COLS, N_CLUSTERS), N_CLUSTERS)
    data = load_rows(name)
    chosen = np.sort(np.random.default_rng(0).permutation(len(data.X))[:n_rows])
    return Rows(data.X[chosen], data.y[chosen], data.n_clusters)


def measure(method, name, n_rows, limit):
    """The figures of one method; the process ends if it takes longer than the limit."""
    cluster = PEERS[method].cluster
    few = Rows(np.random.default_rng(0).random((FEW_ROWS, N_COLS), dtype=np.float32), None, 2)
    before, _ = best_seconds(lambda: cluster(few), 1)
    data = rows_of(name, int(n_rows))
    end_after(float(limit))
    (seconds, found), memory = memory_of(lambda: best_seconds(lambda: cluster(data), 1))
    end_after(0)
    labels = np.asarray(getattr(found, "labels_", found))
    return {
        "columns": data.X.shape[1],
        "seconds": seconds,
        "before": before,
        "mib": memory["beyond"] / 2**20,
        "accuracy": clustering_accuracy(data.y, labels),
        "nmi": nmi(data.y, labels),
        "clusters": len(np.unique(labels)),
    }


def line_of(method, name, n_rows, limit):
    """What is kept of a method on a data set."""
    found = outcome(lambda: in_a_process(__file__, method, name, n_rows, limit), limit)
    return {"data": name, "rows": n_rows, "method": method} | found


class Results(Lines):
    """Lines by data set and method."""

    def __init__(self, path):
        super().__init__(path, ("data", "method"))

    def of(self, name):
        """The lines of a data set, in the order of the methods."""
        return [line for method in PEERS if (line := self.get(name, method))]


def title_of(name, lines):
    columns = next((line["columns"] for line in lines if "columns" in line), N_COLS)
    return f"{TITLES[name]}, {lines[0]['rows']:,} × {columns}"


def table_of(results):
    """Lines of Markdown: a row for each method, and its figures on each data set."""
    names = [name for name in DATA if results.of(name)]
    yield "| |" + "".join(f" {title_of(name, results.of(name))}: s | MiB | ACC | NMI |" for name in names)
    yield "|---|" + "---|---|---|---|" * len(names)
    for method in PEERS:
        cells = "".join(_cells(results.get(name, method)) for name in names)
        yield f"| {f'`{method}`' if PEERS[method].is_ours else method} |{cells}"


def _cells(line):
    if "seconds" in line:
        return f" {line['seconds']:.3g} | {line['mib']:.0f} | {line['accuracy']:.3f} | {line['nmi']:.3f} |"
    missing = f"over {line['over']:g}" if "over" in line else "failed" if line else ""
    return f" {missing} | | | |"


def panel_of(name, lines):
    points = [
        Point(line["method"], line["seconds"], line["nmi"], PEERS[line["method"]].is_ours)
        for line in lines
        if "seconds" in line
    ]
    late = [line for line in lines if "over" in line]
    left_out = f"over {late[0]['over']:g} s: {', '.join(line['method'] for line in late)}" if late else ""
    return Panel(title_of(name, lines), points, left_out)


def run(names, methods, sizes, limit, results):
    """Measure what the file does not have, or what was asked for by name."""
    for name in names:
        for method in methods or PEERS:
            if not methods and is_known(results.get(name, method), limit):
                continue
            line = line_of(method, name, sizes[name], limit)
            package = PEERS[method].package
            results.add(line | {"package": f"{package} {version(package)}"} | surroundings())
            print(f"{name}, {method}: {_said(line)}", flush=True)


def _said(line):
    if "seconds" in line:
        return ", ".join(f"{key} {line[key]:.3g}" for key in ("seconds", "before", "mib", "accuracy", "nmi"))
    return f"over {line['over']:g} s" if "over" in line else line["failed"]


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", nargs="+", choices=DATA, default=list(DATA), metavar="NAME", help=", ".join(DATA))
    parser.add_argument("--only", nargs="+", choices=PEERS, default=[], metavar="NAME", help=", ".join(PEERS))
    parser.add_argument("--rows", type=int, help="a trial on so many rows of each data set")
    parser.add_argument("--limit", type=float, default=600, metavar="SECONDS", help="what takes longer is ended")
    return parser.parse_args()


if __name__ == "__main__":
    warnings.filterwarnings("ignore")  # of graphs in several parts and k-means that goes on: scores are what counts
    if sys.argv[1:2] == ["measure"]:
        print(json.dumps(measure(*sys.argv[2:])))
    else:
        chosen = parse()
        sizes = {name: min(n_rows, chosen.rows or n_rows) for name, n_rows in DATA.items()}
        file = RESULTS / (f"peers-{chosen.rows}.json" if chosen.rows else "peers.json")
        results = Results(file)
        run(chosen.data, chosen.only, sizes, chosen.limit, results)
        print("\n".join(table_of(results)))
        drawn = file.with_suffix(".svg") if chosen.rows else PICTURE
        drawn.write_text(picture([panel_of(name, results.of(name)) for name in DATA if results.of(name)], "NMI"))
        print(f"the picture: {drawn}")
