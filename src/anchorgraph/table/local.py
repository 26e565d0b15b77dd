"""The verbs of a table whose blocks are read one after the other by this process."""

from __future__ import annotations

import itertools
from abc import abstractmethod
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse
from sklearn import get_config

from anchorgraph.contracts import Block, RowMap, RowTable, SumStep
from anchorgraph.numerics.finite import NotFiniteError
from anchorgraph.numerics.progress import portion
from anchorgraph.table.base import Table, added
from anchorgraph.table.target import write_rows


class LocalTable(Table):
    """Base of the tables whose rows are in memory or in files."""

    n_cols: int
    dtype: np.dtype[Any]
    row_bytes: int
    is_sparse: bool
    names: list[str] | None = None
    in_memory: bool = False
    _block_rows: int | None = None

    @abstractmethod
    def read(self, span: slice) -> Block:
        """Consecutive rows."""

    @abstractmethod
    def store(self, results: Iterator[Any]) -> RowTable:
        """A table of blocks that cover all rows, near the rows themselves."""

    def spans(self) -> Iterator[slice]:
        """The blocks, each as the rows that it holds."""
        step = self.block_rows
        for start in range(0, self.n_rows, step):
            yield slice(start, min(start + step, self.n_rows))

    @property
    def block_rows(self) -> int:
        """Rows in a block: as given, or what a quarter of scikit-learn's ``working_memory`` holds."""
        return self._block_rows or max(1, int(get_config()["working_memory"] * 2**20 / 4 / max(self.row_bytes, 1)))

    def describe_row(self, row: int) -> str:
        """Where a row is, for errors."""
        return f"row {row}"

    def check_target(self, target: Any) -> None:
        """Refuse to write over what is read."""

    def sum_blocks(self, step: SumStep, *aligned: RowTable) -> tuple[Any, ...]:
        total: tuple[Any, ...] = ()
        for part in self.mapped(step, *aligned):
            total = added(total, part)
        return total

    def map_rows(self, row_map: RowMap, *aligned: RowTable) -> Any:
        return collected(self.mapped(row_map, *aligned), self.n_rows)

    def write_rows(self, row_map: RowMap, target: Any, names: list[str]) -> Path:
        self.check_target(target)
        return write_rows(self.mapped(row_map), self.n_rows, target, names)

    def keep(self, row_map: RowMap, *aligned: RowTable) -> RowTable:
        return self.store(self.mapped(row_map, *aligned))

    def view(self, row_map: RowMap, names: list[str] | None = None) -> RowTable:
        from anchorgraph.table.view import ViewTable  # which is one of these tables itself

        return ViewTable(self, row_map, names)

    def align(self, array: Any) -> RowTable:
        from anchorgraph.table.memory import MemoryTable

        return MemoryTable(array)

    def mapped(self, work: RowMap, *aligned: Any) -> Iterator[Any]:
        """What ``work`` returns for each block, as it comes."""
        spans = list(self.spans())
        for number, span in enumerate(spans):
            with portion(number, len(spans)):
                try:
                    result = work(self.read(span), *(other.read(span) for other in aligned))
                except NotFiniteError as error:
                    raise error.at(self.describe_row(span.start + error.row)) from None
            yield result


def collected(results: Iterator[Any], n_rows: int) -> Any:
    """All results below each other, each put into its place as it comes."""
    first = next(results)
    if first.shape[0] == n_rows:
        return first
    if sparse.issparse(first):
        return sparse.vstack([first, *results], format="csr")
    rows = np.empty((n_rows, *first.shape[1:]), first.dtype)
    filled = 0
    for part in itertools.chain([first], results):
        rows[filled : filled + len(part)] = part
        filled += len(part)
    return rows
