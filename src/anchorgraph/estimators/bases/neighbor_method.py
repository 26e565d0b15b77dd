"""What the baselines on a graph between all rows share."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from sklearn.neighbors import NearestNeighbors

from anchorgraph.estimators.bases.fields import TINY, Derived, Integer, Number, Rows
from anchorgraph.estimators.bases.inputs import check_bandwidth, draw_seed, read_table
from anchorgraph.estimators.bases.method import Method
from anchorgraph.graph import Gaussian, neighbor_graph
from anchorgraph.numerics.checks import check_integer
from anchorgraph.numerics.equal_rows import first_equal


def nearest_rows(rows, n_neighbors):
    """scikit-learn's search for the nearest of these rows."""
    return NearestNeighbors(n_neighbors=n_neighbors).fit(rows)


KEPT_ROWS = {
    "_rows": Rows("n d"),
    "_n_neighbors": Integer(at_most="n-1"),
    "_neighbors": Derived(nearest_rows, ("_rows", "_n_neighbors")),
    "_first": Derived(first_equal, ("_rows",)),
}
"""What is saved of the methods that tie new rows to those of the fit."""


class NeighborMethod(Method):
    """Base of the estimators that work on the n×n graph of nearest rows. They hold all rows in memory."""

    saved: ClassVar = {"sigma_": Number(above=TINY)}

    def _read_rows(self, X, counted="n_components"):
        """A table of X, and a copy of its rows in one piece; ``counted`` is the parameter that counts eigenvectors."""
        check_integer(counted, getattr(self, counted))
        check_integer("n_neighbors", self.n_neighbors)
        weighting = Gaussian(check_bandwidth(self.sigma))
        table = read_table(self, X)
        for name in ("n_neighbors", counted):
            value, limit = getattr(self, name), table.n_rows - 1
            if value > limit:
                raise ValueError(f"{name}={value} is too many for n_samples={table.n_rows}; use at most {limit}.")
        weighting = weighting.resolve(table, np.random.default_rng(draw_seed(self.random_state)))
        self.sigma_ = weighting.sigma
        return table, table.take(np.arange(table.n_rows))

    def _tie(self, rows):
        """The graph between all rows."""
        return neighbor_graph(nearest_rows(rows, self.n_neighbors), Gaussian(self.sigma_))

    def _keep_and_tie(self, rows):
        """The graph between all rows, which are kept for new ones."""
        self._rows, self._n_neighbors = rows, int(self.n_neighbors)
        self._neighbors, self._first = nearest_rows(rows, self._n_neighbors), first_equal(rows)
        return neighbor_graph(self._neighbors, Gaussian(self.sigma_))
