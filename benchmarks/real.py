"""Clusterings of real data: accuracy, NMI, ARI and time of Communities beside what people use otherwise.

``make bench-real``, on every labelled data set of the folder ANCHORGRAPH_DATA and on scikit-learn's, with five seeds;
``python benchmarks/real.py --data coil20 iris --methods Communities KMeans --seeds 1`` is a part of it. Each clustering
is kept as it comes in results/real.json, with commit, machine and versions, so that the command can be stopped and
started again; those that are there are not made again. ``--again`` forgets those that are asked for and begins anew, as
``make bench`` does. ``--table`` measures nothing and prints the table of docs/methods/communities.md from the file.

It prints a table for each data set, means and standard deviations over seeds, and then the NMI of Communities and of
UMAP + k-means on each, whether the first is better by at least 0.01, and means over the data sets that all methods did.

All methods get the same float32 rows, made and standardised as in benchmarks/communities.py: sparse rows dense, the
columns of wine, breast_cancer and german_numeric and the first ten of covtype standardised; ``words_of_…`` are the
sentences by their words alone, as tf-idf in 200 dimensions. All but Leiden and EVoC get the true number of clusters.
KMeans has ten starts; UMAP has 10 dimensions, 30 neighbours and ``min_dist=0``, and k-means with ten starts after it;
Leiden is igraph's, by modularity at resolution 1, on the graph that Communities makes for the true number, which counts
in its time; EVoC has its defaults. Rows that it labels -1 count as one more cluster, and "labelled" is the share of the
others. UMAP and EVoC have no seed, with which they would use one thread, so their seeds are repetitions.

All run in one process, on all cores. Before it is timed, each method has clustered few rows, so that libraries are
loaded and UMAP and EVoC have compiled. These two run with fewer seeds on more than 30,000 rows (``--slow-seeds``), and
not at all on more than 200,000 (``--most-rows``), which leaves out covtype.

NMI is scikit-learn's, divided by the arithmetic mean of the two entropies. "NMI larger" is divided by the larger of
them, as in benchmarks/communities.py; it is smaller where the number or the sizes of clusters are not the true ones.
"""

import argparse
import warnings
from collections import Counter
from importlib.metadata import version
from typing import NamedTuple

import numpy as np
from communities import LEIDEN, OURS, UMAP_KMEANS, Clusterer, compile_first, load_rows, title_of
from communities import METHODS as CLUSTERERS
from lines import Lines, surroundings
from record import RESULTS, best_seconds
from sklearn.metrics import adjusted_rand_score

from anchorgraph.datasets import DatasetUnavailableError
from anchorgraph.metrics import clustering_accuracy, nmi

DATA = (
    *("mnist", "usps", "pendigits", "coil20", "coil100_7168", "digits"),
    *(
        "sentences_stackoverflow",
        "sentences_clinc150",
        "words_of_sentences_stackoverflow",
        "words_of_sentences_clinc150",
    ),
    *("cells_cord_blood", "cells_pbmc_sorted"),
    *("iris", "wine", "breast_cancer", "tox171"),
    *("german_numeric", "qsar_oral_toxicity", "protein_val2871", "connect4", "covtype"),
)
MANY_ROWS = 30_000
"""More rows than that are clustered with fewer seeds by slow methods."""
WANTED = 0.01
"""By how much the NMI of Communities is wanted to be larger than that of UMAP + k-means."""
BESIDE = ("numpy", "scipy", "scikit-learn")
"""Packages that all methods use."""


def evoc(data, *_):
    from evoc import EVoC

    return EVoC().fit_predict(data.X)


class Method(NamedTuple):
    """What the table calls a method, how it clusters, and the package that it is of."""

    title: str
    clusterer: Clusterer
    package: str


EVOC = "EVoC"
METHODS = {
    OURS: Method("`Communities`", CLUSTERERS[OURS], "anchorgraph"),
    "KMeans": Method("`KMeans(n_init=10)`", CLUSTERERS["KMeans"], "scikit-learn"),
    UMAP_KMEANS: Method("UMAP + k-means", CLUSTERERS[UMAP_KMEANS], "umap-learn"),
    "FSC": Method("`FSC`", CLUSTERERS["FSC"], "anchorgraph"),
    LEIDEN: Method("Leiden, same graph", CLUSTERERS[LEIDEN], "igraph"),
    EVOC: Method("EVoC", Clusterer(evoc, is_slow=True), "evoc"),
}


class Cell(NamedTuple):
    """One clustering."""

    data: str
    method: str
    seed: int


FIGURES = ("accuracy", "nmi", "nmi_larger", "ari", "clusters", "labelled", "seconds")


