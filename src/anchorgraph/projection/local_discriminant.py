"""Neighbours of the same class near each other, neighbours of different classes far apart: LSDA."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from anchorgraph.contracts import Integers, LinearMap
from anchorgraph.numerics.progress import stage
from anchorgraph.projection.scatter import largest_directions, whitening
from anchorgraph.projection.space import Space


def split_by_class(graph: sparse.csr_array, codes: Integers) -> tuple[sparse.csr_array, sparse.csr_array]:
    """The edges of a graph within classes, and those between classes.

    Parameters
    ----------
    graph : (n, n) sparse array
    codes : (n,) integers
        The class of each row.

    Returns
    -------
    within, between : (n, n) CSR arrays
    """
    edges = graph.tocoo()
    same = codes[edges.row] == codes[edges.col]

    def subgraph(chosen: NDArray[np.bool_]) -> sparse.csr_array:
        kept = (edges.data[chosen], (edges.row[chosen], edges.col[chosen]))
        return sparse.csr_array(kept, shape=graph.shape)

    return subgraph(same), subgraph(~same)


@stage("projection")
def local_discriminant(
    space: Space, within: sparse.csr_array, between: sparse.csr_array, alpha: float, n_components: int
) -> LinearMap:
    """``max_W tr WᵀX(αL_b + (1-α)W_w)XᵀW`` with ``WᵀXD_wXᵀW = I``.

    Parameters
    ----------
    space : Space
    within, between : (n, n) CSR arrays
        Symmetric weights W_w and W_b.
    alpha : float
        Weight of the edges between classes, from 0 to 1.
    n_components : int

    Returns
    -------
    LinearMap
    """
    X = space.table.rows()
    laplacian = (between.sum(axis=1)[:, np.newaxis] * X) - between @ X  # L_b X
    gain = X.T @ (alpha * laplacian + (1 - alpha) * (within @ X))
    degrees = within.sum(axis=1)[:, np.newaxis]
    whitened = whitening(X.T @ (degrees * X), n_components, len(X))
    return space.linear_map(largest_directions((gain + gain.T) / 2, whitened, n_components)[1])
