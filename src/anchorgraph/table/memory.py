"""Tables over what NumPy and SciPy can slice: arrays, memory maps and CSR arrays."""

from __future__ import annotations

from typing import Any

from scipy import sparse

from anchorgraph.contracts import Block, Integers, RowMap, RowTable, Span
from anchorgraph.table.local import LocalTable, float_type


class MemoryTable(LocalTable):
    """A :class:`~anchorgraph.contracts.RowTable` over an ndarray, a memmap or a CSR array.

    Slicing means the same for all three, so there is one class. Blocks of float arrays are views. What was kept for
    each row may be a single number: then rows have no columns of their own.
    """

    in_memory = True

    def __init__(self, array: Any, *, block_rows: int | None = None, names: list[str] | None = None) -> None:
        self._array = array
        self._block_rows = block_rows
        self.names = names
        self.n_rows = int(array.shape[0])
        self.n_cols = int(array.shape[1]) if array.ndim > 1 else 1
        self.dtype = array.dtype if array.ndim == 1 else float_type(array.dtype)
        self.row_bytes = self.n_cols * self.dtype.itemsize
        if sparse.issparse(array):
            entry_bytes = self.dtype.itemsize + array.indices.itemsize
            self.row_bytes = max(1, int(entry_bytes * array.nnz / max(self.n_rows, 1)))

    def read(self, span: Span) -> Block:
        block: Block = self._array[span].astype(self.dtype, copy=False)
        return block

    def take(self, rows: Integers) -> Block:
        # ndarray.take lets other threads run, indexing by an array does not
        rows_of = self._array[rows] if sparse.issparse(self._array) else self._array.take(rows, axis=0)
        block: Block = rows_of.astype(self.dtype, copy=False)
        return block

    def keep(self, row_map: RowMap, *beside: RowTable) -> MemoryTable:
        return MemoryTable(self.map_rows(row_map, *beside), block_rows=self._block_rows)
