"""scikit-learn's k-means, with the same result to the bit each time, and for rows in any order."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from sklearn.cluster import KMeans, kmeans_plusplus
from threadpoolctl import ThreadpoolController

from anchorgraph.contracts import Floats, Integers

MAX_THREADS = 2
"""Sums of two threads do not depend on which one is first; those of more do, in the last digit."""

EQUAL: dict[np.dtype[Any], float] = {np.dtype(np.float32): 1e-4, np.dtype(np.float64): 1e-9}
"""Rows are equal if their numbers are, rounded to multiples of this fraction of the largest one, by dtype."""


SEED_ROWS = 2048
"""Number of rows, or eight for each cluster if that is more, from which initial centres are drawn. k-means++ computes
distances to all rows that it draws from, which would take longer than the iterations that follow."""


@dataclass(frozen=True)
class Clusters:
    """What k-means finds.

    Attributes
    ----------
    centres : (c, d) floats
    labels : (n,) integers
        The nearest centre of each row.
    """

    centres: Floats
    labels: Integers


def fit_kmeans(
    rows: Floats, n_clusters: int, *, n_init: int, seed: int, max_iter: int = 300, weights: Floats | None = None
) -> Clusters:
    """k-means of scikit-learn, on the different rows in an order that follows from their values.

    Initialisations are drawn by the positions of rows: without that order, rows that are shuffled, or that occur twice
    instead of having the weight 2, would get other ones.

    Parameters
    ----------
    rows : (n, d) floats
    n_clusters : int
        At most the number of different rows.
    n_init : int
        Number of initialisations.
    seed : int
    max_iter : int
        Maximum number of iterations.
    weights : (n,) floats, optional
        How often each row counts.

    Returns
    -------
    Clusters
    """
    first, number_of, counts = _different(rows, n_clusters, weights)
    different, rng = rows[first], np.random.RandomState(seed)
    with _few_threads():
        fits = [_fit_once(different, counts, n_clusters, max_iter, rng) for _ in range(n_init)]
    best = min(fits, key=lambda fit: fit.inertia_)
    return Clusters(best.cluster_centers_, best.labels_[number_of])


def _fit_once(
    rows: Floats, counts: Floats | Integers, n_clusters: int, max_iter: int, rng: np.random.RandomState
) -> KMeans:
    """k-means from initial centres that k-means++ draws from some of the rows."""
    some, own_counts, n_drawn = rows, counts, max(SEED_ROWS, 8 * n_clusters)
    if len(rows) > n_drawn:
        drawn = np.sort(rng.choice(len(rows), n_drawn, replace=False))  # k-means++ then sees how often they count
        some, own_counts = rows[drawn], counts[drawn]
    centres, _ = kmeans_plusplus(some, n_clusters, sample_weight=own_counts, random_state=rng)
    model: KMeans = KMeans(n_clusters, init=centres, n_init=1, max_iter=max_iter, random_state=rng)
    return model.fit(rows, sample_weight=counts)


def _different(rows: Floats, at_least: int, weights: Floats | None) -> tuple[Integers, Integers, Floats | Integers]:
    """Where rows that differ are first, which of these each row is, and how often each occurs."""
    largest = np.abs(rows).max(initial=0)
    rounded = np.rint(rows / (largest * EQUAL[rows.dtype])) + 0.0 if largest > 0 else np.zeros_like(rows)
    _, first, number_of = np.unique(rounded, axis=0, return_index=True, return_inverse=True)
    if len(first) >= at_least:
        return first, number_of.ravel(), np.bincount(number_of.ravel(), weights)
    order = np.lexsort(rows.T[::-1])  # rows that hardly differ
    number_of = np.empty_like(order)
    number_of[order] = np.arange(len(rows))
    return order, number_of, np.ones(len(rows)) if weights is None else weights[order]


def _few_threads() -> AbstractContextManager[Any]:
    """At most :data:`MAX_THREADS` threads of OpenMP; asking for them is faster than limiting them."""
    is_few = max((library["num_threads"] for library in _openmp().info()), default=1) <= MAX_THREADS
    return nullcontext() if is_few else _openmp().limit(limits=MAX_THREADS)


@lru_cache(maxsize=1)
def _openmp() -> ThreadpoolController:
    return ThreadpoolController().select(user_api="openmp")
