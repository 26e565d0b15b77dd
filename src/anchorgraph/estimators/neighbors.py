"""What the baselines on a graph between all rows share."""

from __future__ import annotations

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.neighbors import NearestNeighbors

from anchorgraph.estimators.inputs import check_count, draw_seed, read_table
from anchorgraph.graph import Gaussian, neighbor_graph
from anchorgraph.numerics.threads import resolve_n_jobs


class NeighborMethod(BaseEstimator):
    """Base of the estimators that work on the n×n graph of nearest rows. They hold all rows in memory."""

    def _read_rows(self, X):
        """A table of X, and a copy of its rows in one piece."""
        check_count("n_components", self.n_components)
        check_count("n_neighbors", self.n_neighbors)
        if self.sigma == "local":
            raise ValueError("sigma='local' is for anchor graphs; pass a positive number or 'mean'.")
        weighting = Gaussian(self.sigma)
        table = read_table(self, X, fitting=True)
        if max(self.n_neighbors, self.n_components) >= table.n_rows:
            name = "n_neighbors" if self.n_neighbors >= table.n_rows else "n_components"
            value, limit = getattr(self, name), table.n_rows - 1
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

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
