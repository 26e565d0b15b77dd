"""Classes along curves in a plane, among columns of noise (flrl, Fig. 1)."""

from __future__ import annotations

import numpy as np


def make_curves(
    shape: str, *, n_rows: int = 300, n_noise: int = 10, spread: float = 0.05, random_state: int | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Two moons, three circles or two spirals, a class each, in the first two columns; the others are uniform noise.

    Parameters
    ----------
    shape : {"moons", "circles", "spirals"}
    n_rows : int, default=300
        Of each class.
    n_noise : int, default=10
    spread : float, default=0.05
        Standard deviation of rows about their curve.
    random_state : int or None, default=None

    Returns
    -------
    X : ndarray of shape (n_classes·n_rows, 2 + n_noise)
    y : ndarray of shape (n_classes·n_rows,)
    """
    if shape not in CURVES:
        raise ValueError(f"shape={shape!r} is not known; choose one of {', '.join(CURVES)}.")
    rng = np.random.default_rng(random_state)
    curves = CURVES[shape](rng, n_rows)
    points = np.concatenate(curves) + spread * rng.standard_normal((n_rows * len(curves), 2))
    noise = rng.uniform(-1, 1, (len(points), n_noise))
    return np.hstack([points, noise]), np.repeat(np.arange(len(curves)), n_rows)


def _moons(rng, n_rows):
    left, right = rng.uniform(0, np.pi, (2, n_rows))
    return [_curve(1, left), _curve(-1, right) + np.array([1, 0.5])]


def _circles(rng, n_rows):
    angles = rng.uniform(0, 2 * np.pi, (3, n_rows))
    return [_curve(radius, angle) for radius, angle in zip((0.4, 1.0, 1.6), angles, strict=True)]


def _spirals(rng, n_rows):
    turns = rng.uniform(0.5, 3 * np.pi, (2, n_rows))
    return [_curve(turn / 5, turn + arm * np.pi) for arm, turn in enumerate(turns)]


def _curve(radius, angle):
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])


CURVES = {"moons": _moons, "circles": _circles, "spirals": _spirals}
