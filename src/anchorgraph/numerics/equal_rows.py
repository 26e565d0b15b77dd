"""Find rows that are equal to each other."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from hashlib import blake2b
from typing import Any

import numpy as np
from scipy import sparse

from anchorgraph.contracts import Block, Floats, Integers
from anchorgraph.numerics.blocks import chunks
from anchorgraph.numerics.execution import run


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


def distinct_rows(rows: Floats) -> tuple[Floats, Integers]:
    """The different rows of a dense array in an order that does not depend on that of the rows, and where each one is.

    Parameters
    ----------
    rows : (n, d) floats

    Returns
    -------
    distinct : (m, d) floats
    number_of : (n,) integers
        ``rows[i]`` equals ``distinct[number_of[i]]``.
    """
    plain = np.ascontiguousarray(rows + 0.0)  # turns -0.0 into 0.0
    keys = plain.view(np.dtype((np.void, plain.itemsize * plain.shape[1]))).ravel()
    _, first, number_of = np.unique(keys, return_index=True, return_inverse=True)
    return plain.take(first, axis=0), number_of


def distinct_in_order(rows: Block) -> tuple[Integers, Integers]:
    """Where the different rows are first, in an order that follows from their values, and which of them each row is.

    The order is the same for dense and sparse rows, for rows in float64 and rounded to float32, and for rows times a
    power of two.

    Parameters
    ----------
    rows : (n, d) Block

    Returns
    -------
    first : (m,) integers
    number_of : (n,) integers
        Row i equals row ``first[number_of[i]]``.
    """
    as_sparse = sparse.csr_array(rows)
    largest = np.abs(as_sparse.data).max(initial=0)
    scale = 2.0 ** -np.floor(np.log2(largest)) if largest > 0 else 1.0  # so that float32 holds them
    rounded = (as_sparse.astype(np.float64) * scale).astype(np.float32)
    keys = list(zip(_keys(rounded), _keys(as_sparse), strict=True))
    numbers = {key: number for number, key in enumerate(sorted(set(keys)))}
    number_of = np.array([numbers[key] for key in keys])
    first = np.unique(number_of, return_index=True)[1]
    return first, number_of


def row_keys(rows: Floats) -> Integers:
    """(n,) a number for each dense row: the same one for equal rows, and almost surely another one for others."""
    plain = np.ascontiguousarray(rows + 0.0).view(np.uint32)
    factors = np.random.default_rng(0).integers(2**63, size=plain.shape[1], dtype=np.uint64) * 2 + 1

    def keys_of(part: slice) -> Integers:
        words = plain[part] * factors
        words ^= words >> np.uint64(32)  # of coarse numbers, only the high bits differ
        found: Integers = (words * factors).sum(axis=1)
        return found

    return np.concatenate(run(keys_of, chunks(len(plain), 8 * plain.shape[1])))


def row_digests(rows: Block) -> Integers:
    """(n,) a number for each row: the same one for equal rows, in any process, and almost surely others for others."""
    digests = b"".join(blake2b(key, digest_size=8).digest() for key in _keys(rows))
    return np.frombuffer(digests, dtype=np.uint64)


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
