"""CSV files; each is one part of a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from anchorgraph.table.csv_truncation import TAIL_BYTES, check_last_line, check_last_quote
from anchorgraph.table.file_checks import check_names, explain_read_errors
from anchorgraph.table.parts import InvalidFileError, Part

KIND = "CSV file with a header line"

MAX_COLUMNS = 2**17
"""The time of pyarrow grows with the square of the number of columns: this many take seconds, a million minutes."""


@dataclass(frozen=True)
class CsvFile:
    """A file that was read once to find its columns and rows; it is read again when its rows are needed.

    Attributes
    ----------
    path : Path
    names : list of str
        Names of the columns, from the first line.
    types : dict
        Arrow type of each column, by name.
    n_rows : int
    """

    path: Path
    names: list[str]
    types: dict[str, Any]
    n_rows: int

    @classmethod
    def open(cls, path: Path) -> CsvFile:
        with explain_read_errors(path, KIND):
            _check_width(path)
            table = _read(path, None)
            check_names(path, table.column_names)
            check_last_quote(path)
            return cls(path, table.column_names, {field.name: field.type for field in table.schema}, table.num_rows)

    def parts(self, columns: Sequence[str]) -> list[Part]:
        """All rows as one part, with the given columns in the given order."""
        import pyarrow as pa

        for name in columns if self.n_rows else ():  # without rows, types are unknown
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
    with explain_read_errors(path, KIND):
        return np.column_stack([table[name].to_numpy(zero_copy_only=False).astype(np.float64) for name in columns])


def _read(path: Path, columns: list[str] | None) -> Any:
    try:
        import pyarrow as pa
        from pyarrow import csv
    except ImportError as error:
        raise ImportError(f"Reading {path} requires pyarrow: pip install anchorgraph[io].") from error
    with explain_read_errors(path, KIND):
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
        raise InvalidFileError(
            f"{path} has at least {n_columns:,} columns; CSV files may have at most {MAX_COLUMNS:,}: store the rows as "
            "Parquet or .npy."
        )
