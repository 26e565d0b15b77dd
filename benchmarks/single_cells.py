"""Cells by ``anchorgraph.anndata`` beside scanpy: time, memory, and agreement with the made groups and with each other.

``make bench-cells``, on 100,000 and 1,000,000 made cells in 50 principal components. Results are kept as they come in
results/single_cells.json, and those that are there are not measured again, unless named: ``--only communities``. Delete
the file to begin anew. ``python benchmarks/single_cells.py --rows 20000`` is a trial, with a file of its own.

The cells are of 40 groups, made as cells develop: each group but the first descends from an earlier one, and lies one
step from it in a random direction, so that relatives are near each other. Groups are of unequal spread and size
(Dirichlet shares: from less than a thousandth of the cells to a fifteenth), and a third of the cells of a group lie
between it and its parent, anywhere from a half to the whole way: groups are not apart, and no method finds all of them.
Variances decrease from one component to the next as those of principal components do, as 1 / (1 + 0.2 j).

Each pipeline runs once, on all cores, in a process of its own, which has run on few cells before, so that libraries are
loaded and numba has compiled; the seconds of that are kept as "before". Then it is ended after ``--limit`` seconds. MiB
are those that the process had at its peak beyond what it had with the cells loaded.

``sc.pp.neighbors`` finds 15 neighbours by pynndescent, with UMAP's connectivities. Its parameters are scanpy's, but it
uses all cores, and it is passed as a transformer: scanpy 1.11 cannot read the SciPy array that pynndescent 0.7 returns,
and fails with 8,192 cells or more. ``sc.tl.leiden`` has ``flavor="igraph", n_iterations=2, directed=False``, as scanpy
recommends, and resolution 1, as ``communities`` has by default. They find their own number of clusters;
"communities, 40" is given the number of groups.

Recall is the share of the exact 14 nearest others that are found, of 1,000 random cells. ARI and NMI are those with the
made groups, and "ARI to scanpy" that between the clusters and those of the first pipeline.
"""

import argparse
import json
import logging
import sys
import warnings
from collections.abc import Callable
from importlib.metadata import version
from typing import NamedTuple

import numpy as np
from isolated import end_after, in_a_process, memory_of
from lines import Lines, is_known, outcome, surroundings
from record import RESULTS, best_seconds
from scipy import sparse
from sklearn.metrics import adjusted_rand_score
from sklearn.neighbors import NearestNeighbors

from anchorgraph.metrics import nmi

SIZES = (100_000, 1_000_000)
N_COLS, N_GROUPS = 50, 40
N_NEIGHBORS = 15
N_CHECKED = 1_000
FEW_CELLS = 10_000
"""More than scanpy compares exactly, so that pynndescent compiles."""
BLOCK_ROWS = 2**16
STEP = 2.5
"""Length of the way from a group to its parent; the spread of a group along each component is about one, at first."""


def made_cells(n_cells, n_cols=N_COLS, n_groups=N_GROUPS, seed=0):
    """Cells in float32 and their groups; the first cells are the same for any number of cells."""
    rng = np.random.default_rng(seed)
    scales = 1 / np.sqrt(1 + 0.2 * np.arange(n_cols))
    shares = rng.dirichlet(np.full(n_groups, 2.0))
    spreads = rng.uniform(0.4, 0.8, n_groups)
    parents = np.array([0, *(rng.integers(group) for group in range(1, n_groups))])
    centres = np.zeros((n_groups, n_cols))
    for group in range(1, n_groups):
        step = rng.standard_normal(n_cols) * scales
        centres[group] = centres[parents[group]] + STEP * step / np.linalg.norm(step)
    X, groups = np.empty((n_cells, n_cols), np.float32), np.empty(n_cells, np.intp)
    for number, start in enumerate(range(0, n_cells, BLOCK_ROWS)):
        rng, size = np.random.default_rng([seed, number]), min(BLOCK_ROWS, n_cells - start)
        own = rng.choice(n_groups, BLOCK_ROWS, p=shares)
        way = np.where(rng.random(BLOCK_ROWS) < 1 / 3, rng.uniform(0.5, 1, BLOCK_ROWS), 1)[:, np.newaxis]
        noise = rng.standard_normal((BLOCK_ROWS, n_cols), dtype=np.float32) * scales * spreads[own, np.newaxis]
        rows = way * centres[own] + (1 - way) * centres[parents[own]] + noise
        X[start : start + size], groups[start : start + size] = rows[:size], own[:size]
    return X, groups


