"""Spectrum of an anchor graph: ``A = B Bᵀ`` with ``B = Z Δ^-1/2 = F Σ Vᵀ``, from the m×m Gram matrix of B."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from anchorgraph.contracts import Block, Floats, Integers, RowMap, RowTable, Spectrum
from anchorgraph.numerics.blocks import chunks, weigh
from anchorgraph.numerics.execution import run_sum
from anchorgraph.numerics.islands import join_nearest
from anchorgraph.numerics.progress import stage
from anchorgraph.spectrum.nontrivial import count_parts, nontrivial_eigenpairs, pairs_of_groups, parts_of

GRAM_ROWS = 2**14
"""Number of rows of Z whose products are summed at once: adding these sums must not cost more than computing them."""

SMALLEST_SQUARE = 1e-12
"""Squared singular values below this are rounding errors, since the largest eigenvalue of the Gram matrix is one."""


class TooManyComponentsError(ValueError):
    """More components requested than the graph has; ``n_offered`` is the number that it has."""

    n_offered: int

    def __init__(self, n_components: int, n_offered: int) -> None:
        super().__init__(
            f"n_components={n_components} is more than the {n_offered} non-trivial components that this anchor graph "
            "offers; use fewer components or more anchors."
        )
        self.n_offered = n_offered


@stage("spectrum")
def anchor_gram(Z: RowTable) -> tuple[sparse.csr_array, Floats]:
    """Sum ``ZᵀZ`` and the degrees ``Zᵀ1`` over the blocks of a table; with weights of rows, ``ZᵀWZ`` and ``ZᵀW1``.

    Parameters
    ----------
    Z : RowTable
        Rows of Z, either stored or computed from the data each time that they are read.

    Returns
    -------
    gram : (m, m) sparse array
    degrees : (m,) floats
    """
    gram, degrees = Z.sum_blocks(_gram_sums, *Z.weights)
    return gram, degrees


def anchor_sums(z: sparse.csr_array, block: Block, *weights: Floats) -> tuple[Any, ...]:
    """The sums of :func:`anchor_gram` for the rows of Z that were made of a block."""
    return _gram_sums(z, *weights)


def _gram_sums(z: sparse.csr_array, *weights: Floats) -> tuple[Any, ...]:
    def chunk_sums(part: slice) -> tuple[Any, ...]:
        exact = z[part].astype(np.float64)
        weighed = weigh(exact, *(own[part] for own in weights))
        return exact.T.tocsr() @ weighed, weighed.sum(axis=0)

    return run_sum(chunk_sums, chunks(z.shape[0], 1, GRAM_ROWS))


@stage("spectrum")
def anchor_spectrum(gram: sparse.csr_array, degrees: Floats, n_components: int) -> Spectrum:
    """The ``n_components`` leading non-trivial singular triplets of ``B = Z Δ^-1/2``.

    Anchors that are not a neighbour of any row are left out of B.

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
        If the graph has fewer non-trivial components.
    """
    normalised, root, used = _normalised_gram(gram, degrees)
    if n_components >= len(used):
        raise TooManyComponentsError(n_components, _count_components(normalised))
    squares, vectors, n_parts = nontrivial_eigenpairs(normalised, root, n_components, "anchor", "a larger n_neighbors")
    if n_components and squares[-1] < SMALLEST_SQUARE:
        raise TooManyComponentsError(n_components, _count_components(normalised))

    singular_values = np.sqrt(squares)
    anchor_map = np.zeros((len(degrees), n_components))
    anchor_map[used] = vectors / root[:, np.newaxis] / singular_values
    return Spectrum(singular_values, anchor_map, n_parts)


@stage("spectrum")
def spectrum_of_groups(
    gram: sparse.csr_array, degrees: Floats, points: Floats, n_groups: int, n_components: int
) -> Spectrum | None:
    """The components that separate groups of connected parts, where the graph has at least as many as are wanted.

    Of more parts, the nearest are one group. All singular values are one, so that these components are as good as any
    others that separate parts; among these, the graph does not choose. If fewer groups are left, because the other
    parts are specks, the leading components within the parts follow.

    Parameters
    ----------
    gram : (m, m) sparse array
    degrees : (m,) floats
    points : (m, d) floats
        The anchors.
    n_groups : int
    n_components : int
        Number of components if there are fewer groups; otherwise it is ``n_groups - 1``.

    Returns
    -------
    Spectrum or None
        None if the graph is connected, or has fewer parts than groups.
    """
    normalised, root, used = _normalised_gram(gram, degrees)
    n_parts, part = parts_of(normalised)
    if n_parts < max(n_groups, 2):
        return None
    group = join_nearest(points[used], part, n_groups, degrees[used])[part]
    n_within = 0 if group.max() + 1 == n_groups else n_components - int(group.max())
    squares, vectors = pairs_of_groups(normalised, root, part, group, n_within)
    is_kept = squares >= SMALLEST_SQUARE
    singular_values, vectors = np.sqrt(squares[is_kept]), vectors[:, is_kept]
    anchor_map = np.zeros((len(degrees), len(singular_values)))
    anchor_map[used] = vectors / root[:, np.newaxis] / singular_values
    return Spectrum(singular_values, anchor_map, int(group.max()) + 1)


def spectrum_for_clusters(gram: sparse.csr_array, degrees: Floats, n_components: int) -> Spectrum:
    """:func:`anchor_spectrum` with at most ``n_components``: all components where the graph has no more.

    Clustering works with fewer components than clusters, so that this is not an error.

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


def spectrum_for_numbers(gram: sparse.csr_array, degrees: Floats, most: int) -> Spectrum:
    """The components for all numbers of clusters up to ``most``: one spectrum, of which each number uses the first.

    A graph with more connected parts than that has as many components as parts, which separate them.

    Parameters
    ----------
    gram : (m, m) sparse array
    degrees : (m,) floats
    most : int

    Returns
    -------
    Spectrum
        With fewer components where the graph has fewer.
    """
    n_parts = count_parts(_normalised_gram(gram, degrees)[0])
    return spectrum_for_clusters(gram, degrees, max(most, n_parts))


def embedding(spectrum: Spectrum, dtype: np.dtype[Any]) -> RowMap:
    """The row map ``z ↦ z Δ^-1/2 V Σ^-1`` from rows of Z to rows of F."""
    anchor_map = spectrum.anchor_map.astype(dtype)

    def rows(z: Block) -> Floats:
        embedded: Floats = z @ anchor_map
        return embedded

    return rows


def _normalised_gram(gram: sparse.csr_array, degrees: Floats) -> tuple[sparse.csr_array, Floats, Integers]:
    """``BᵀB`` of the anchors with a positive degree, the square roots of their degrees, and their numbers."""
    used = np.flatnonzero(degrees > 0)
    root = np.sqrt(degrees[used])
    scale = sparse.diags_array(1 / root)
    return scale @ gram[used][:, used] @ scale, root, used


def _count_components(normalised: sparse.csr_array) -> int:
    """The number of non-trivial components that a graph has."""
    return int(np.count_nonzero(np.linalg.eigvalsh(normalised.toarray()) >= SMALLEST_SQUARE)) - 1
