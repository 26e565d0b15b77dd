"""Tables from one file, a list of files, or all files in a folder."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from anchorgraph.table.csv_file import CsvFile
from anchorgraph.table.file_checks import check_table
from anchorgraph.table.mtx_file import mtx_part
from anchorgraph.table.npy_file import npy_part
from anchorgraph.table.npz_file import npz_part
from anchorgraph.table.parquet import ParquetFile
from anchorgraph.table.shards import ShardTable
from anchorgraph.table.zarr_array import is_zarr_path

ARRAY_FORMATS = {".npy": npy_part, ".npz": npz_part, ".mtx": mtx_part}
"""Readers of the formats without column names, by suffix."""

COLUMN_FORMATS: dict[str, Any] = {".parquet": ParquetFile, ".csv": CsvFile}
"""Readers of the formats with column names, by suffix."""

SUFFIXES = (*ARRAY_FORMATS, *COLUMN_FORMATS)


def as_paths(source: Any) -> list[Path]:
    """A path or several paths as a list."""
    return [Path(source)] if isinstance(source, str | Path) else [Path(path) for path in source]


def list_files(source: Any) -> list[Path]:
    """The files of a path or a list of paths; those of a folder are sorted by name."""
    found = []
    for path in as_paths(source):
        if path.is_dir():
            found += _list_folder(path)
        elif not path.exists():
            raise FileNotFoundError(f"{path} does not exist; pass the path of a file or of a folder of files.")
        elif path.suffix not in SUFFIXES:
            raise ValueError(
                f"{path} has the suffix {path.suffix!r}, which is not supported; store the rows in one of the formats "
                f"{', '.join(SUFFIXES)}."
            )
        elif not path.is_file():
            raise ValueError(f"{path} is a device or a pipe; pass the path of a regular file.")
        else:
            found.append(path)
    return found


def _list_folder(folder: Path) -> list[Path]:
    visible = [path for path in folder.iterdir() if not path.name.startswith((".", "_"))]
    if folders := [path for path in visible if path.is_dir()]:
        raise ValueError(f"Folder {folder} contains a subfolder {folders[0].name!r}; pass a list of the files to read.")
    files = [path for path in visible if path.suffix in SUFFIXES]
    if others := [path for path in files if not path.is_file()]:
        raise ValueError(f"{others[0]} is not a regular file; remove it from the folder.")
    if not files:
        raise ValueError(f"Folder {folder} contains no file with one of the suffixes {', '.join(SUFFIXES)}.")
    return sorted(files, key=lambda path: _natural_key(path.name))


def _natural_key(name: str) -> list[Any]:
    """Sort key by which part.2 comes before part.10."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", name)]


def open_files(
    source: Any, *, columns: Sequence[str] | None, without: Sequence[str], block_rows: int | None
) -> ShardTable:
    """The table of the rows of all files, one file after the other.

    Parameters
    ----------
    source : path or list of paths
    columns : sequence of str, optional
        Columns to read from files with column names.
    without : sequence of str
        Columns to leave out, such as the labels.
    block_rows : int, optional

    Returns
    -------
    ShardTable
    """
    paths, origin = list_files(source), [path.resolve() for path in as_paths(source)]
    suffixes = {path.suffix for path in paths}
    if len(suffixes) > 1 and suffixes & COLUMN_FORMATS.keys():
        other = next(path for path in paths if path.suffix != paths[0].suffix)
        raise ValueError(f"{other} and {paths[0]} have different formats; store all parts in the same format.")
    if paths[0].suffix in COLUMN_FORMATS:
        files = [COLUMN_FORMATS[path.suffix].open(path) for path in paths]
        names = _choose_columns(files, columns, without)
        parts = [part for file in files for part in file.parts(names)]
    elif columns is not None or without:
        raise _no_column_names(paths[0], columns or without)
    else:
        names, parts = None, [ARRAY_FORMATS[path.suffix](path) for path in paths]
    for part in parts:
        check_table(part.name, part.shape, part.dtype)
    return ShardTable(parts, block_rows=block_rows, names=names, origin=origin)


def column_names(source: Any) -> list[str] | None:
    """The column names of the first file, or None if its format has none."""
    if is_zarr_path(source):
        return None
    first = list_files(source)[0]
    return list(COLUMN_FORMATS[first.suffix].open(first).names) if first.suffix in COLUMN_FORMATS else None


def read_column(source: Any, name: str) -> Any:
    """The values of one column of all files."""
    values = []
    for path in list_files(source):
        if path.suffix not in COLUMN_FORMATS:
            raise _no_column_names(path, name)
        file = COLUMN_FORMATS[path.suffix].open(path)
        if name not in file.types:
            raise ValueError(f"{name!r} is not a column of {path}; its columns are {', '.join(file.names[:20])}.")
        values.append(file.column(name))
    return np.concatenate(values)


def _no_column_names(path: Path, names: Any) -> ValueError:
    return ValueError(f"{path} has no column names, so {names!r} cannot be selected; use Parquet or CSV.")


def _choose_columns(files: list[Any], columns: Sequence[str] | None, without: Sequence[str]) -> list[str]:
    chosen = [name for name in files[0].names if name not in without] if columns is None else list(columns)
    wanted = {*chosen, *without}
    for file in files:
        if missing := [name for name in chosen if name not in file.types]:
            raise ValueError(
                f"{file.path} has no column {missing[0]!r}; all parts of a table must have the same columns."
            )
        if columns is None and (more := [name for name in file.names if name not in wanted]):
            raise ValueError(
                f"{file.path} has a column {more[0]!r} that {files[0].path} does not have; all parts of a table must "
                "have the same columns."
            )
    return chosen
