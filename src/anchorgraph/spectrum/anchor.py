"""Spectrum of an anchor graph: ``A = B Bᵀ`` with ``B = Z Δ^-1/2 = F Σ Vᵀ``, from the m×m Gram of B."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from anchorgraph.contracts import Spectrum
from anchorgraph.spectrum.nontrivial import nontrivial_eigenpairs

SMALLEST_SQUARE = 1e-12
"""Squared singular values below this are rounding errors of a Gram matrix whose largest eigenvalue is one."""


class TooManyComponentsError(ValueError):
    """More components than a graph offers; ``n_offered`` says how many there are."""

    def __init__(self, n_components, n_offered):
        super().__init__(
            f"n_components={n_components} is more than the {n_offered} non-trivial components that this anchor graph "
            "offers; ask for fewer, or use more anchors."
        )
        self.n_offered = n_offered


def anchor_gram(table, graph):
    """Sum ``ZᵀZ`` and the degrees ``Zᵀ1`` over the blocks of a table.

    Parameters
    ----------
    table : RowTable
    graph : RowMap
        Gives the rows of Z for a block; ``unchanged`` for a table of them.

    Returns
    -------
    gram : (m, m) sparse array
    degrees : (m,) floats
    """

    def step(block, span):
        z = graph(block, span).astype(np.float64)
        return z.T.tocsr() @ z, z.sum(axis=0)

    return table.sum_blocks(step)


def anchor_spectrum(gram, degrees, n_components):
    """The ``n_components`` leading non-trivial singular triplets of ``B = Z Δ^-1/2``.

    Anchors that no row uses have no column in B.

    Parameters
    ----------
    gram : (m, m) sparse array
        ``ZᵀZ``.
    degrees : (m,) floats
        ``δ = Zᵀ1``.
    n_components : int

    Returns
    -------
    Spectrum

    Raises
    ------
    TooManyComponentsError
    """
    used = np.flatnonzero(degrees > 0)
    root = np.sqrt(degrees[used])
    scale = sparse.diags_array(1 / root)
    small = scale @ gram[used][:, used] @ scale  # BᵀB
    if n_components >= len(used):
        raise TooManyComponentsError(n_components, _n_offered(small))
    squares, vectors, n_parts = nontrivial_eigenpairs(small, root, n_components, "anchor", "a larger n_neighbors")
    if n_components and squares[-1] < SMALLEST_SQUARE:
        raise TooManyComponentsError(n_components, _n_offered(small))

    singular_values = np.sqrt(squares)
    anchor_map = np.zeros((len(degrees), n_components))
    anchor_map[used] = vectors / root[:, np.newaxis] / singular_values
    return Spectrum(singular_values, anchor_map, n_parts)


def spectrum_for_clusters(gram, degrees, n_components):
    """:func:`anchor_spectrum` with fewer components where the graph offers no more: they tell as many clusters apart.

    Parameters
    ----------
    gram : (m, m) sparse array
    degrees : (m,) floats
    n_components : int

    Returns
    -------
    Spectrum
    """
    try:
        return anchor_spectrum(gram, degrees, n_components)
    except TooManyComponentsError as limit:
        return anchor_spectrum(gram, degrees, limit.n_offered)


def embedding(spectrum, dtype):
    """The row map ``z ↦ z Δ^-1/2 V Σ^-1`` from rows of Z to rows of F."""
    anchor_map = spectrum.anchor_map.astype(dtype)
    return lambda z, span: z @ anchor_map


def _n_offered(small):
    return int(np.count_nonzero(np.linalg.eigvalsh(small.toarray()) >= SMALLEST_SQUARE)) - 1
