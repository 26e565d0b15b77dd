"""Balanced clusters: their sizes and quantisation error, as lists of an index, beside k-means-constrained, from a file.

Run by ``make bench-balanced``; sections can be named: ``python benchmarks/balanced.py index``. Times are relative to
``BKHK`` on the same rows in the same run, errors to k-means.
"""

import sys
import tempfile
import warnings
from pathlib import Path

import faiss
import numpy as np
from k_means_constrained import KMeansConstrained
from record import best_seconds, keep_as
from sklearn.cluster import KMeans

from anchorgraph import BKHK
from anchorgraph.datasets import DatasetUnavailableError, load
from anchorgraph.indexes import faiss_index

PROBES = (1, 2, 4, 8, 16, 32, 64, 128)
RECALLS = (0.9, 0.95, 0.99)
N_NEIGHBORS, N_QUERIES = 10, 1_000
PATIENCE = 120
"""Seconds after which k-means-constrained gets no more rows."""

ASSIGNMENTS = {
    "BKHK, routed": {},
    "BKHK, nearest, equal, 1 round": {"assignment": "nearest", "n_rounds": 1},
    "BKHK, nearest, equal": {"assignment": "nearest"},
    "BKHK, nearest, ±25 %": {"sizes": 0.25},
    "BKHK, nearest, any": {"sizes": None},
}


def timed(work, *arguments, runs=1):
    """Seconds of the shortest run, and the result of the last one."""
    return best_seconds(lambda: work(*arguments), runs)


def rows_of(name):
    return load(name).X.astype(np.float32)


def made(n=1_000_000, d=96, seed=0):
    """Rows and queries around 2,000 centres of unlike weight, in 20 of the directions and a little in all."""
    rng = np.random.default_rng(seed)
    centres = rng.standard_normal((2_000, 20), dtype=np.float32)
    weights = 1 / np.arange(1, 2_001) ** 0.7
    axes = rng.standard_normal((20, d), dtype=np.float32) / np.float32(np.sqrt(20))
    group = rng.choice(2_000, n + N_QUERIES, p=weights / weights.sum())
    X = (centres[group] + 0.4 * rng.standard_normal((n + N_QUERIES, 20), dtype=np.float32)) @ axes
    X += 0.1 * rng.standard_normal(X.shape, dtype=np.float32)
    return X[:n], X[n:]


def bkhk(n_clusters, n_rows, sizes="equal", **parameters):
    if isinstance(sizes, float):
        mean = n_rows / n_clusters
        sizes = (int((1 - sizes) * mean), int((1 + sizes) * mean) + 1)
    return BKHK(n_clusters, sizes=sizes, random_state=0, **parameters)


def nearest_of_tree(X, n_clusters):
    return bkhk(n_clusters, len(X)).fit(X).transform(X).argmin(axis=1)


def faiss_kmeans(X, n_clusters):
    """FAISS's k-means with its defaults but for all rows, and the nearest centre of each row."""
    model = faiss.Kmeans(X.shape[1], n_clusters, niter=10, seed=1, max_points_per_centroid=len(X))
    model.train(X)
    return model.index.search(X, 1)[1][:, 0]


def error(X, labels, n_clusters):
    """The sum of squared distances to the means."""
    order = np.argsort(labels, kind="stable")
    starts = np.flatnonzero(np.bincount(labels, minlength=n_clusters))
    counts = np.bincount(labels, minlength=n_clusters)[starts]
    ends = np.cumsum(counts)
    total = 0.0
    for start, end in zip(ends - counts, ends, strict=True):
        own = X[order[start:end]]
        total += float(((own - own.mean(axis=0)) ** 2).sum(dtype=np.float64))
    return total


