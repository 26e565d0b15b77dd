"""Parquet files; each row group is one part of a table."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from anchorgraph.table.file_checks import check_expansion, check_names, explain_read_errors
from anchorgraph.table.parts import Part

NO_INDEX = "__null_dask_index__"
"""Name that Dask gives to the index column of a data frame without an index."""


@dataclass(frozen=True)
class ParquetFile:
    """A file whose footer was read once and is reused by every pass.

    Attributes
    ----------
    path : Path
    metadata : pyarrow.parquet.FileMetaData
    names : list of str
        Names of the columns, without index columns written by pandas or Dask.
    types : dict
        Arrow type of each column and whether values may be missing, by name.
    """

    path: Path
    metadata: Any
    names: list[str]
    types: dict[str, tuple[Any, bool]]

    @classmethod
    def open(cls, path: Path) -> ParquetFile:
        opened: ParquetFile = _read(path, None, partial(cls._from_opened, path))
        return opened

    @classmethod
    def _from_opened(cls, path: Path, file: Any) -> ParquetFile:
        metadata, schema = file.metadata, file.schema_arrow
        check_names(path, schema.names)
        index = _index_columns(schema.metadata or {})
        fields = {field.name: (field.type, field.nullable) for field in schema if field.name not in index}
        opened = cls(path, metadata, list(fields), fields)
        for size in opened.sizes:  # a row group is read as a whole
            n_bytes, remedy = size * len(fields) * 8, "write it with smaller row groups"
            check_expansion(path, n_bytes, path.stat().st_size, 1000, remedy)
        return opened

    @property
    def sizes(self) -> list[int]:
        """Number of rows of each row group."""
        sizes = [self.metadata.row_group(group).num_rows for group in range(self.metadata.num_row_groups)]
        if any(size < 0 for size in sizes):
            raise ValueError(f"a row group has {min(sizes)} rows")
        return sizes

    def parts(self, columns: Sequence[str]) -> list[Part]:
        """The row groups as parts, with the given columns in the given order."""
        dtypes = [self._number_type(name) for name in columns]
        dtype = np.result_type(*dtypes) if dtypes else np.dtype(np.float64)
        load = partial(_load, self.path, self.metadata, list(columns), dtype)
        return [
            Part(f"{self.path} (row group {group})", (size, len(columns)), dtype, partial(load, group))
            for group, size in enumerate(self.sizes)
        ] or [Part(str(self.path), (0, len(columns)), dtype, partial(np.empty, (0, len(columns)), dtype))]

    def column(self, name: str) -> Any:
        """The values of one column."""
        return _read(
            self.path, self.metadata, lambda file: file.read(columns=[name])[name].to_numpy(zero_copy_only=False)
        )

    def _number_type(self, name: str) -> np.dtype[Any]:
        import pyarrow as pa

        kind, is_nullable = self.types[name]
        if not (pa.types.is_floating(kind) or pa.types.is_integer(kind) or pa.types.is_boolean(kind)):
            raise ValueError(
                f"Column {name!r} of {self.path} holds {kind}, not numbers; choose columns without it, "
                "or pass its name as y if it holds the labels."
            )
        stored = np.dtype(kind.to_pandas_dtype())
        return np.result_type(stored, np.float32) if is_nullable else stored


def _index_columns(metadata: dict[bytes, bytes]) -> set[Any]:
    of_pandas = json.loads(metadata.get(b"pandas", b"{}"))
    return {NO_INDEX, *(name for name in of_pandas.get("index_columns", []) if isinstance(name, str))}


def _load(path: Path, metadata: Any, columns: list[str], dtype: np.dtype[Any], group: int) -> Any:
    def read(file: Any) -> Any:
        held = file.read_row_group(group, columns=columns)
        rows = np.empty((held.num_rows, len(columns)), dtype)
        for number, name in enumerate(columns):  # a missing number becomes NaN, which is reported later
            rows[:, number] = held[name].to_numpy(zero_copy_only=False)
        return rows

    return _read(path, metadata, read)


def _read(path: Path, metadata: Any, work: Callable[[Any], Any]) -> Any:
    try:
        import pyarrow.parquet as pq
    except ImportError as error:
        raise ImportError(f"Reading {path} requires pyarrow: pip install anchorgraph[io].") from error
    with explain_read_errors(path, "Parquet file"), pq.ParquetFile(path, metadata=metadata) as file:
        return work(file)
