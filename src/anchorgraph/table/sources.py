"""Tables from any source of rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse
from sklearn import get_config

from anchorgraph.contracts import RowTable
from anchorgraph.numerics.checks import check_integer
from anchorgraph.table.arrow_choice import as_names
from anchorgraph.table.arrow_object import ArrowObject, is_arrow_dataset, is_arrow_table, open_arrow
from anchorgraph.table.base import Table
from anchorgraph.table.column_errors import did_you_mean, no_column
from anchorgraph.table.csv_format import CSVFormat
from anchorgraph.table.description import count
from anchorgraph.table.files import SUFFIXES, cannot_transpose, has_column_names, open_files, read_column
from anchorgraph.table.labelled_array import without_labels
from anchorgraph.table.memory import MemoryTable
from anchorgraph.table.parts import Part
from anchorgraph.table.refused import check_kind, not_a_table
from anchorgraph.table.shards import ShardTable
from anchorgraph.table.values import check_column_types, check_values, is_frame
from anchorgraph.table.zarr_array import is_zarr, is_zarr_path, open_zarr, zarr_parts
from anchorgraph.urls import quoted, shown


def as_table(
    source: Any,
    *,
    columns: str | Sequence[str] | None = None,
    without: str | Sequence[str] | None = None,
    block_rows: int | None = None,
    csv: CSVFormat | None = None,
    transpose: bool = False,
) -> RowTable:
    """Turn any source of rows into a :class:`~anchorgraph.contracts.RowTable`.

    Parameters
    ----------
    source : array, data frame, sparse array, path, URL, list of them, Arrow table or dataset, Zarr array, Dask \
