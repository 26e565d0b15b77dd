"""Rows in islands: groups of several far parts, so that an anchor graph has more connected parts than groups.

Each case is a function of a seed that returns rows and the group of each. Parts of a group are nearer to each other
than to parts of other groups, so that whoever joins the nearest parts first finds the groups.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

Rows = tuple[NDArray[np.float64], NDArray[np.int64]]


def _blobs(centres: NDArray[np.float64], sizes: Sequence[int], spread: float, groups: Sequence[int], seed: int) -> Rows:
    """Normal rows around each centre; ``groups`` is the group of each blob."""
    rng = np.random.default_rng(seed)
    noise = rng.standard_normal((sum(sizes), centres.shape[1]))
    return np.repeat(centres, sizes, axis=0) + spread * noise, np.repeat(groups, sizes)


def _around(points: NDArray[np.float64], n_parts: int, radius: float, seed: int) -> NDArray[np.float64]:
    """``n_parts`` centres in random directions from each point, at equal distance."""
    rng = np.random.default_rng([seed, 1])
    steps = rng.standard_normal((len(points), n_parts, points.shape[1]))
    steps *= radius / np.linalg.norm(steps, axis=2, keepdims=True)
    return (points[:, np.newaxis] + steps).reshape(-1, points.shape[1])


def _far_points(n_points: int, n_columns: int, distance: float, seed: int) -> NDArray[np.float64]:
    """Random points that are at least so far from each other."""
    rng, found = np.random.default_rng([seed, 2]), np.empty((0, n_columns))
    while len(found) < n_points:
        new = distance * n_points ** (1 / n_columns) * rng.uniform(-1, 1, n_columns)
        if len(found) == 0 or np.linalg.norm(found - new, axis=1).min() > distance:
            found = np.vstack([found, new])
    return found


def _arcs(radius: float, n_arcs: int, gap: float, n_rows: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """A circle that is broken into arcs, with gaps of about this length between them."""
    width = 2 * np.pi / n_arcs - gap / radius
    angles = 2 * np.pi / n_arcs * rng.integers(n_arcs, size=n_rows) + width * rng.random(n_rows)
    return radius * np.column_stack([np.cos(angles), np.sin(angles)])


def far_pairs(seed: int) -> Rows:
    """Six blobs in three far pairs."""
    centres = np.array([[0, 0], [6, 0], [100, 0], [106, 0], [0, 100], [6, 100]], float)
    return _blobs(centres, [200] * 6, 0.5, [0, 0, 1, 1, 2, 2], seed)


def groups_of_twenty(seed: int) -> Rows:
    """Eight groups of twenty small parts each, in eight columns: every part is a speck."""
    points = _far_points(8, 8, 120, seed)
    return _blobs(_around(points, 20, 15, seed), [18] * 160, 0.3, np.repeat(range(8), 20), seed)


def rings_in_rings(seed: int) -> Rows:
    """Three circles around the same centre, each broken into arcs: their centres say nothing."""
    rng, sizes = np.random.default_rng(seed), (400, 800, 1200)
    circles = [_arcs(8.0 * (i + 1), 2 * i + 2, 3.0, size, rng) for i, size in enumerate(sizes)]
    noise = 0.1 * rng.standard_normal((sum(sizes), 2))
    return np.vstack(circles) + noise, np.repeat(range(3), sizes)


def shells_in_shells(seed: int) -> Rows:
    """Two spheres around a ball, in three columns, each sphere cut into an upper and a lower half."""
    rng, sizes = np.random.default_rng(seed), (300, 1000, 1700)
    directions = rng.standard_normal((sum(sizes), 3))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    y = np.repeat(range(3), sizes)
    X = np.array([0.0, 10.0, 22.0])[y, np.newaxis] * directions
    X[:, 2] += np.where(y > 0, 3 * np.sign(X[:, 2]), 0)
    return X + 0.3 * rng.standard_normal(X.shape), y


def unequal_pairs(seed: int) -> Rows:
    """Four pairs in five columns, with parts of 40 to 1,200 rows: the smallest are specks."""
    centres = np.zeros((8, 5))
    centres[:, 0], centres[:, 1] = np.repeat([0, 80, 0, 80], 2), np.repeat([0, 0, 80, 80], 2)
    centres[1::2, 2] = 10
    return _blobs(centres, [1200, 40, 600, 60, 300, 300, 250, 50], 0.6, [0, 0, 1, 1, 2, 2, 3, 3], seed)


def threads(seed: int) -> Rows:
    """Two spirals in one another, in three columns, each broken into five pieces."""
    rng = np.random.default_rng(seed)
    n_rows, y = 1500, np.repeat([0, 1], 750)
    piece, along = rng.integers(5, size=n_rows), rng.random(n_rows)
    length = 15 + 24 * (piece + 0.9 * along)  # ends of pieces are 2.4 apart
    radius = np.sqrt(length) * 3
    angle = 2 * length / radius + np.pi * y
    X = np.column_stack([radius * np.cos(angle), radius * np.sin(angle), np.zeros(n_rows)])
    return X + 0.1 * rng.standard_normal(X.shape), y


def parallel_lines(seed: int) -> Rows:
    """Four dashed lines side by side, in four columns."""
    rng = np.random.default_rng(seed)
    y, dash = np.repeat(range(4), 500), rng.integers(5, size=2000)
    X = np.zeros((2000, 4))
    X[:, 0] = 14 * dash + 10 * rng.random(2000)
    X[np.arange(2000), 1] = 16 * y
    return X + 0.15 * rng.standard_normal(X.shape), y


def boxes(seed: int) -> Rows:
    """Six groups of three uniform boxes each, in ten columns."""
    centres = _around(_far_points(6, 10, 60, seed), 3, 8, seed)
    rng = np.random.default_rng(seed)
    return np.repeat(centres, 120, axis=0) + rng.uniform(-1, 1, (2160, 10)), np.repeat(range(6), 360)


def with_specks(seed: int) -> Rows:
    """Two pairs in sixteen columns, and small parts around them that are nearer to a pair than its halves are."""
    pairs = np.zeros((4, 16))
    pairs[:, 0], pairs[:, 1] = [0, 0, 90, 90], [0, 20, 0, 20]
    specks = _around(pairs, 3, 12, seed)
    sizes, groups = [500] * 4 + [30] * 12, [0, 0, 1, 1, *np.repeat([0, 0, 1, 1], 3)]
    return _blobs(np.vstack([pairs, specks]), sizes, 0.5, groups, seed)


def halves_of_ten(seed: int) -> Rows:
    """Ten groups of two parts each, in thirty-two columns."""
    points = _far_points(10, 32, 50, seed)
    return _blobs(_around(points, 2, 6, seed), [120] * 20, 0.5, np.repeat(range(10), 2), seed)


def wide_triples(seed: int) -> Rows:
    """Five groups of three parts of unequal size, in sixty-four columns."""
    points = _far_points(5, 64, 60, seed)
    sizes = [300, 150, 75] * 5
    return _blobs(_around(points, 3, 10, seed), sizes, 0.6, np.repeat(range(5), 3), seed)


def nested_levels(seed: int) -> Rows:
    """Three groups of two subgroups of four parts each, in two columns: only the widest gaps are between groups."""
    groups = np.array([[0, 0], [400, 0], [0, 400]], float)
    subgroups = (groups[:, np.newaxis] + [[0, 0], [80, 20]]).reshape(-1, 2)
    parts = (subgroups[:, np.newaxis] + [[0, 0], [16, 0], [0, 16], [16, 16]]).reshape(-1, 2)
    return _blobs(parts, [100] * 24, 0.8, np.repeat(range(3), 8), seed)


def hundredfold(seed: int) -> Rows:
    """Five far blobs of 3,000 to 30 rows, each of them a group."""
    return _blobs(1000 * np.eye(5), [3000, 1000, 300, 100, 30], 1.0, range(5), seed)


ISLANDS: dict[str, Callable[[int], Rows]] = {
    case.__name__: case
    for case in (
        far_pairs,
        groups_of_twenty,
        rings_in_rings,
        shells_in_shells,
        unequal_pairs,
        threads,
        parallel_lines,
        boxes,
        with_specks,
        halves_of_ten,
        wide_triples,
        nested_levels,
    )
}
