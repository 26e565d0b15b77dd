"""Rows written to files as they come: whole at last, or not at all."""

from __future__ import annotations

import errno
import itertools
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from secrets import token_hex
from typing import Any, BinaryIO

import numpy as np
from scipy import sparse


@dataclass(frozen=True)
class Target:
    """Where rows are written to.

    Attributes
    ----------
    path : Path
    ids : (str, (n,) array), optional
        A column that goes before the others, for formats that have names.
    """

    path: Path
    ids: tuple[str, Any] | None = None

    def check(self) -> None:
        """Refuse a place that rows cannot be written to."""
        path, said = self.path, f"out={str(self.path)!r}"
        if path.suffix not in WRITERS:
            raise ValueError(f"{said} ends in none of '.npy', '.parquet', '.csv', and is no folder's name.")
        if self.ids is not None and path.suffix not in (".parquet", ".csv"):
            raise ValueError(f"{said} has no place for {self.ids[0]!r} beside the rows; write .csv or .parquet.")
        if path.suffix == "" and path.exists():
            raise ValueError(f"{said} exists already; name a new folder.")
        if not path.parent.is_dir():
            raise ValueError(f"{said} is in a folder that does not exist; make {path.parent} first.")


def as_target(target: Any) -> Target:
    """A target as it is, or one for a path."""
    return target if isinstance(target, Target) else Target(Path(target))


def write_rows(results: Iterable[Any], n_rows: int, target: Any, names: list[str]) -> Path:
    """Write blocks of rows to a ``.npy``, ``.parquet`` or ``.csv`` file, or to a folder of shards.

    They go to a name beside the target's first, which becomes the target when all is written.

    Parameters
    ----------
    results : iterable of Block
    n_rows : int
        In all blocks together.
    target : path or Target
    names : list of str
        Of the columns, for formats that have them.

    Returns
    -------
    Path
    """
    place = as_target(target)
    place.check()
    blocks = iter(results)
    first = next(blocks)
    wanted = bytes_of(first) * n_rows // max(first.shape[0], 1)
    with appearing(place.path, wanted) as unfinished:
        WRITERS[place.path.suffix](itertools.chain([first], blocks), n_rows, unfinished, names, place.ids)
    return place.path


@contextmanager
def appearing(path: Path, wanted: int | None = None) -> Iterator[Path]:
    """A name to write to, which becomes the path when all is written, and goes when anything fails.

    Parameters
    ----------
    path : Path
    wanted : int, optional
        About how many bytes are going to be written, for the error of a full disk.
    """
    path = path.resolve()  # a link stays, and what it leads to is replaced
    if path.exists() and not path.is_file():
        raise ValueError(f"{path} is not a regular file and cannot be replaced; name another file.")
    unfinished = path.with_name(f".{path.name}.{token_hex(8)}.unfinished")  # which nobody else can have put there
    try:
        with full_disk_named(path, unfinished, wanted, "free some space or write elsewhere"):
            yield unfinished
            os.replace(unfinished, path)
    except BaseException:
        if unfinished.is_dir():
            shutil.rmtree(unfinished)
        unfinished.unlink(missing_ok=True)
        raise


@contextmanager
def full_disk_named(path: Path, written: Path, wanted: int | None, way_out: str) -> Iterator[None]:
    """Say of a full disk what was to be written, and how much of it is.

    Parameters
    ----------
    path : Path
        The target.
    written : Path
        The file or folder that holds what is written so far.
    wanted : int or None
        Bytes in all, if that is known.
    way_out : str
    """
    try:
        yield
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        files = [file for file in written.rglob("*") if file.is_file()] if written.is_dir() else [written]
        there = sum(file.stat().st_size for file in files if file.exists())
        so_far = f"{there:,} bytes" + (f" of about {wanted:,}" if wanted is not None else "")
        raise OSError(f"{path}: no space left on the disk after {so_far}; {way_out}.") from error


def bytes_of(rows: Any) -> int:
    """Bytes of the numbers in a block, and of their places where it is sparse."""
    return int(rows.data.nbytes + rows.indices.nbytes if sparse.issparse(rows) else rows.nbytes)


def write_shard(rows: Any, folder: Path, number: int) -> Path:
    """Write one block to a folder, so that the names' order is that of the blocks."""
    path = folder / f"part-{number:06d}.{'npz' if sparse.issparse(rows) else 'npy'}"
    if sparse.issparse(rows):
        sparse.save_npz(path, rows, compressed=False)
    else:
        with path.open("wb") as file:
            _write_header(file, rows, len(rows))
            _write_numbers(file, rows)
    return path


def _write_header(file: BinaryIO, rows: Any, n_rows: int) -> None:
    header = {"descr": rows.dtype.str, "fortran_order": False, "shape": (n_rows, *rows.shape[1:])}
    np.lib.format.write_array_header_2_0(file, header)


def _write_numbers(file: BinaryIO, rows: Any) -> None:
    file.write(np.ascontiguousarray(rows).data)  # tofile does not say why it failed


def _write_folder(results: Iterable[Any], n_rows: int, path: Path, names: list[str], ids: Any) -> None:
    path.mkdir()
    for number, rows in enumerate(results):
        write_shard(rows, path, number)


def _write_npy(results: Iterable[Any], n_rows: int, path: Path, names: list[str], ids: Any) -> None:
    with path.open("wb") as file:
        for number, rows in enumerate(results):
            _check_dense(rows)
            if number == 0:
                _write_header(file, rows, n_rows)
            _write_numbers(file, rows)


def _write_named(
    open_writer: str, results: Iterable[Any], n_rows: int, path: Path, names: list[str], ids: tuple[str, Any] | None
) -> None:
    try:
        import pyarrow as pa
        from pyarrow import csv
        from pyarrow import parquet as pq
    except ImportError as error:
        raise ImportError(f"{path} takes pyarrow to write; install anchorgraph[io].") from error
    writers = {"parquet": pq.ParquetWriter, "csv": csv.CSVWriter}
    writer, written = None, 0
    try:
        for rows in results:
            _check_dense(rows)
            columns = dict(zip(names, rows.reshape(len(rows), -1).T, strict=True))
            if ids is not None:
                columns = {ids[0]: ids[1][written : written + len(rows)], **columns}
            held = pa.table(columns)
            writer = writer or writers[open_writer](path, held.schema)
            writer.write_table(held)
            written += len(rows)
    finally:
        if writer is not None:
            writer.close()


def _check_dense(rows: Any) -> None:
    if sparse.issparse(rows):
        raise ValueError("The rows are sparse, which only a folder of shards holds; pass a folder's name as out.")


WRITERS: dict[str, Any] = {
    ".npy": _write_npy,
    ".parquet": partial(_write_named, "parquet"),
    ".csv": partial(_write_named, "csv"),
    "": _write_folder,
}
