"""scikit-learn's k-means, with the same result to the bit each time, and for rows in any order."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from sklearn.cluster import KMeans
from threadpoolctl import ThreadpoolController

from anchorgraph.contracts import Floats, Integers

MAX_THREADS = 2
"""Sums of two threads do not depend on which one is first; those of more do, in the last digit."""

EQUAL: dict[np.dtype[Any], float] = {np.dtype(np.float32): 1e-4, np.dtype(np.float64): 1e-9}
"""Rows are equal if their numbers are, rounded to multiples of this fraction of the largest one, by dtype."""


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
    model = KMeans(n_clusters, n_init=n_init, max_iter=max_iter, random_state=seed)
    if max((library["num_threads"] for library in _openmp().info()), default=1) <= MAX_THREADS:
        model.fit(rows[first], sample_weight=counts)
    else:
        with _openmp().limit(limits=MAX_THREADS):
            model.fit(rows[first], sample_weight=counts)
    return Clusters(model.cluster_centers_, model.labels_[number_of])


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


@lru_cache(maxsize=1)
def _openmp() -> ThreadpoolController:
    return ThreadpoolController().select(user_api="openmp")
