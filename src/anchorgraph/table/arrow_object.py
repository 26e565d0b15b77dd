"""Data sets and tables of pyarrow, and of libraries that derive from them, such as Lance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np

from anchorgraph.table.arrow_choice import as_names, choose_columns, refuse_by_type
from anchorgraph.table.arrow_columns import Chosen, Column, stored_kind
from anchorgraph.table.arrow_rows import as_array, first_length, number_type
from anchorgraph.table.column_errors import no_column
from anchorgraph.table.description import count, describe_columns
from anchorgraph.table.memory import MemoryTable
from anchorgraph.table.parts import Part
from anchorgraph.table.shards import ShardTable
from anchorgraph.table.streamed import StreamedRows

BATCH_BYTES = 2**22
"""Size of a batch: pyarrow reads many of them ahead."""

WIDTH_ROWS = 64
"""Rows that are read at once to find the first vector."""


def is_arrow_dataset(source: Any) -> bool:
    """Whether a source is a data set of pyarrow; pyarrow is not imported for this."""
    return _is_a(source, "Dataset")


def is_arrow_table(source: Any) -> bool:
    """Whether a source is a table or record batch of pyarrow; pyarrow is not imported for this."""
    return _is_a(source, "Table", "RecordBatch")


def _is_a(source: Any, *names: str) -> bool:
    return any(kind.__name__ in names and kind.__module__.split(".")[0] == "pyarrow" for kind in type(source).__mro__)


@dataclass(frozen=True)
class ArrowObject:
    """A data set or table."""

    source: Any

    def __str__(self) -> str:
        return f"the {type(self.source).__module__.split('.')[0]} {'table' if self.is_table else 'dataset'}"

    @property
    def is_table(self) -> bool:
        """Whether its rows are in memory."""
        return is_arrow_table(self.source)

    @cached_property
    def columns(self) -> dict[str, Column]:
        """Its columns by name."""
        schema = getattr(getattr(self.source, "partitioning", None), "schema", None)
        folders = set() if schema is None else {*schema.names}
        return {
            field.name: Column(field.name, stored_kind(field.type), field.nullable, field.name in folders)
            for field in self.source.schema
        }

    def width(self, name: str) -> int | None:
        from pyarrow import types

        if types.is_fixed_size_list(kind := self.columns[name].kind):
            return int(kind.list_size)
        for batch in self.batches([name], WIDTH_ROWS):
            if (length := first_length(batch.column(0))) is not None:
                return length
        return None

    def batches(self, names: list[str], batch_rows: int) -> Iterator[Any]:
        """Record batches of some columns."""
        if not self.is_table:
            yield from self.source.to_batches(columns=names, batch_size=batch_rows)
        elif hasattr(self.source, "to_batches"):
            yield from self.source.select(names).to_batches()
        else:
            yield self.source.select(names)

    def count_rows(self) -> int:
        """Number of rows."""
        return int(self.source.num_rows if self.is_table else self.source.count_rows())

    def refuse(self, names: list[str], chosen: list[str]) -> ValueError:
        """The error about some of the chosen columns, which hold no numbers."""
        return refuse_by_type(self, names)

    def column(self, name: str) -> Any:
        """The values of one column."""
        import pyarrow as pa

        if name not in self.columns:
            raise no_column(self, name, self.columns)
        schema = pa.schema([pa.field(name, self.columns[name].kind)])
        return pa.Table.from_batches(self.batches([name], 2**16), schema)[name].to_numpy()


def open_arrow(
    source: Any,
    *,
    columns: str | Sequence[str] | None,
    without: str | Sequence[str] | None,
    block_rows: int | None,
) -> ShardTable | MemoryTable:
    """The table of a data set, which is read in order, or of an Arrow table, which becomes an array in memory."""
    held = ArrowObject(source)
    chosen = choose_columns([held], as_names(columns), as_names(without) or [])
    names = [name for column in chosen for name in column.names]
    dtype, shape = number_type(held.columns, chosen), (held.count_rows(), len(names))
    table: ShardTable | MemoryTable
    if held.is_table:
        array = np.concatenate([np.empty((0, shape[1]), dtype), *_arrays(held, chosen, dtype)])
        if not len(array):
            raise ValueError("source has no rows; pass at least one.")
        table = MemoryTable(array, block_rows=block_rows, names=names)
    else:
        start = partial(_arrays, held, chosen, dtype)
        part = Part(str(held), shape, dtype, partial(StreamedRows, shape, dtype, start))
        table = ShardTable([part], block_rows=block_rows, names=names)
    table.description = f"{held}: {count(shape[0], 'row')}, {describe_columns(chosen, held.columns)}"
    return table


def _arrays(held: ArrowObject, chosen: list[Chosen], dtype: np.dtype[Any]) -> Iterator[Any]:
    import pyarrow as pa

    stored = list(dict.fromkeys(column.name for column in chosen))
    batch_rows = max(1, BATCH_BYTES // (sum(column.n_cols for column in chosen) * dtype.itemsize))
    first_row = 0
    for batch in held.batches(stored, batch_rows):
        yield as_array(pa.Table.from_batches([batch]), chosen, dtype, name=str(held), first_row=first_row)
        first_row += batch.num_rows
