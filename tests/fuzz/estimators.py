"""Every estimator × kinds of data × containers × odd parameters.

What is checked of a fit that is not refused: labels and embeddings have the right shape and are finite, the same seed
gives the same result, rows one by one get what they get together, the rows of the fit get their labels back, and on
ordinary data dense and sparse rows agree.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import sklearn
from scipy import sparse
from sklearn.base import clone
from sklearn.cluster import KMeans

import anchorgraph
from anchorgraph import BKHK, Adaptive, Gaussian, Inverse
from anchorgraph.catalogue import CATALOGUE

OURS, SCIKIT_LEARN = (Path(package.__file__).parent for package in (anchorgraph, sklearn))

KINDS: dict[str, Callable[[Any, int, int], Any]] = {
    "normal": lambda rng, n, d: rng.standard_normal((n, d)),
    "blobs": lambda rng, n, d: 6 * rng.standard_normal((3, d))[rng.integers(3, size=n)] + rng.standard_normal((n, d)),
    "constant rows": lambda rng, n, d: np.tile(rng.standard_normal(d), (n, 1)),
    "zeros": lambda rng, n, d: np.zeros((n, d)),
    "few different rows": lambda rng, n, d: rng.standard_normal((3, d))[rng.integers(3, size=n)],
    "some equal rows": lambda rng, n, d: rng.standard_normal((n, d))[rng.integers(n, size=n)],
    "constant columns": lambda rng, n, d: rng.standard_normal((n, d)) * (np.arange(d) == 0) + 5,
    "grid": lambda rng, n, d: rng.integers(0, 3, (n, d)).astype(float),
    "line": lambda rng, n, d: np.outer(rng.standard_normal(n), rng.standard_normal(d)),
    "offset": lambda rng, n, d: rng.standard_normal((n, d)) + 10.0 ** rng.integers(3, 9),
    "small": lambda rng, n, d: rng.standard_normal((n, d)) * 10.0 ** -rng.integers(5, 170),
    "large": lambda rng, n, d: rng.standard_normal((n, d)) * 10.0 ** rng.integers(5, 170),
    "unlike columns": lambda rng, n, d: rng.standard_normal((n, d)) * 10.0 ** rng.integers(-12, 12, d),
    "outlier": lambda rng, n, d: np.vstack([rng.standard_normal((n - 1, d)), np.full((1, d), 1e6)]),
    "mostly zero": lambda rng, n, d: rng.standard_normal((n, d)) * (rng.random((n, d)) < 0.2),
    "NaN": lambda rng, n, d: np.where(rng.random((n, d)) < 0.05, np.nan, rng.standard_normal((n, d))),
    "infinity": lambda rng, n, d: np.where(rng.random((n, d)) < 0.05, np.inf, rng.standard_normal((n, d))),
}
"""Data by the name of what is odd about them."""

ORDINARY = ("normal", "blobs")
"""On which rounding decides nothing."""


def _masked(X: Any, rng: Any) -> Any:
    return np.ma.masked_array(X, mask=rng.random(X.shape) < 0.1)


def _read_only(X: Any, rng: Any) -> Any:
    X = X.copy()
    X.flags.writeable = False
    return X


CONTAINERS: dict[str, Callable[[Any, Any], Any]] = {
    "float64": lambda X, rng: X,
    "float32": lambda X, rng: X.astype(np.float32),
    "float16": lambda X, rng: X.astype(np.float16),
    "int32": lambda X, rng: np.clip(np.nan_to_num(X), -1e6, 1e6).astype(np.int32),
    "bool": lambda X, rng: X > 0,
    "fortran": lambda X, rng: np.asfortranarray(X),
    "strided": lambda X, rng: np.repeat(X, 2, axis=1)[:, ::2],
    "reversed": lambda X, rng: X[::-1, ::-1],
    "read-only": _read_only,
    "list": lambda X, rng: X.tolist(),
    "frame": lambda X, rng: pd.DataFrame(X, columns=[f"c{i}" for i in range(X.shape[1])]),
    "text frame": lambda X, rng: pd.DataFrame(X).astype(object).assign(word="a"),
    "date frame": lambda X, rng: pd.DataFrame(X).assign(day=pd.Timestamp("2020-01-01")),
    "text of numbers": lambda X, rng: pd.DataFrame(X).astype(str),
    "categories": lambda X, rng: pd.DataFrame(X).assign(word=pd.Categorical(["1"] * len(X))),
    "equal names": lambda X, rng: pd.DataFrame(X, columns=["a"] * X.shape[1]),
    "missing": lambda X, rng: pd.DataFrame(X).astype("Float64").mask(X > 1),
    "masked": _masked,
    "csr": lambda X, rng: sparse.csr_array(X),
    "csr float32": lambda X, rng: sparse.csr_array(X.astype(np.float32)),
    "csr matrix": lambda X, rng: sparse.csr_matrix(X),
    "csc": lambda X, rng: sparse.csc_array(X),
    "coo": lambda X, rng: sparse.coo_array(X),
    "objects": lambda X, rng: X.astype(object),
    "one-dimensional": lambda X, rng: X[:, 0],
    "three-dimensional": lambda X, rng: X[:, :, np.newaxis],
    "complex": lambda X, rng: X.astype(complex),
    "no rows": lambda X, rng: X[:0],
    "no columns": lambda X, rng: X[:, :0],
}

USUAL_CONTAINERS = ("float64", "float32", "csr")

PARAMETERS: dict[str, tuple[list[Any], list[Any]]] = {
    "n_clusters": ([2, 3, 5], [1, None, 0, -1, 40, 1000, 2.5, "x", np.int64(3), True]),
    "n_components": ([1, 2, 3], [0, 7, 12, 50, 2.0, None]),
    "n_anchors": ([None, 8, 16], [1, 2, 3, 40, 1000, 0, "x", np.int32(8)]),
    "n_neighbors": ([2, 3, 5], [1, 8, 30, 0, -2, 1000, None]),
    "anchors": (
        ["bkhk", "kmeans", "random", "hk"],
        ["x", 3, None, KMeans(6, n_init=1, random_state=0), np.zeros((6, 4)), 1e200 * np.eye(4)],
    ),
    "weighting": (
        ["adaptive", "gaussian", "inverse", "self-tuning", Gaussian(1.0), Gaussian("local"), Inverse(1.5)],
        [Adaptive(), Gaussian(1e-100), Gaussian(1e100), Gaussian(1e-8), Inverse(1.0001), Inverse(1e6), "x", None],
    ),
    "search": (["auto", "exact", "tree"], ["x", None]),
    "metric": (["euclidean", "cosine"], ["precomputed", "x", None]),
    "missing": (["error"], ["x", None]),
    "rounding": (["kmeans", "rotation", "qr"], ["x"]),
    "normalisation": (["rows", "none"], [None]),
    "trivial": (["auto", "drop", "keep"], ["x"]),
    "n_init": ([1, 3], [0, "auto"]),
    "init": (["best", "singular", "qr", "rotation", "random"], ["x"]),
    "plus": (["clip", "abs"], ["x", None]),
    "loss": (["squared", "l21"], ["x", None]),
    "sparsity": ([0.0, 1e-3], [1e300, 1e-300, -1, np.nan, "x", 10**400, True]),
    "scale": (["total", "within"], ["x", None]),
    "kmeans_rounds": ([5, 1], [0, -1, "x", None]),
    "lam": ([1e-3, 0.1, 0], [10, 1e6, 1e300, 1e-300, -1, np.nan, "x", 10**400, True]),
    "alpha": ([0.01, 1e-6, 0.1], [0, 1, 1e-300, 1e300, -1, np.nan, None, 10**400, np.ones(2), np.float32(0.1)]),
    "sigma": (["mean", 1.0], [1e-300, 1e300, 1e-8, 1e8, 0, -1, np.nan, "local", "x", 10**400, np.ones(2), True]),
    "kernel": ([None, "rbf", "linear"], ["poly", "sigmoid", "cosine", "laplacian", "chi2", "additive_chi2", "x"]),
    "gamma": ([None, 0.5], [1e-300, 1e300, 0, -1, 10**400, "x"]),
    "degree": ([3, 2], [0, 50, 1e6, 0.5, -1]),
    "coef0": ([1, 0], [1e300, -1e300, -5]),
    "max_iter": ([100, 5], [1, 0, "x"]),
    "tol": ([1e-3, 0.05], [0, 0.999, 1, -1, False, np.ones(2)]),
    "max_samples": ([None, 20], [2, 1, 0]),
    "resolution": ([1.0, 0.5, 2.0], [1e-100, 1e100, 0, -1, 1e300, np.nan, "x", None, True]),
    "sizes": (["equal", None, (1, 1000)], ["x", (5, 2), (0, 1), (3,), 7, (np.nan, 9), (8, 12)]),
    "n_rounds": ([1, 2], [0, 2.5, "x", None]),
    "assignment": (["auto", "routed", "nearest"], ["x", None]),
    "mode": (["distance", "connectivity"], ["x", None]),
    "graph": (["auto", "rows", "anchors"], ["x", None]),
    "kind": (["directed", "mutual", "union", "fuzzy"], ["x", None]),
    "penalty": ([1e-6, 0.1], [1e-300, 1e300, 0]),
    "ridge": ([0.01, 0.1], [1e-300, 1e300, 0]),
    "delta": ([1.0, 10.0], [1e-300, 1e300, 0]),
    "r": ([2.0, 1.5], [1.0001, 1e6, 1, np.nan]),
    "anchors_per_class": ([5, 3], ["auto", 1, 100, 0, "x"]),
    "max_subclasses": ([10, 2], [1, 0]),
    "random_state": (
        [0, 1],
        [None, -1, 2**32, 2**70, True, "x", 1.5, np.random.RandomState(0), np.random.default_rng(0)],
    ),
    "n_jobs": ([1], [None, 2, -1, 0, "x", 1.5]),
}
"""Values of each parameter: ordinary ones, and odd ones."""


def case(seed: int) -> tuple[str, Callable[[Path], str | None]]:
    """The name of the case with this seed, and its work."""
    rng = np.random.default_rng(seed)
    key, kind = str(rng.choice(list(CATALOGUE))), str(rng.choice(list(KINDS)))
    usual = rng.random() < 0.6
    container = str(rng.choice(USUAL_CONTAINERS if usual else list(CONTAINERS)))
    return f"{key}, {kind}, {container}", lambda folder: _fit_and_look(rng, key, kind, container)


def is_clear(error: BaseException) -> bool:
    """Whether an error is a sentence of ours, or one of scikit-learn's about its input."""
    if type(error) is not TypeError and (not isinstance(error, ValueError) or isinstance(error, np.linalg.LinAlgError)):
        return False
    last = traceback.extract_tb(error.__traceback__)[-1]
    file = Path(last.filename)
    if file.is_relative_to(OURS):
        return str(last.line).startswith("raise ")  # and not from C code that a line of ours calls
    return file.is_relative_to(SCIKIT_LEARN / "utils") or file == SCIKIT_LEARN / "base.py"


