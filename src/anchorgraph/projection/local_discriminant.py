"""Neighbours of the same class near, those of other classes far: LSDA."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from anchorgraph.numerics.progress import stage
from anchorgraph.projection.scatter import largest_directions, whitening


def split_by_class(graph, codes):
    """The ties of a graph within classes, and those between them.

    Parameters
    ----------
    graph : (n, n) sparse array
    codes : (n,) integers

    Returns
    -------
    within, between : (n, n) CSR arrays
    """
    ties = graph.tocoo()
    same = codes[ties.row] == codes[ties.col]

    def some(chosen):
        kept = (ties.data[chosen], (ties.row[chosen], ties.col[chosen]))
        return sparse.csr_array(kept, shape=graph.shape)

    return some(same), some(~same)


@stage("projection")
def local_discriminant(space, within, between, alpha, n_components):
    """``max_W tr WᵀX(αL_b + (1-α)W_w)XᵀW`` with ``WᵀXD_wXᵀW = I``.

    Parameters
    ----------
    space : Space
    within, between : (n, n) CSR arrays
        Symmetric weights W_w and W_b.
    alpha : float
        Share of the ties between classes.
    n_components : int

    Returns
    -------
    LinearMap
    """
    X = space.table.rows()
    apart = (between.sum(axis=1)[:, np.newaxis] * X) - between @ X  # L_b X
    gain = X.T @ (alpha * apart + (1 - alpha) * (within @ X))
    degrees = within.sum(axis=1)[:, np.newaxis]
    whitened = whitening(X.T @ (degrees * X), n_components, len(X))
    return space.linear_map(largest_directions((gain + gain.T) / 2, whitened, n_components)[1])
