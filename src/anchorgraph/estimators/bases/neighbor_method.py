"""Base of the baselines on a graph between all rows."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from scipy import sparse
from sklearn.neighbors import NearestNeighbors

from anchorgraph.contracts import Block, RowTable
from anchorgraph.contracts import Integers as IntegerArray
from anchorgraph.estimators.bases.fields import TINY, Derived, Field, Integer, Number, Rows
from anchorgraph.estimators.bases.inputs import check_bandwidth, draw_seed, read_table
from anchorgraph.estimators.bases.method import Method
from anchorgraph.estimators.bases.parameters import Bandwidth, RandomState
from anchorgraph.graph import Gaussian, neighbor_graph
from anchorgraph.numerics.checks import check_integer
from anchorgraph.numerics.equal_rows import first_equal


def nearest_rows(rows: Block, n_neighbors: int) -> Any:
    """scikit-learn's NearestNeighbors of these rows."""
    return NearestNeighbors(n_neighbors=n_neighbors).fit(rows)


KEPT_ROWS: dict[str, Field] = {
    "_rows": Rows("n d"),
    "_n_neighbors": Integer(at_most="n-1"),
    "_neighbors": Derived(nearest_rows, ("_rows", "_n_neighbors")),
    "_first": Derived(first_equal, ("_rows",)),
}
"""Fields of the methods that connect new rows to those of the fit."""


class NeighborMethod(Method):
    """Base of the estimators that work on the n×n graph of nearest rows and hold all rows in memory."""

    saved: ClassVar[dict[str, Field]] = {"sigma_": Number(above=TINY)}

    n_neighbors: int
    sigma: Bandwidth
    random_state: RandomState

    sigma_: float
    _rows: Block
    _n_neighbors: int
    _neighbors: Any
    _first: IntegerArray

    def _read_rows(self, X: Any, counted: str = "n_components") -> tuple[RowTable, Block]:
        """A table of X, and a copy of all its rows; ``counted`` names the parameter that counts eigenvectors."""
        check_integer(counted, getattr(self, counted))
        check_integer("n_neighbors", self.n_neighbors)
        weighting = Gaussian(check_bandwidth(self.sigma))
        table = read_table(self, X)
        for name in ("n_neighbors", counted):
            value, limit = getattr(self, name), table.n_rows - 1
            if value > limit:
                raise ValueError(f"{name}={value} is too many for n_samples={table.n_rows}; use at most {limit}.")
        weighting = weighting.with_number(table, np.random.default_rng(draw_seed(self.random_state)))
        self.sigma_ = float(weighting.sigma)
        return table, table.take(np.arange(table.n_rows))

    def _tie(self, rows: Block) -> sparse.csr_array:
        """The graph between all rows."""
        return neighbor_graph(nearest_rows(rows, self.n_neighbors), rows, Gaussian(self.sigma_))

    def _keep_and_tie(self, rows: Block) -> sparse.csr_array:
        """The graph between all rows; the rows are stored, so that new ones can be connected to them."""
        self._rows, self._n_neighbors = rows, int(self.n_neighbors)
        self._neighbors, self._first = nearest_rows(rows, self._n_neighbors), first_equal(rows)
        return neighbor_graph(self._neighbors, rows, Gaussian(self.sigma_))
