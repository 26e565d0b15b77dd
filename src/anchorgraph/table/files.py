"""Tables in files: one, a list of them, or all in a folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from anchorgraph.table.parquet import column_names, parquet_parts, read_column
from anchorgraph.table.parts import Part, npy_part, npz_part
from anchorgraph.table.shards import ShardTable

SINGLE = {".npy": npy_part, ".npz": npz_part}
"""Formats without column names."""

KNOWN = (*SINGLE, ".parquet")


def files_of(source: Any) -> list[Path]:
    """The files that a path, or a list of paths, stands for: those of a folder by name."""
    paths = [Path(source)] if isinstance(source, str | Path) else [Path(path) for path in source]
    found = []
    for path in paths:
        if path.is_dir():
            inside = sorted(file for file in path.iterdir() if file.suffix in KNOWN)
            if not inside:
                raise ValueError(f"Folder {path} has no file that ends in {', '.join(KNOWN)}.")
            found += inside
        elif not path.exists():
            raise FileNotFoundError(f"{path} does not exist; pass the path of a file or of a folder of files.")
        elif path.suffix not in KNOWN:
            raise ValueError(f"{path} ends in none of {', '.join(KNOWN)}; store the rows in one of these formats.")
        else:
            found.append(path)
    return found


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
    files = files_of(source)
    if files[0].suffix == ".parquet":
        names = _chosen_names(files, columns, without)
        parts = [part for file in files for part in parquet_parts(file, names)]
        return ShardTable(parts, block_rows=block_rows, names=names)
    if columns is not None or without is not None:
        raise ValueError(f"{files[0]} has no column names to choose {columns or without!r} by; use Parquet.")
    for file in files:
        if file.suffix not in SINGLE:
            raise ValueError(f"{file} and {files[0]} are of different formats; store all parts alike.")
    return ShardTable([part_of_file(file) for file in files], block_rows=block_rows)


def part_of_file(path: Path) -> Part:
    """The rows of a file without column names."""
    part = SINGLE[path.suffix](path)
    if len(part.shape) != 2 or part.dtype.kind not in "fiub":
        raise ValueError(f"{path} has shape {part.shape} and dtype {part.dtype}; store two-dimensional real numbers.")
    return part


def read_labels(source: Any, name: str) -> Any:
    """The values of one column of all files."""
    files = files_of(source)
    for file in files:
        if file.suffix != ".parquet" or name not in column_names(file):
            raise ValueError(f"y={name!r} is no column of {file}; name one, or pass the labels themselves.")
    return np.concatenate([read_column(file, name) for file in files])


def _chosen_names(files: list[Path], columns: Sequence[str] | None, without: str | None) -> list[str]:
    first = [name for name in column_names(files[0]) if name != without]
    chosen = first if columns is None else list(columns)
    for file in files:
        if file.suffix != ".parquet":
            raise ValueError(f"{file} and {files[0]} are of different formats; store all parts alike.")
        there = column_names(file)
        if missing := [name for name in chosen if name not in there]:
            raise ValueError(f"{file} has no column {missing[0]!r}; all parts of a table must have the same columns.")
        if columns is None and (more := [name for name in there if name not in chosen and name != without]):
            raise ValueError(
                f"{file} has a column {more[0]!r} that {files[0]} has not; all parts of a table must have the same "
                "columns."
            )
    return chosen