def _fit_and_look(rng: Any, key: str, kind: str, container: str) -> str | None:
    n, d = int(rng.choice([2, 3, 5, 9, 20, 40, 60])), int(rng.choice([1, 2, 4, 12]))
    n = max(n, 20) if rng.random() < 0.7 else n
    with np.errstate(all="ignore"):
        numbers = KINDS[kind](rng, n, d)
        X = CONTAINERS[container](numbers, rng)
    model = _with_parameters(rng, CATALOGUE[key]())
    y = rng.integers(0, int(rng.choice([1, 2, 3])) + 1, n) if model.card.supervised else None
    fitted = clone(model)
    if isinstance(getattr(model, "random_state", 0), np.random.RandomState):
        fitted.set_params(random_state=0)  # a state that moves on gives other results
    fitted.fit(X, y)
    together = _outputs(fitted, X)
    return (
        _wrong_shapes(fitted, together, n)
        or _unlike_again(fitted, together, X, y)
        or _unlike_one_by_one(fitted, together, X, rng)
        or _unlike_of_the_fit(fitted, together, X, rng)
        or _unlike_sparse(fitted, numbers, y, kind, container, rng)
    )


def _with_parameters(rng: Any, model: Any) -> Any:
    """A model with some of its parameters changed, most of them to ordinary values."""
    chosen = {}
    for name in model.get_params(deep=False):
        ordinary, odd = PARAMETERS[name]
        draw = rng.random()
        values = ordinary if draw < 0.5 else odd if draw < 0.58 else []
        if values:
            chosen[name] = values[int(rng.integers(len(values)))]
    if "random_state" in model.get_params(deep=False) and "random_state" not in chosen:
        chosen["random_state"] = 0
    return model.set_params(**chosen)


