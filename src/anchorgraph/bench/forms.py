"""Data as a paper uses them: loaded or generated, prepared step by step, and the rows of each run."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from scipy.ndimage import gaussian_filter
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler, normalize

from anchorgraph.datasets import extend_images, load, make_curves


@dataclass(frozen=True)
class Rows:
    """Rows, their classes numbered from 0, and the number of leading training rows if the data set defines it."""

    X: Any
    y: np.ndarray
    n_train: int | None = None

    @property
    def n_classes(self) -> int:
        """Number of classes that occur."""
        return len(np.unique(self.y))


def load_rows(data: dict[str, Any]) -> Rows:
    """Load or generate all rows, and prepare them.

    Parameters
    ----------
    data : dict
        ``load`` or ``make`` with a name, ``sample`` (maximum number of rows), and ``prepare``: names of
        :data:`STEPS`, or ``{name = argument}``.

    Returns
    -------
    Rows
    """
    if "make" in data:
        rows = Rows(*make_curves(data["make"], random_state=0))
    else:
        loaded = load(data["load"])
        rows = _sample(Rows(loaded.X, loaded.y, loaded.n_train), data.get("sample"))
    for step in data.get("prepare", ()):
        ((name, argument),) = step.items() if isinstance(step, dict) else ((step, None),)
        if name not in STEPS:
            raise ValueError(f"prepare = {name!r} is not known; choose from {', '.join(STEPS)}.")
        rows = STEPS[name](rows, *(() if argument is None else (argument,)))
    return rows


def select_rows(rows: Rows, data: dict[str, Any], seed: int) -> Rows:
    """The rows of a run: the ``first`` ones, or those of some ``classes``.

    Parameters
    ----------
    rows : Rows
    data : dict
    seed : int
        Seed for the choice of classes.

    Returns
    -------
    Rows
    """
    chosen = np.arange(len(rows.y))[: data.get("first")]
    if "classes" in data:
        names = np.random.default_rng(seed).choice(rows.n_classes, data["classes"], replace=False)
        chosen = chosen[np.isin(rows.y[chosen], np.unique(rows.y)[names])]
    return _subset(rows, chosen)


def _sample(rows: Rows, n_rows: int | None) -> Rows:
    if n_rows is None or n_rows >= len(rows.y):
        return rows
    return _subset(rows, np.sort(np.random.default_rng(0).choice(len(rows.y), n_rows, replace=False)))


def _subset(rows: Rows, chosen: np.ndarray) -> Rows:
    if len(chosen) == len(rows.y):
        return rows
    n_train = None if rows.n_train is None else int(np.count_nonzero(chosen < rows.n_train))
    return Rows(rows.X[chosen], np.unique(rows.y[chosen], return_inverse=True)[1], n_train)


def _extend(rows: Rows) -> Rows:
    with tempfile.TemporaryDirectory() as folder:
        images, labels = extend_images(rows.X, rows.y, folder)
        return Rows(np.load(images), np.load(labels))


def _columns(rows: Rows, ends: list[int]) -> Rows:
    """The columns from the first of ``ends`` to before the second; sparse rows stay sparse."""
    start, stop = ends
    n_cols = rows.X.shape[1]
    if not 0 <= start < stop <= n_cols:
        raise ValueError(f"columns = {ends} are not among the {n_cols} columns of the data.")
    return Rows(rows.X[:, start:stop], rows.y, rows.n_train)


def _on_values(change: Callable[..., Any]) -> Callable[..., Rows]:
    """A step that changes the values of the rows and returns float32."""

    def step(rows: Rows, *argument: Any) -> Rows:
        X = rows.X.toarray() if sparse.issparse(rows.X) else rows.X
        return Rows(np.asarray(change(X, *argument), dtype=np.float32), rows.y, rows.n_train)

    return step


def _zero_to_one(X: Any) -> Any:
    low, high = np.float32(X.min()), np.float32(X.max())
    return (X - low) / (high - low)


def _columns_zero_to_one(X: Any) -> Any:
    low = X.min(axis=0)
    return (X - low) / np.maximum(X.max(axis=0) - low, 1e-12)


def _pca(X: Any, share: float) -> Any:
    """As many principal components as explain this share of the variance."""
    solver = "covariance_eigh" if X.shape[0] > X.shape[1] else "full"
    return PCA(share, svd_solver=solver, random_state=0).fit_transform(X)


def _side(X: Any) -> int:
    """Side length of square images, one per row."""
    side = math.isqrt(X.shape[1])
    if side * side != X.shape[1]:
        raise ValueError(f"Square images have a square number of columns; got {X.shape[1]}.")
    return side


def _blur(X: Any, sigma: float) -> Any:
    """Square images after a Gaussian filter with a standard deviation of ``sigma`` pixels."""
    side = _side(X)
    images = X.reshape(-1, side, side).astype(np.float32)
    return gaussian_filter(images, sigma, mode="nearest", axes=(1, 2)).reshape(X.shape)


def _halve(X: Any, side: int) -> Any:
    """Square images of half the side length; each pixel is the mean of four."""
    if X.shape[1] != side * side:
        raise ValueError(f"halve = {side} is for images of {side}×{side} pixels; the data have {X.shape[1]} columns.")
    half = side // 2
    return X.reshape(-1, half, 2, half, 2).mean(axis=(2, 4)).reshape(-1, half * half)


STEPS: dict[str, Callable[..., Rows]] = {
    "extend": _extend,
    "columns": _columns,
    "dense": _on_values(lambda X: X),
    "divide": _on_values(lambda X, number: X / np.float32(number)),
    "zero_to_one": _on_values(_zero_to_one),
    "columns_zero_to_one": _on_values(_columns_zero_to_one),
    "unit_rows": _on_values(normalize),
    "standardise": _on_values(lambda X: StandardScaler().fit_transform(X.astype(np.float64))),
    "one_hot": _on_values(lambda X: np.eye(int(X.max()) + 1, dtype=np.float32)[X.astype(int)].reshape(len(X), -1)),
    "blur": _on_values(_blur),
    "halve": _on_values(_halve),
    "pca": _on_values(lambda X, share: _pca(X.astype(np.float64), share)),
}
"""Steps of preparation by name."""
