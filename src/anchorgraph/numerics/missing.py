"""Rows with missing values, which take no part in a fit and get no result."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from anchorgraph.contracts import Block
from anchorgraph.numerics.blocks import weigh


def are_complete(block: Any) -> NDArray[np.bool_]:
    """(n,) whether a row has no NaN."""
    if not sparse.issparse(block):
        lacks: NDArray[np.bool_] = np.isnan(block).any(axis=1)
        return ~lacks
    lacking = sparse.csr_array((np.isnan(block.data).astype(np.int64), block.indices, block.indptr), shape=block.shape)
    none: NDArray[np.bool_] = np.asarray(lacking.sum(axis=1)) == 0
    return none


def filled(block: Any, present: NDArray[np.bool_]) -> Block:
    """The same rows, with the first unit vector in place of those that are not present: any finite row would do."""
    if present.all():
        return block
    if not sparse.issparse(block):
        rows = np.where(present[:, np.newaxis], block, 0).astype(block.dtype)
        rows[~present, 0] = 1
        return rows
    kept = block.copy()
    kept.data[~np.repeat(present, np.diff(block.indptr))] = 0
    absent = np.flatnonzero(~present)
    entries = (np.ones(len(absent), block.dtype), (absent, np.zeros_like(absent)))
    return sparse.csr_array(kept + sparse.coo_array(entries, shape=block.shape))


def without_absent(results: Any, present: NDArray[np.bool_]) -> Any:
    """Results of rows with -1 (integers) or NaN (floats) in place of those that are not present, dense or sparse."""
    if present.all():
        return results
    if sparse.issparse(results):
        return weigh(results, np.where(present, 1, np.nan).astype(results.dtype))
    results = np.array(results)
    results[~present] = -1 if results.dtype.kind in "iu" else np.nan
    return results
