"""Spectrum of a graph between all rows: Laplacian Eigenmaps."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from anchorgraph.numerics.progress import stage
from anchorgraph.spectrum.nontrivial import nontrivial_eigenpairs

SMALLEST_VALUE = 1e-10
"""Values of μ below this are rounding errors of zero."""


@stage("spectrum")
def laplacian_spectrum(graph, n_components, name="neighbour", cure="a larger n_neighbors"):
    """The smallest non-trivial eigenvectors of ``D⁻¹L``, which minimise ``tr (YᵀDY)⁻¹YᵀLY`` (ulge Eq. 1).

    They are ``D^-1/2`` times the leading eigenvectors of ``D^-1/2 W D^-1/2``, so that ``D⁻¹W y = μ y`` and
    ``YᵀDY = I``.

    Parameters
    ----------
    graph : (n, n) sparse array
        Symmetric weights W; no row is without one.
    n_components : int, less than n
    name, cure : str
        What the graph is called, and what would connect it, in a warning.

    Returns
    -------
    values : (p,) floats
        μ, largest first: one minus the eigenvalue of ``D⁻¹L``.
    rows : (n, p) floats
        Y.
    """
    root = np.sqrt(graph.sum(axis=1))
    scale = sparse.diags_array(1 / root)
    values, vectors, _ = nontrivial_eigenpairs((scale @ graph @ scale).tocsr(), root, n_components, name, cure)
    return values, vectors / root[:, np.newaxis]


def nystrom(values, rows, columns, weights, own):
    """Rows of Y for new rows: ``y(x) = Σ_j w(x, x_j) y_j / (μ Σ_j w(x, x_j))``, the equation that the old ones fulfil.

    Parameters
    ----------
    values : (p,) floats
    rows : (n, p) floats
    columns : (b, k) integers
        Neighbours of the new rows.
    weights : (b, k) floats, which sum to one
    own : (b,) integers
        Which old row a row is, or -1.

    Returns
    -------
    (b, p) floats
    """
    new = own < 0
    if new.any() and np.abs(values).min() < SMALLEST_VALUE:
        component = int(np.abs(values).argmin())
        raise ValueError(
            f"Component {component} has the eigenvalue 1, where the Nyström formula for new rows is 0/0; fit with "
            f"fewer than {component + 1} components or clusters, or with a larger n_neighbors."
        )
    embedded = rows[own]
    embedded[new] = np.einsum("bk,bkp->bp", weights[new], rows[columns[new]]) / values
    return embedded
