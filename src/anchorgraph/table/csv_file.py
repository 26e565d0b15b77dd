"""CSV files as parts of a table: each is one part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from anchorgraph.table.claims import check_names, reading
from anchorgraph.table.csv_end import TAIL_BYTES, check_last_line, check_last_quote
from anchorgraph.table.parts import BrokenPartError, Part

KIND = "CSV file with a line of names"

MAX_COLUMNS = 2**17
"""pyarrow's time grows with the square of the columns: so many take seconds, a million takes minutes."""


@dataclass(frozen=True)
class CsvFile:
    """A file that was read once, to know its columns and rows; it is read again when its rows are wanted.

    Attributes
    ----------
    path : Path
    names : list of str
        From the first line.
    types : dict
        Arrow's type of each column.
    n_rows : int
    """

    path: Path
    names: list[str]
    types: dict[str, Any]
    n_rows: int

    @classmethod
    def open(cls, path: Path) -> CsvFile:
        with reading(path, KIND):
            _check_width(path)
            table = _read(path, None)
            check_names(path, table.column_names)
            check_last_quote(path)
            return cls(path, table.column_names, {field.name: field.type for field in table.schema}, table.num_rows)

    def parts(self, columns: Sequence[str]) -> list[Part]:
        """All rows, with some of the columns in a given order."""
        import pyarrow as pa

        for name in columns if self.n_rows else ():  # without rows there are no types
            kind = self.types[name]
            if not any(is_kind(kind) for is_kind in (pa.types.is_floating, pa.types.is_integer, pa.types.is_boolean)):
                raise ValueError(
                    f"Column {name!r} of {self.path} holds {kind}, not numbers; choose columns without it."
                )
        shape, dtype = (self.n_rows, len(columns)), np.dtype(np.float64)
        return [Part(str(self.path), shape, dtype, partial(_load, self.path, list(columns)))]

    def column(self, name: str) -> Any:
        """The values of one column."""
        return _read(self.path, [name])[name].to_numpy(zero_copy_only=False)


def _load(path: Path, columns: list[str]) -> Any:
    table = _read(path, columns)
    with reading(path, KIND):
        return np.column_stack([table[name].to_numpy(zero_copy_only=False).astype(np.float64) for name in columns])


def _read(path: Path, columns: list[str] | None) -> Any:
    try:
        import pyarrow as pa
        from pyarrow import csv
    except ImportError as error:
        raise ImportError(f"{path} takes pyarrow to read; install anchorgraph[io].") from error
    with reading(path, KIND):
        try:
            return csv.read_csv(path, convert_options=csv.ConvertOptions(include_columns=columns))
        except pa.ArrowInvalid:
            check_last_line(path)
            check_last_quote(path)
            raise


def _check_width(path: Path) -> None:
    with path.open("rb") as file:
        n_columns = file.readline(TAIL_BYTES).count(b",") + 1
    if n_columns > MAX_COLUMNS:
        raise BrokenPartError(
            f"{path} has {n_columns:,} columns or more; store more than {MAX_COLUMNS:,} as Parquet or .npy."
        )
