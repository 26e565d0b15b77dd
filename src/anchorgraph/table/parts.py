"""Parts of a table: an array that reads what is asked of it, a ``.npy`` file, a sparse ``.npz`` file."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse
from scipy.io import mmread

WINDOW_BYTES = 2**24
"""Of a file, rows by number are looked up in windows of this size: what is mapped counts as memory of the process."""


@dataclass(frozen=True)
class Part:
    """Some consecutive rows of a table, and how to get at them.

    Attributes
    ----------
    name : str
        For errors: the file, and what of it.
    shape : tuple of int
        Rows and columns; rows alone for a number each.
    dtype : dtype
        Of the numbers as they are stored.
    open : callable
        Returns what gives rows for a slice or an ascending array of numbers in square brackets.
    row_bytes : int or None
        Memory that a sparse row takes on average.
    """

    name: str
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    open: Callable[[], Any]
    row_bytes: int | None = None


class BrokenPartError(ValueError):
    """A file that is not what it seems; the message names it."""


@dataclass(frozen=True)
class NpyRows:
    """Rows of a ``.npy`` file in C order, read when asked for and not mapped for longer."""

    path: Path
    offset: int
    shape: tuple[int, ...]
    dtype: np.dtype[Any]

    def __getitem__(self, rows: Any) -> Any:
        if isinstance(rows, slice):
            return self._read(rows.start, rows.stop)
        found = [np.empty((0, *self.shape[1:]), self.dtype)]
        step = max(1, WINDOW_BYTES // self._row_bytes)
        cuts = np.searchsorted(rows, range(0, self.shape[0] + step, step)).tolist()
        for window, (first, last) in enumerate(itertools.pairwise(cuts)):
            if first < last:
                found.append(self._look_up(window * step, rows[first:last] - window * step))
        return np.concatenate(found)

    @property
    def _row_bytes(self) -> int:
        return int(np.prod(self.shape[1:], dtype=int)) * self.dtype.itemsize

    def _read(self, start: int, stop: int) -> Any:
        n_values = (stop - start) * self._row_bytes // self.dtype.itemsize
        values = np.fromfile(self.path, self.dtype, n_values, offset=self.offset + start * self._row_bytes)
        if len(values) < n_values:
            raise BrokenPartError(f"{self.path} ends before its row {stop}; write it again.")
        return values.reshape(-1, *self.shape[1:])

    def _look_up(self, start: int, rows: Any) -> Any:
        check_size(self.path, self.offset + self.shape[0] * self._row_bytes)
        offset, shape = self.offset + start * self._row_bytes, (int(rows[-1]) + 1, *self.shape[1:])
        return np.asarray(np.memmap(self.path, self.dtype, "r", offset, shape)[rows])


def npy_part(path: Path) -> Part:
    """The rows of a ``.npy`` file."""
    try:
        with path.open("rb") as file:
            version = np.lib.format.read_magic(file)
            reader = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
            shape, is_fortran, dtype = reader(file)
            offset = file.tell()
    except ValueError as error:
        raise BrokenPartError(f"{path} is not a whole .npy file ({error}); write it again.") from error
    if dtype.hasobject:
        raise BrokenPartError(f"{path} holds Python objects; store numbers.")
    check_size(path, offset + int(np.prod(shape, dtype=int)) * dtype.itemsize)
    if is_fortran:
        return Part(str(path), shape, dtype, partial(np.load, path, mmap_mode="r"))
    return Part(str(path), shape, dtype, partial(NpyRows, path, offset, shape, dtype))


def check_size(path: Path, size: int) -> None:
    """Refuse a file that is shorter than it says."""
    if (there := path.stat().st_size) < size:
        raise BrokenPartError(f"{path} has {there} bytes where {size} belong: it was not written whole.")


def npz_part(path: Path) -> Part:
    """The rows of a sparse matrix that SciPy saved, or of an array X that NumPy did; read once to know them."""
    return _loaded_part(path, _load_npz)


def mtx_part(path: Path) -> Part:
    """The rows of a Matrix Market file, read once to know them."""
    return _loaded_part(path, _load_mtx)


def _loaded_part(path: Path, load: Callable[[Path], Any]) -> Part:
    rows = load(path)
    if not sparse.issparse(rows):
        return Part(str(path), rows.shape, rows.dtype, partial(load, path))
    return _sparse_part(path, rows, load)


def part_of_shard(path: Path, rows: Any) -> Part:
    """The rows of a file, dense or sparse, that are known because they were just read or written."""
    if not sparse.issparse(rows):
        return npy_part(path)
    return _sparse_part(path, rows, _load_npz)


def _sparse_part(path: Path, rows: Any, load: Callable[[Path], Any]) -> Part:
    entry_bytes = max(rows.dtype.itemsize, 4) + rows.indices.itemsize
    row_bytes = max(1, entry_bytes * rows.nnz // max(rows.shape[0], 1))
    return Part(str(path), rows.shape, rows.dtype, partial(load, path), row_bytes)


def _load_npz(path: Path) -> Any:
    try:
        with path.open("rb") as file, np.load(file) as arrays:  # NumPy leaves a broken one open by itself
            if "format" not in arrays:
                return arrays["X" if "X" in arrays else arrays.files[0]]
        return sparse.csr_array(sparse.load_npz(path))
    except Exception as error:  # zipfile, zlib and NumPy each have their own
        raise BrokenPartError(
            f"{path} is no whole .npz file with an array X or a sparse matrix of SciPy's ({error}); write it again."
        ) from error


def _load_mtx(path: Path) -> Any:
    try:
        rows = mmread(path)
    except Exception as error:  # of several kinds
        raise BrokenPartError(f"{path} is not a whole Matrix Market file ({error}); write it again.") from error
    return sparse.csr_array(rows) if sparse.issparse(rows) else rows
