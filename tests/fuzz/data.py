"""Rows and weights with something odd about them, in any container."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

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

WEIGHTS: dict[str, Callable[[Any, int], Any]] = {
    "ones": lambda rng, n: np.ones(n),
    "whole": lambda rng, n: rng.integers(1, 6, n),
    "whole with zeros": lambda rng, n: rng.integers(0, 3, n).astype(float),
    "equal and large": lambda rng, n: np.full(n, float(rng.choice([21, 1000, 10**9]))),
    "fractions": lambda rng, n: rng.random(n),
    "fractions with zeros": lambda rng, n: rng.random(n) * (rng.random(n) < 0.6),
    "huge": lambda rng, n: (1 + rng.random(n)) * 10.0 ** rng.integers(8, 300),
    "tiny": lambda rng, n: (1 + rng.random(n)) * 10.0 ** -rng.integers(8, 307),
    "unlike": lambda rng, n: 10.0 ** rng.integers(-12, 12, n),
    "one heavy row": lambda rng, n: np.where(np.arange(n) == n // 2, 1e15, 1.0),
    "float32": lambda rng, n: rng.random(n, np.float32),
    "series": lambda rng, n: pd.Series(rng.random(n), index=rng.permutation(n)),
    "list": lambda rng, n: rng.integers(0, 2, n).tolist(),
    "bool": lambda rng, n: rng.random(n) < 0.7,
    "few": lambda rng, n: (np.arange(n) < rng.integers(4)).astype(float),
    "negative": lambda rng, n: rng.standard_normal(n),
    "NaN": lambda rng, n: np.where(rng.random(n) < 0.1, np.nan, 1.0),
    "infinity": lambda rng, n: np.where(rng.random(n) < 0.1, np.inf, 1.0),
    "too many": lambda rng, n: np.ones(n + 1),
    "column": lambda rng, n: np.ones((n, 1)),
    "text": lambda rng, n: np.array(["1"] * n),
    "name": lambda rng, n: "no such column",
}

USUAL_WEIGHTS = ("whole", "whole with zeros", "fractions", "fractions with zeros", "huge", "tiny")


def anchor_graph(numbers: Any) -> Any:
    """Rows of an anchor graph, of which the three largest entries are left: what ``metric="precomputed"`` takes."""
    sizes = np.abs(numbers)
    kept = sizes * (sizes >= np.partition(sizes, -min(3, sizes.shape[1]), axis=1)[:, [-min(3, sizes.shape[1])]])
    return kept / kept.sum(axis=1, keepdims=True)
