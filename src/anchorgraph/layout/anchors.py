"""The map of anchors, tied by the rows that they share."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from anchorgraph.contracts import Floats
from anchorgraph.layout.nodes import map_nodes
from anchorgraph.numerics.progress import stage

STRONGEST = 15
"""Ties of an anchor that count."""


@stage("map")
def map_anchors(Z: sparse.csr_array, start: Floats, seed: int) -> Floats:
    """Positions of anchors in a map: two are tied by the rows between them, ``ZᵀZ``, of which the strongest count.

    Parameters
    ----------
    Z : (n, m) CSR array
        Weights of the nearest anchors of rows.
    start : (m, p) floats
        Coordinates of the anchors along principal axes.
    seed : int

    Returns
    -------
    (m, p) floats
        In float32.
    """
    return map_nodes(_strongest((Z.T @ Z).tocsr()), start, np.random.default_rng(seed))


def _strongest(gram: sparse.csr_array) -> sparse.csr_array:
    """The strongest ties of each anchor to others, made symmetric."""
    gram.setdiag(0)
    gram.eliminate_zeros()
    anchor_of = np.repeat(np.arange(gram.shape[0]), np.diff(gram.indptr))
    order = np.lexsort((gram.indices, -gram.data, anchor_of))
    rank = np.arange(len(order)) - gram.indptr[anchor_of]  # anchors are in order
    kept = order[rank < STRONGEST]
    one_way = sparse.csr_array((gram.data[kept], (anchor_of[kept], gram.indices[kept])), shape=gram.shape)
    return one_way.maximum(one_way.T).tocsr()
