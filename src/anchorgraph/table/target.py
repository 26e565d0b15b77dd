"""Rows written to local or remote files block by block; a file appears only when it is complete."""

from __future__ import annotations

import errno
import itertools
import os
import shutil
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO
from urllib.parse import urlsplit
from urllib.request import url2pathname

import numpy as np
from scipy import sparse

from anchorgraph.numerics.warn import warn_user
from anchorgraph.table.csv_text import ESCAPED, escape_formulas
from anchorgraph.table.location import locate
from anchorgraph.table.outputs import together
from anchorgraph.table.upload import check_upload, upload
from anchorgraph.urls import is_url, shown

NAME_BYTES = 100
"""Bytes of the name of a file that its temporary name begins with; file systems accept at most 255, or 143."""


@dataclass(frozen=True)
class Target:
    """A file or folder that rows are written to.

    Attributes
    ----------
    path : Path, or str if it is a URL
    ids : (str, (n,) array), optional
        Name and values of a first column, for formats with column names.
    """

    path: Path | str
    ids: tuple[str, Any] | None = None

    @property
    def suffix(self) -> str:
        """The suffix of the file, which is that of its format; a folder has none."""
        return Path(shown(self.path)).suffix

    def check(self) -> None:
        """Raise an error if rows cannot be written to this path."""
        path, argument = Path(self.path), f"out={shown(self.path)!r}"
        if self.suffix not in WRITERS:
            raise ValueError(
                f"{argument} has the suffix {self.suffix!r}, which is not supported; use .npy, .parquet or .csv, or no "
                "suffix for a folder of shards."
            )
        if self.ids is not None and self.suffix not in (".parquet", ".csv"):
            raise ValueError(f"{argument} cannot hold the column {self.ids[0]!r}; use .csv or .parquet.")
        if is_url(self.path):
            if self.suffix == "":
                raise ValueError(
                    f"{argument} has no suffix, but folders of shards are written to local paths only; use .npy, "
                    ".parquet or .csv."
                )
            check_upload(locate(str(self.path)))
            return
        check_path(path)
        if self.suffix == "" and path.exists():
            raise ValueError(f"{argument} already exists; choose the name of a new folder.")
        if not path.parent.is_dir():
            raise ValueError(f"{argument} is in a folder that does not exist; create {shown(path.parent)} first.")


def as_target(target: Any) -> Target:
    """A target, given a target, a path or a URL."""
    if isinstance(target, Target):
        return target
    if isinstance(target, str) and target.startswith("file://"):
        target = url2pathname(urlsplit(target).path)
    return Target(target if is_url(target) else Path(target))


def write_rows(results: Iterable[Any], n_rows: int, target: Any, names: list[str]) -> Path | str:
    """Write blocks of rows to a ``.npy``, ``.parquet`` or ``.csv`` file, or to a folder of shards.

    They are first written to a temporary name in the same folder, which is renamed when all rows are written; those for
    a URL to a temporary file, which is then uploaded.

    Parameters
    ----------
    results : iterable of Block
    n_rows : int
        Number of rows in all blocks.
    target : path, URL or Target
    names : list of str
        Names of the columns, for formats with column names.

    Returns
    -------
    Path, or str if it is a URL
    """
    target = as_target(target)
    target.check()
    blocks = iter(results)
    first = next(blocks)
    n_bytes = count_bytes(first) * n_rows // max(first.shape[0], 1)
    with _writing(target, n_bytes) as unfinished:
        WRITERS[target.suffix](itertools.chain([first], blocks), n_rows, unfinished, names, target.ids)
    found: Path | str = target.path
    return found


@contextmanager
def _writing(target: Target, n_bytes: int) -> Iterator[Path]:
    if not is_url(target.path):
        with write_atomically(Path(target.path), n_bytes) as unfinished:
            yield unfinished
        return
    location, remedy = locate(str(target.path)), "free some space or set TMPDIR to a folder on a larger disk"
    with together() as outputs:
        unfinished = Path(outputs.removal.enter_context(TemporaryDirectory(prefix="anchorgraph-"))) / "rows"
        with explain_full_disk(unfinished, unfinished, n_bytes, remedy):
            yield unfinished
        outputs.uploads.append(partial(upload, unfinished, location))


