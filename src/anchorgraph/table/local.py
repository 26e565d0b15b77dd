"""Base class of tables whose blocks are read by this process, one after the other."""

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
from anchorgraph.numerics.finite import RowError
from anchorgraph.numerics.progress import portion
from anchorgraph.table.base import Table, add_sums
from anchorgraph.table.target import write_rows


class LocalTable(Table):
    """Base class of tables whose rows are in memory or in files."""

    n_cols: int
    dtype: np.dtype[Any]
    row_bytes: int
    is_sparse: bool
    names: list[str] | None = None
    in_memory: bool = False
    _block_rows: int | None = None

    @abstractmethod
    def read(self, span: slice) -> Block:
        """The rows of a slice."""

    @abstractmethod
    def store(self, results: Iterator[Any]) -> LocalTable:
        """A table of blocks that cover all rows, stored in memory or in a temporary folder."""

    def spans(self) -> Iterator[slice]:
        """The blocks, each as a slice of row numbers."""
        step = self.block_rows
        for start in range(0, self.n_rows, step):
            yield slice(start, min(start + step, self.n_rows))

    @property
    def block_rows(self) -> int:
        """Rows in a block: as given, or as many as fit into a quarter of scikit-learn's ``working_memory``."""
        return self._block_rows or max(1, int(get_config()["working_memory"] * 2**20 / 4 / max(self.row_bytes, 1)))

    def describe_row(self, row: int) -> str:
        """Where a row is stored, for error messages."""
        return f"row {row}"

    def check_target(self, target: Any) -> None:
        """Raise an error if writing to ``target`` would change the rows of this table."""

    def sum_blocks(self, step: SumStep, *aligned: RowTable) -> tuple[Any, ...]:
        total: tuple[Any, ...] = ()
        for part in self.map_blocks(step, *aligned):
            total = add_sums(total, part)
        return total

    def map_rows(self, row_map: RowMap, *aligned: RowTable) -> Any:
        return collect_rows(self.map_blocks(row_map, *aligned), self.n_rows)

    def write_rows(self, row_map: RowMap, target: Any, names: list[str]) -> Path | str:
        self.check_target(target)
        return write_rows(self.map_blocks(row_map), self.n_rows, target, names)

    def keep(self, row_map: RowMap, *aligned: RowTable) -> RowTable:
        return self.store(self.map_blocks(row_map, *aligned)).with_weights_of(self)

    def view(self, row_map: RowMap, names: list[str] | None = None) -> RowTable:
        from anchorgraph.table.view import ViewTable  # a subclass of this class

        return ViewTable(self, row_map, names).with_weights_of(self)

    def align(self, array: Any) -> RowTable:
        from anchorgraph.table.memory import MemoryTable

        if len(array) != self.n_rows:
            raise ValueError(
                f"array must have one row for each of the {self.n_rows} rows of the table; got {len(array)}."
            )
        return MemoryTable(array)

    def map_blocks(self, work: RowMap, *aligned: Any) -> Iterator[Any]:
        """Yield what ``work`` returns for each block."""
        spans = list(self.spans())
        for number, span in enumerate(spans):
            with portion(number, len(spans)):
                try:
                    result = work(self.read(span), *(other.read(span) for other in aligned))
                except RowError as error:
                    raise error.at(self.describe_row(span.start + error.row), self.names) from None
            yield result


def collect_rows(results: Iterator[Any], n_rows: int) -> Any:
    """Stack all results vertically; dense blocks are copied into one array as they are computed."""
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