VERBS = ("predict", "transform", "predict_proba", "score_samples")


def _outputs(fitted: Any, X: Any) -> dict[str, Any]:
    found = {verb: getattr(fitted, verb)(X) for verb in VERBS if hasattr(fitted, verb)}
    return {verb: rows.toarray() if sparse.issparse(rows) else np.asarray(rows) for verb, rows in found.items()}


def _wrong_shapes(fitted: Any, together: dict[str, Any], n: int) -> str | None:
    for verb, rows in together.items():
        if len(rows) != n:
            return f"{verb} has {len(rows)} rows for {n}"
        if not np.isfinite(rows).all():
            return f"{verb} is not finite"
    labels = getattr(fitted, "labels_", None)
    if labels is not None:
        limit = getattr(fitted, "n_clusters_", None) or fitted.n_clusters
        if labels.shape != (n,) or labels.dtype.kind != "i" or labels.min() < 0 or labels.max() >= limit:
            return "labels_ are no labels"
    for name, value in vars(fitted).items():
        if isinstance(value, np.ndarray) and value.dtype.kind == "f" and not np.isfinite(value).all():
            return f"{name} is not finite"
    return None


def _unlike_again(fitted: Any, together: dict[str, Any], X: Any, y: Any) -> str | None:
    if getattr(fitted, "random_state", 0) is None:
        return None
    for verb, rows in _outputs(clone(fitted).fit(X, y), X).items():
        if not np.array_equal(rows, together[verb]):
            return f"{verb} differs from fit to fit"
    return None


