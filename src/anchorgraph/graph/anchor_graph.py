"""The anchor graph as a row map: it takes a block of data and returns the same rows of Z."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from anchorgraph.contracts import Anchors, Block, Floats, NearestAnchors, Search, Weighting
from anchorgraph.numerics.blocks import chunks, stack
from anchorgraph.numerics.execution import run
from anchorgraph.numerics.progress import portion
from anchorgraph.numerics.selection import sparse_rows

WEIGHED_ROWS = 2**14
"""Number of rows whose weights a thread computes at once."""

ROUNDING = 1e-3
"""Difference of a sum of float32 weights from one that is taken for rounding."""


@dataclass(frozen=True)
class AnchorGraphMap:
    """``z(x)``: the weights of a row's nearest anchors, as a row map.

    Attributes
    ----------
    search : NearestAnchors
        Prepared for the anchors.
    n_neighbors : int
        k.
    weighting : Weighting
        Resolved.
    n_anchors : int
        m.
    """

    search: NearestAnchors
    n_neighbors: int
    weighting: Weighting
    n_anchors: int

    def __call__(self, block: Block) -> sparse.csr_array:
        """The rows of Z for a block: an (n, m) CSR array with ``n_neighbors`` entries per row, sorted by column."""
        with portion(0, 2):
            columns, h = self.search.nearest(block, self.n_neighbors + self.weighting.n_extra)

        def weigh_chunk(part: slice) -> sparse.csr_array:
            weights = self.weighting.weights(h[part], columns[part]).astype(block.dtype, copy=False)
            _check_weights(weights, (len(h[part]), self.n_neighbors), self.weighting)
            return sparse_rows(columns[part, : self.n_neighbors], weights, self.n_anchors)

        with portion(1, 2):
            rows: sparse.csr_array = stack(run(weigh_chunk, chunks(len(h), 1, WEIGHED_ROWS)))
        return rows


def connect(anchors: Anchors, *, n_neighbors: int, weighting: Weighting, search: Search, n_rows: int) -> AnchorGraphMap:
    """Build the row map of an anchor graph.

    Parameters
    ----------
    anchors : Anchors
    n_neighbors : int
    weighting : Weighting
        Resolved.
    search : Search
    n_rows : int
        Number of rows of the data.

    Returns
    -------
    AnchorGraphMap
    """
    prepared = search.prepare(anchors, n_neighbors + weighting.n_extra, n_rows)
    return AnchorGraphMap(prepared, n_neighbors, weighting, len(anchors.points))


def _check_weights(weights: Floats, shape: tuple[int, int], weighting: Weighting) -> None:
    """Refuse weights that do not form a graph, which those of a user's own class may not."""
    if weights.shape != shape or not (np.abs(weights.sum(axis=1) - 1) < ROUNDING).all():
        raise ValueError(
            f"weighting={weighting!r} must return weights of shape {shape} that sum to one in each row; it returned "
            f"an array of shape {weights.shape}, with sums from {np.min(weights.sum(axis=1)):.3g} to "
            f"{np.max(weights.sum(axis=1)):.3g}."
        )
