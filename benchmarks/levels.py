"""Clusters without a given number: ARI, NMI and number of clusters of Communities beside methods that find it, too.

``make bench-levels``, or a part: ``python benchmarks/levels.py --kinds real shapes --methods Communities EVoC --seeds
1``. There are four kinds of data: ``real`` (every labelled data set of the folder ANCHORGRAPH_DATA and scikit-learn's,
as in benchmarks/real.py), 81 ``shapes``, 48 Gaussian ``mixtures`` (those of benchmarks/how_many.py), and ``nothing``:
20 kinds of rows without clusters, 100 to 100,000 of them. Real data are clustered with five seeds (``--slow-seeds``
where there are many rows and the method is slow), the others with one. Each clustering is kept as it comes in
results/levels.json, with commit and machine, so that the command can be stopped and started again; ``--again`` forgets
those that are asked for. ``--table`` measures nothing and prints the tables of docs/how_many_clusters.md.

"plateau" is the rule of the first sketch of levels, on the graph of Communities: of the partitions along decreasing
resolutions, the one that stays alike (adjusted Rand index 0.85) over the longest range, down to 0.15. Leiden is
igraph's, at resolution 1 on the same graph. EVoC and PLSCAN have their defaults, PLSCAN on 32 principal components of
wider rows. "UMAP + HDBSCAN" has the parameters of BERTopic: 15 neighbours, 5 dimensions, clusters of at least 10 rows.
"silhouette" is that of k-means with 2 to 30 clusters on 2,000 rows at most, so that it cannot find more. Rows that a
method labels -1 count as one more cluster, but not in the number that it found; "labelled" is the share of the others.
Slow methods get at most 1,000 rows without clusters.

``--times`` measures how much longer a fit without a given number takes than one with it, on MNIST and on 1,000,000 x
50, alternating, and how much memory it takes; the figures are printed and kept in results/levels_times.json.
"""

import argparse
import json
import sys
import warnings
from functools import partial

import how_many
import numpy as np
import real
from communities import Clusterer, Rows, compile_first, graph_of, leiden, load_rows, narrow
from isolated import in_a_process, memory_of
from lines import Lines, surroundings
from mixture import unequal_gaussians
from record import RESULTS, Row, best_seconds, keep, show
from sklearn.cluster import HDBSCAN
from sklearn.metrics import adjusted_rand_score

from anchorgraph import FSC, Communities
from anchorgraph.datasets import SHAPES, DatasetUnavailableError, make_shape
from anchorgraph.labels.communities import compared_runs
from anchorgraph.labels.cores import Cores, merge_clusters, move_cores
from anchorgraph.labels.persistence import adjusted_rand
from anchorgraph.metrics import nmi

REAL = tuple(name for name in real.DATA if name != "covtype")
NOT_GROUPS = ("german_numeric", "qsar_oral_toxicity", "protein_val2871", "connect4")
"""Real data sets whose classes no method finds; they are not in the means."""

OURS = "Communities"
SIZES = (100, 1_000, 10_000, 100_000)
"""Numbers of rows without clusters."""

MOST_SLOW = 1_000
"""Slow methods are tried on so many of them at most."""


def _stretched(rng, n):
    return rng.standard_normal((n, 10)) / np.arange(1, 11)


def _sphere(rng, n, d=10):
    X = rng.standard_normal((n, d))
    return X / np.linalg.norm(X, axis=1, keepdims=True)


def _arc(rng, n):
    t = np.pi * rng.random(n)
    return np.column_stack([np.cos(t), np.sin(t)]) + 0.05 * rng.standard_normal((n, 2))


def _roll(rng, n):
    t = 4 + 9 * rng.random(n)
    return np.column_stack([t * np.cos(t), t * np.sin(t), 20 * rng.random(n)])


def _sums(rng, n):
    return np.cumsum(rng.standard_normal((n, 20)), axis=1)