def sizes():
    """Time, error and the largest cluster of each assignment, beside k-means."""
    for name, n_clusters in (("digits", 64), ("mnist", 64), ("mnist", 1024)):
        X = rows_of(name)
        mean = len(X) / n_clusters
        models = {what: bkhk(n_clusters, len(X), **own) for what, own in ASSIGNMENTS.items()}
        found = {what: timed(model.fit_predict, X, runs=3) for what, model in models.items()}
        found["the nearest of the tree's centres"] = timed(nearest_of_tree, X, n_clusters, runs=3)
        if len(X) * n_clusters <= 70_000 * 64:
            found["KMeans of scikit-learn"] = timed(KMeans(n_clusters, n_init=1, random_state=0).fit_predict, X)
        found["k-means of FAISS"] = timed(faiss_kmeans, X, n_clusters)
        errors = {what: error(X, labels, n_clusters) for what, (_, labels) in found.items()}
        for what, (seconds, labels) in found.items():
            counts = np.bincount(labels, minlength=n_clusters)
            yield {
                "data": f"{name}, {n_clusters} clusters",
                "what": what,
                "time / routed": seconds / found["BKHK, routed"][0],
                "error / k-means": errors[what] / errors["k-means of FAISS"],
                "largest / mean": float(counts.max() / mean),
                "smallest / mean": float(counts.min() / mean),
            }


def index():
    """Recall of ten neighbours against the rows that a search compares, for lists of BKHK and of FAISS's k-means."""
    digits = rows_of("mnist")
    order = np.random.default_rng(0).permutation(len(digits))
    sets = {
        "mnist, 256 lists": (256, digits[order[N_QUERIES:]], digits[order[:N_QUERIES]]),
        "1,000,000 x 96, 1,024 lists": (1024, *made()),
    }
    for name, (n_lists, X, queries) in sets.items():
        exact = faiss.IndexFlatL2(X.shape[1])
        exact.add(X)
        truth = exact.search(queries, N_NEIGHBORS)[1]
        lists = [name for name in ASSIGNMENTS if not name.endswith("any")]
        found = {f"lists of {what}": timed(balanced_index, X, n_lists, ASSIGNMENTS[what]) for what in lists}
        found["lists of FAISS's k-means"] = timed(trained_index, X, n_lists)
        first = found["lists of BKHK, routed"][0]
        for what, (seconds, own) in found.items():
            curve = [probe(own, queries, truth, n_probes) for n_probes in PROBES if n_probes <= n_lists]
            yield {
                "data": name,
                "what": what,
                "build time / routed": seconds / first,
                **{f"scanned at {recall:.0%}": reached(curve, recall, "mean") for recall in RECALLS},
                **{f"p99 at {recall:.0%}": reached(curve, recall, "p99") for recall in RECALLS},
                "curve": curve,
            }


def balanced_index(X, n_lists, parameters):
    return faiss_index(bkhk(n_lists, len(X), **parameters).fit(X), X)


def trained_index(X, n_lists):
    """An index as FAISS makes it by itself."""
    own = faiss.IndexIVFFlat(faiss.IndexFlatL2(X.shape[1]), X.shape[1], n_lists)
    own.train(X)
    own.add(X)
    return own


def probe(own, queries, truth, n_probes):
    """Recall, and the mean and the 99th percentile of the shares of rows that are compared, for a number of lists."""
    own.nprobe = n_probes
    found = own.search(queries, N_NEIGHBORS)[1]
    lists = own.quantizer.search(queries, n_probes)[1]
    length = np.array([own.invlists.list_size(i) for i in range(own.nlist)])
    scanned = length[lists].sum(axis=1) / own.ntotal
    hits = (found[:, :, np.newaxis] == truth[:, np.newaxis]).any(axis=2).mean()
    return {
        "probes": n_probes,
        "recall": float(hits),
        "mean": float(scanned.mean()),
        "p99": float(np.quantile(scanned, 0.99)),
    }


def reached(curve, recall, what):
    """The share of rows at a recall, between the numbers of lists that were tried; None if it was not reached."""
    recalls, shares = [own["recall"] for own in curve], [own[what] for own in curve]
    return float(np.interp(recall, recalls, shares)) if recalls[0] <= recall <= recalls[-1] else None


