"""Clusters of many shapes in two and three dimensions, of the kinds that benchmarks of clusterings are made of."""

from __future__ import annotations

import math

import numpy as np

from anchorgraph.contracts import Floats, Integers
from anchorgraph.datasets.pieces import shares
from anchorgraph.datasets.shape_table import TABLE

SHAPES: tuple[str, ...] = tuple(TABLE)
"""Names of all shapes."""

FEWEST_ROWS = 3
"""Share of the rows that the smallest cluster must have; rounding takes less than one of them."""


def make_shape(name: str, n_samples: int | None = None, *, random_state: int = 0) -> tuple[Floats, Integers]:
    """Rows of one of the shapes in ``SHAPES``, with their clusters.

    Parameters
    ----------
    name : str
        One of ``SHAPES``.
    n_samples : int or None, default=None
        Number of rows, of which each cluster and the noise get their part; the shape's own number if None.
    random_state : int, default=0
        Seed of the random number generator.

    Returns
    -------
    X : ndarray of shape (n_samples, 2) or (n_samples, 3)
        The rows, in random order.
    y : ndarray of shape (n_samples,)
        The cluster of each row, from 0; -1 for noise.
    """
    if name not in TABLE:
        raise ValueError(f"name must be one of {', '.join(map(repr, SHAPES))}; got {name!r}.")
    shape = TABLE[name]
    weights = [*(cluster.rows for cluster in shape.clusters), shape.noise]
    n_samples = sum(weights) if n_samples is None else n_samples
    fewest = math.ceil(FEWEST_ROWS * sum(weights) / min(weights[:-1]))
    if n_samples < fewest:
        raise ValueError(f"n_samples must be at least {fewest} for name={name!r}; got {n_samples}.")
    rng = np.random.default_rng(random_state)
    *sizes, n_noise = shares(n_samples, weights)
    rows = np.concatenate([cluster.draw(rng, size) for cluster, size in zip(shape.clusters, sizes, strict=True)])
    noise = rng.uniform(rows.min(axis=0), rows.max(axis=0), (n_noise, rows.shape[1]))
    labels = np.append(np.repeat(np.arange(len(sizes)), sizes), np.full(n_noise, -1))
    order = rng.permutation(n_samples)
    return np.concatenate([rows, noise])[order], labels[order]