def adata_of(X):
    from anndata import AnnData

    return AnnData(shape=(len(X), 0), obsm={"X_pca": X})


def leiden(adata):
    import scanpy as sc

    sc.tl.leiden(adata, flavor="igraph", n_iterations=2, directed=False, random_state=0)
    return adata.obs["leiden"]


def scanpys_search(n_cells):
    """pynndescent as scanpy would make it, but for the number of cores and for the kind of the graph."""
    from pynndescent import PyNNDescentTransformer

    class Search(PyNNDescentTransformer):
        def fit_transform(self, X, y=None):
            return sparse.csr_matrix(super().fit_transform(X))

    n_trees, n_iters = min(64, 5 + round(n_cells**0.5 / 20)), max(5, round(np.log2(n_cells)))
    return Search(N_NEIGHBORS, n_trees=n_trees, n_iters=n_iters, n_jobs=-1, random_state=0)


def scanpys_neighbors(adata):
    import scanpy as sc

    sc.pp.neighbors(adata, use_rep="X_pca", transformer=scanpys_search(adata.n_obs))


def our_neighbors(adata):
    from anchorgraph.anndata import neighbors

    neighbors(adata, N_NEIGHBORS)


def communities(n_clusters):
    def cluster(adata):
        from anchorgraph.anndata import communities

        communities(adata, n_clusters)
        return adata.obs["communities"]

    return cluster


class Pipeline(NamedTuple):
    """How a graph of neighbours is found, where one is, and how cells are clustered."""

    connect: Callable | None
    cluster: Callable
    packages: tuple


SCANPY = "sc.pp.neighbors + sc.tl.leiden"
PIPELINES = {
    SCANPY: Pipeline(scanpys_neighbors, leiden, ("scanpy", "pynndescent", "igraph")),
    "anchorgraph.anndata.neighbors + sc.tl.leiden": Pipeline(our_neighbors, leiden, ("anchorgraph", "igraph")),
    "anchorgraph.anndata.communities": Pipeline(None, communities(None), ("anchorgraph",)),
    "anchorgraph.anndata.communities, 40": Pipeline(None, communities(N_GROUPS), ("anchorgraph",)),
}
SHORT = dict(zip(("scanpy", "neighbors", "communities", "communities-40"), PIPELINES, strict=True))
"""Names for the command line."""


def run_pipeline(pipeline, adata):
    """Clusters, and the seconds of the graph; those of a pipeline without one are none."""
    seconds, _ = best_seconds(lambda: pipeline.connect(adata), 1) if pipeline.connect else (None, None)
    return seconds, pipeline.cluster(adata)


def recall_of(adata, X):
    """The share of the exact nearest cells that the graph has, of some cells."""
    some = np.sort(np.random.default_rng(0).permutation(len(X))[:N_CHECKED])
    exact = NearestNeighbors(n_neighbors=N_NEIGHBORS, algorithm="brute").fit(X).kneighbors(X[some])[1]
    shares = []
    for cell, near in zip(some, exact, strict=True):
        row = adata.obsp["distances"][[cell]]
        found = row.indices[np.argsort(row.data, kind="stable")]
        shares.append(np.isin(near[near != cell], found[found != cell][: N_NEIGHBORS - 1]).mean())
    return float(np.mean(shares))


def measure(name, n_cells, limit, kept):
    """The figures of one pipeline, whose clusters are kept in a file; the process ends if it takes too long."""
    pipeline = PIPELINES[SHORT[name]]
    few = made_cells(FEW_CELLS)[0]
    before, _ = best_seconds(lambda: run_pipeline(pipeline, adata_of(few)), 1)
    X, groups = made_cells(int(n_cells))
    adata = adata_of(X)
    end_after(float(limit))
    (seconds, (of_graph, labels)), memory = memory_of(lambda: best_seconds(lambda: run_pipeline(pipeline, adata), 1))
    end_after(0)
    codes = labels.cat.codes.to_numpy()
    np.save(kept, codes)
    figures = {
        "seconds": seconds,
        "before": before,
        "mib": memory["beyond"] / 2**20,
        "ari": float(adjusted_rand_score(groups, codes)),
        "nmi": float(nmi(groups, codes)),
        "clusters": len(np.unique(codes)),
    }
    if pipeline.connect:
        figures |= {"graph_seconds": of_graph, "recall": recall_of(adata, X)}
    return figures


