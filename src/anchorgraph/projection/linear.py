"""A linear map and its inverse as row maps."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from anchorgraph.contracts import Block, Floats, LinearMap, RowMap
from anchorgraph.numerics.blocks import chunks, row_bytes
from anchorgraph.numerics.distances import minus_centre
from anchorgraph.numerics.execution import run


def project(linear: LinearMap) -> RowMap:
    """The row map ``x ↦ (x - mean) W``.

    Parameters
    ----------
    linear : LinearMap

    Returns
    -------
    RowMap
    """

    def rows(block: Block) -> Floats:
        # sparse rows cannot be centred before the product, which is therefore computed in float64
        precision = np.float64 if sparse.issparse(block) else block.dtype
        directions = np.ascontiguousarray(linear.components.T, dtype=precision)
        centre = np.zeros_like(linear.mean) if sparse.issparse(block) else linear.mean.astype(precision)
        shift = ((linear.mean - centre) @ linear.components.T).astype(precision)  # corrects the mean's rounding

        def part(chunk: slice) -> Floats:
            # the caller checks that results are finite; whether NumPy warns depends on the BLAS kernel
            with np.errstate(invalid="ignore", over="ignore"):
                centred = minus_centre(block[chunk].astype(precision, copy=False), centre)
                projected: Floats = centred @ directions - shift
            return projected

        parts = run(part, chunks(block.shape[0], row_bytes(block)))
        return np.concatenate(parts).astype(block.dtype, copy=False)

    return rows


def restore(linear: LinearMap) -> RowMap:
    """The row map ``y ↦ y Wᵀ + mean``: if ``WᵀW = I``, the row nearest to the mean that projects to ``y``.

    Parameters
    ----------
    linear : LinearMap

    Returns
    -------
    RowMap
    """

    def rows(block: Floats) -> Floats:
        restored: Floats = block @ linear.components.astype(block.dtype) + linear.mean.astype(block.dtype)
        return restored

    return rows
