"""Rounding by k-means."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from anchorgraph.contracts import Assignment, RowTable
from anchorgraph.labels.sample import sample_rows
from anchorgraph.numerics.checks import check_integer
from anchorgraph.numerics.equal_rows import n_different
from anchorgraph.numerics.kmeans import fit_kmeans
from anchorgraph.numerics.lloyd import lloyd
from anchorgraph.numerics.progress import stage

MAX_ITER = 300
"""Maximum number of iterations over all rows; the default of scikit-learn's KMeans."""

COMPARED, COMPARED_A_CLUSTER = 2**13, 2**7
"""Initialisations are compared on so many rows of a large table, or so many for each cluster if that is more, up to the
size of a sample."""

TOL = 1e-4
"""Iterations end when the centres move by no more than this fraction of the variance of the rows."""


@dataclass(frozen=True)
class KMeansRounding:
    """Assign each row to the nearest of ``n_clusters`` means (``rounding="kmeans"``).

    ``‖f - c‖²`` is smallest where ``f·c - ‖c‖²/2`` is largest. For large tables, initialisations are compared on a
    sample of the rows, and the best one is then refined on all of them.

    Parameters
    ----------
    n_init : int, default=10
        Number of initialisations, of which the one with the smallest error is used.
    """

    n_init: int = 10

    def __post_init__(self) -> None:
        check_integer("n_init", self.n_init)

    @stage("clusters")
    def round(self, rows: RowTable, n_clusters: int, seed: int) -> Assignment:
        """The assignment of rows of an embedding to clusters."""
        sample = sample_rows(rows, seed, max(COMPARED, COMPARED_A_CLUSTER * n_clusters))
        n_means = min(n_clusters, n_different(sample, n_clusters))
        centres = fit_kmeans(sample, n_means, n_init=self.n_init, seed=seed).centres
        centres = centres[np.arange(n_clusters) % n_means]  # all rows of several equal centres belong to the first
        if len(sample) < rows.n_counted or rows.n_counted != rows.total_weight:
            tol = TOL * np.mean(np.var(sample, axis=0, dtype=np.float64))
            centres = lloyd(rows, centres, max_iter=MAX_ITER, tol=tol)
        centres = centres.astype(np.float64)
        return Assignment(centres.T, -np.sum(centres**2, axis=1) / 2)
