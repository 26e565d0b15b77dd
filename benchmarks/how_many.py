"""How often the true number of clusters is found, from 2 to 30, without labels.

``python benchmarks/how_many.py``, or some kinds of data alone: ``--kinds mixtures real``. For each kind and method it
prints the share of the data sets whose number is found, the mean of ``|log2(found / true)|``, and seconds a data set.
Ours are the largest gap between eigenvalues and ``FSC(n_clusters=None)``. Silhouette, Calinski-Harabasz and the gap
statistic (Tibshirani, Walther and Hastie 2001) are those of k-means on 2,000 rows at most; silhouettes are of 1,000.
The rule of FSC was chosen with every third shape, other mixtures and half of the real data; results on the other shapes
and the other real data were seen meanwhile. Only these mixtures are a fresh test.
"""

import argparse
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from record import keep_as
from sklearn import datasets
from sklearn.cluster import KMeans
from sklearn.metrics import calinski_harabasz_score, silhouette_score
from sklearn.preprocessing import scale

from anchorgraph import FSC
from anchorgraph.datasets import SHAPES, DatasetUnavailableError, load, make_shape

NUMBERS = range(2, 31)
MOST_ROWS, MOST_SILHOUETTES = 2_000, 1_000
N_REFERENCES = 5
N_MIXTURES = 48


@dataclass(frozen=True)
class Data:
    """A data set whose number of clusters is known; it is made when it is needed."""

    name: str
    make: Callable


def mixture(number):
    """Gaussian clusters: 3 to 25, in 2 to 50 dimensions, of unequal size and spread, apart or touching."""
    rng = np.random.default_rng([21, number])
    n_clusters, n_cols = rng.integers(3, 26), rng.choice([2, 3, 5, 10, 20, 50])
    sizes = np.maximum(30, (100 * n_clusters * rng.dirichlet(np.full(n_clusters, 3.0))).astype(int))
    spreads = rng.uniform(0.5, 1.2, n_clusters)
    apart = (4 + 0.5 * np.sqrt(n_cols)) * rng.uniform(0.6, 1.3)
    side, centres = 0.8 * apart * n_clusters ** (1 / n_cols), []
    while len(centres) < n_clusters:
        centre = rng.uniform(0, side, n_cols)
        if all(np.linalg.norm(centre - other) > apart for other in centres):
            centres.append(centre)
        else:
            side *= 1.01
    y = np.repeat(np.arange(n_clusters), sizes)
    return np.array(centres)[y] + spreads[y, np.newaxis] * rng.standard_normal((len(y), n_cols)), y


def from_files(name):
    data = load(name)
    return np.asarray(data.X, dtype=np.float32), data.y


def from_sklearn(name, *, scaled=False):
    X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
    return (scale(X) if scaled else X), y


KINDS = {
    "mixtures": [Data(f"mixture {i}", lambda i=i: mixture(i)) for i in range(N_MIXTURES)],
    "shapes": [Data(name, lambda name=name: make_shape(name)) for i, name in enumerate(SHAPES) if i % 3],
    "shapes, to choose": [Data(name, lambda name=name: make_shape(name)) for name in SHAPES[::3]],
    "real": [
        Data("iris", lambda: from_sklearn("iris")),
        Data("wine", lambda: from_sklearn("wine", scaled=True)),
        Data("breast_cancer", lambda: from_sklearn("breast_cancer", scaled=True)),
        Data("digits", lambda: from_sklearn("digits")),
        *(Data(name, lambda name=name: from_files(name)) for name in ("mnist", "usps", "pendigits", "coil20")),
    ],
}


def by_eigengap(X):
    values = FSC(max(NUMBERS), n_init=1, random_state=0).fit(X).singular_values_ ** 2
    return 2 + int(np.argmax(-np.diff(values)))


def by_fsc(X):
    return FSC(None, random_state=0).fit(X).n_clusters_


def some_rows(X, most=MOST_ROWS):
    rng = np.random.default_rng(0)
    return X if len(X) <= most else X[np.sort(rng.choice(len(X), most, replace=False))]


def k_means(X, n_clusters, n_init=3):
    return KMeans(n_clusters, n_init=n_init, random_state=0).fit(X)


def by_silhouette(X):
    X = some_rows(X)
    size = MOST_SILHOUETTES if len(X) > MOST_SILHOUETTES else None
    scores = [silhouette_score(X, k_means(X, k).labels_, sample_size=size, random_state=0) for k in NUMBERS]
    return NUMBERS[int(np.argmax(scores))]


def by_calinski_harabasz(X):
    X = some_rows(X)
    return NUMBERS[int(np.argmax([calinski_harabasz_score(X, k_means(X, k).labels_) for k in NUMBERS]))]


def by_gap_statistic(X):
    """The smallest number whose gap is not clearly below the next one; references are uniform along principal axes."""
    X = some_rows(X).astype(np.float64)
    rng, numbers = np.random.default_rng(0), range(1, max(NUMBERS) + 1)
    centred = X - X.mean(axis=0)
    turned = centred @ np.linalg.svd(centred, full_matrices=False)[2].T
    own = np.log([k_means(X, k).inertia_ for k in numbers])
    references = [rng.uniform(turned.min(axis=0), turned.max(axis=0), turned.shape) for _ in range(N_REFERENCES)]
    logs = np.log([[k_means(rows, k, 1).inertia_ for k in numbers] for rows in references])
    gaps, errors = logs.mean(axis=0) - own, logs.std(axis=0) * np.sqrt(1 + 1 / N_REFERENCES)
    enough = np.flatnonzero(gaps[:-1] >= gaps[1:] - errors[1:])
    return numbers[int(enough[0])] if len(enough) else max(NUMBERS)


METHODS = {
    "largest eigengap": by_eigengap,
    "FSC(None)": by_fsc,
    "silhouette": by_silhouette,
    "Calinski-Harabasz": by_calinski_harabasz,
    "gap statistic": by_gap_statistic,
}


def measure(kind, data):
    """What every method finds on one data set."""
    X, y = data.make()
    true, records = len(np.unique(y[y >= 0] if y.dtype.kind in "iu" else y)), []
    for method, count in METHODS.items():
        start = time.perf_counter()
        found = count(X)
        seconds = time.perf_counter() - start
        records.append(
            {"kind": kind, "data": data.name, "method": method, "true": true, "found": found, "seconds": seconds}
        )
    found = "  ".join(f"{record['method']} {record['found']}" for record in records)
    print(f"{data.name:<30} {true:>3}: {found}", flush=True)
    return records


def show_means(records):
    print(f"\n{'':<20} {'':<20} {'sets':>4} {'found':>6} {'log2':>6} {'s':>6}")
    for kind in dict.fromkeys(record["kind"] for record in records):
        for method in METHODS:
            own = [record for record in records if (record["kind"], record["method"]) == (kind, method)]
            hits = np.mean([record["found"] == record["true"] for record in own])
            distance = np.mean([abs(np.log2(record["found"] / record["true"])) for record in own])
            seconds = np.mean([record["seconds"] for record in own])
            print(f"{kind:<20} {method:<20} {len(own):>4} {100 * hits:>5.0f}% {distance:>6.2f} {seconds:>6.1f}")


def run(kinds):
    records = []
    for kind in kinds:
        for data in KINDS[kind]:
            try:
                records += measure(kind, data)
            except DatasetUnavailableError as reason:
                print(f"{data.name} is left out: {reason}")
    show_means(records)
    return records


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS), help=", ".join(KINDS))
    chosen = parser.parse_args().kinds
    warnings.filterwarnings("ignore")  # of graphs in several parts
    keep_as("how_many", run(chosen))