NOTHING = {
    "line": lambda rng, n: rng.random((n, 1)),
    "square": lambda rng, n: rng.random((n, 2)),
    "strip": lambda rng, n: rng.random((n, 2)) * [10, 1],
    "cube, 5 columns": lambda rng, n: rng.random((n, 5)),
    "cube, 20 columns": lambda rng, n: rng.random((n, 20)),
    "Gaussian, 1 column": lambda rng, n: rng.standard_normal((n, 1)),
    "Gaussian, 2 columns": lambda rng, n: rng.standard_normal((n, 2)),
    "Gaussian, 10 columns": lambda rng, n: rng.standard_normal((n, 10)),
    "Gaussian, 50 columns": lambda rng, n: rng.standard_normal((n, 50)),
    "Gaussian, 100 columns": lambda rng, n: rng.standard_normal((n, 100)),
    "stretched Gaussian": _stretched,
    "sums of steps": _sums,
    "Student's t": lambda rng, n: rng.standard_t(3, (n, 3)),
    "Laplace": lambda rng, n: rng.laplace(size=(n, 5)),
    "log-normal": lambda rng, n: rng.lognormal(sigma=0.7, size=(n, 4)),
    "exponential": lambda rng, n: rng.exponential(size=(n, 3)),
    "sphere": _sphere,
    "ball": lambda rng, n: _sphere(rng, n, 4) * rng.random((n, 1)) ** 0.25,
    "arc": _arc,
    "roll": _roll,
}


def nothing(kind, n_rows):
    X = NOTHING[kind](np.random.default_rng([7, n_rows]), n_rows)
    return Rows(X.astype(np.float32), np.zeros(n_rows, np.intp), 1)


def shape(name):
    X, y = make_shape(name)
    return Rows(X.astype(np.float32), y, len(np.unique(y[y >= 0])))


def mixture(number):
    X, y = how_many.mixture(number)
    return Rows(X.astype(np.float32), y, int(y.max()) + 1)


KINDS = {
    "real": {name: partial(load_rows, name) for name in REAL},
    "shapes": {name: partial(shape, name) for name in SHAPES},
    "mixtures": {f"mixture {number}": partial(mixture, number) for number in range(how_many.N_MIXTURES)},
    "nothing": {f"{kind}, {n:,} rows": partial(nothing, kind, n) for kind in NOTHING for n in SIZES},
}
"""How the data sets of each kind are made."""


def graph_without_number(data, seed):
    """The graph that Communities makes if the number of clusters is not given."""
    return graph_of(data._replace(n_clusters=None), seed)