collection, xarray DataArray, or a table
        Two-dimensional numbers. A path leads to a Parquet, Arrow (``.feather``, ``.arrow``, ``.ipc``), CSV (``.csv``,
        ``.tsv``, ``.csv.gz``), ``.npy``, ``.npz``, ``.mtx``, ``.h5`` or ``.h5ad`` file, to a folder of such files that
        are read in the order of their names, to a folder of partitions (``year=2024/…``), or to a Zarr array. The path
        of an array in an HDF5 file goes on inside it, as in ``cells.h5ad/obsm/X_pca``. URLs such as ``s3://…`` lead to
        Parquet, Arrow and CSV files. Integers of up to 16 bits and float16 are read as float32, wider integers
        as float64, block by block; float32 and float64 are kept, and arrays in memory are not copied.
    columns : str or sequence of str, optional
        Columns to read, for sources with column names. The name of a column of vectors stands for all of its numbers,
        which are named ``emb_0``, ``emb_1``, …. By default the only column of vectors is read, or, if there is none,
        all columns but those of partitions.
    without : str or sequence of str, optional
        Columns to leave out, for sources with column names.
    block_rows : int, optional
        Number of rows in a block. By default a block takes a quarter of scikit-learn's ``working_memory`` setting, an
        eighth if it is read from a file; a Dask collection keeps its own blocks.
    csv : CSVFormat, optional
        How CSV files are written, where that cannot be found from their first lines.
    transpose : bool, default=False
        Whether the columns of a Matrix Market file are the rows of the table, as in files of genes × cells.

    Returns
    -------
    RowTable
    """
    if block_rows is not None:
        check_integer("block_rows", block_rows)
    check_source(source)
    source = without_labels(source)
    if _is_paths(source):
        return open_files(source, columns=columns, without=without, block_rows=block_rows, csv=csv, transpose=transpose)
    if transpose:
        raise cannot_transpose(f"a source of type {type(source).__name__!r}")
    if is_arrow_dataset(source) or is_arrow_table(source):
        return open_arrow(source, columns=columns, without=without, block_rows=block_rows)
    if is_frame(source):
        chosen, left_out = as_names(columns), as_names(without) or []
        known = {*source.columns}
        if unknown := [name for name in [*(chosen or []), *left_out] if name not in known]:
            raise no_column("The data frame", unknown[0], source.columns)
        source = source[[name for name in (source.columns if chosen is None else chosen) if name not in left_out]]
        return _open_dask(source) if _is_dask(source) else _open_frame(source, block_rows)
    if columns is not None or without is not None:
        raise ValueError(
            f"A {type(source).__name__} has no column names, so {quoted(columns or without)} cannot be selected; pass "
            "a data frame, an Arrow table, or a Parquet or CSV file."
        )
    if is_table(source):
        given: RowTable = source
        return given
    if _is_dask(source):
        return _open_dask(source)
    if is_zarr(source) or is_zarr_path(source):
        given_array = is_zarr(source)
        parts = zarr_parts(source) if given_array else zarr_parts(open_zarr(source), str(source))
        table = ShardTable(parts, block_rows=block_rows)
        name = "the Zarr array" if given_array else Path(shown(source)).name
        table.description = f"{name}: {count(table.n_rows, 'row')}, {count(table.n_cols, 'column')}"
        return table
    return _open_array(source, block_rows)


def check_source(source: Any) -> None:
    """Raise an error for an object of another kind than tables, such as an AnnData, with what to pass instead."""
    check_kind(source, (*SUFFIXES, ".zarr"))


def is_out_of_core(source: Any) -> bool:
    """Whether a source is read block by block because its rows are not, or should not be, in memory at once."""
    source = without_labels(source)
    if isinstance(source, np.memmap):
        return bool(source.nbytes > get_config()["working_memory"] * 2**20)
    tests = (is_table, _is_paths, _is_dask, is_zarr, is_zarr_path, is_arrow_dataset, is_arrow_table)
    return any(test(source) for test in tests)


def is_table(source: Any) -> bool:
    """Whether a source is already a table."""
    return isinstance(source, Table)


def has_names(source: Any) -> bool:
    """Whether a source has column names."""
    if _is_paths(source):
        return has_column_names(source)
    return is_frame(source) or is_arrow_dataset(source) or is_arrow_table(source)


def split_columns(source: Any, **parameters: Any) -> tuple[Any, ...]:
    """Split a source into the columns that parameters name and its other columns.

    Parameters
    ----------
    source : data frame, Dask frame, Arrow data, or files with column names
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
    if is_table(source) and set(names.values()) <= set(source.names or ()):
        columns = {
            name: computed_labels(source.map_rows(_Columns([source.names.index(name)]))) for name in names.values()
        }
        columns = {name: np.asarray(values).ravel() for name, values in columns.items()}
        kept = [number for number, name in enumerate(source.names) if name not in columns]
        rest: Any = source.view(_Columns(kept), [source.names[number] for number in kept])
    elif _is_paths(source):
        columns = {name: read_column(source, name) for name in names.values()}
        rest = as_table(source, without=list(columns))
    elif is_arrow_dataset(source) or is_arrow_table(source):
        columns = {name: ArrowObject(source).column(name) for name in names.values()}
        rest = as_table(source, without=list(columns))
    else:
        for parameter, name in names.items():
            if not is_frame(source) or name not in source.columns:
                known = source.columns if is_frame(source) else getattr(source, "names", None) or []
                raise ValueError(
                    f"{parameter}={quoted(name)} is not a column of X{did_you_mean(name, known)}; pass the name of a "
                    "column, or the values themselves."
                )
        columns = {name: source[name] for name in names.values()}
        rest = source[[column for column in source.columns if column not in columns]]
    return rest, *(columns[value] if parameter in names else value for parameter, value in parameters.items())


@dataclass(frozen=True)
class _Columns:
    """The row map to some columns."""

    numbers: list[int]

    def __call__(self, block: Any) -> Any:
        return block[:, self.numbers]


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
        raise not_a_table(f"source of type {type(source).__name__!r}")
    check_values(source)
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
