"""Classes along curves in a plane, with further columns of noise (flrl, Fig. 1)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray


def make_curves(
    shape: str, *, n_rows: int = 300, n_noise: int = 10, spread: float = 0.05, random_state: int | None = None
) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Two moons, three circles or two spirals in the first two columns; the other columns are uniform noise.

    Each curve is a class.

    Parameters
    ----------
    shape : {"moons", "circles", "spirals"}
        The curves.
    n_rows : int, default=300
        Number of rows per class.
    n_noise : int, default=10
        Number of noise columns.
    spread : float, default=0.05
        Standard deviation of the rows around their curve.
    random_state : int or None, default=None
        Seed of the random number generator. Pass an int for reproducible results.

    Returns
    -------
    X : ndarray of shape (n_classes * n_rows, 2 + n_noise)
        The rows.
    y : ndarray of shape (n_classes * n_rows,)
        The class of each row.
    """
    if shape not in CURVES:
        raise ValueError(f"shape must be one of {', '.join(map(repr, CURVES))}; got {shape!r}.")
    rng = np.random.default_rng(random_state)
    curves = CURVES[shape](rng, n_rows)
    points = np.concatenate(curves) + spread * rng.standard_normal((n_rows * len(curves), 2))
    noise = rng.uniform(-1, 1, (len(points), n_noise))
    return np.hstack([points, noise]), np.repeat(np.arange(len(curves)), n_rows)


def _moons(rng: np.random.Generator, n_rows: int) -> list[NDArray[np.float64]]:
    left, right = rng.uniform(0, np.pi, (2, n_rows))
    return [_curve(1, left), _curve(-1, right) + np.array([1, 0.5])]


def _circles(rng: np.random.Generator, n_rows: int) -> list[NDArray[np.float64]]:
    angles = rng.uniform(0, 2 * np.pi, (3, n_rows))
    return [_curve(radius, angle) for radius, angle in zip((0.4, 1.0, 1.6), angles, strict=True)]


def _spirals(rng: np.random.Generator, n_rows: int) -> list[NDArray[np.float64]]:
    turns = rng.uniform(0.5, 3 * np.pi, (2, n_rows))
    return [_curve(turn / 5, turn + arm * np.pi) for arm, turn in enumerate(turns)]


def _curve(radius: Any, angle: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])


CURVES: dict[str, Callable[[np.random.Generator, int], list[NDArray[np.float64]]]] = {
    "moons": _moons,
    "circles": _circles,
    "spirals": _spirals,
}
