"""Cholesky factors of large matrices."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

from scipy.linalg import cho_factor

from anchorgraph.contracts import Floats
from anchorgraph.numerics.blas import one_blas_thread

LARGEST_IN_THREADS = 2**13
"""Order up to which several BLAS threads are used: at 2¹⁴, that of OpenBLAS 0.3 with two ends the process."""


def cholesky(matrix: Floats, *, lower: bool = False) -> tuple[Floats, Any]:
    """The Cholesky factor of a symmetric matrix, in its place, for :func:`scipy.linalg.cho_solve`.

    Parameters
    ----------
    matrix : (d, d) floats
        Overwritten.
    lower : bool
        Whether only the lower half of the matrix is read, or the upper one.

    Returns
    -------
    factor : (d, d) floats
    lower : bool
    """
    with one_blas_thread if len(matrix) > LARGEST_IN_THREADS else nullcontext():
        factor: tuple[Floats, Any] = cho_factor(matrix, lower=lower, overwrite_a=True)
        return factor
