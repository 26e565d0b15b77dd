"""Maps of rows in two dimensions: time, memory and quality of AnchorMap beside PCA, UMAP and openTSNE.

``make bench-maps``; sections can be named: ``python benchmarks/maps.py mnist million``. Results are kept as they come
in results/maps.json, and those that are there are not measured again without ``--again``. ``--rows 5000`` is a trial on
so many rows of each data set, with a file of its own. ``--picture`` draws docs/images/maps.png from what was measured.

- ``mnist``: AnchorMap on MNIST with five seeds, and what was wanted of it.
- ``peers``: all methods on MNIST, Fashion-MNIST, USPS, PenDigits, COIL-20 and COIL-100 once. What is neither in the
  folder ANCHORGRAPH_DATA nor can be downloaded is left out.
- ``million``: AnchorMap on 1,000,000 x 50 made rows, a mixture of 100 Gaussian clusters of unequal size.
- ``ten_million``: AnchorMap with ``graph="anchors"`` on 10,000,000 x 32 rows of ten Gaussian clusters in a file, which
  is made in a temporary folder (1.3 GB). The map is written to a file, too; its quality is that of 100,000 rows.

Each measurement has a process of its own, which has mapped few rows before, so that libraries are loaded and UMAP has
compiled; the seconds of that are kept as "before". A map that takes longer than ``--limit`` seconds is ended. G is the
time of one product of 70,000 x 784 by 784 x 1,024 in float32, measured after each map; the shortest of these counts.
MiB are those at the peak of the process, beyond what it had with the data loaded; ``peak_mib`` are all. Measures are
described in map_quality.py. New rows are the test rows of a data set, or every seventh row if it has none, in a map of
the other rows.

All get the same float32 rows, divided by their largest value, and have their defaults, with all cores: UMAP has no
seed, with which it would use one thread, and openTSNE has ``n_jobs=-1``.
"""

import argparse
import json
import sys
import tempfile
import warnings
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

import numpy as np
from communities import Target, show_targets
from isolated import end_after, in_a_process, memory_of
from lines import Lines, is_known, outcome, surroundings
from map_quality import placed_accuracy, quality
from maps_picture import Panel, picture
from mixture import unequal_gaussians
from peers import Results
from record import RESULTS, best_seconds, seconds_of_g
from sklearn.decomposition import PCA

import anchorgraph
from anchorgraph.datasets import DatasetUnavailableError, load, make_mixture

ROOT = Path(__file__).parents[1]
POSITIONS = ROOT / "build" / "maps"
"""Where the maps themselves are kept, for the picture."""
PICTURE = ROOT / "docs" / "images" / "maps.png"
N_SEEDS = 5
MADE = {"million": (1_000_000, 50, 100), "ten_million": (10_000_000, 32, 10)}
"""Rows, columns and clusters of what is made."""
N_CHECKED = 100_000
"""Rows of a map in a file whose quality is measured."""


def umap():
    from umap import UMAP

    return UMAP(n_jobs=-1)


def open_tsne(seed):
    from openTSNE.sklearn import TSNE

    return TSNE(n_jobs=-1, random_state=seed)


class Method(NamedTuple):
    """How a method is made, given a seed, the package that it is of, and what a table calls it."""

    make: Callable
    package: str
    title: str
    few_rows: int = 5_000
    """Enough for UMAP to compile all that it needs for many."""


OURS, CHEAP = "AnchorMap", "AnchorMap-anchors"
METHODS = {
    OURS: Method(lambda seed: anchorgraph.AnchorMap(random_state=seed), "anchorgraph", "`AnchorMap`"),
    CHEAP: Method(
        lambda seed: anchorgraph.AnchorMap(graph="anchors", random_state=seed),
        "anchorgraph",
        '`AnchorMap(graph="anchors")`',
    ),
    "PCA": Method(lambda seed: PCA(2, random_state=seed), "scikit-learn", "PCA"),
    "UMAP": Method(lambda seed: umap(), "umap-learn", "UMAP"),
    "openTSNE": Method(open_tsne, "openTSNE", "openTSNE", few_rows=500),  # compiles nothing
}
TITLES = {
    "mnist": "MNIST",
    "fashion_mnist": "Fashion-MNIST",
    "usps": "USPS",
    "pendigits": "PenDigits",
    "coil20": "COIL-20",
    "coil100_7168": "COIL-100",
    "million": "Gaussian mixture",
    "ten_million": "Gaussian mixture, from a file",
}
PEER_DATA = ("mnist", "fashion_mnist", "usps", "pendigits", "coil20", "coil100_7168")


