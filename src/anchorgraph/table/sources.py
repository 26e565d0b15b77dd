"""Tables from any source of rows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse
from sklearn import get_config

from anchorgraph.contracts import RowTable
from anchorgraph.numerics.checks import check_integer
from anchorgraph.table.base import Table
from anchorgraph.table.files import COLUMN_FORMATS, list_files, open_files, read_column
from anchorgraph.table.memory import MemoryTable
from anchorgraph.table.parts import Part
from anchorgraph.table.shards import ShardTable
from anchorgraph.table.values import check_column_types, check_mask, is_frame
from anchorgraph.table.zarr_array import is_zarr, is_zarr_path, open_zarr, zarr_parts


def as_table(
    source: Any,
    *,
    columns: Sequence[str] | None = None,
    without: str | Sequence[str] = (),
    block_rows: int | None = None,
) -> RowTable:
    """Turn any source of rows into a :class:`~anchorgraph.contracts.RowTable`.

    Parameters
    ----------
    source : array, data frame, memory map, sparse array, path, list of paths, Zarr array, Dask collection, or a table
        Two-dimensional numbers. A path leads to a ``.npy``, ``.npz``, ``.parquet``, ``.csv`` or ``.mtx`` file, to a
        folder of such files, which are read in the order of their names, or to a Zarr array. Integers of up to 16
        bits and float16 are read as float32, wider integers as float64, block by block; float32 and float64 are kept,
        and arrays in memory are not copied.
    columns : sequence of str, optional
        Columns to read, for sources with column names: data frames, Parquet and CSV files, Dask data frames.
    without : str or sequence of str, optional
        Columns to leave out, for sources with column names.
    block_rows : int, optional
        Number of rows in a block. By default a block takes a quarter of scikit-learn's ``working_memory`` setting; a
        Dask collection keeps its own blocks.

    Returns
    -------
    RowTable
    """
    if block_rows is not None:
        check_integer("block_rows", block_rows)
    without = [without] if isinstance(without, str) else list(without)
    if _is_paths(source):
        return open_files(source, columns=columns, without=without, block_rows=block_rows)
    if is_frame(source):
        chosen = source.columns if columns is None else columns
        source = source[[name for name in chosen if name not in without]]
        return _open_dask(source) if _is_dask(source) else _open_frame(source, block_rows)
    if columns is not None or without:
        raise ValueError(
            f"A {type(source).__name__} has no column names, so {columns or without!r} cannot be selected; pass a data "
            "frame, or a Parquet or CSV file."
        )
    if is_table(source):
        table: RowTable = source
        return table
    if _is_dask(source):
        return _open_dask(source)
    if is_zarr(source) or is_zarr_path(source):
        array = source if is_zarr(source) else open_zarr(source)
        return ShardTable(zarr_parts(array), block_rows=block_rows)
    return _open_array(source, block_rows)


def is_out_of_core(source: Any) -> bool:
    """Whether a source is read block by block because its rows are not, or should not be, in memory at once."""
    if isinstance(source, np.memmap):
        return bool(source.nbytes > get_config()["working_memory"] * 2**20)
    return is_table(source) or _is_paths(source) or _is_dask(source) or is_zarr(source) or is_zarr_path(source)


def is_table(source: Any) -> bool:
    """Whether a source is already a table."""
    return isinstance(source, Table)


def has_names(source: Any) -> bool:
    """Whether a source has column names."""
    return list_files(source)[0].suffix in COLUMN_FORMATS if _is_paths(source) else is_frame(source)


def split_columns(source: Any, **parameters: Any) -> tuple[Any, ...]:
    """Split a source into the columns that parameters name and its other columns.

    Parameters
    ----------
    source : data frame, Dask frame or Parquet files
        Or any other source, if no parameter is a name.
    **parameters : str or any
        Names of columns; other values are returned unchanged.

    Returns
    -------
    rest : the same kind of source, or a table
    *values : (n,) array
        Of each parameter.
    """
    names = {parameter: name for parameter, name in parameters.items() if isinstance(name, str)}
    if not names:
        return source, *parameters.values()
    if _is_paths(source):
        columns = {name: read_column(source, name) for name in names.values()}
        rest = as_table(source, without=list(columns))
    else:
        for parameter, name in names.items():
            if not is_frame(source) or name not in source.columns:
                raise ValueError(
                    f"{parameter}={name!r} is not a column of X; pass the name of a column, or the values themselves."
                )
        columns = {name: source[name] for name in names.values()}
        rest = source[[column for column in source.columns if column not in columns]]
    return rest, *(columns[value] if parameter in names else value for parameter, value in parameters.items())


def computed_labels(labels: Any) -> Any:
    """Labels in the memory of this process; Dask collections are computed."""
    return labels.compute() if _is_dask(labels) else labels


def _open_dask(source: Any) -> RowTable:
    from anchorgraph.table.dask_table import open_array, open_frame

    if is_frame(source):
        return open_frame(source)
    if not isinstance(getattr(source, "chunks", None), tuple):
        raise TypeError(f"source is a Dask {type(source).__name__}; pass a Dask array or data frame.")
    return open_array(source)


def _open_frame(frame: Any, block_rows: int | None) -> RowTable:
    names = list(frame.columns)
    check_column_types(frame)
    array = frame.to_numpy()
    _check_numbers(array)
    return MemoryTable(array, block_rows=block_rows, names=names if all(isinstance(n, str) for n in names) else None)


def _open_array(source: Any, block_rows: int | None) -> RowTable:
    if not sparse.issparse(source) and not isinstance(source, np.ndarray):
        raise TypeError(
            f"source of type {type(source).__name__!r} is not a table of numbers; pass a NumPy array, a data frame, a "
            "memory map, a SciPy sparse array, a path, a Zarr array or a Dask collection."
        )
    check_mask(source)
    _check_numbers(source)
    if not source.shape[0]:
        raise ValueError("source has no rows; pass at least one.")
    if is_out_of_core(source):
        return ShardTable(
            [Part("the memory map", source.shape, source.dtype, partial(np.asarray, source))], block_rows=block_rows
        )
    # a memory map becomes an ndarray over the same memory
    array = sparse.csr_array(source) if sparse.issparse(source) else np.asarray(source)
    return MemoryTable(array, block_rows=block_rows)


def _check_numbers(array: Any) -> None:
    if array.ndim != 2 or array.dtype.kind not in "fiub":
        raise ValueError(
            f"source has shape {array.shape} and dtype {array.dtype}; pass a two-dimensional array of real numbers."
        )


def _is_paths(source: Any) -> bool:
    if is_zarr_path(source):
        return False
    is_list = isinstance(source, list | tuple) and len(source) > 0
    return all(isinstance(path, str | Path) for path in source) if is_list else isinstance(source, str | Path)


def _is_dask(source: Any) -> bool:
    return hasattr(source, "__dask_graph__")
