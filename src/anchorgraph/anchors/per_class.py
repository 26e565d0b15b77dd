"""Anchors of each class, for supervised methods."""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning

from anchorgraph.numerics.dense import dense

MOST_ROWS = 5_000
"""Rows of a class that its first anchors are found among."""


def select_per_class(table, codes, choose_number, *, seed, max_iter=10):
    """Centres of a few rounds of k-means in each class.

    Parameters
    ----------
    table : RowTable
    codes : (n,) integers
        The class of each row.
    choose_number : callable
        ``(rows, seed) -> int``: anchors for a class with these rows. A class of fewer different rows gets as many
        as those.
    seed : int
    max_iter : int

    Returns
    -------
    points : (m, d) floats
    owners : (m,) integers
        The class of each anchor.
    """
    rng = np.random.default_rng(seed)
    points = []
    for code in range(codes.max() + 1):
        own = np.flatnonzero(codes == code)
        if len(own) > MOST_ROWS:
            own = np.sort(rng.choice(own, MOST_ROWS, replace=False))
        rows = dense(table.take(own))
        number = min(choose_number(rows, seed), len(rows))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # of fewer different rows than anchors
            model = KMeans(number, n_init=1, max_iter=max_iter, random_state=seed).fit(rows)
        points.append(model.cluster_centers_[np.unique(model.labels_)])  # of equal centres one has all rows
    owners = np.repeat(np.arange(len(points)), [len(some) for some in points])
    return np.concatenate(points), owners