class Task(NamedTuple):
    """One measurement."""

    data: str
    method: str
    seed: int = 0


SECTIONS = {
    "mnist": [Task("mnist", OURS, seed) for seed in range(N_SEEDS)],
    "peers": [Task(data, method) for data in PEER_DATA for method in METHODS],
    "million": [Task("million", method) for method in (OURS, CHEAP)],
    "ten_million": [Task("ten_million", CHEAP)],
}


class Rows(NamedTuple):
    """A data set, and which of its rows are new ones."""

    X: np.ndarray
    y: np.ndarray
    is_new: np.ndarray


def rows_of(name, most):
    """A data set, or so many of its rows."""
    if name in MADE:
        n_rows, n_cols, n_clusters = MADE[name]
        X, y = unequal_gaussians(min(n_rows, most), n_cols, n_clusters)
        return Rows(X, y, np.zeros(len(X), bool))
    data = load(name)
    numbers = np.arange(len(data.y))
    is_new = numbers % 7 == 6 if data.n_train is None else numbers >= data.n_train
    chosen = np.sort(np.random.default_rng(0).permutation(numbers)[:most])
    X = np.ascontiguousarray(data.X[chosen], np.float32)
    X /= X.max()
    return Rows(X, data.y[chosen], is_new[chosen])


def warm_up(method):
    """Map few rows, and place some of them; seconds of the first of these, the first map of this process."""
    few = np.random.default_rng(0).random((method.few_rows, 50), dtype=np.float32)
    model = method.make(0)
    seconds, _ = best_seconds(lambda: model.fit_transform(few), 1)
    model.transform(few[:100])
    return seconds


def timed(work, limit):
    """Figures of ``work``, which ends the process if it takes longer than the limit, and what it returned."""
    end_after(limit)
    (seconds, result), memory = memory_of(lambda: best_seconds(work, 1))
    end_after(0)
    mib = {"peak_mib": memory["peak"] / 2**20, "mib": memory["beyond"] / 2**20}
    return {"seconds": seconds, "seconds_of_g": seconds_of_g(3), **mib}, result


def measure(task, most, limit, folder):
    """A map of the rows, which is kept for the picture, and new rows in a map of the others."""
    method = METHODS[task.method]
    before, data = warm_up(method), rows_of(task.data, most)
    figures, positions = timed(lambda: np.asarray(method.make(task.seed).fit_transform(data.X)), limit)
    POSITIONS.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(positions_file(task, len(data.X)), positions=positions.astype(np.float32), y=data.y)
    shape = {"rows": data.X.shape[0], "columns": data.X.shape[1], "before": before}
    return shape | figures | quality(data.X, data.y, positions) | placed(method, task.seed, data)


def placed(method, seed, data):
    """How well and how fast new rows are placed."""
    is_old = ~data.is_new
    if is_old.all():
        return {}
    model = method.make(seed)
    positions = np.asarray(model.fit_transform(data.X[is_old]))
    seconds, new = best_seconds(lambda: np.asarray(model.transform(data.X[data.is_new])), 1)
    share = placed_accuracy(positions, data.y[is_old], new, data.y[data.is_new])
    return {"new_rows": len(new), "us_a_new_row": 1e6 * seconds / len(new), "placed": share}