def inner_products():
    """The share of the ten largest inner products in eight of 128 lists, for lists of distances and of directions."""
    for spread in (0, 0.3, 0.6, 1):
        for d in (8, 32):
            rng = np.random.default_rng(0)
            X, queries = rng.standard_normal((20_000, d)), rng.standard_normal((300, d))
            X *= rng.lognormal(sigma=spread, size=(len(X), 1))
            best = np.argpartition(-queries @ X.T, N_NEIGHBORS, axis=1)[:, :N_NEIGHBORS]
            squares = (X**2).sum(axis=1, keepdims=True)
            forms = {
                "Euclidean, means": (X, False),
                "a further coordinate, means": (np.hstack([X, np.sqrt(squares.max() - squares)]), False),
                "directions, unit length": (X / np.sqrt(squares), True),
            }
            record = {"data": "20,000 rows, 128 lists, 8 searched", "what": f"spread {spread}, {d} columns"}
            for name, (rows, are_unit) in forms.items():
                labels = bkhk(128, len(X)).fit(rows).labels_
                means = np.stack([X[labels == number].mean(axis=0) for number in range(128)])
                means /= np.linalg.norm(means, axis=1, keepdims=True) if are_unit else 1
                probed = np.argsort(-queries @ means.T, axis=1)[:, :8]
                record[name] = float((labels[best][:, :, np.newaxis] == probed[:, np.newaxis]).any(axis=2).mean())
            yield record


def constrained():
    """k-means-constrained on as many rows as it does in two minutes, with the same sizes: time and error."""
    X = rows_of("mnist")
    X = X[np.random.default_rng(0).permutation(len(X))]
    for n, n_clusters in ((1_000, 16), (2_000, 32), (4_000, 64), (8_000, 128), (16_000, 256)):
        rows = X[:n]
        seconds, routed = timed(bkhk(n_clusters, n).fit_predict, rows, runs=3)
        near_seconds, near = timed(bkhk(n_clusters, n, assignment="nearest").fit_predict, rows, runs=3)
        smallest, largest = n // n_clusters, -(-n // n_clusters)
        theirs = KMeansConstrained(n_clusters, smallest, largest, n_init=1, random_state=0)
        their_seconds, labels = timed(theirs.fit_predict, rows)
        their_error = error(rows, labels, n_clusters)
        yield {
            "data": f"mnist, {n:,} rows, {n_clusters} clusters",
            "what": "k-means-constrained",
            "time / routed": their_seconds / seconds,
            "time / nearest": their_seconds / near_seconds,
            "error of routed": error(rows, routed, n_clusters) / their_error,
            "error of nearest": error(rows, near, n_clusters) / their_error,
        }
        if their_seconds > PATIENCE:
            break


def outside():
    """A million rows in a file: sizes, time and error relative to the same rows in memory."""
    X, _ = made()
    seconds, inside = timed(bkhk(1024, len(X)).fit_predict, X)
    with tempfile.TemporaryDirectory() as folder:
        np.save(Path(folder) / "rows.npy", X)
        file_seconds, labels = timed(bkhk(1024, len(X)).fit_predict, Path(folder) / "rows.npy")
    counts = np.bincount(labels, minlength=1024)
    yield {
        "data": "1,000,000 x 96 in a file, 1,024 clusters",
        "what": "BKHK, routed",
        "time / in memory": file_seconds / seconds,
        "largest - smallest": int(np.ptp(counts)),
        "error / in memory": error(X, labels, 1024) / error(X, inside, 1024),
    }


SECTIONS = {
    "sizes": sizes,
    "index": index,
    "inner_products": inner_products,
    "constrained": constrained,
    "outside": outside,
}


def shown(value):
    return "–" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)


def run(chosen):
    records = []
    for section in chosen or SECTIONS:
        try:
            before = None
            for record in SECTIONS[section]():
                columns = [name for name in record if name not in ("data", "what", "curve")]
                if before != (columns, record["data"]):
                    print(f"\n{record['data']}\n{'':<40}" + "".join(f"{name:>29}" for name in columns))
                before = columns, record["data"]
                print(f"{record['what']:<40}" + "".join(f"{shown(record[name]):>29}" for name in columns), flush=True)
                records.append({"section": section, **record})
        except DatasetUnavailableError as reason:
            print(f"{section} is left out: {reason}")
    return records


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    keep_as("-".join(["balanced", *sys.argv[1:]]), run(sys.argv[1:]))
