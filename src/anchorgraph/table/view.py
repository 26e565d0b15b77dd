"""Tables whose rows are computed from another table each time that they are read, such as scaled or centred rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import sparse
from sklearn import get_config

from anchorgraph.contracts import Block, Integers, RowMap
from anchorgraph.numerics.blocks import chunks, stack
from anchorgraph.numerics.finite import RowError
from anchorgraph.table.local import LocalTable

BLOCK_BYTES = 2**25
"""Maximum size of a block of a view: blocks are computed and should be small compared with the source."""


class ViewTable(LocalTable):
    """A :class:`~anchorgraph.contracts.RowTable` of the results of a row map on the rows of another table.

    Parameters
    ----------
    source : LocalTable
    row_map : RowMap
        A function of a block, without aligned tables.
    names : list of str, optional
        Names of the columns of the view.
    """

    names: list[str] | None
    n_cols: int
    dtype: np.dtype[Any]
    is_sparse: bool
    in_memory: bool
    row_bytes: int

    def __init__(self, source: LocalTable, row_map: RowMap, names: list[str] | None = None) -> None:
        self._source, self._map, self.names = source, row_map, names
        first_row: Any = self.take(np.array([0]))
        self.n_cols, self.dtype = int(first_row.shape[1]) if first_row.ndim > 1 else 1, first_row.dtype
        self.is_sparse, self.in_memory = sparse.issparse(first_row), source.in_memory
        self.row_bytes = source.row_bytes if self.is_sparse else self.n_cols * self.dtype.itemsize

    @property
    def n_rows(self) -> int:
        return self._source.n_rows

    def spans(self) -> Iterator[slice]:
        max_bytes = min(BLOCK_BYTES, int(get_config()["working_memory"] * 2**20 / 4))
        step = max(1, max_bytes // max(self.row_bytes, 1))
        for span in self._source.spans():
            for start in range(span.start, span.stop, step):
                yield slice(start, min(start + step, span.stop))

    def describe_row(self, row: int) -> str:
        return self._source.describe_row(row)

    def check_target(self, target: Any) -> None:
        self._source.check_target(target)

    def read(self, span: slice) -> Block:
        return self.complete(self.fetch(span))

    def fetch(self, span: slice) -> Any:
        return self._source.fetch(span)

    def complete(self, fetched: Any) -> Block:
        block: Block = self._map(self._source.complete(fetched))
        return block

    def take(self, rows: Integers) -> Block:
        # part by part, because rows of the source may be much larger than those of the view
        parts = chunks(len(rows), self._source.row_bytes, BLOCK_BYTES)
        return stack([self._take(rows[part]) for part in parts] or [self._take(rows)])

    def _take(self, rows: Integers) -> Block:
        try:
            block: Block = self._map(self._source.take(rows))
        except RowError as error:
            raise error.at(self.describe_row(int(rows[error.row])), self.names) from None
        return block

    def store(self, results: Iterator[Any]) -> LocalTable:
        return self._source.store(results)
