"""What the baselines on a graph between all rows share."""

from __future__ import annotations

import numpy as np
from sklearn.neighbors import NearestNeighbors

from anchorgraph.estimators.inputs import check_bandwidth, check_count, draw_seed, read_table
from anchorgraph.estimators.method import Method
from anchorgraph.graph import Gaussian, neighbor_graph
from anchorgraph.numerics.threads import resolve_n_jobs


class NeighborMethod(Method):
    """Base of the estimators that work on the n×n graph of nearest rows. They hold all rows in memory."""

    def _read_rows(self, X, counted="n_components"):
        """A table of X, and a copy of its rows in one piece; ``counted`` is the parameter that counts eigenvectors."""
        check_count(counted, getattr(self, counted))
        check_count("n_neighbors", self.n_neighbors)
        weighting = Gaussian(check_bandwidth(self.sigma))
        table = read_table(self, X)
        for name in ("n_neighbors", counted):
            value, limit = getattr(self, name), table.n_rows - 1
            if value > limit:
                raise ValueError(f"{name}={value} is too many for n_samples={table.n_rows}; use at most {limit}.")
        weighting = weighting.resolve(table, np.random.default_rng(draw_seed(self.random_state)))
        self.sigma_ = weighting.sigma
        return table, table.take(np.arange(table.n_rows))

    def _nearest_rows(self, rows):
        """scikit-learn's search for the nearest of these rows."""
        return NearestNeighbors(n_neighbors=self.n_neighbors, n_jobs=resolve_n_jobs(self.n_jobs)).fit(rows)

    def _tie(self, neighbors):
        """The graph between all rows."""
        return neighbor_graph(neighbors, Gaussian(self.sigma_))
