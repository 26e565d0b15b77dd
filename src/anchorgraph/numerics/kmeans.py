"""scikit-learn's k-means, with the same result to the bit each time."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from sklearn.cluster import KMeans
from threadpoolctl import ThreadpoolController

from anchorgraph.contracts import Floats

MAX_THREADS = 2
"""Sums of two threads do not depend on which one is first; those of more do, in the last digit."""


def fit_kmeans(rows: Floats, n_clusters: int, *, n_init: int, seed: int, max_iter: int = 300) -> Any:
    """A fitted :class:`sklearn.cluster.KMeans`.

    Parameters
    ----------
    rows : (n, d) floats
    n_clusters : int
    n_init : int
        Number of initialisations.
    seed : int
    max_iter : int
        Maximum number of iterations.

    Returns
    -------
    sklearn.cluster.KMeans
    """
    model = KMeans(n_clusters, n_init=n_init, max_iter=max_iter, random_state=seed)
    if max((library["num_threads"] for library in _openmp().info()), default=1) <= MAX_THREADS:
        return model.fit(rows)
    with _openmp().limit(limits=MAX_THREADS):
        return model.fit(rows)


@lru_cache(maxsize=1)
def _openmp() -> ThreadpoolController:
    return ThreadpoolController().select(user_api="openmp")
