"""A linear map applied to rows, and undone."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from anchorgraph.numerics.chunks import chunks, row_bytes
from anchorgraph.numerics.distances import minus_centre
from anchorgraph.numerics.execution import run


def project(linear):
    """The row map ``(x - mean) Wᵀ``.

    Parameters
    ----------
    linear : LinearMap

    Returns
    -------
    RowMap
    """

    def rows(block):
        # products of sparse rows, which cannot be centred first, are made in float64
        precision = np.float64 if sparse.issparse(block) else block.dtype
        directions = np.ascontiguousarray(linear.components.T, dtype=precision)
        near = np.zeros_like(linear.mean) if sparse.issparse(block) else linear.mean.astype(precision)
        shift = ((linear.mean - near) @ linear.components.T).astype(precision)  # what float32 loses of the mean

        def part(chunk):
            # the caller looks for what is not finite and names its place; NumPy's warning depends on the BLAS kernel
            with np.errstate(invalid="ignore", over="ignore"):
                return minus_centre(block[chunk].astype(precision, copy=False), near) @ directions - shift

        parts = run(part, chunks(block.shape[0], row_bytes(block)))
        return np.concatenate(parts).astype(block.dtype, copy=False)

    return rows


def restore(linear):
    """The row map ``y ↦ y W + mean``: the nearest row to ``x`` that projects to ``y``, where ``W Wᵀ = I``.

    Parameters
    ----------
    linear : LinearMap

    Returns
    -------
    RowMap
    """

    def rows(block):
        return block @ linear.components.astype(block.dtype) + linear.mean.astype(block.dtype)

    return rows
