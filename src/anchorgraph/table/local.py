"""Base class of tables whose blocks are read by this process, one after the other."""

from __future__ import annotations

import itertools
from abc import abstractmethod
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse
from sklearn import get_config

from anchorgraph.contracts import Block, RowMap, RowTable, SumStep
from anchorgraph.numerics.execution import run_ahead
from anchorgraph.numerics.finite import RowError
from anchorgraph.numerics.progress import portion
from anchorgraph.table.base import RowsAndSums, Table, add_sums
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

    def fetch(self, span: slice) -> Any:
        """What :meth:`complete` makes the rows of a slice from; it may be read by another thread, one block ahead."""
        return self.read(span)

    def complete(self, fetched: Any) -> Block:
        """The rows of a slice that was fetched."""
        block: Block = fetched
        return block

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
        """Rows in a block: as given, or as many as fit into a quarter of scikit-learn's ``working_memory``.

        From a file, a block and the one that is read meanwhile fit into it together.
        """
        if self._block_rows:
            return self._block_rows
        share = 4 if self.in_memory else 8
        return max(1, int(get_config()["working_memory"] * 2**20 / share / max(self.row_bytes, 1)))

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
        with closing(self.map_blocks(row_map, *aligned)) as results:
            return self.store(results).with_weights_of(self)

    def keep_and_sum(self, row_map: RowMap, step: SumStep, *aligned: RowTable) -> tuple[RowTable, tuple[Any, ...]]:
        total: tuple[Any, ...] = ()

        def results() -> Generator[Any, None, None]:
            nonlocal total
            with closing(self.map_blocks(RowsAndSums(row_map, step), *aligned)) as both:
                for rows, part in both:
                    total = add_sums(total, part)
                    yield rows

        with closing(results()) as rows_of_blocks:
            kept = self.store(rows_of_blocks).with_weights_of(self)
        return kept, total

    def view(self, row_map: RowMap, names: list[str] | None = None) -> RowTable:
        from anchorgraph.table.view import ViewTable  # a subclass of this class

        return ViewTable(self, row_map, names).with_weights_of(self)

    def checked(self, refuse: Callable[[], None]) -> RowTable:
        from anchorgraph.table.checked import CheckedTable  # a subclass of this class

        return CheckedTable(self, refuse).with_weights_of(self)

    def align(self, array: Any) -> RowTable:
        from anchorgraph.table.memory import MemoryTable

        if len(array) != self.n_rows:
            raise ValueError(
                f"array must have one row for each of the {self.n_rows} rows of the table; got {len(array)}."
            )
        return MemoryTable(array)

    def numbers(self) -> RowTable:
        return self.align(np.arange(self.n_rows))

    def map_blocks(self, work: RowMap, *aligned: Any) -> Generator[Any, None, None]:
        """Yield what ``work`` returns for each block; while it is at work, the next block is read from its file."""
        spans, tables = list(self.spans()), (self, *aligned)

        def fetch(span: slice) -> list[Any]:
            return [table.fetch(span) for table in tables]

        are_in_memory = all(table.in_memory for table in tables)
        fetched = (fetch(span) for span in spans) if are_in_memory else run_ahead(fetch, spans)
        with closing(fetched):
            for number, span in enumerate(spans):
                with portion(number, len(spans)):
                    try:  # nothing but the work holds the block, so that its memory is free for one after the next
                        result = work(*map(_complete, tables, next(fetched)))
                    except RowError as error:
                        raise error.at(self.describe_row(span.start + error.row), self.names) from None
                yield result


def _complete(table: LocalTable, fetched: Any) -> Block:
    return table.complete(fetched)


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
