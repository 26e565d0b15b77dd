"""The anchor graph as a row map: a block of data in, the same rows of Z out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from anchorgraph.graph.exact import ExactSearch
from anchorgraph.graph.tree_search import MOST_CELLS, TOP_PLANES, TreeSearch, n_candidates
from anchorgraph.numerics.distances import CentredPoints

AFFORDABLE = 2**35
"""Multiplications that an exact search may always take (about a second on two cores)."""


@dataclass(frozen=True)
class AnchorGraphMap:
    """``z(x)``: the weights of a row's nearest anchors, as a row map."""

    search: ExactSearch | TreeSearch
    n_neighbors: int
    weighting: object

    def __call__(self, block, span):
        """The rows of Z for a block: an (n, m) CSR array with ``n_neighbors`` entries a row, sorted by column."""
        k = self.n_neighbors
        columns, h = self.search.nearest(block, k + self.weighting.n_extra)
        weights = self.weighting.weights(h).astype(block.dtype, copy=False)
        columns = columns[:, :k]
        by_column = np.argsort(columns, axis=1)
        return sparse.csr_array(
            (
                np.take_along_axis(weights, by_column, axis=1).ravel(),
                np.take_along_axis(columns, by_column, axis=1).ravel().astype(np.int32),
                np.arange(0, columns.size + 1, k, dtype=np.int64 if columns.size > 2**31 - 1 else np.int32),
            ),
            shape=(len(columns), len(self.search.anchors.points)),
        )


def choose_search(search, anchors, n_rows):
    """Resolve ``search="auto"`` and refuse a tree search without a tree.

    The rule: exact, unless the anchors come with a tree, all n·m·d multiplications together are more than
    :data:`AFFORDABLE`, and the tree takes at most a third of them.
    """
    n_anchors, n_cols = anchors.points.shape
    if search == "tree" and anchors.tree is None:
        raise ValueError(
            "search='tree' needs anchors that were found by a tree; use anchors='bkhk' or 'hk', or search='exact'."
        )
    if search != "auto":
        return search
    exact = n_anchors * n_cols
    n_axes = min(TOP_PLANES, n_cols)
    tree = n_axes * n_cols + min(MOST_CELLS, n_anchors) * n_axes + n_candidates(n_anchors, 0) * n_cols
    return "tree" if anchors.tree is not None and n_rows * exact > AFFORDABLE and 3 * tree <= exact else "exact"


def connect(anchors, *, n_neighbors, weighting, search, n_jobs):
    """Build the row map of an anchor graph.

    Parameters
    ----------
    anchors : Anchors
    n_neighbors : int
    weighting : Adaptive, Gaussian or Inverse
        Resolved, see :mod:`anchorgraph.graph.weightings`.
    search : "exact" or "tree"
        Resolved by :func:`choose_search`.
    n_jobs : int

    Returns
    -------
    AnchorGraphMap
    """
    points = CentredPoints.of(anchors.points)
    if search == "tree":
        nearest = TreeSearch.of(points, anchors.tree, n_neighbors + weighting.n_extra, n_jobs)
    else:
        nearest = ExactSearch(points, n_jobs)
    return AnchorGraphMap(nearest, n_neighbors, weighting)
