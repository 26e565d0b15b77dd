"""Blocks of rows cut into chunks, whether they are dense or sparse."""

from __future__ import annotations

from typing import Any

from scipy import sparse

CHUNK_BYTES = 2**21
"""Rows handled at once within a block: small enough for a core's share of the cache, large enough for BLAS."""

PRODUCT_BYTES = 2**23
"""Rows whose products with each other are added up: the (d, d) sums must not cost more to add than to make."""


def chunks(n_rows: int, row_bytes: int, chunk_bytes: int = CHUNK_BYTES) -> list[slice]:
    """Consecutive slices of ``n_rows`` rows of about ``chunk_bytes`` each."""
    step = max(16, chunk_bytes // max(row_bytes, 1))
    return [slice(start, min(start + step, n_rows)) for start in range(0, n_rows, step)]


def row_bytes(block: Any) -> int:
    """Memory that a row of a dense or sparse block takes on average."""
    held = block.data.nbytes + block.indices.nbytes if sparse.issparse(block) else block.nbytes
    return int(held / max(block.shape[0], 1))


def take_rows(block: Any, rows: Any) -> Any:
    """Rows of a block by number: of an array with ``take``, which lets other threads run as indexing does not."""
    return block[rows] if sparse.issparse(block) else block.take(rows, axis=0)