def plateau(data, seed, _):
    """The partition that stays alike over the longest range of resolutions."""
    graph = graph_without_number(data, seed)
    n = graph.ties.shape[0]
    wanted, resolution = min(300, max(40, n // 40)), 1.0
    for _ in range(12):
        runs = compared_runs(graph.ties, resolution, seed)
        found = min(int(labels.max()) for labels in runs) + 1
        if found >= wanted:
            break
        resolution *= max(1.6, wanted / found)
    cores = Cores.of(graph.ties, runs)
    resolutions = [own for own in np.geomspace(resolution, 0.01, 70) if own >= 0.15]
    labels, path = np.arange(len(cores.sizes)), []
    for own in resolutions:
        labels = merge_clusters(cores.graph, labels, None, own)
        labels = np.unique(move_cores(cores.graph, labels, own), return_inverse=True)[1]
        path.append(labels)
    lengths = [_length(path, place, resolutions, cores.sizes) for place in range(len(path))]
    return path[int(np.argmax(lengths))][cores.core_of][graph.node_of]


def _length(path, place, resolutions, sizes):
    """Over how many e-folds of the resolution partitions are like this one; -1 for a single cluster."""
    if path[place].max() == 0:
        return -1.0
    ends = []
    for step in (-1, 1):
        last = place
        while 0 <= last + step < len(path) and adjusted_rand(path[place], path[last + step], sizes) > 0.85:
            last += step
        ends.append(resolutions[last])
    return float(np.log(ends[0] / ends[1]))


def leiden_on_our_graph(data, seed, _):
    graph = graph_without_number(data, seed)
    return leiden(graph.ties, seed)[graph.node_of]


def plscan(data, *_):
    from fast_plscan import PLSCAN

    return PLSCAN().fit_predict(narrow(data.X))


def umap_and_hdbscan(data, *_):
    from umap import UMAP

    reduced = UMAP(n_components=5, n_neighbors=min(15, len(data.X) - 1), min_dist=0, n_jobs=-1).fit_transform(data.X)
    return HDBSCAN(min_cluster_size=10, copy=True).fit_predict(reduced)


def by_silhouette(data, seed, _):
    return how_many.k_means(data.X, how_many.by_silhouette(data.X)).labels_


METHODS = {
    OURS: Clusterer(lambda data, seed, _: Communities(random_state=seed).fit_predict(data.X)),
    "plateau": Clusterer(plateau),
    "Leiden": Clusterer(leiden_on_our_graph),
    "FSC": Clusterer(lambda data, seed, _: FSC(None, random_state=seed).fit_predict(data.X)),
    "EVoC": Clusterer(real.evoc, is_slow=True),
    "PLSCAN": Clusterer(plscan, is_slow=True),
    "UMAP + HDBSCAN": Clusterer(umap_and_hdbscan, is_slow=True),
    "silhouette": Clusterer(by_silhouette, has_seed=False),
}


class Results(Lines):
    """Lines by kind, data set, method and seed."""

    def __init__(self, path):
        super().__init__(path, ("kind", "data", "method", "seed"))

    def forget(self, kinds, methods):
        """Have no lines of these; the file has them until the next line is written."""
        old = [line for line in self._lines.values() if line["kind"] in kinds and line["method"] in methods]
        for line in old:
            del self._lines[self._key(line)]

    def of(self, kind, method, name=None):
        """Those that have figures."""
        return [
            line
            for line in self._lines.values()
            if (line["kind"], line["method"]) == (kind, method) and "seconds" in line and name in (None, line["data"])
        ]

    def mean(self, kind, method, name):
        """Means over the seeds, or None."""
        found = self.of(kind, method, name)
        keys = ("ari", "nmi", "found", "labelled", "seconds")
        return {key: float(np.mean([line[key] for line in found])) for key in keys} if found else None


def figures(method, data, seed):
    compile_first(METHODS[method])
    seconds, labels = best_seconds(lambda: np.asarray(METHODS[method].cluster(data, seed, None)), 1)
    is_known = data.y >= 0
    return {
        "ari": float(adjusted_rand_score(data.y[is_known], labels[is_known])),
        "nmi": float(nmi(data.y[is_known], labels[is_known], "mean")),
        "found": len(np.unique(labels[labels >= 0])),
        "labelled": float(np.mean(labels >= 0)),
        "seconds": seconds,
    }


def n_seeds(kind, method, n_rows, chosen):
    if kind != "real" or not METHODS[method].has_seed:
        return 1
    return chosen.slow_seeds if METHODS[method].is_slow and n_rows > real.MANY_ROWS else chosen.seeds


def measure(kind, name, methods, chosen, results):
    """Measure what the file does not have of a data set, and print it."""
    data = KINDS[kind][name]()
    is_few = kind != "nothing" or len(data.X) <= MOST_SLOW
    wanted = [method for method in methods if is_few or not METHODS[method].is_slow]
    shown = []
    for method in wanted:
        for seed in range(n_seeds(kind, method, len(data.X), chosen)):
            if "seconds" not in results.get(kind, name, method, seed):
                line = {"kind": kind, "data": name, "method": method, "seed": seed, "true": data.n_clusters}
                try:
                    line |= figures(method, data, seed)
                except Exception as reason:
                    line["failed"] = f"{type(reason).__name__}: {reason}"
                results.add(line | surroundings())
        mean = results.mean(kind, method, name)
        shown.append(f"{method} {mean['found']:.0f} {mean['ari']:.3f}" if mean else f"{method} failed")
    print(f"{name} ({data.n_clusters}): {'  '.join(shown)}", flush=True)


def is_right(line):
    return max(line["found"], 1) == line["true"]  # no cluster at all is one


def distance(line):
    """How far the number that was found is from the true one, as a logarithm."""
    return abs(np.log(max(line["found"], 1) / line["true"]))


def table_of_real(results):
    """A row for each data set, with ARI and number of clusters, and means over those that all methods did."""
    methods = [method for method in METHODS if results.of("real", method)]
    yield f"| data set | classes | {' | '.join(methods)} |"
    yield "|---" * (2 + len(methods)) + "|"
    names = [name for name in REAL if results.of("real", OURS, name)]
    for name in names:
        means = [results.mean("real", method, name) for method in methods]
        best = max(mean["ari"] for mean in means if mean)
        cells = [_cell(mean, mean and round(mean["ari"], 3) == round(best, 3)) for mean in means]
        yield f"| {name} | {results.of('real', OURS, name)[0]['true']} | {' | '.join(cells)} |"
    common = [
        name for name in names if name not in NOT_GROUPS and all(results.of("real", method, name) for method in methods)
    ]
    for title, value in (
        ("ARI", lambda method, name: results.mean("real", method, name)["ari"]),
        ("NMI", lambda method, name: results.mean("real", method, name)["nmi"]),
        (
            "abs(log(found / true))",
            lambda method, name: np.mean([distance(line) for line in results.of("real", method, name)]),
        ),
        ("labelled", lambda method, name: results.mean("real", method, name)["labelled"]),
        ("seconds", lambda method, name: results.mean("real", method, name)["seconds"]),
    ):
        cells = [f"{np.mean([value(method, name) for name in common]):.3g}" for method in methods]
        yield f"| mean {title} of {len(common)} | | {' | '.join(cells)} |"


def _cell(mean, is_best):
    if not mean:
        return ""
    text = f"{mean['ari']:.3f}".replace("0.", ".", 1)
    text = f"**{text}**" if is_best else text
    return f"{text}, {mean['found']:.0f}"


def table_of_numbers(results):
    """How often the true number is found in data that were made, and ARI."""
    methods = [method for method in METHODS if any(results.of(kind, method) for kind in KINDS if kind != "real")]
    yield f"| data | sets | {' | '.join(methods)} |"
    yield "|---" * (2 + len(methods)) + "|"
    for kind in [kind for kind in KINDS if kind != "real"]:
        cells, n_sets = [], 0
        for method in methods:
            found = results.of(kind, method)
            n_sets = max(n_sets, len(found))
            share = f"{100 * np.mean([is_right(line) for line in found]):.0f} %" if found else ""
            score = f" ({np.mean([line['ari'] for line in found]):.2f})" if found and kind != "nothing" else ""
            cells.append(share + score)
        yield f"| {kind} | {n_sets} | {' | '.join(cells)} |"


def fit_in_a_process(name, is_told):
    """Print seconds and memory of a fit in this process; a small fit has loaded all libraries before."""
    X, n_clusters = _rows_to_time(name)
    Communities(2, random_state=0).fit(X[:1000].copy())
    model = Communities(n_clusters if is_told else None, random_state=0)
    (seconds, _), memory = memory_of(lambda: best_seconds(lambda: model.fit(X), 1))
    print(json.dumps({"seconds": seconds, "beyond": memory["beyond"], "clusters": model.n_clusters_}))


def _rows_to_time(name):
    if name == "mnist":
        data = load_rows(name)
        return data.X, data.n_clusters
    return unequal_gaussians(1_000_000, 50, 100)[0], 100


def times(runs):
    """Seconds and memory of fits with and without a given number, alternating, each in a process of its own."""
    for name, title in (("mnist", "MNIST"), ("made", "1,000,000 x 50")):
        found = {True: [], False: []}
        for _ in range(runs):
            for is_told in found:
                found[is_told].append(in_a_process(__file__, name, int(is_told)))
        told, free = (min(one["seconds"] for one in found[is_told]) for is_told in (True, False))
        yield Row(f"{title}, given the number", told, "s", runs=runs)
        clusters = f"{found[False][0]['clusters']} clusters"
        yield Row(f"{title}, without", free, "s", runs=runs, note=clusters)
        yield Row(f"{title}, ratio", free / told, "times", "<= 1.4", runs=runs)
        for is_told, what in ((True, "given the number"), (False, "without")):
            beyond = max(one["beyond"] for one in found[is_told])
            yield Row(f"{title}, {what}: memory beyond the input", beyond / 2**20, "MiB", runs=runs)


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS), help=", ".join(KINDS))
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=list(METHODS), metavar="NAME")
    parser.add_argument("--data", nargs="+", default=[], metavar="NAME", help="only these data sets")
    parser.add_argument("--seeds", type=int, default=5, help="number of seeds on real data")
    parser.add_argument(
        "--slow-seeds",
        type=int,
        default=1,
        help=f"number of seeds of slow methods on more than {real.MANY_ROWS:,} rows",
    )
    parser.add_argument("--again", action="store_true", help="forget what is known of these, and begin anew")
    parser.add_argument("--table", action="store_true", help="print Markdown tables of what is known, measure nothing")
    parser.add_argument("--times", type=int, nargs="?", const=3, metavar="RUNS", help="measure times of fits instead")
    return parser.parse_args()


def run(chosen, results):
    if chosen.again:
        results.forget(chosen.kinds, chosen.methods)
    for kind in chosen.kinds:
        for name in chosen.data or KINDS[kind]:
            try:
                if name in KINDS[kind]:
                    measure(kind, name, chosen.methods, chosen, results)
            except DatasetUnavailableError as reason:
                print(f"{name} is left out: {reason}")


def show_tables(results):
    for table in (table_of_real, table_of_numbers):
        print("\n".join(["", *table(results)]))


if __name__ == "__main__":
    warnings.filterwarnings("ignore")  # of graphs in several parts: scores are what counts
    if sys.argv[1:2] == ["measure"]:
        fit_in_a_process(sys.argv[2], bool(int(sys.argv[3])))
    else:
        chosen, results = parse(), Results(RESULTS / "levels.json")
        if chosen.times:
            rows = []
            for row in times(chosen.times):
                show(row)
                rows.append(row)
            keep("levels_times", rows)
        else:
            if not chosen.table:
                run(chosen, results)
            show_tables(results)
