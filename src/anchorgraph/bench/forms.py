"""Data in the form that a paper gives them: loaded or made, prepared step by step, and the rows that a run takes."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler, normalize

from anchorgraph.datasets import extend_images, load, make_curves


@dataclass(frozen=True)
class Rows:
    """Rows, their classes from 0, and how many of the first are for learning, if the data say so."""

    X: Any
    y: np.ndarray
    n_train: int | None = None

    @property
    def n_classes(self) -> int:
        """Classes that occur."""
        return len(np.unique(self.y))


def rows_in_form(data: dict[str, Any]) -> Rows:
    """All rows of a form, prepared.

    Parameters
    ----------
    data : dict
        ``load`` or ``make`` with a name, ``sample`` (at most so many rows of it), and ``prepare``: names of
        :data:`STEPS`, or ``{name = number}``.

    Returns
    -------
    Rows
    """
    if "make" in data:
        rows = Rows(*make_curves(data["make"], random_state=0))
    else:
        loaded = load(data["load"])
        rows = _some(Rows(loaded.X, loaded.y, loaded.n_train), data.get("sample"))
    for step in data.get("prepare", ()):
        ((name, argument),) = step.items() if isinstance(step, dict) else ((step, None),)
        if name not in STEPS:
            raise ValueError(f"prepare = {name!r} is not known; choose from {', '.join(STEPS)}.")
        rows = STEPS[name](rows, *(() if argument is None else (argument,)))
    return rows


def rows_of_run(rows: Rows, data: dict[str, Any], seed: int) -> Rows:
    """The rows that a run takes: the ``first`` ones, or those of some ``classes``.

    Parameters
    ----------
    rows : Rows
    data : dict
    seed : int
        Chooses classes.

    Returns
    -------
    Rows
    """
    chosen = np.arange(len(rows.y))[: data.get("first")]
    if "classes" in data:
        names = np.random.default_rng(seed).choice(rows.n_classes, data["classes"], replace=False)
        chosen = chosen[np.isin(rows.y[chosen], np.unique(rows.y)[names])]
    return _taken(rows, chosen)


def _some(rows: Rows, n_rows: int | None) -> Rows:
    if n_rows is None or n_rows >= len(rows.y):
        return rows
    return _taken(rows, np.sort(np.random.default_rng(0).choice(len(rows.y), n_rows, replace=False)))


def _taken(rows: Rows, chosen: np.ndarray) -> Rows:
    if len(chosen) == len(rows.y):
        return rows
    n_train = None if rows.n_train is None else int(np.count_nonzero(chosen < rows.n_train))
    return Rows(rows.X[chosen], np.unique(rows.y[chosen], return_inverse=True)[1], n_train)


def _extend(rows: Rows) -> Rows:
    with tempfile.TemporaryDirectory() as folder:
        images, labels = extend_images(rows.X, rows.y, folder)
        return Rows(np.load(images), np.load(labels))


def _values(change: Any) -> Any:
    """A step that changes the numbers of the table, in float32."""

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


def _principal(X: Any, share: float) -> Any:
    """As many principal components as hold this share of the variance."""
    solver = "covariance_eigh" if X.shape[0] > X.shape[1] else "full"
    return PCA(share, svd_solver=solver).fit_transform(X)


def _halve(X: Any, side: int) -> Any:
    """Square images of half the side, by means of four pixels."""
    half = side // 2
    return X.reshape(-1, half, 2, half, 2).mean(axis=(2, 4)).reshape(-1, half * half)


STEPS = {
    "extend": _extend,
    "dense": _values(lambda X: X),
    "divide": _values(lambda X, number: X / np.float32(number)),
    "zero_to_one": _values(_zero_to_one),
    "columns_zero_to_one": _values(_columns_zero_to_one),
    "unit_rows": _values(normalize),
    "unit_table": _values(lambda X: X / np.linalg.norm(X)),
    "standardise": _values(lambda X: StandardScaler().fit_transform(X.astype(np.float64))),
    "one_hot": _values(lambda X: np.eye(int(X.max()) + 1, dtype=np.float32)[X.astype(int)].reshape(len(X), -1)),
    "halve": _values(_halve),
    "pca": _values(lambda X, share: _principal(X.astype(np.float64), share)),
}
"""What can be done to the rows before a method sees them."""
