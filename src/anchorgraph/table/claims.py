"""What a file says of itself, held against the bytes that are there before memory is taken for it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from anchorgraph.table.parts import BrokenPartError

MAX_COLUMNS = 2**31 - 1
"""SciPy's indices are 32 bits where this holds, and no method could use more columns."""

FREE_BYTES = 2**30
"""What a compressed part may expand to in any case."""

FREE_ROWS = 2**20
"""Rows that a sparse matrix may have in any case, however few of its entries are stored."""


def check_table(name: str | Path, shape: Sequence[int], dtype: np.dtype[Any]) -> None:
    """Refuse what is no table: not two-dimensional, not of real numbers, without columns or with too many.

    Parameters
    ----------
    name : str or Path
        For the error: the file, and what of it.
    shape : sequence of int
    dtype : dtype
    """
    if len(shape) != 2 or dtype.kind not in "fiub":
        raise BrokenPartError(f"{name} has shape {tuple(shape)} and dtype {dtype}; store two-dimensional real numbers.")
    if shape[0] < 0 or not 1 <= shape[1] <= MAX_COLUMNS:
        raise BrokenPartError(
            f"{name} has {shape[0]:,} rows of {shape[1]:,} columns; store from 1 to {MAX_COLUMNS:,} columns."
        )


def check_names(path: Path, names: Sequence[str]) -> None:
    """Refuse two columns of the same name, of which a name cannot choose one."""
    if (twice := next((name for name, times in Counter(names).items() if times > 1), None)) is not None:
        raise BrokenPartError(f"{path} has two columns of the name {twice[:80]!r}; rename one of them.")


def check_length(path: Path, n_bytes: int) -> None:
    """Refuse a file that is shorter than it says."""
    if (there := path.stat().st_size) < n_bytes:
        raise BrokenPartError(f"{path} has {there} bytes where {n_bytes} belong: it was not written whole.")


def check_expansion(name: str | Path, n_bytes: int, stored: int, times: int, way_out: str) -> None:
    """Refuse a compressed part that would fill the memory from next to nothing.

    Parameters
    ----------
    name : str or Path
    n_bytes : int
        What the part says that it takes in memory.
    stored : int
        Bytes that it takes in the file.
    times : int
        How much smaller than in memory a sound file of the format may be. Deflate makes at most 1,032 of one byte,
        and numbers that are worth compressing seldom shrink to a hundredth. Run lengths and dictionaries, and the
        compressors of Zarr, keep a constant column in a few bytes, however long it is.
    way_out : str
    """
    if n_bytes > FREE_BYTES and n_bytes > times * stored:
        raise BrokenPartError(
            f"{name} claims to hold {n_bytes:,} bytes of numbers in {stored:,} bytes; above {FREE_BYTES:,} bytes, at "
            f"most {times:,} times what is stored is accepted; {way_out}."
        )


def check_sparse_rows(name: str | Path, n_rows: int, n_bytes: int) -> None:
    """Refuse more rows than a file has bytes: each takes memory, whether anything is stored of it or not."""
    if n_rows > max(n_bytes, FREE_ROWS):
        raise BrokenPartError(
            f"{name} claims to hold {n_rows:,} rows in {n_bytes:,} bytes; above {FREE_ROWS:,} rows, at most one for "
            "each byte is accepted; leave out rows without entries."
        )


def dense_bytes(shape: Sequence[int], dtype: np.dtype[Any]) -> int:
    """Bytes of an array: in Python's integers, because NumPy's overflow."""
    if any(length < 0 for length in shape):
        raise ValueError(f"shape {tuple(shape)} is negative")
    return math.prod(shape) * dtype.itemsize


def pieces_of(path: Path) -> Iterator[bytes]:
    """The bytes of a file, one MiB after the other."""
    with path.open("rb") as file:
        while piece := file.read(2**20):
            yield piece


@contextmanager
def reading(path: Path, kind: str) -> Iterator[None]:
    """Make one sentence that names the file of whatever goes wrong in the libraries that read it.

    Parameters
    ----------
    path : Path
    kind : str
        What the file should be, such as "CSV file".
    """
    try:
        with memory_for(path, path.stat().st_size):
            yield
    except (FileNotFoundError, PermissionError) as error:
        raise type(error)(f"{path} cannot be read ({error.strerror}).") from error
    except (BrokenPartError, ImportError):
        raise
    except Exception as error:  # NumPy, SciPy, zipfile, zlib, pyarrow and Zarr each raise many kinds
        raise BrokenPartError(f"{path} is not a whole {kind} ({reason(error)}); write it again.") from error


@contextmanager
def memory_for(name: str | Path, n_bytes: int) -> Iterator[None]:
    """Name what did not fit into memory, and its bytes."""
    try:
        yield
    except MemoryError as error:
        raise BrokenPartError(
            f"{name} has {n_bytes:,} bytes, and reading them takes more memory than there is; store the rows in "
            "several smaller files, or use a machine with more memory."
        ) from error


def reason(error: BaseException) -> str:
    """What a library says, as part of a sentence: on one line, not too long, without a full stop."""
    said = " ".join(str(error).split()) or type(error).__name__
    said = "".join(char if char.isprintable() else "?" for char in said)
    return (said if len(said) <= 200 else f"{said[:200]} …").rstrip(".")
