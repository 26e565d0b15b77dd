"""Find rows that are equal to each other."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import sparse

from anchorgraph.contracts import Block, Integers


def first_equal(rows: Block) -> Integers:
    """For each row, the number of the first row that is equal to it.

    Parameters
    ----------
    rows : (n, d) Block

    Returns
    -------
    (n,) integers
    """
    seen: dict[bytes, int] = {}
    return np.array([seen.setdefault(key, number) for number, key in enumerate(_keys(rows))])


def n_different(rows: Block, enough: int) -> int:
    """Number of different rows; counting stops at ``enough``."""
    seen = set()
    for key in _keys(rows):
        seen.add(key)
        if len(seen) == enough:
            break
    return len(seen)


def _keys(rows: Any) -> Iterator[bytes]:
    """For each row, bytes that are the same for equal rows and different for others."""
    if not sparse.issparse(rows):
        return ((row + 0.0).tobytes() for row in rows)  # adding zero turns -0.0 into 0.0
    rows = sparse.csr_array(rows, copy=True)
    rows.sum_duplicates()
    rows.eliminate_zeros()
    row_slices = itertools.starmap(slice, itertools.pairwise(rows.indptr.tolist()))
    return (rows.indices[part].tobytes() + rows.data[part].tobytes() for part in row_slices)