def measure_file(task, most, limit, folder):
    """A map of rows in a file, written to another."""
    method = METHODS[task.method]
    before = warm_up(method)
    n_rows, n_cols, n_clusters = MADE[task.data]
    n_rows, out = min(n_rows, most), Path(folder) / "map.npy"
    path, clusters = make_mixture(n_rows, n_cols, n_clusters, folder)
    model = method.make(task.seed)
    figures, _ = timed(lambda: model.fit(str(path)).transform(str(path), out=str(out)), limit)
    chosen = np.linspace(0, n_rows - 1, min(n_rows, N_CHECKED)).astype(np.intp)
    X, y, positions = (np.load(file, mmap_mode="r")[chosen] for file in (path, clusters, out))
    shape = {"rows": n_rows, "columns": n_cols, "before": before, "us_a_row": 1e6 * figures["seconds"] / n_rows}
    return shape | figures | quality(X, y.astype(np.intp), positions)


MEASURES = {"ten_million": measure_file}
"""Data sets that are not measured as the others."""


def positions_file(task, n_rows):
    return POSITIONS / f"{task.data}-{n_rows}-{task.method}-{task.seed}.npz"


def line_of(task, most, limit):
    """What is kept of a task."""
    with tempfile.TemporaryDirectory(prefix="anchorgraph-maps-") as folder:
        found = outcome(lambda: in_a_process(__file__, *task, most, limit, folder), limit)
    package = METHODS[task.method].package
    return task._asdict() | found | {"package": f"{package} {version(package)}"} | surroundings()


def is_available(name):
    """Whether a data set is there; if not, it is said why."""
    try:
        if name not in MADE:
            load(name)
    except DatasetUnavailableError as reason:
        print(f"{name} is left out: {reason}")
        return False
    return True


def run(tasks, most, limit, lines, again):
    """Measure what the file does not have, or all again."""
    todo = [task for task in dict.fromkeys(tasks) if again or not is_known(lines.get(*task), limit)]
    there = {name for name in dict.fromkeys(task.data for task in todo) if is_available(name)}
    for task in todo:
        if task.data in there:
            line = line_of(task, most, limit)
            lines.add(line)
            print(f"{task.data}, {task.method}, seed {task.seed}: {_said(line)}", flush=True)


SAID = (
    *("seconds", "seconds_of_g", "before", "peak_mib", "us_a_row"),
    *("accuracy", "trustworthiness", "silhouette", "placed", "us_a_new_row"),
)


def _said(line):
    if "over" in line:
        return f"over {line['over']:g} s"
    return line.get("failed") or ", ".join(f"{key} {line[key]:.3g}" for key in SAID if key in line)


def targets_of_mnist(lines):
    """What was wanted of AnchorMap on MNIST, with the means over the seeds that were measured."""
    found = [line for task in SECTIONS["mnist"] if "seconds" in (line := lines.get(*task))]
    shortest = min((line["seconds_of_g"] for line in found), default=1)  # others may have slowed the rest
    found = [line | {"G": line["seconds"] / shortest} for line in found]
    for what, key, limit, is_least in (
        ("G of a fit", "G", 8, False),
        ("10-NN accuracy in the map", "accuracy", 0.96, True),
        ("trustworthiness", "trustworthiness", 0.95, True),
        ("silhouette of the digits", "silhouette", 0.45, True),
        ("10-NN accuracy of new rows", "placed", 0.95, True),
    ):
        if values := [line[key] for line in found if key in line]:
            spread = f"{min(values):.3g} to {max(values):.3g}, {len(values)} seeds"
            yield Target(f"{what} ({spread})", float(np.mean(values)), limit, is_least)


def targets_of_size(lines):
    """What was wanted of many rows."""
    line = lines.get(*Task("million", OURS))
    if "seconds" in line:
        yield Target(f"{line['rows']:,} x {line['columns']}: seconds", line["seconds"], 120, False)
        yield Target("the same: GB of the process", line["peak_mib"] * 2**20 / 1e9, 4, False)


HEAD = ("", "", "s", "before: s", "MiB", "10-NN accuracy", "trustworthiness", "silhouette", "new rows")


