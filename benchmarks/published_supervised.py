"""The 1-NN accuracies that flrl (Table 2) prints, beside ours.

``python benchmarks/published_supervised.py``: 40 % of each class to learn from, 20 splits, the best mean over each
method's parameters and dimensions, as in the paper. Data sets can be named: ``… german tox``.
"""

import itertools
import sys
import warnings

import numpy as np
from joblib import Parallel, delayed
from record import keep_as
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler, normalize

from anchorgraph import ADA, ALLDA, FLRL, LADA, LSDA, MMC, SSDA
from anchorgraph.datasets import DatasetUnavailableError, load

N_SPLITS = 20
PRINTED = {
    "LDA": (64.73, 99.09, 88.76, 74.95),
    "MMC": (63.60, 98.31, 91.55, 69.80),
    "LSDA": (64.73, 98.95, 91.78, 74.31),
    "LADA": (66.68, 99.06, 91.66, 78.04),
    "SSDA": (63.70, 99.53, 91.87, 81.52),
    "ADA": (64.18, 98.72, 92.50, 73.19),
    "ALLDA": (67.00, 99.48, 92.07, 81.47),
    "FLRL": (69.23, 99.74, 92.62, 82.70),
}


def german():
    data = load("german_numeric")
    return PCA(0.99).fit_transform(StandardScaler().fit_transform(data.X.astype(float))), data.y, (1, 3, 7, 11, 15, 19)


def coil20():
    data = load("coil20")
    halved = data.X.astype(float).reshape(-1, 16, 2, 16, 2).mean(axis=(2, 4)).reshape(-1, 256)
    return PCA(0.9).fit_transform(halved), data.y, (7, 10, 13, 16, 19, 22)


def qsar():
    data = load("qsar_oral_toxicity")
    return PCA(0.8, random_state=0).fit_transform(normalize(data.X.astype(float))), data.y, (25, 61, 109)


def tox():
    data = load("tox171")
    return PCA(0.9).fit_transform(StandardScaler().fit_transform(data.X.astype(float))), data.y, (5, 9, 14, 19, 25, 35)


DATA = {"german": german, "coil20": coil20, "qsar": qsar, "tox": tox}


def methods(name, n_classes):
    """Parameters of each method: the paper's ranges, thinned out for pairs and on qsar, which is large."""
    large = name == "qsar"
    anchors = (2, 6, 10) if large else range(2, 11)
    yield "LDA", lambda q, seed: LinearDiscriminantAnalysis(solver="svd", n_components=q), [{}], range(1, n_classes)
    yield "MMC", lambda q, seed: MMC(q, n_jobs=1), [{}], None
    yield "LSDA", lambda q, seed: LSDA(q, n_jobs=1), [{}], None
    yield "SSDA", lambda q, seed: SSDA(q, n_jobs=1), [{}], None
    rounds = {"max_iter": 10 if large else 20}
    yield "LADA", lambda q, seed: LADA(q, n_jobs=1, **rounds), [{}], None
    deltas = (0.1, 1.0) if large else (0.1, 0.4, 0.7, 1.0)
    yield "ADA", lambda q, seed: ADA(q, n_jobs=1, **rounds), [{"delta": float(delta)} for delta in deltas], None
    neighbours = (1, 5) if large else (1, 3, 5, 10)
    yield "ALLDA", lambda q, seed: ALLDA(q, n_jobs=1, **rounds), [{"n_neighbors": k} for k in neighbours], None
    grid = [
        {"anchors_per_class": m, "n_neighbors": k}
        for m in anchors
        for k in ({1, m // 2, m - 1} if large else range(1, m))
    ]
    yield "FLRL", lambda q, seed: FLRL(q, n_jobs=1, random_state=seed), grid, None
    automatic = [{"anchors_per_class": "auto"}]
    yield "FLRL, auto", lambda q, seed: FLRL(q, n_jobs=1, random_state=seed), automatic, None
    yield "FLRL, defaults", lambda q, seed: FLRL(q, n_jobs=1, random_state=seed), [{}], None


def split(y, seed):
    """Two in five rows of each class, and the others."""
    rng = np.random.default_rng(seed)
    chosen = [rng.permutation(own)[: round(0.4 * len(own))] for own in (np.flatnonzero(y == c) for c in np.unique(y))]
    seen = np.zeros(len(y), dtype=bool)
    seen[np.concatenate(chosen)] = True
    return seen


def accuracies(X, y, seed, make, grid, dimensions):
    """Accuracy on the other rows for each choice of parameters and dimension."""
    warnings.filterwarnings("ignore", category=UserWarning)
    seen = split(y, seed)
    found = []
    for options, q in itertools.product(grid, dimensions):
        rows = make(q, seed).set_params(**options).fit(X[seen], y[seen]).transform(X)
        nearest = KNeighborsClassifier(1).fit(rows[seen], y[seen])
        found.append(100 * nearest.score(rows[~seen], y[~seen]))
    return found


def cells(names):
    for name in names or DATA:
        try:
            X, y, dimensions = DATA[name]()
        except DatasetUnavailableError as reason:
            print(f"{name} is left out: {reason}")
            continue
        column = list(DATA).index(name)
        for method, make, grid, own_dimensions in methods(name, len(np.unique(y))):
            slow = name == "qsar" and method in ("LADA", "ADA", "ALLDA")
            runs = 3 if slow else N_SPLITS
            searched = [q for q in own_dimensions or dimensions if q < X.shape[1]]
            work = (delayed(accuracies)(X, y, seed, make, grid, searched) for seed in range(runs))
            scores = np.array(Parallel(n_jobs=-1)(work))
            best = scores.mean(axis=0).argmax()
            options, q = list(itertools.product(grid, searched))[best]
            yield {
                "data": f"{name} {X.shape[1]} columns",
                "method": method,
                "accuracy": scores[:, best].mean(),
                "spread": scores[:, best].std(),
                "dimension": q,
                **options,
                "printed": PRINTED.get(method, [None] * 4)[column],
                "choices": scores.shape[1],
                "runs": runs,
            }


def main(names):
    if unknown := set(names) - set(DATA):
        sys.exit(f"{', '.join(unknown)}: not known; name some of {', '.join(DATA)}.")
    found = []
    try:
        for cell in cells(names):
            print(
                "  ".join(f"{k} {v:.1f}" if isinstance(v, float) else f"{k} {v}" for k, v in cell.items()), flush=True
            )
            found.append(cell)
    except DatasetUnavailableError as reason:
        print(f"left out: {reason}")
    keep_as("-".join(["published", "flrl", *names]), found)


if __name__ == "__main__":
    main(sys.argv[1:])
