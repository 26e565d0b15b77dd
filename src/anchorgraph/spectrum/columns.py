"""Spectrum of a kernel matrix from some of its columns: the Nyström method of Fowlkes et al. (2004)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import eigh

from anchorgraph.contracts import Floats
from anchorgraph.numerics.eigen import with_fixed_signs
from anchorgraph.numerics.progress import stage

SMALLEST_DEGREE = 1e-8
"""Degrees of an approximation need not be positive."""


@dataclass(frozen=True)
class ColumnSpectrum:
    """Leading eigenvectors of ``D^-1/2 W D^-1/2`` with ``W = C A⁻¹ Cᵀ``, as a map of a row's kernels with the sample.

    Attributes
    ----------
    degree_map : (l,) floats
        ``A⁻¹ Cᵀ1``: a row's kernels times this are its degree.
    vector_map : (l, p) floats
        A row's kernels over the root of its degree, times this, are its row of eigenvectors.
    """

    degree_map: Floats
    vector_map: Floats

    def rows(self, kernels):
        """(b, p) rows of eigenvectors for (b, l) kernels with the sample."""
        degrees = np.maximum(kernels @ self.degree_map, SMALLEST_DEGREE)
        return kernels @ self.vector_map / np.sqrt(degrees)[:, np.newaxis]


@stage("spectrum")
def column_spectrum(table, kernels, corner, n_components):
    """The orthogonalised eigenvectors of a normalised kernel matrix from l of its columns, in two passes.

    With ``C = K(X, S)``, ``A = K(S, S)`` and degrees ``d = C A⁻¹ Cᵀ1``, the matrix ``Â^-1/2 ĈᵀĈ Â^-1/2`` of the
    normalised ``Ĉ = D^-1/2 C D_S^-1/2`` and ``Â`` has the eigenvalues of the approximation, and
    ``V = Ĉ Â^-1/2 U Λ^-1/2`` are its orthonormal eigenvectors (one-shot method).

    Parameters
    ----------
    table : RowTable
    kernels : KernelFeatures
        Gives the rows of C.
    corner : (l, l) floats
        A.
    n_components : int, at most l

    Returns
    -------
    ColumnSpectrum
    """

    def summed(block):
        return (sum(kernels(block[part]).sum(axis=0, dtype=np.float64) for part in kernels.parts(block)),)

    (total,) = table.sum_blocks(summed)
    degree_map = power(corner, -1) @ total
    scale = 1 / np.sqrt(np.maximum(corner @ degree_map, SMALLEST_DEGREE))
    root = power(scale[:, np.newaxis] * corner * scale, -0.5)

    def multiplied(block):
        products = np.zeros_like(corner)
        for part in kernels.parts(block):
            c = kernels(block[part]).astype(np.float64)
            c /= np.sqrt(np.maximum(c @ degree_map, SMALLEST_DEGREE))[:, np.newaxis]
            products += c.T @ c
        return (products,)

    (products,) = table.sum_blocks(multiplied)
    whole = root @ (scale[:, np.newaxis] * products * scale) @ root
    order = len(whole)
    values, vectors = eigh(whole, subset_by_index=(order - n_components, order - 1))
    kept = values > order * np.finfo(np.float64).eps * values[-1]  # the sample may span fewer
    vectors = with_fixed_signs(root @ vectors[:, kept][:, ::-1] / np.sqrt(values[kept][::-1]))
    vector_map = scale[:, np.newaxis] * vectors
    return ColumnSpectrum(degree_map, vector_map)


def power(matrix, exponent):
    """A power of a positive semi-definite matrix on the space where it is not zero to rounding."""
    values, vectors = eigh(matrix)
    kept = values > len(values) * np.finfo(np.float64).eps * values[-1]
    return (vectors[:, kept] * values[kept] ** exponent) @ vectors[:, kept].T
