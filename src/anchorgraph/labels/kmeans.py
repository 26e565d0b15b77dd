"""Rounding by k-means."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sklearn.cluster import KMeans

from anchorgraph.contracts import Assignment
from anchorgraph.labels.sample import some_rows
from anchorgraph.numerics.checks import check_integer
from anchorgraph.numerics.equal_rows import n_different
from anchorgraph.numerics.lloyd import lloyd
from anchorgraph.numerics.progress import stage

MAX_ROUNDS = 300
"""Over all rows; as many as scikit-learn's."""

TOL = 1e-4
"""A round that moves the centres by no more than this share of the rows' variance is the last."""


@dataclass(frozen=True)
class KMeansRounding:
    """The nearest of as many means as clusters (``rounding="kmeans"``).

    ``‖f - c‖²`` is smallest where ``f·c - ‖c‖²/2`` is largest. Of very many rows, starts are compared on a sample, and
    the best one is carried to the end on all of them.

    Parameters
    ----------
    n_init : int, default=10
        Starts, of which the one of least error is taken.
    """

    n_init: int = 10

    def __post_init__(self):
        check_integer("n_init", self.n_init)

    @stage("clusters")
    def round(self, rows, n_clusters, seed):
        """The assignment of rows of an embedding to clusters."""
        some = some_rows(rows, seed)
        n_means = min(n_clusters, n_different(some, n_clusters))
        centres = KMeans(n_means, n_init=self.n_init, random_state=seed).fit(some).cluster_centers_
        centres = centres[np.arange(n_clusters) % n_means]  # of equal centres the first has all rows
        if len(some) < rows.n_rows:
            tol = TOL * np.mean(np.var(some, axis=0, dtype=np.float64))
            centres = lloyd(rows, centres, max_iter=MAX_ROUNDS, tol=tol)
        centres = centres.astype(np.float64)
        return Assignment(centres.T, -np.sum(centres**2, axis=1) / 2)
