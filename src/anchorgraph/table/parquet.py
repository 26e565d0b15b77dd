"""Parts of a table that are row groups of Parquet files."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from anchorgraph.table.parts import BrokenPartError, Part


def column_names(path: Path) -> list[str]:
    """The columns of a file."""
    return list(_opened(path).schema_arrow.names)


def parquet_parts(path: Path, columns: Sequence[str]) -> list[Part]:
    """The row groups of a file, with some of its columns in a given order.

    Parameters
    ----------
    path : Path
    columns : sequence of str

    Returns
    -------
    list of Part
    """
    file = _opened(path)
    dtypes = [_number_type(path, file.schema_arrow.field(name)) for name in columns]
    dtype = np.result_type(*dtypes) if dtypes else np.dtype(np.float64)
    groups = range(file.metadata.num_row_groups)
    shapes = [(file.metadata.row_group(group).num_rows, len(columns)) for group in groups]
    return [
        Part(f"{path} (row group {group})", shapes[group], dtype, partial(_load, path, group, list(columns), dtype))
        for group in groups
    ] or [Part(str(path), (0, len(columns)), dtype, lambda: np.empty((0, len(columns)), dtype))]


def read_column(path: Path, name: str) -> Any:
    """The values of one column of a file."""
    return _read(path, lambda file: file.read(columns=[name]))[name].to_numpy(zero_copy_only=False)


def _load(path: Path, group: int, columns: list[str], dtype: np.dtype[Any]) -> Any:
    held = _read(path, lambda file: file.read_row_group(group, columns=columns))
    rows = np.empty((held.num_rows, len(columns)), dtype)
    for number, name in enumerate(columns):  # a missing number becomes NaN, which is noticed where NaN is
        rows[:, number] = held[name].to_numpy(zero_copy_only=False)
    return rows


def _number_type(path: Path, field: Any) -> np.dtype[Any]:
    import pyarrow as pa

    kinds = pa.types
    if not (kinds.is_floating(field.type) or kinds.is_integer(field.type) or kinds.is_boolean(field.type)):
        raise ValueError(
            f"Column {field.name!r} of {path} holds {field.type}, not numbers; choose columns with "
            "anchorgraph.as_table(source, columns=…), or name it as y where it holds the labels."
        )
    stored = np.dtype(field.type.to_pandas_dtype())
    return np.result_type(stored, np.float32) if field.nullable else stored


def _opened(path: Path) -> Any:
    return _read(path, lambda file: file)


def _read(path: Path, work: Any) -> Any:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise ImportError(f"{path} takes pyarrow to read; install anchorgraph[io].") from error
    try:
        return work(pq.ParquetFile(path))
    except (pa.ArrowException, OSError) as error:
        if isinstance(error, FileNotFoundError):
            raise
        raise BrokenPartError(f"{path} is not a whole Parquet file ({error}); write it again.") from error