def kept_clusters(n_cells, name):
    return RESULTS / f"single_cells-{n_cells}-{name}.npy"


def line_of(name, n_cells, limit):
    """What is kept of a pipeline on so many cells."""
    kept = kept_clusters(n_cells, name)
    found = outcome(lambda: in_a_process(__file__, name, n_cells, limit, kept), limit)
    return {"rows": n_cells, "pipeline": name} | found


def agreements(n_cells):
    """ARI of the clusters of each pipeline with those of the first, where there are both."""
    files = {name: path for name in SHORT if (path := kept_clusters(n_cells, name)).exists()}
    if "scanpy" not in files:
        return {}
    scanpys = np.load(files["scanpy"])
    return {name: adjusted_rand_score(scanpys, np.load(path)) for name, path in files.items() if name != "scanpy"}


def table_of(results, n_cells):
    """Lines of Markdown: a row for each pipeline. Time is relative to the first, where it was in time."""
    first, agreement = results.get(n_cells, "scanpy"), agreements(n_cells)
    names = ("time", "seconds", "of the graph", "MiB", "recall", "clusters", "ARI", "NMI", "ARI to scanpy")
    yield f"| {n_cells:,} × {N_COLS} | {' | '.join(names)} |"
    yield "|---|" + "---|" * len(names)
    for name, title in SHORT.items():
        line = results.get(n_cells, name)
        if "seconds" not in line:
            missing = f"over {line['over']:g}" if "over" in line else "failed" if line else ""
            yield f"| `{title}` | | {missing} |" + " |" * 7
            continue
        ratio = f"{line['seconds'] / first['seconds']:.2f}" if "seconds" in first else ""
        graph = f"{line['graph_seconds']:.3g}" if "recall" in line else ""
        recall = f"{line['recall']:.3f}" if "recall" in line else ""
        same = f"{agreement[name]:.3f}" if name in agreement else ""
        yield (
            f"| `{title}` | {ratio} | {line['seconds']:.3g} | {graph} | {line['mib']:.0f} | {recall} | "
            f"{line['clusters']} | {line['ari']:.3f} | {line['nmi']:.3f} | {same} |"
        )


def run(sizes, names, limit, results):
    """Measure what the file does not have, or what was asked for by name."""
    RESULTS.mkdir(exist_ok=True)
    for n_cells in sizes:
        for name in names or SHORT:
            if not names and is_known(results.get(n_cells, name), limit):
                continue
            line = line_of(name, n_cells, limit)
            packages = [f"{package} {version(package)}" for package in PIPELINES[SHORT[name]].packages]
            results.add(line | {"packages": packages} | surroundings())
            print(json.dumps(line), flush=True)


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, nargs="+", default=SIZES, help="numbers of cells")
    parser.add_argument("--only", nargs="+", choices=SHORT, default=[], metavar="NAME", help=", ".join(SHORT))
    parser.add_argument("--limit", type=float, default=1800, metavar="SECONDS", help="what takes longer is ended")
    return parser.parse_args()


if __name__ == "__main__":
    warnings.filterwarnings("ignore")  # of graphs in several parts
    logging.disable(logging.WARNING)
    if sys.argv[1:2] == ["measure"]:
        print(json.dumps(measure(*sys.argv[2:])))
    else:
        chosen = parse()
        file = "single_cells.json" if chosen.rows == SIZES else "single_cells-trial.json"
        results = Lines(RESULTS / file, ("rows", "pipeline"))
        run(chosen.rows, chosen.only, chosen.limit, results)
        for n_cells in chosen.rows:
            print("\n".join(table_of(results, n_cells)))
