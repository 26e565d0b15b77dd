"""Spectrum of an anchor graph: ``A = B Bᵀ`` with ``B = Z Δ^-1/2 = F Σ Vᵀ``, from the m×m Gram of B."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from anchorgraph.contracts import Spectrum
from anchorgraph.numerics.progress import stage
from anchorgraph.spectrum.choose import eigengap, leading
from anchorgraph.spectrum.nontrivial import count_parts, nontrivial_eigenpairs

MOST_CLUSTERS = 30
"""Clusters that a gap between eigenvalues is looked for among."""

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


@stage("spectrum")
def anchor_gram(Z):
    """Sum ``ZᵀZ`` and the degrees ``Zᵀ1`` over the blocks of a table.

    Parameters
    ----------
    Z : RowTable
        Rows of Z: kept, or a view of the data through a graph.

    Returns
    -------
    gram : (m, m) sparse array
    degrees : (m,) floats
    """

    def step(block):
        z = block.astype(np.float64)
        return z.T.tocsr() @ z, z.sum(axis=0)

    return Z.sum_blocks(step)


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
    small, root, used = _normalised_gram(gram, degrees)
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


def spectrum_with_gap(gram, degrees):
    """The components that tell apart as many clusters as the graph suggests, and that number.

    It is the number before the largest gap between eigenvalues, up to :data:`MOST_CLUSTERS`; a graph in more connected
    parts has as many clusters as parts.

    Parameters
    ----------
    gram : (m, m) sparse array
    degrees : (m,) floats

    Returns
    -------
    spectrum : Spectrum
        With as many components as clusters.
    n_clusters : int
    """
    n_parts = count_parts(_normalised_gram(gram, degrees)[0])
    if n_parts > MOST_CLUSTERS:
        return spectrum_for_clusters(gram, degrees, n_parts), n_parts
    spectrum = spectrum_for_clusters(gram, degrees, MOST_CLUSTERS)
    values = spectrum.singular_values
    n_clusters = eigengap(values if len(values) == MOST_CLUSTERS else np.append(values, 0))
    return leading(spectrum, n_clusters), n_clusters


def embedding(spectrum, dtype):
    """The row map ``z ↦ z Δ^-1/2 V Σ^-1`` from rows of Z to rows of F."""
    anchor_map = spectrum.anchor_map.astype(dtype)
    return lambda z: z @ anchor_map


def _normalised_gram(gram, degrees):
    """``BᵀB`` of the anchors that rows use, the roots of their degrees, and which ones they are."""
    used = np.flatnonzero(degrees > 0)
    root = np.sqrt(degrees[used])
    scale = sparse.diags_array(1 / root)
    return scale @ gram[used][:, used] @ scale, root, used


def _n_offered(small):
    return int(np.count_nonzero(np.linalg.eigvalsh(small.toarray()) >= SMALLEST_SQUARE)) - 1
