"""Tables from one file, a list of files, or all files in a folder."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from anchorgraph.table.arrow_choice import as_names, choose_columns
from anchorgraph.table.arrow_file import is_integer
from anchorgraph.table.column_errors import no_column
from anchorgraph.table.csv_file import CsvFile
from anchorgraph.table.csv_format import CSVFormat
from anchorgraph.table.description import count, describe_columns, describe_csv
from anchorgraph.table.file_checks import check_table
from anchorgraph.table.folder import list_files
from anchorgraph.table.hdf5_file import hdf5_parts
from anchorgraph.table.hdf5_path import HDF5_SUFFIXES, split_path
from anchorgraph.table.ipc_file import IpcFile
from anchorgraph.table.kept import Keeper
from anchorgraph.table.location import Location, locate_all
from anchorgraph.table.mtx_file import MTX_SUFFIXES, mtx_part
from anchorgraph.table.npy_file import npy_part
from anchorgraph.table.npz_file import npz_part
from anchorgraph.table.parquet import ParquetFile
from anchorgraph.table.parts import Part
from anchorgraph.table.shards import ShardTable
from anchorgraph.table.zarr_array import is_zarr_path
from anchorgraph.urls import quoted

ARRAY_FORMATS: dict[str, Any] = {
    ".npy": npy_part,
    ".npz": npz_part,
    **dict.fromkeys(MTX_SUFFIXES, mtx_part),
    **dict.fromkeys(HDF5_SUFFIXES, hdf5_parts),
}
"""Readers of the formats without column names, by suffix; their files are local."""

COLUMN_FORMATS: dict[str, Any] = {
    ".parquet": ParquetFile,
    **dict.fromkeys((".feather", ".arrow", ".ipc"), IpcFile),
    **dict.fromkeys((".csv", ".tsv", ".csv.gz", ".tsv.gz"), CsvFile),
}
"""Readers of the formats with column names, by suffix."""

SUFFIXES = (*ARRAY_FORMATS, *COLUMN_FORMATS)


def open_files(
    source: Any,
    *,
    columns: str | Sequence[str] | None = None,
    without: str | Sequence[str] | None = None,
    block_rows: int | None = None,
    csv: CSVFormat | None = None,
    transpose: bool = False,
) -> ShardTable:
    """The table of the rows of all files, one file after the other.

    Parameters
    ----------
    source : path, URL or list of them
    columns, without : str or sequence of str, optional
        Columns to read from files with column names, or to leave out.
    block_rows : int, optional
    csv : CSVFormat, optional
        How CSV files are written.
    transpose : bool
        Whether the columns of Matrix Market files are rows.

    Returns
    -------
    ShardTable
    """
    locations = locate_all(source)
    files = list_files(source, SUFFIXES)
    origin = [location.local_path().resolve() for location in locations if location.is_local]
    options: dict[str, Any] = {"block_rows": block_rows, "origin": origin}
    if transpose and not all(file.suffix in MTX_SUFFIXES for file in files):
        raise cannot_transpose(str(next(file for file in files if file.suffix not in MTX_SUFFIXES)))
    readers = {_reader(file) for file in files}
    if len(readers) > 1 and readers & {*COLUMN_FORMATS.values()}:
        other = next(file for file in files if _reader(file) is not _reader(files[0]))
        raise ValueError(f"{other} and {files[0]} have different formats; store all parts in the same format.")
    if files[0].suffix in COLUMN_FORMATS:
        opened = [_reader(file).open(file, csv) for file in files]
        chosen = choose_columns(opened, as_names(columns), as_names(without) or [])
        keeper = Keeper()
        parts = [part for file in opened for part in file.parts(chosen, keeper)]
        options["names"] = [name for column in chosen for name in column.names]
        features = describe_columns(chosen, opened[0].columns)
        if isinstance(opened[0], CsvFile):
            features += f" ({describe_csv(opened[0].csv_format)})"
    elif columns is not None or without is not None:
        raise _no_column_names(files[0], columns or without)
    else:
        parts = [part for file in files for part in _array_parts(file, transpose)]
        features = None
    for part in parts:
        check_table(part.name, part.shape, part.dtype)
    table = ShardTable(parts, **options)
    facts = [count(len(files), "file")] if len(files) > 1 else []
    facts += [count(table.n_rows, "row"), features or count(table.n_cols, "column")]
    table.description = f"{_title(locations, files)}: {', '.join(facts)}"
    return table


def _array_parts(file: Location, transpose: bool) -> list[Part]:
    read = partial(mtx_part, transpose=True) if transpose else _reader(file)
    found = read(file.local_path())
    return found if isinstance(found, list) else [found]


def cannot_transpose(name: str) -> ValueError:
    """The error about a source whose rows are read as they are stored."""
    return ValueError(
        f"transpose=True is for Matrix Market files (.mtx, .mtx.gz), but {name} is none; store its transpose."
    )


def _title(locations: list[Location], files: list[Location]) -> str:
    first = _short_name(locations[0])
    if len(locations) > 1:
        return f"{first} and others"
    return first if files[0].path == locations[0].path else f"{first}/"


def _short_name(location: Location) -> str:
    """The last part of the path, or the HDF5 file and the path inside it."""
    file, inside = split_path(Path(location.path)) if location.is_local else (None, "")
    if file is not None and inside:
        return f"{file.name}/{inside}"
    return location.base_name or str(location)


def has_column_names(source: Any) -> bool:
    """Whether the format of the first file has column names."""
    return list_files(source, SUFFIXES)[0].suffix in COLUMN_FORMATS


def column_names(source: Any, csv: CSVFormat | None = None) -> list[str] | None:
    """The column names of the first file, or None if its format has none."""
    if is_zarr_path(source):
        return None
    first = list_files(source, SUFFIXES)[0]
    return list(_reader(first).open(first, csv).columns) if first.suffix in COLUMN_FORMATS else None


def read_column(source: Any, name: str, csv: CSVFormat | None = None) -> Any:
    """The values of one column of all files."""
    values = []
    files = list_files(source, SUFFIXES)
    partitions = [dict(file.partitions) for file in files]
    for file, own in zip(files, partitions, strict=True):
        if file.suffix not in COLUMN_FORMATS:
            raise _no_column_names(file, name)
        opened = _reader(file).open(file, csv)
        if name not in opened.columns:
            raise no_column(opened, name, opened.columns)
        if opened.columns[name].is_partition:
            is_number = all(is_integer(folders.get(name)) for folders in partitions)
            values.append(np.full(opened.count_rows(), int(own[name] or 0) if is_number else own[name]))
        else:
            values.append(opened.column(name))
    return np.concatenate(values)


def _reader(file: Location) -> Any:
    return {**ARRAY_FORMATS, **COLUMN_FORMATS}[file.suffix]


def _no_column_names(file: Location | Path, names: Any) -> ValueError:
    return ValueError(f"{file} has no column names, so {quoted(names)} cannot be selected; use Parquet or CSV.")