def check_path(path: Path) -> None:
    """Raise an error if the system refuses a path, because its name is too long or it is a loop of links."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as error:
        raise OSError(f"{shown(path)} cannot be written ({error.strerror}); choose another path.") from error


@contextmanager
def write_atomically(path: Path, n_bytes: int | None = None) -> Iterator[Path]:
    """Give a temporary path to write to, which replaces ``path`` at the end, or is removed after an error.

    In a context of :func:`together`, the end is that of this context. The permissions of a file that is replaced are
    kept; until then, nobody else can read the new one.

    Parameters
    ----------
    path : Path
    n_bytes : int, optional
        Approximate number of bytes that will be written, for the error message about a full disk.
    """
    check_path(path)
    path = path.resolve()  # a link is kept, and its target is replaced
    if path.exists() and not path.is_file():
        raise ValueError(f"{path} is not a regular file and cannot be replaced; choose another path.")
    start = path.name.encode(errors="ignore")[:NAME_BYTES].decode(errors="ignore")
    unfinished = path.with_name(f".{start}.{token_hex(8)}.unfinished")  # a name that nobody can guess
    with together() as outputs:
        outputs.removal.callback(_remove, unfinished)
        with explain_full_disk(path, unfinished, n_bytes, "free some space or write elsewhere"):
            if path.exists():
                unfinished.touch(0o600)
            yield unfinished
        outputs.renames.append(partial(_replace, unfinished, path))


def _replace(unfinished: Path, path: Path) -> None:
    if path.exists():
        unfinished.chmod(stat.S_IMODE(path.stat().st_mode))
    os.replace(unfinished, path)


def _remove(unfinished: Path) -> None:
    if unfinished.is_dir():
        shutil.rmtree(unfinished)
    unfinished.unlink(missing_ok=True)


@contextmanager
def explain_full_disk(path: Path, written: Path, n_bytes: int | None, remedy: str) -> Iterator[None]:
    """Turn the error of a full disk into one that names the target and the number of bytes written.

    Parameters
    ----------
    path : Path
        The target.
    written : Path
        The file or folder that was written so far.
    n_bytes : int or None
        Total number of bytes, if known.
    remedy : str
        What to do, for the error message.
    """
    try:
        yield
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        files = [file for file in written.rglob("*") if file.is_file()] if written.is_dir() else [written]
        n_written = sum(file.stat().st_size for file in files if file.exists())
        progress = f"{n_written:,} bytes" + (f" of about {n_bytes:,}" if n_bytes is not None else "")
        raise OSError(f"{path}: no space left on the disk after {progress}; {remedy}.") from error


def count_bytes(rows: Any) -> int:
    """Size of a block in bytes: of its numbers, and of their column indices if it is sparse."""
    return int(rows.data.nbytes + rows.indices.nbytes if sparse.issparse(rows) else rows.nbytes)


def write_shard(rows: Any, folder: Path, number: int) -> Path:
    """Write one block to a folder; the order of the names is that of the blocks."""
    path = folder / f"part-{number:06d}.{'npz' if sparse.issparse(rows) else 'npy'}"
    if sparse.issparse(rows):
        sparse.save_npz(path, rows, compressed=False)
    else:
        with path.open("wb") as file:
            _write_header(file, rows, len(rows))
            _write_numbers(file, rows)
    return path


def write_blocks(blocks: Iterable[Any], n_rows: int, folder: Path, number: int) -> Path:
    """Write all dense blocks to one file of a folder, one after the other."""
    path = folder / f"part-{number:06d}.npy"
    _write_npy(blocks, n_rows, path, [], None)
    return path


def _write_header(file: BinaryIO, rows: Any, n_rows: int) -> None:
    header = {"descr": rows.dtype.str, "fortran_order": False, "shape": (n_rows, *rows.shape[1:])}
    np.lib.format.write_array_header_2_0(file, header)


def _write_numbers(file: BinaryIO, rows: Any) -> None:
    file.write(np.ascontiguousarray(rows).data)  # the errors of tofile do not give the cause


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


def _write_columns(
    file_format: str, results: Iterable[Any], n_rows: int, path: Path, names: list[str], ids: tuple[str, Any] | None
) -> None:
    try:
        import pyarrow as pa
        from pyarrow import csv
        from pyarrow import parquet as pq
    except ImportError as error:
        raise ImportError('Writing .parquet and .csv files requires pyarrow: pip install "anchorgraph[io]".') from error
    writers = {"parquet": pq.ParquetWriter, "csv": csv.CSVWriter}
    writer, written = None, 0
    try:
        for rows in results:
            _check_dense(rows)
            columns = dict(zip(names, rows.reshape(len(rows), -1).T, strict=True))
            if ids is not None:
                columns = {ids[0]: ids[1][written : written + len(rows)], **columns}
            table = pa.table(columns)
            if file_format == "csv" and (escaped := escape_formulas(table)) is not table:
                table = escaped
                warn_user(ESCAPED)
            writer = writer or writers[file_format](path, table.schema)
            writer.write_table(table)
            written += len(rows)
    finally:
        if writer is not None:
            writer.close()


def _check_dense(rows: Any) -> None:
    if sparse.issparse(rows):
        raise ValueError("Sparse rows can only be written to a folder of shards; pass out without a suffix.")


WRITERS: dict[str, Any] = {
    ".npy": _write_npy,
    ".parquet": partial(_write_columns, "parquet"),
    ".csv": partial(_write_columns, "csv"),
    "": _write_folder,
}
