"""Tables whose numbers are checked when their rows are first read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from anchorgraph.contracts import Block, Integers
from anchorgraph.numerics.finite import UNUSABLE, largest_number
from anchorgraph.table.local import LocalTable


class CheckedTable(LocalTable):
    """A :class:`~anchorgraph.contracts.RowTable` of the rows of another one, which are checked until all have been.

    Parameters
    ----------
    source : LocalTable
    refuse : callable
        Called without arguments if a number cannot be used: it raises an error about the whole table.
    """

    n_cols: int
    dtype: np.dtype[Any]
    row_bytes: int
    is_sparse: bool
    in_memory: bool
    names: list[str] | None

    def __init__(self, source: LocalTable, refuse: Callable[[], None]) -> None:
        self._source, self._refuse = source, refuse
        self._n_checked = 0  # rows, from the first one on
        self.n_cols, self.dtype, self.row_bytes = source.n_cols, source.dtype, source.row_bytes
        self.is_sparse, self.in_memory, self.names = source.is_sparse, source.in_memory, source.names

    @property
    def n_rows(self) -> int:
        return self._source.n_rows

    def spans(self) -> Iterator[slice]:
        return self._source.spans()

    def describe_row(self, row: int) -> str:
        return self._source.describe_row(row)

    def check_target(self, target: Any) -> None:
        self._source.check_target(target)

    def read(self, span: slice) -> Block:
        block = self._source.read(span)
        if span.stop > self._n_checked:
            self._check(block)
        if span.start <= self._n_checked:
            self._n_checked = max(self._n_checked, span.stop)
        return block

    def take(self, rows: Integers) -> Block:
        block = self._source.take(rows)
        if self._n_checked < self.n_rows:
            self._check(block)
        return block

    def store(self, results: Iterator[Any]) -> LocalTable:
        return self._source.store(results)

    def _check(self, block: Block) -> None:
        try:
            largest_number(block)
        except UNUSABLE:
            self._refuse()
            raise
