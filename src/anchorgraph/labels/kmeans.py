"""Rounding by k-means."""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning

from anchorgraph.contracts import Assignment
from anchorgraph.labels.sample import some_rows
from anchorgraph.numerics.lloyd import lloyd

MAX_ROUNDS = 300
"""Over all rows; as many as scikit-learn's."""

TOL = 1e-4
"""A round that moves the centres by no more than this share of the rows' variance is the last."""


def by_kmeans(rows, n_clusters, *, seed, n_init, n_jobs):
    """The nearest of ``n_clusters`` means: the best of several starts.

    ``‖f - c‖²`` is smallest where ``f·c - ‖c‖²/2`` is largest. Of very many rows, starts are compared on a sample, and
    the best one is carried to the end on all of them.

    Parameters
    ----------
    rows : RowTable
    n_clusters : int
    seed : int
    n_init : int
    n_jobs : int

    Returns
    -------
    Assignment
    """
    some = some_rows(rows, seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # of fewer clusters than asked for, the estimator tells
        centres = KMeans(n_clusters, n_init=n_init, random_state=seed).fit(some).cluster_centers_
    if len(some) < rows.n_rows:
        tol = TOL * np.mean(np.var(some, axis=0, dtype=np.float64))
        centres = lloyd(rows, centres, max_iter=MAX_ROUNDS, tol=tol, n_jobs=n_jobs)
    centres = centres.astype(np.float64)
    return Assignment(centres.T, -np.sum(centres**2, axis=1) / 2)
