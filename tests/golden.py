"""What every method made of three data sets, from every kind of source, before the house was rebuilt.

    python tests/golden.py write    # once, before a change that must not change results
    python tests/golden.py check    # afterwards: each result that differs by more than rounding, by name

Results are kept as they are, but for embeddings, of which a few rows are enough.
"""

import sys
import tempfile
import warnings
from itertools import product
from pathlib import Path

import dask.array as da
import numpy as np
from scipy import sparse
from sklearn.datasets import load_digits, load_wine
from sklearn.preprocessing import StandardScaler

import anchorgraph

FILE = Path(__file__).with_suffix(".npz")
SEEDS = (0, 1)
N_KEPT = 5
"""Rows of an embedding that are kept."""
TOLERANCE = 1e-4
"""Share of the largest value of an array by which a value may differ: float32 and its sums."""

ATTRIBUTES = ("components_", "coefficients_", "singular_values_", "eigenvalues_", "history_", "embedding_", "anchors_")


def digits():
    X, y = load_digits(return_X_y=True)
    return X[:500].astype(np.float32), y[:500]


def wine():
    X, y = load_wine(return_X_y=True)
    return StandardScaler().fit_transform(X), y


def wide():
    """More columns than rows."""
    rng = np.random.default_rng(0)
    y = np.arange(60) % 4
    return 3 * rng.standard_normal((4, 90))[y] + rng.standard_normal((60, 90)), y


DATA = {"digits": digits, "wine": wine, "wide": wide}


def dense(X, folder):
    return X


def csr(X, folder):
    middle = np.quantile(X, 0.6)
    return sparse.csr_array(np.where(middle < X, X, 0))


def file(X, folder):
    np.save(folder / "rows.npy", X)
    return anchorgraph.as_table(folder / "rows.npy", block_rows=37)


def dask(X, folder):
    return da.from_array(X, chunks=(41, -1))


def estimators(n_classes, seed):
    """One of each method, by key, and variants that take another way."""
    for key, method in anchorgraph.CATALOGUE.items():
        parameters = method().get_params()
        chosen = {"n_clusters": n_classes, "n_components": 3, "random_state": seed}
        yield key, method(**{name: value for name, value in chosen.items() if name in parameters})
    graph = {"random_state": seed, "n_anchors": 30, "n_neighbors": 4}
    yield "fsc rotation", anchorgraph.FSC(n_classes, rounding="rotation", search="tree", **graph)
    yield "fsc found", anchorgraph.FSC(None, anchors="hk", weighting="gaussian", **graph)
    yield "ulge inverse", anchorgraph.ULGE(3, anchors="kmeans", weighting="inverse", **graph)
    yield "ongr local", anchorgraph.ONGR(n_classes, weighting=anchorgraph.Gaussian("local"), **graph)
    yield "sr rbf", anchorgraph.SR(3, kernel="rbf", random_state=seed)


def results():
    """All results by a name of data, method, seed, source and what they are."""
    for (data, load), seed in product(DATA.items(), SEEDS):
        X, y = load()
        for (key, model), source in product(estimators(len(np.unique(y)), seed), (dense, csr, file, dask)):
            if source in (dense, csr) or model.card.streams:
                with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    fitted = model.fit(source(X, Path(folder)), y)
                new_rows = (csr(X, None) if source is csr else X)[:N_KEPT]
                for what, values in found(fitted, new_rows).items():
                    yield f"{data}/{key}/{seed}/{source.__name__}/{what}", values


def found(model, new_rows):
    """What a fitted model has, and makes of rows."""
    there = {name: getattr(model, name)[:N_KEPT] for name in ATTRIBUTES if hasattr(model, name)}
    if hasattr(model, "labels_"):
        there["labels_"] = np.asarray(model.labels_).astype(np.int16)
    for verb in ("transform", "predict"):
        if hasattr(model, verb):
            rows = getattr(model, verb)(new_rows)
            there[verb] = rows.toarray() if sparse.issparse(rows) else rows
    return {name: values.astype(np.float32) if values.dtype.kind == "f" else values for name, values in there.items()}


def differ(one, other):
    """By what share of the largest value two arrays differ."""
    if one.shape != other.shape:
        return np.inf
    if one.dtype.kind != "f":
        return float(np.mean(one != other))
    return float(np.abs(one - other).max(initial=0) / max(np.abs(one).max(initial=0), 1e-12))


def check():
    before, after = dict(np.load(FILE)), dict(results())
    shares = {name: differ(before[name], after[name]) for name in before.keys() & after.keys()}
    changed = {name: share for name, share in sorted(shares.items()) if share > TOLERANCE}
    for name, share in changed.items():
        print(f"{name}: {share:.2g}")
    for name in sorted(before.keys() ^ after.keys()):
        print(f"{name}: only {'before' if name in before else 'now'}")
    print(f"{len(shares) - len(changed)} of {len(before)} results agree")
    return len(changed) + len(before.keys() ^ after.keys())


if __name__ == "__main__":
    if sys.argv[1:] == ["write"]:
        np.savez_compressed(FILE, **dict(results()))
    elif sys.argv[1:] == ["check"]:
        sys.exit(bool(check()))
    else:
        sys.exit(__doc__)
