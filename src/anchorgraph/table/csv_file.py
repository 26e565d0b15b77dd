"""CSV files as parts of a table: each is one part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from anchorgraph.table.parts import BrokenPartError, Part


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
        table = _read(path, None)
        return cls(path, list(table.column_names), {field.name: field.type for field in table.schema}, table.num_rows)

    def parts(self, columns: Sequence[str]) -> list[Part]:
        """All rows, with some of the columns in a given order."""
        import pyarrow as pa

        for name in columns:
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
    return np.column_stack([table[name].to_numpy(zero_copy_only=False).astype(np.float64) for name in columns])


def _read(path: Path, columns: list[str] | None) -> Any:
    try:
        import pyarrow as pa
        from pyarrow import csv
    except ImportError as error:
        raise ImportError(f"{path} takes pyarrow to read; install anchorgraph[io].") from error
    try:
        return csv.read_csv(path, convert_options=csv.ConvertOptions(include_columns=columns))
    except pa.ArrowException as error:
        raise BrokenPartError(f"{path} is not a whole CSV file with a line of names ({error}).") from error