def measure(method, data, seed):
    """The figures of one clustering, and the versions of what made it."""
    clusterer, package = METHODS[method].clusterer, METHODS[method].package
    compile_first(clusterer)
    seconds, found = best_seconds(lambda: clusterer.cluster(data, seed, None), 1)
    labels = np.asarray(getattr(found, "labels_", found))
    return {
        "accuracy": clustering_accuracy(data.y, labels),
        "nmi": nmi(data.y, labels, "mean"),
        "nmi_larger": nmi(data.y, labels),
        "ari": float(adjusted_rand_score(data.y, labels)),
        "clusters": len(np.unique(labels)),
        "labelled": float(np.mean(labels >= 0)),
        "seconds": seconds,
        "versions": ", ".join(f"{name} {version(name)}" for name in dict.fromkeys([package, *BESIDE])),
    }


def line_of(cell, data, most_rows):
    """What is kept of a cell: figures, or why there are none."""
    shape = {"rows": data.X.shape[0], "columns": data.X.shape[1], "classes": data.n_clusters}
    if METHODS[cell.method].clusterer.is_slow and len(data.X) > most_rows:
        found = {"left_out": f"more than {most_rows:,} rows"}
    else:
        try:
            found = measure(cell.method, data, cell.seed)
        except Exception as reason:
            found = {"failed": f"{type(reason).__name__}: {reason}"}
    return cell._asdict() | shape | found | surroundings()


class Results(Lines):
    """Lines by cell, and their means."""

    def __init__(self, path):
        super().__init__(path, Cell._fields)

    def forget(self, names, methods):
        """Have no lines of these; the file has them until the next line is written."""
        old = [line for line in self._lines.values() if line["data"] in names and line["method"] in methods]
        for line in old:
            del self._lines[self._key(line)]

    def measured(self, name):
        """Those of a data set that have figures."""
        return [line for line in self._lines.values() if line["data"] == name and "seconds" in line]

    def mean(self, name, method):
        """Means over the seeds of a method, or the line that says why there are none, which may be empty."""
        found = [line for line in self.measured(name) if line["method"] == method]
        if not found:
            return self.get(name, method, 0)
        means = {key: float(np.mean([line[key] for line in found])) for key in FIGURES}
        spreads = {f"{key}_spread": float(np.std([line[key] for line in found])) for key in ("accuracy", "nmi", "ari")}
        return found[0] | means | spreads | {"seeds": len(found)}


def n_seeds(method, n_rows, chosen):
    is_slow = METHODS[method].clusterer.is_slow and n_rows > MANY_ROWS
    return min(chosen.slow_seeds, chosen.seeds) if is_slow else chosen.seeds


def fill(name, method, data, chosen, results):
    """Measure what the file does not have of a method on a data set; what fails is not tried with further seeds."""
    for seed in range(n_seeds(method, len(data.X), chosen)):
        cell = Cell(name, method, seed)
        if "seconds" in results.get(*cell):
            continue
        line = line_of(cell, data, chosen.most_rows)
        results.add(line)
        if "seconds" not in line:
            print(f"{method:<24} seed {seed} {missing(line)}", flush=True)
            return


SCORES = {"accuracy": "accuracy", "nmi": "NMI", "ari": "ARI"}


def show_title(name, data):
    print(f"\n{title_of(name, data)}")
    scores = "".join(f" {title:>12}" for title in SCORES.values())
    print(f"{'':<24}{scores} {'NMI larger':>10} {'clusters':>8} {'labelled':>8} {'seconds':>9} seeds")


def show_line(method, line):
    scores = "".join(f" {line[key]:>6.3f} ±{line[key + '_spread']:.3f}" for key in SCORES)
    rest = f"{line['nmi_larger']:>10.3f} {line['clusters']:>8.1f} {line['labelled']:>8.3f} {line['seconds']:>9.2f}"
    print(f"{method:<24}{scores} {rest} {line['seeds']:>5}", flush=True)


def missing(line):
    """Why there are no figures."""
    if "failed" in line:
        return f"failed: {line['failed']}"
    return f"left out: {line['left_out']}"


def run(names, methods, chosen, results):
    """Measure, and print a table for each data set."""
    if chosen.again:
        results.forget(names, methods)
    for name in names:
        try:
            data = load_rows(name)
        except DatasetUnavailableError as reason:
            print(f"\n{name} is left out: {reason}")
            continue
        show_title(name, data)
        for method in methods:
            fill(name, method, data, chosen, results)
            if "seconds" in (line := results.mean(name, method)):
                show_line(method, line)


class Difference(NamedTuple):
    """NMI of Communities and of UMAP + k-means on a data set."""

    data: str
    ours: float
    theirs: float

    @property
    def is_met(self):
        return self.ours - self.theirs >= WANTED


