"""Tables in files: one, a list of them, or all in a folder."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from anchorgraph.table.claims import check_table
from anchorgraph.table.csv_file import CsvFile
from anchorgraph.table.mtx_file import mtx_part
from anchorgraph.table.npy_file import npy_part
from anchorgraph.table.npz_file import npz_part
from anchorgraph.table.parquet import ParquetFile
from anchorgraph.table.shards import ShardTable
from anchorgraph.table.zarr_array import is_zarr_path

PLAIN = {".npy": npy_part, ".npz": npz_part, ".mtx": mtx_part}
"""Formats without column names."""

NAMED: dict[str, Any] = {".parquet": ParquetFile, ".csv": CsvFile}
"""Formats with column names."""

KNOWN = (*PLAIN, *NAMED)


def paths_of(source: Any) -> list[Path]:
    """The paths that were given."""
    return [Path(source)] if isinstance(source, str | Path) else [Path(path) for path in source]


def files_of(source: Any) -> list[Path]:
    """The files that a path, or a list of paths, stands for: those of a folder in the order of their names."""
    found = []
    for path in paths_of(source):
        if path.is_dir():
            found += _files_in(path)
        elif not path.exists():
            raise FileNotFoundError(f"{path} does not exist; pass the path of a file or of a folder of files.")
        elif path.suffix not in KNOWN:
            raise ValueError(f"{path} ends in none of {', '.join(KNOWN)}; store the rows in one of these formats.")
        elif not path.is_file():
            raise ValueError(f"{path} is a device or a pipe, which may never end; pass the path of a file.")
        else:
            found.append(path)
    return found


def _files_in(folder: Path) -> list[Path]:
    visible = [path for path in folder.iterdir() if not path.name.startswith((".", "_"))]
    if folders := [path for path in visible if path.is_dir()]:
        raise ValueError(f"Folder {folder} has a folder {folders[0].name!r} in it; pass a list of the files to read.")
    files = [path for path in visible if path.suffix in KNOWN]
    if others := [path for path in files if not path.is_file()]:
        raise ValueError(f"{others[0]} is not a file that can be read; take it out of the folder.")
    if not files:
        raise ValueError(f"Folder {folder} has no file that ends in {', '.join(KNOWN)}.")
    return sorted(files, key=lambda path: _natural(path.name))


def _natural(name: str) -> list[Any]:
    """Names in an order in which part.2 comes before part.10."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", name)]


def open_files(
    source: Any, *, columns: Sequence[str] | None, without: str | None, block_rows: int | None
) -> ShardTable:
    """The rows of all files, one after the other.

    Parameters
    ----------
    source : path or list of paths
    columns : sequence of str, optional
        Which to read, of files with column names.
    without : str, optional
        A column to leave out: the labels.
    block_rows : int, optional

    Returns
    -------
    ShardTable
    """
    paths, origin = files_of(source), [path.resolve() for path in paths_of(source)]
    suffixes = {path.suffix for path in paths}
    if len(suffixes) > 1 and suffixes & NAMED.keys():
        other = next(path for path in paths if path.suffix != paths[0].suffix)
        raise ValueError(f"{other} and {paths[0]} are of different formats; store all parts alike.")
    if paths[0].suffix in NAMED:
        files = [NAMED[path.suffix].open(path) for path in paths]
        names = _chosen_names(files, columns, without)
        parts = [part for file in files for part in file.parts(names)]
    elif columns is not None or without is not None:
        raise ValueError(f"{paths[0]} has no column names to choose {columns or without!r} by; use Parquet or CSV.")
    else:
        names, parts = None, [PLAIN[path.suffix](path) for path in paths]
    for part in parts:
        check_table(part.name, part.shape, part.dtype)
    return ShardTable(parts, block_rows=block_rows, names=names, origin=origin)


def column_names(source: Any) -> list[str] | None:
    """The columns of the first file, where its format has names."""
    if is_zarr_path(source):
        return None
    first = files_of(source)[0]
    return list(NAMED[first.suffix].open(first).names) if first.suffix in NAMED else None


def read_column(source: Any, name: str) -> Any:
    """The values of one column of all files."""
    values = []
    for path in files_of(source):
        file = NAMED[path.suffix].open(path) if path.suffix in NAMED else None
        if file is None or name not in file.types:
            raise ValueError(f"{name!r} is no column of {path}; name one that it has.")
        values.append(file.column(name))
    return np.concatenate(values)


def _chosen_names(files: list[Any], columns: Sequence[str] | None, without: str | None) -> list[str]:
    chosen = [name for name in files[0].names if name != without] if columns is None else list(columns)
    wanted = {*chosen, *([without] if without is not None else [])}
    for file in files:
        if missing := [name for name in chosen if name not in file.types]:
            raise ValueError(
                f"{file.path} has no column {missing[0]!r}; all parts of a table must have the same columns."
            )
        if columns is None and (more := [name for name in file.names if name not in wanted]):
            raise ValueError(
                f"{file.path} has a column {more[0]!r} that {files[0].path} has not; all parts of a table must have "
                "the same columns."
            )
    return chosen
