"""Rows that are equal to others."""

from __future__ import annotations

import itertools

import numpy as np
from scipy import sparse


def first_equal(rows):
    """For each row, the number of the first one that equals it.

    Parameters
    ----------
    rows : (n, d) Block

    Returns
    -------
    (n,) integers
    """
    seen = {}
    return np.array([seen.setdefault(key, number) for number, key in enumerate(_keys(rows))])


def n_different(rows, enough):
    """How many rows are different, counted up to ``enough``."""
    seen = set()
    for key in _keys(rows):
        seen.add(key)
        if len(seen) == enough:
            break
    return len(seen)


def _keys(rows):
    """Bytes that are the same for equal rows."""
    if not sparse.issparse(rows):
        return ((row + 0.0).tobytes() for row in rows)  # -0.0 equals 0.0
    rows = sparse.csr_array(rows, copy=True)
    rows.sum_duplicates()
    rows.eliminate_zeros()
    own = itertools.starmap(slice, itertools.pairwise(rows.indptr.tolist()))
    return (rows.indices[part].tobytes() + rows.data[part].tobytes() for part in own)
