"""Divide dense or sparse blocks of rows into chunks."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from anchorgraph.contracts import Block, Floats, Integers, RowTable

CHUNK_BYTES = 2**21
"""Size of a chunk of rows: small enough for the cache of one core, large enough for BLAS to be efficient."""

PRODUCT_BYTES = 2**23
"""Size of a chunk for ``rows.T @ rows``: adding the (d, d) products must not cost more than computing them."""


def chunks(n_rows: int, row_bytes: int, chunk_bytes: int = CHUNK_BYTES) -> list[slice]:
    """Consecutive slices that cover ``n_rows`` rows, of about ``chunk_bytes`` each but at least 16 rows."""
    step = max(16, chunk_bytes // max(row_bytes, 1))
    return [slice(start, min(start + step, n_rows)) for start in range(0, n_rows, step)]


def row_bytes(block: Any) -> int:
    """Average memory of a row of a dense or sparse block."""
    n_bytes = block.data.nbytes + block.indices.nbytes if sparse.issparse(block) else block.nbytes
    return int(n_bytes / max(block.shape[0], 1))


def n_full_rows(table: RowTable) -> int:
    """Number of dense rows that take as much memory as the rows of a table, but at most the number of its rows."""
    return min(table.n_rows, -(-table.n_rows * table.row_bytes // max(table.n_cols * table.dtype.itemsize, 1)))


def occurring_columns(block: Any) -> tuple[Integers, Block]:
    """The numbers of the columns in which a sparse block has entries, and the block without the other columns."""
    occurs = np.zeros(block.shape[1], dtype=bool)
    occurs[block.indices] = True
    columns = np.flatnonzero(occurs)
    number = np.zeros(block.shape[1], dtype=block.indices.dtype)
    number[columns] = np.arange(len(columns))
    narrow = sparse.csr_array((block.data, number[block.indices], block.indptr), shape=(block.shape[0], len(columns)))
    return columns, narrow


def take_rows(block: Any, rows: Any) -> Any:
    """Rows of a block by number. ``take`` releases the GIL, indexing an ndarray by an array does not."""
    return block[rows] if sparse.issparse(block) else block.take(rows, axis=0)


def weigh(rows: Any, weights: Floats | None = None) -> Any:
    """The rows of a dense or sparse block, or single numbers, times their weights; unchanged without weights."""
    if weights is None:
        return rows
    if sparse.issparse(rows):
        return sparse.csr_array(sparse.diags_array(weights) @ rows)
    return rows * weights.reshape(-1, *[1] * (rows.ndim - 1))


def stack(parts: list[Any]) -> Any:
    """Blocks of rows, dense or sparse, one below the other; a single one is not copied."""
    if len(parts) == 1:
        return parts[0]
    return sparse.vstack(parts, format="csr") if sparse.issparse(parts[0]) else np.concatenate(parts)


def dense(matrix: Any) -> Floats:
    """The same matrix as an ndarray."""
    array: Floats = matrix.toarray() if sparse.issparse(matrix) else matrix
    return array