def differences(results, names):
    for name in names:
        ours, theirs = results.mean(name, OURS), results.mean(name, UMAP_KMEANS)
        if "seconds" in ours and "seconds" in theirs:
            yield Difference(name, ours["nmi"], theirs["nmi"])


def means_of_methods(results, names):
    """The data sets on which all methods have figures that have any on one, and by method the means over these."""
    by_data = {name: {line["method"] for line in results.measured(name)} for name in names}
    methods = [method for method in METHODS if any(method in found for found in by_data.values())]
    common = [name for name, found in by_data.items() if found and found.issuperset(methods)]
    if not common:
        return [], {}
    return common, {
        method: {key: float(np.mean([results.mean(name, method)[key] for name in common])) for key in FIGURES}
        for method in methods
    }


def show_summary(results, names):
    found = list(differences(results, names))
    if found:
        print(f"\n{'NMI':<24} {OURS:>12} {UMAP_KMEANS:>12} {'difference':>12}  at least +{WANTED:g}")
        for one in found:
            figures = f"{one.ours:>12.3f} {one.theirs:>12.3f} {one.ours - one.theirs:>+12.3f}"
            print(f"{one.data:<24} {figures}  {'yes' if one.is_met else 'NO'}")
        print(f"met on {sum(one.is_met for one in found)} of {len(found)} data sets")
    common, means = means_of_methods(results, names)
    if means:
        titles = "".join(f" {title:>10}" for title in (*SCORES.values(), "NMI larger"))
        print(f"\n{f'mean of data sets: {len(common)}':<24}{titles} {'seconds':>9}")
        for method, mean in means.items():
            scores = " ".join(f"{mean[key]:>10.3f}" for key in (*SCORES, "nmi_larger"))
            print(f"{method:<24} {scores} {mean['seconds']:>9.2f}")
        if left := [name for name in names if name not in common]:
            print(f"without {', '.join(left)}, which not all of them did")
    commits = Counter(line["commit"][:10] for name in names for line in results.measured(name))
    print(f"\nmeasured at {', '.join(f'{commit} ({number})' for commit, number in commits.items()) or 'no commit'}")


def table_of(results, names):
    """Lines of Markdown: a row for each data set, and for each method its scores and seconds."""
    titles = [method.title for method in METHODS.values()]
    yield f"| {' | '.join(['data set', 'rows × columns', 'classes', *titles])} |"
    yield "|---" * (3 + len(titles)) + "|"
    for name in names:
        lines = [results.mean(name, method) for method in METHODS]
        if shape := next(filter(None, lines), None):
            best = max((line["nmi"] for line in lines if "seconds" in line), default=1.0)
            cells = [f"{shape['rows']:,} × {shape['columns']:,}", str(shape["classes"])]
            yield f"| {' | '.join([name, *cells, *(_cell(line, best) for line in lines)])} |"


def _cell(line, best):
    if "seconds" not in line:
        return missing(line).partition(":")[0] if line else ""
    scores = " / ".join(_short(f"{line[key]:.3f}") for key in SCORES)
    scores = f"**{scores}**" if round(line["nmi"], 3) == round(best, 3) else scores
    labelled = f"; {100 * line['labelled']:.0f} % labelled" if line["labelled"] < 1 else ""
    return f"{scores}, {_seconds(line['seconds'])}{labelled}"


def _seconds(value):
    return f"{value:.0f}" if value >= 10 else _short(f"{value:.2g}")


def _short(number):
    """A number as text, without a zero before the point."""
    return number.replace("0.", ".", 1) if number.lstrip("-").startswith("0.") else number


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", nargs="+", default=DATA, metavar="NAME", help=", ".join(DATA))
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=[], metavar="NAME", help=", ".join(METHODS))
    parser.add_argument("--seeds", type=int, default=5, help="number of seeds")
    parser.add_argument(
        "--slow-seeds", type=int, default=1, help=f"number of seeds of UMAP and EVoC on more than {MANY_ROWS:,} rows"
    )
    parser.add_argument(
        "--most-rows", type=int, default=200_000, metavar="N", help="UMAP and EVoC are left out on more rows"
    )
    parser.add_argument("--again", action="store_true", help="forget what is known of these, and begin anew")
    parser.add_argument("--table", action="store_true", help="print a Markdown table of what is known, measure nothing")
    return parser.parse_args()


if __name__ == "__main__":
    chosen, results = parse(), Results(RESULTS / "real.json")
    if chosen.table:
        print("\n".join(table_of(results, chosen.data)))
    else:
        warnings.filterwarnings("ignore")  # of graphs in several parts and k-means that goes on: scores are what counts
        run(chosen.data, chosen.methods or list(METHODS), chosen, results)
        show_summary(results, chosen.data)
