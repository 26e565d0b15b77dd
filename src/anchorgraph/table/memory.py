"""Tables over arrays, memory maps and CSR arrays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import sparse

from anchorgraph.contracts import Block, Integers
from anchorgraph.numerics.blocks import take_rows
from anchorgraph.table.base import float_type
from anchorgraph.table.local import LocalTable, collect_rows


class MemoryTable(LocalTable):
    """A :class:`~anchorgraph.contracts.RowTable` over an ndarray, a memmap or a CSR array.

    Blocks of float arrays are views. The array may be one-dimensional, with a single number for each row.
    """

    names: list[str] | None
    n_cols: int
    dtype: np.dtype[Any]
    is_sparse: bool
    row_bytes: int
    in_memory: bool = True

    def __init__(self, array: Any, *, block_rows: int | None = None, names: list[str] | None = None) -> None:
        self._array = array
        self._block_rows = block_rows
        self.names = names
        self.n_cols = int(array.shape[1]) if array.ndim > 1 else 1
        self.dtype = array.dtype if array.ndim == 1 else float_type(array.dtype)
        self.is_sparse = sparse.issparse(array)
        self.row_bytes = self.n_cols * self.dtype.itemsize
        if self.is_sparse:
            entry_bytes = self.dtype.itemsize + array.indices.itemsize
            self.row_bytes = max(1, int(entry_bytes * array.nnz / max(self.n_rows, 1)))

    @property
    def n_rows(self) -> int:
        return int(self._array.shape[0])

    def read(self, span: slice) -> Block:
        block: Block = self._array[span].astype(self.dtype, copy=False)
        return block

    def take(self, rows: Integers) -> Block:
        block: Block = take_rows(self._array, rows).astype(self.dtype, copy=False)
        return block

    def store(self, results: Iterator[Any]) -> MemoryTable:
        return MemoryTable(collect_rows(results, self.n_rows), block_rows=self._block_rows)
