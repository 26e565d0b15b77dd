"""Checks of the headers of files against their sizes, made before memory is allocated."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from anchorgraph.table.description import count
from anchorgraph.table.location import Location
from anchorgraph.table.parts import InvalidFileError
from anchorgraph.table.reasons import cause, short_reason

MAX_COLUMNS = 2**31 - 1
"""SciPy uses 32-bit indices up to this number of columns, and no method could use more."""

UNCHECKED_BYTES = 2**26
"""A compressed part may always expand to this size; larger ones are compared with the stored size."""

UNCHECKED_ROWS = 2**20
"""A sparse matrix may always have this number of rows; more are compared with the size of the file."""


def check_table(name: str | Path, shape: Sequence[int], dtype: np.dtype[Any]) -> None:
    """Raise an error unless an array is two-dimensional, of real numbers, and has between 1 and 2**31 - 1 columns.

    Parameters
    ----------
    name : str or Path
        The file, and the part of it, for the error message.
    shape : sequence of int
    dtype : dtype
    """
    if len(shape) != 2 or dtype.kind not in "fiub":
        raise InvalidFileError(
            f"{name} has shape {tuple(shape)} and dtype {dtype}; store two-dimensional real numbers."
        )
    if shape[0] < 0 or not 1 <= shape[1] <= MAX_COLUMNS:
        raise InvalidFileError(
            f"{name} has {count(shape[0], 'row')} of {count(shape[1], 'column')}; store between 1 and {MAX_COLUMNS:,} "
            "columns."
        )


def check_names(path: Path | Location, names: Sequence[str]) -> None:
    """Raise an error if two columns have the same name, because a name could not select one of them."""
    if (twice := next((name for name, times in Counter(names).items() if times > 1), None)) is not None:
        raise InvalidFileError(f"{path} has two columns named {twice[:80]!r}; rename one of them.")


def check_length(path: Path, n_bytes: int, size: int | None = None) -> None:
    """Raise an error if a file, or ``size`` if it was decompressed, is shorter than its header says."""
    if (size := path.stat().st_size if size is None else size) < n_bytes:
        raise InvalidFileError(
            f"{path} has {size} bytes, but its header requires at least {n_bytes}: the file is incomplete; write it "
            "again."
        )


def check_expansion(name: str | Path | Location, n_bytes: int, stored: int, times: int, remedy: str) -> None:
    """Raise an error if a small compressed part would expand to very many bytes.

    Parameters
    ----------
    name : str, Path or Location
    n_bytes : int
        Size in memory according to the header.
    stored : int
        Size in the file.
    times : int
        Largest accepted ratio of the two sizes. Deflate makes at most 1,032 bytes of one, and real data seldom
        shrink to a hundredth. Run lengths, dictionaries and the compressors of Zarr store a constant column in a few
        bytes, however long it is.
    remedy : str
        What to do instead, for the error message.
    """
    if n_bytes > UNCHECKED_BYTES and n_bytes > times * stored:
        raise InvalidFileError(
            f"{name} claims to hold {n_bytes:,} bytes of numbers in {stored:,} bytes; above {UNCHECKED_BYTES:,} bytes, "
            f"at most {times:,} times the stored size is accepted; {remedy}."
        )


def check_sparse_rows(name: str | Path, n_rows: int, n_bytes: int) -> None:
    """Raise an error if a sparse matrix has more rows than its file has bytes: empty rows take memory, too."""
    if n_rows > max(n_bytes, UNCHECKED_ROWS):
        raise InvalidFileError(
            f"{name} claims to hold {n_rows:,} rows in {n_bytes:,} bytes; above {UNCHECKED_ROWS:,} rows, at most one "
            "for each byte is accepted; remove rows without entries."
        )


def dense_bytes(shape: Sequence[int], dtype: np.dtype[Any]) -> int:
    """Size of an array in bytes, computed with Python integers because those of NumPy overflow."""
    if any(length < 0 for length in shape):
        raise ValueError(f"shape {tuple(shape)} has a negative length")
    return math.prod(shape) * dtype.itemsize


@contextmanager
def explain_read_errors(path: Path | Location, kind: str) -> Iterator[None]:
    """Turn the errors of the libraries that read a file into one sentence that names the file.

    Parameters
    ----------
    path : Path or Location
    kind : str
        The expected kind of file, such as "CSV file".
    """
    url = path.url if isinstance(path, Location) else ""
    try:
        with explain_memory_error(path, path.size() if isinstance(path, Location) else path.stat().st_size):
            yield
    except (FileNotFoundError, PermissionError) as error:
        raise type(error)(f"{path} cannot be read ({short_reason(error.strerror or error, url)}).") from cause(
            error, url
        )
    except (InvalidFileError, ImportError):
        raise
    except OSError as error:
        if url:  # the network may be to blame, not the file
            raise OSError(f"{path} cannot be read ({short_reason(error, url)}).") from cause(error, url)
        raise _invalid(path, kind, error) from error
    except Exception as error:  # NumPy, SciPy, zipfile, zlib, pyarrow and Zarr each raise many types
        raise _invalid(path, kind, error, url) from cause(error, url)


def _invalid(path: Path | Location, kind: str, error: Exception, url: str = "") -> InvalidFileError:
    return InvalidFileError(f"{path} is not a valid {kind} ({short_reason(error, url)}); write it again.")


@contextmanager
def explain_memory_error(name: str | Path | Location, n_bytes: int) -> Iterator[None]:
    """Turn a MemoryError into one that names the file and its size."""
    try:
        yield
    except MemoryError as error:
        raise InvalidFileError(
            f"{name} has {n_bytes:,} bytes, and reading them takes more memory than there is; store the rows in "
            "several smaller files, or use a machine with more memory."
        ) from error
