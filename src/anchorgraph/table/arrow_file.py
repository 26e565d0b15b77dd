"""Base class of Arrow files that consist of pieces: the row groups of Parquet, or the record batches of IPC."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np

from anchorgraph.table.arrow_choice import refuse_by_type
from anchorgraph.table.arrow_columns import Chosen, Column, stored_kind
from anchorgraph.table.arrow_rows import as_array, first_length, number_type, stored_names
from anchorgraph.table.file_checks import check_expansion, check_names, explain_read_errors
from anchorgraph.table.kept import Keeper
from anchorgraph.table.location import Location
from anchorgraph.table.parts import PART_BYTES, Part

WIDTH_ROWS = 64
"""Rows that are read at once to find the first vector."""


@dataclass(frozen=True)
class ArrowFile(ABC):
    """A file whose metadata were read once and are reused by every pass.

    Attributes
    ----------
    location : Location
    columns : dict
        Columns by name.
    sizes : tuple of int
        Number of rows of each piece.
    metadata : object
        What the reader of the format needs again.
    """

    location: Location
    columns: dict[str, Column]
    sizes: tuple[int, ...]
    metadata: Any = None

    kind: ClassVar[str]

    def __str__(self) -> str:
        return str(self.location)

    def count_rows(self) -> int:
        """Number of rows."""
        return sum(self.sizes)

    @abstractmethod
    def read(self, pieces: range, names: list[str]) -> Any:
        """Some columns of consecutive pieces, as an Arrow table."""

    def stream(self, piece: int, names: list[str], n_rows: int) -> Iterator[Any]:
        """Some columns of one piece, as Arrow tables of at most so many rows."""
        yield from _slices(self.read(range(piece, piece + 1), names), n_rows)

    def width(self, name: str) -> int | None:
        """The length of the first vector in a column, or None if there is none."""
        from pyarrow import types

        kind = self.columns[name].kind
        if types.is_fixed_size_list(kind):
            return int(kind.list_size)
        with explain_read_errors(self.location, self.kind):
            for piece in range(len(self.sizes)):
                for held in self.stream(piece, [name], WIDTH_ROWS):
                    for chunk in held[name].chunks:
                        if (length := first_length(chunk)) is not None:
                            return length
        return None

    def parts(self, chosen: Sequence[Chosen], keeper: Keeper) -> list[Part]:
        """The pieces as parts, several small ones together, with the chosen columns in the given order.

        A piece that is larger than PART_BYTES is decoded a few rows at a time.
        """
        dtype, n_cols = number_type(self.columns, chosen), sum(column.n_cols for column in chosen)
        row_bytes, size = n_cols * dtype.itemsize, self.location.size()
        starts = np.cumsum([0, *self.sizes])
        parts = []
        most = max(1, PART_BYTES // row_bytes)
        for pieces in _group(self.sizes, most):
            first, n_rows = int(starts[pieces.start]), int(starts[pieces.stop] - starts[pieces.start])
            # parts of several pieces are small
            check_expansion(self.location, n_rows * row_bytes, size, 1000, "write it with smaller row groups")
            shape = (n_rows, n_cols)
            if n_rows <= most:
                load = partial(_load, self, pieces, list(chosen), dtype, first)
                load_once = keeper.remember(load, n_rows * row_bytes)
            else:
                # while a block is decoded, Arrow takes several times its size
                start = partial(_blocks, self, pieces.start, list(chosen), dtype, first, max(1, most // 4))
                load_once = keeper.remember_blocks(start, shape, dtype)
            parts.append(Part(str(self), shape, dtype, load_once, first_row=first))
        return parts or [Part(str(self), (0, n_cols), dtype, partial(np.empty, (0, n_cols), dtype))]

    def column(self, name: str) -> Any:
        """The values of one column."""
        with explain_read_errors(self.location, self.kind):
            return self.read(range(len(self.sizes)), [name])[name].to_numpy()

    def refuse(self, names: list[str], chosen: list[str]) -> ValueError:
        """The error about some of the chosen columns, which hold no numbers."""
        return refuse_by_type(self, names)


def _load(file: ArrowFile, pieces: range, chosen: list[Chosen], dtype: np.dtype[Any], first_row: int) -> Any:
    stored = stored_names(file.columns, chosen)
    constants = number_partitions(file.location, stored)
    if not stored:
        return _repeat(constants, chosen, dtype, sum(file.sizes[piece] for piece in pieces))
    with explain_read_errors(file.location, file.kind):
        held = file.read(pieces, stored)
        return as_array(held, chosen, dtype, name=str(file), first_row=first_row, constants=constants)


def _blocks(
    file: ArrowFile, piece: int, chosen: list[Chosen], dtype: np.dtype[Any], first_row: int, n_rows: int
) -> Iterator[Any]:
    """The rows of one piece, at most so many at once."""
    stored, size = stored_names(file.columns, chosen), file.sizes[piece]
    constants = number_partitions(file.location, stored)
    if not stored:
        yield from (_repeat(constants, chosen, dtype, min(n_rows, size - i)) for i in range(0, size, n_rows))
        return
    done = 0
    with explain_read_errors(file.location, file.kind):
        for held in file.stream(piece, stored, n_rows):
            if done + held.num_rows > size:
                break
            yield as_array(held, chosen, dtype, name=str(file), first_row=first_row + done, constants=constants)
            done += held.num_rows
        if done != size:
            raise ValueError(f"a piece should have {size:,} rows, but has others")


def _repeat(constants: dict[str, int], chosen: list[Chosen], dtype: np.dtype[Any], n_rows: int) -> Any:
    return np.tile(np.array([constants[column.name] for column in chosen], dtype), (n_rows, 1))


def _slices(held: Any, n_rows: int) -> Iterator[Any]:
    return (held.slice(start, n_rows) for start in range(0, held.num_rows, n_rows))


def _group(sizes: Sequence[int], most: int) -> Iterator[range]:
    """Ranges of consecutive pieces that have at most so many rows together, or of one piece."""
    start = n_rows = 0
    for number, size in enumerate(sizes):
        if number > start and n_rows + size > most:
            yield range(start, number)
            start, n_rows = number, 0
        n_rows += size
    if start < len(sizes):
        yield range(start, len(sizes))


def columns_of(location: Location, schema: Any, left_out: set[str]) -> dict[str, Column]:
    """The columns of an Arrow schema, without some, and those that the folders of the file stand for."""
    import pyarrow as pa

    check_names(location, schema.names)
    found = {
        field.name: Column(field.name, stored_kind(field.type), field.nullable)
        for field in schema
        if field.name not in left_out
    }
    for name, value in location.partitions:
        kind = pa.int64() if is_integer(value) else pa.string()
        found.setdefault(name, Column(name, kind, False, is_partition=True))
    return found


def number_partitions(location: Location, stored: Collection[str]) -> dict[str, int]:
    """The numbers that the folders of a file stand for, by name, without those that are columns of the file itself."""
    own = {name: value for name, value in location.partitions if name not in stored}
    return {name: int(value) for name, value in own.items() if value is not None and is_integer(value)}


def is_integer(value: str | None) -> bool:
    """Whether the value of a partition is read as a number."""
    return value is not None and re.fullmatch("-?[0-9]{1,18}", value) is not None
