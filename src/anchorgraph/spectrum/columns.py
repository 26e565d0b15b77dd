"""Spectrum of a kernel matrix from some of its columns: the Nyström method of Fowlkes et al. (2004)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import eigh

from anchorgraph.contracts import Block, Floats, RowTable
from anchorgraph.numerics.blocks import weigh
from anchorgraph.numerics.eigen import with_fixed_signs
from anchorgraph.numerics.kernels import KernelFeatures
from anchorgraph.numerics.progress import stage

SMALLEST_DEGREE = 1e-8
"""Lower bound of the degrees, which may be negative because the kernel matrix is an approximation."""


@dataclass(frozen=True)
class ColumnSpectrum:
    """Leading eigenvectors of ``D^-1/2 W D^-1/2`` with ``W = C A⁻¹ Cᵀ``, as a map of a row's kernels with the sample.

    Attributes
    ----------
    degree_map : (l,) floats
        ``A⁻¹ Cᵀ1``: the degree of a row is the product of its kernels with this vector.
    vector_map : (l, p) floats
        A row's kernels, divided by the square root of its degree, times this matrix are its row of eigenvectors.
    """

    degree_map: Floats
    vector_map: Floats

    def rows(self, kernels: Floats) -> Floats:
        """(b, p) rows of eigenvectors for (b, l) kernels with the sample."""
        degrees = np.maximum(kernels @ self.degree_map, SMALLEST_DEGREE)
        vectors: Floats = kernels @ self.vector_map / np.sqrt(degrees)[:, np.newaxis]
        return vectors


@stage("spectrum")
def column_spectrum(table: RowTable, kernels: KernelFeatures, corner: Floats, n_components: int) -> ColumnSpectrum:
    """The orthogonalised eigenvectors of a normalised kernel matrix from l of its columns, in two passes.

    With ``C = K(X, S)``, ``A = K(S, S)`` and degrees ``d = C A⁻¹ Cᵀ1``, the matrix ``Â^-1/2 ĈᵀĈ Â^-1/2`` of the
    normalised ``Ĉ = D^-1/2 C D_S^-1/2`` and ``Â`` has the eigenvalues of the approximation, and
    ``V = Ĉ Â^-1/2 U Λ^-1/2`` are its orthonormal eigenvectors (one-shot method).

    Parameters
    ----------
    table : RowTable
    kernels : KernelFeatures
        Computes the rows of C.
    corner : (l, l) floats
        A.
    n_components : int, at most l

    Returns
    -------
    ColumnSpectrum
    """

    def kernel_sums(block: Block, *weights: Floats) -> tuple[Any, ...]:
        total = np.zeros(len(corner))
        for part in kernels.parts(block):
            total += weigh(kernels(block[part]).astype(np.float64), *(own[part] for own in weights)).sum(axis=0)
        return (total,)

    (total,) = table.sum_blocks(kernel_sums, *table.weights)
    degree_map = _matrix_power(corner, -1) @ total
    scale = 1 / np.sqrt(np.maximum(corner @ degree_map, SMALLEST_DEGREE))
    root = _matrix_power(scale[:, np.newaxis] * corner * scale, -0.5)

    def kernel_products(block: Block, *weights: Floats) -> tuple[Any, ...]:
        products = np.zeros_like(corner)
        for part in kernels.parts(block):
            c = kernels(block[part]).astype(np.float64)
            c /= np.sqrt(np.maximum(c @ degree_map, SMALLEST_DEGREE))[:, np.newaxis]
            products += c.T @ weigh(c, *(own[part] for own in weights))
        return (products,)

    (products,) = table.sum_blocks(kernel_products, *table.weights)
    whole = root @ (scale[:, np.newaxis] * products * scale) @ root
    order = len(whole)
    values, vectors = eigh(whole, subset_by_index=(order - n_components, order - 1))
    kept = values > order * np.finfo(np.float64).eps * values[-1]  # the rank may be lower than n_components
    vectors = with_fixed_signs(root @ vectors[:, kept][:, ::-1] / np.sqrt(values[kept][::-1]))
    vector_map = scale[:, np.newaxis] * vectors
    return ColumnSpectrum(degree_map, vector_map)


def _matrix_power(matrix: Floats, exponent: float) -> Floats:
    """A power of a positive semi-definite matrix, in which eigenvalues that are zero up to rounding stay zero."""
    values, vectors = eigh(matrix)
    kept = values > len(values) * np.finfo(np.float64).eps * values[-1]
    power: Floats = (vectors[:, kept] * values[kept] ** exponent) @ vectors[:, kept].T
    return power
