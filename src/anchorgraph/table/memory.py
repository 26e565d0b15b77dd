"""Tables over what NumPy and SciPy can slice: arrays, memory maps and CSR arrays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import sparse
from sklearn import get_config

from anchorgraph.contracts import Block, Integers, RowMap, Span, SumStep


class MemoryTable:
    """A :class:`~anchorgraph.contracts.RowTable` over an ndarray, a memmap or a CSR array.

    Slicing means the same for all three, so there is one class. Blocks of float arrays are views.
    """

    def __init__(self, array: Any, *, block_rows: int | None = None) -> None:
        self._array = array
        if block_rows is None:
            block_rows = int(get_config()["working_memory"] * 2**20 / 4 / max(self.row_bytes, 1))
        self._block_rows = max(1, block_rows)

    @property
    def n_rows(self) -> int:
        return int(self._array.shape[0])

    @property
    def n_cols(self) -> int:
        return int(self._array.shape[1])

    @property
    def dtype(self) -> np.dtype[Any]:
        is_short = np.result_type(self._array.dtype, np.float32) == np.float32
        return np.dtype(np.float32 if is_short else np.float64)

    @property
    def row_bytes(self) -> int:
        if sparse.issparse(self._array):
            entry_bytes = self.dtype.itemsize + self._array.indices.itemsize
            return max(1, int(entry_bytes * self._array.nnz / max(self.n_rows, 1)))
        return self.n_cols * self.dtype.itemsize

    def take(self, rows: Integers) -> Block:
        # ndarray.take lets other threads run, indexing by an array does not
        rows_of = self._array[rows] if sparse.issparse(self._array) else self._array.take(rows, axis=0)
        block: Block = rows_of.astype(self.dtype, copy=False)
        return block

    def sum_blocks(self, step: SumStep) -> tuple[Any, ...]:
        total: tuple[Any, ...] = ()
        for block, span in self._blocks():
            part = tuple(
                np.asarray(p, np.float64) if np.ndim(p) == 0 else p.astype(np.float64) for p in step(block, span)
            )
            total = tuple(a + b for a, b in zip(total, part, strict=True)) if total else part
        return total

    def map_rows(self, row_map: RowMap) -> Any:
        parts = [row_map(block, span) for block, span in self._blocks()]
        if len(parts) == 1:
            return parts[0]
        return sparse.vstack(parts, format="csr") if sparse.issparse(parts[0]) else np.concatenate(parts)

    def _blocks(self) -> Iterator[tuple[Block, Span]]:
        for start in range(0, self.n_rows, self._block_rows):
            span = slice(start, min(start + self._block_rows, self.n_rows))
            yield self._array[span].astype(self.dtype, copy=False), span
