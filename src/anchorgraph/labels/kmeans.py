"""Rounding by k-means."""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning

from anchorgraph.contracts import Assignment

N_SAMPLED = 20_000
"""Rows that starts are compared on; the best one is then carried to the end on all rows."""


def by_kmeans(rows, n_clusters, *, seed, n_init):
    """The nearest of ``n_clusters`` means: the best of several starts.

    ``‖f - c‖²`` is smallest where ``f·c - ‖c‖²/2`` is largest.

    Parameters
    ----------
    rows : (n, p) floats
    n_clusters : int
    seed : int
    n_init : int

    Returns
    -------
    Assignment
    """
    some = rows
    if len(rows) > N_SAMPLED:
        some = rows[np.sort(np.random.default_rng(seed).choice(len(rows), N_SAMPLED, replace=False))]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # of fewer clusters than asked for, the estimator tells
        model = KMeans(n_clusters, n_init=n_init, random_state=seed).fit(some)
        if some is not rows:
            model = KMeans(n_clusters, init=model.cluster_centers_, n_init=1).fit(rows)
    centres = model.cluster_centers_.astype(np.float64)
    return Assignment(centres.T, -np.sum(centres**2, axis=1) / 2)