def table_of(lines, tasks):
    """Lines of Markdown: a row for each data set and method, all of one seed."""
    yield f"| {' | '.join(HEAD)} |"
    yield "|---" * len(HEAD) + "|"
    for task in tasks:
        if line := lines.get(*task):
            yield f"| {' | '.join([_title(task, line), METHODS[task.method].title, *_cells(line)])} |"


def _title(task, line):
    return f"{TITLES[task.data]}, {line['rows']:,} × {line['columns']}" if "rows" in line else TITLES[task.data]


def _cells(line):
    if "seconds" not in line:
        return [f"over {line['over']:g}" if "over" in line else "failed", *[""] * 6]
    keys = ("accuracy", "trustworthiness", "silhouette", "placed")
    scores = [f"{line[key]:.3f}" if key in line else "" for key in keys]
    return [f"{line['seconds']:.3g}", f"{line['before']:.3g}", f"{line['mib']:.0f}", *scores]


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    sections = [[], *SECTIONS]  # argparse looks up the empty list, too
    parser.add_argument("sections", nargs="*", choices=sections, metavar="SECTION", help=", ".join(SECTIONS))
    parser.add_argument("--data", nargs="+", choices=TITLES, default=list(TITLES), metavar="NAME", help="data sets")
    parser.add_argument("--only", nargs="+", choices=METHODS, default=list(METHODS), metavar="NAME", help="methods")
    parser.add_argument("--again", action="store_true", help="measure also what is known")
    parser.add_argument("--rows", type=int, help="a trial on so many rows of each data set")
    parser.add_argument("--limit", type=float, default=600, metavar="SECONDS", help="what takes longer is ended")
    parser.add_argument("--picture", action="store_true", help="draw docs/images/maps.png; alone, measure nothing")
    return parser.parse_args()


def main(chosen):
    lines = Lines(RESULTS / (f"maps-{chosen.rows}.json" if chosen.rows else "maps.json"), Task._fields)
    sections = chosen.sections or ([] if chosen.picture else SECTIONS)
    tasks = [task for section in sections for task in SECTIONS[section]]
    tasks = [task for task in tasks if task.data in chosen.data and task.method in chosen.only]
    run(tasks, chosen.rows or sys.maxsize, chosen.limit, lines, chosen.again)
    if tasks:
        print("\n".join(table_of(lines, [task for task in dict.fromkeys(tasks) if task.seed == 0])))
        show_targets([*targets_of_mnist(lines), *targets_of_size(lines)])
    if chosen.picture:
        drawn = lines.path.with_suffix(".png") if chosen.rows else PICTURE
        picture(list(panels_of(lines)), drawn)
        print(f"the picture: {drawn}")


def panel_of(task, line, clusterer):
    """A map of MNIST, and the clusters that benchmarks/peers.py found."""
    with np.load(positions_file(task, line["rows"])) as kept:
        positions, y = kept["positions"], kept["y"]
    found = f"clusters by {clusterer['method']}: NMI {clusterer['nmi']:.2f}, {clusterer['seconds']:.2g} s"
    return Panel(f"{task.method}: {line['seconds']:.2g} s\n{found}", positions, y)


def panels_of(lines):
    """AnchorMap beside UMAP, and Communities beside UMAP + k-means."""
    clusterers = Results(RESULTS / "peers.json")
    beside = {Task("mnist", OURS): "Communities", Task("mnist", "UMAP"): "UMAP + k-means"}
    for task, clusterer in beside.items():
        line, found = lines.get(*task), clusterers.get("mnist", clusterer)
        if "rows" not in line or "nmi" not in found or not positions_file(task, line["rows"]).exists():
            sys.exit(
                f"{task.method} or {clusterer} was not measured here: 'make bench-maps' and 'make bench-peers' do."
            )
        yield panel_of(task, line, found)


if __name__ == "__main__":
    warnings.filterwarnings("ignore")  # of graphs in several parts: scores are what counts
    if sys.argv[1:2] == ["measure"]:
        data, method, seed, most, limit, folder = sys.argv[2:]
        found = MEASURES.get(data, measure)(Task(data, method, int(seed)), int(most), float(limit), folder)
        print(json.dumps(found))
    else:
        main(parse())
