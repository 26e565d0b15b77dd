"""Spectrum of a graph between all rows: Laplacian Eigenmaps."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from anchorgraph.contracts import Floats, Integers
from anchorgraph.numerics.progress import stage
from anchorgraph.spectrum.nontrivial import nontrivial_eigenpairs

SMALLEST_VALUE = 1e-10
"""Absolute values of μ below this are rounding errors of zero."""


@stage("spectrum")
def laplacian_spectrum(
    graph: sparse.csr_array, n_components: int, name: str = "neighbour", remedy: str = "a larger n_neighbors"
) -> tuple[Floats, Floats]:
    """The smallest non-trivial eigenvectors of ``D⁻¹L``, which minimise ``tr (YᵀDY)⁻¹YᵀLY`` (ulge Eq. 1).

    They are ``D^-1/2`` times the leading eigenvectors of ``D^-1/2 W D^-1/2``, so that ``D⁻¹W y = μ y`` and
    ``YᵀDY = I``.

    Parameters
    ----------
    graph : (n, n) sparse array
        Symmetric weights W. Every row has at least one non-zero weight.
    n_components : int, less than n
    name, remedy : str
        The name of the graph and what would connect it, for the warning about an unconnected graph.

    Returns
    -------
    values : (p,) floats
        μ, largest first: one minus the eigenvalue of ``D⁻¹L``.
    rows : (n, p) floats
        Y.
    """
    root = np.sqrt(graph.sum(axis=1))
    scale = sparse.diags_array(1 / root)
    values, vectors, _ = nontrivial_eigenpairs((scale @ graph @ scale).tocsr(), root, n_components, name, remedy)
    return values, vectors / root[:, np.newaxis]


def nystrom(values: Floats, rows: Floats, columns: Integers, weights: Floats, own: Integers) -> Floats:
    """Rows of Y for new rows: ``y(x) = Σ_j w(x, x_j) y_j / (μ Σ_j w(x, x_j))``, which holds for the training rows.

    Parameters
    ----------
    values : (p,) floats
        μ of :func:`laplacian_spectrum`.
    rows : (n, p) floats
        Y of :func:`laplacian_spectrum`.
    columns : (b, k) integers
        Neighbours of the new rows.
    weights : (b, k) floats
        Weights of these neighbours; each row sums to one.
    own : (b,) integers
        The number of the training row that a row is equal to, or -1.

    Returns
    -------
    (b, p) floats
    """
    new = own < 0
    if new.any() and np.abs(values).min() < SMALLEST_VALUE:
        component = int(np.abs(values).argmin())
        raise ValueError(
            f"Component {component} has the eigenvalue 1, for which the Nyström formula for new rows is 0/0; fit with "
            f"fewer than {component + 1} components or clusters, or with a larger n_neighbors."
        )
    embedded = rows[own]
    embedded[new] = np.einsum("bk,bkp->bp", weights[new], rows[columns[new]]) / values
    return embedded