def _unlike_one_by_one(fitted: Any, together: dict[str, Any], X: Any, rng: Any) -> str | None:
    for number in range(min(_length(X), 5)):
        row = _rows(X, [number])
        for verb, rows in _outputs(fitted, row).items():
            change = np.abs(rows - together[verb][number]).max()
            if change > _tolerance(verb, together[verb], X) and not _is_undecided(
                fitted, verb, row, _size(X), change, rng
            ):
                return f"{verb} of row {number} differs from batch to batch by {change:.2g}"
    return None


def _unlike_of_the_fit(fitted: Any, together: dict[str, Any], X: Any, rng: Any) -> str | None:
    if not hasattr(fitted, "labels_"):
        return None
    for number in np.flatnonzero(together["predict"] != fitted.labels_):
        if isinstance(fitted, BKHK) and (fitted.assignment_ == "nearest" or _has_equals(X, number)):
            continue  # rows without room at the nearest centre, and equal rows, are shared out, and the docs say so
        if not _is_undecided(fitted, "predict", _rows(X, [number]), _size(X), 0, rng):
            return f"predict of row {number} differs from labels_"
    return None


def _length(X: Any) -> int:
    return X.shape[0] if hasattr(X, "shape") else len(X)


def _rows(X: Any, numbers: Any) -> Any:
    if isinstance(X, list):
        return [X[number] for number in numbers]
    if hasattr(X, "iloc"):
        return X.iloc[numbers]
    return (sparse.csr_array(X) if sparse.issparse(X) else X)[numbers]


def _size(X: Any) -> float:
    return float(np.abs(X.toarray() if sparse.issparse(X) else np.asarray(X, dtype=float)).max())


def _has_equals(X: Any, number: int) -> bool:
    rows = X.toarray() if sparse.issparse(X) else np.asarray(X)
    return np.count_nonzero((rows == rows[number]).all(axis=1)) > 1


def _tolerance(verb: str, whole: Any, X: Any) -> float:
    return 0.0 if verb == "predict" else (1e-3 if _is_single(X) else 1e-6) * np.abs(whole).max(initial=0)


def _is_single(X: Any) -> bool:
    return hasattr(X, "dtype") and X.dtype in (np.float32, np.float16, np.bool_)


def _is_undecided(fitted: Any, verb: str, row: Any, size: float, change: float, rng: Any) -> bool:
    """Whether rounding decides: the result of a row changes as much when the last digits of numbers of a size do.

    Which of several equal anchors a row is tied to is decided by rounding too, as the docs say.
    """
    anchors = fitted.cluster_centers_ if isinstance(fitted, BKHK) else getattr(fitted, "anchors_", None)
    if anchors is not None and len(np.unique(anchors, axis=0)) < len(anchors):
        return True
    values = row.toarray() if sparse.issparse(row) else np.asarray(row, dtype=np.float32 if _is_single(row) else float)
    eps = np.finfo(values.dtype).eps
    moved = values * (1 + 8 * eps * rng.choice([-1, 1], (32, values.shape[1]))) + eps * size * (
        rng.standard_normal((32, values.shape[1]))
    )
    results = _outputs(fitted, np.vstack([values, moved]).astype(values.dtype))[verb]
    return bool(np.ptp(results, axis=0).max() >= max(change / 8, 1e-300))


def _unlike_sparse(fitted: Any, numbers: Any, y: Any, kind: str, container: str, rng: Any) -> str | None:
    if kind not in ORDINARY or container != "float64" or getattr(fitted, "random_state", 0) is None:
        return None
    if not hasattr(fitted, "labels_"):
        return None
    other = clone(fitted).fit(sparse.csr_array(numbers), y)
    if np.array_equal(fitted.labels_, other.labels_):
        return None
    for _ in range(8):  # whether rounding decides
        moved = numbers * (1 + 4 * np.finfo(float).eps * rng.choice([-1, 1], numbers.shape))
        if not np.array_equal(clone(fitted).fit(moved, y).labels_, fitted.labels_):
            return None
    return "labels of dense and sparse rows differ"
