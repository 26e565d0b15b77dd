"""``.npy`` files; each is one part of a table."""

from __future__ import annotations

import io
import itertools
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from anchorgraph.table.file_checks import check_length, dense_bytes, explain_read_errors
from anchorgraph.table.parts import InvalidFileError, Part

WINDOW_BYTES = 2**24
"""Rows by number are read through memory maps of this size: mapped pages count as memory of the process."""

HEADER_BYTES = 2**16
"""Larger than any header that NumPy reads; a header that claims gigabytes is read only up to this size."""


@dataclass(frozen=True)
class Header:
    """The header of an array in the NumPy format, and the position at which its numbers begin."""

    shape: tuple[int, ...]
    is_fortran: bool
    dtype: np.dtype[Any]
    offset: int

    @property
    def n_bytes(self) -> int:
        """Size of the header and the numbers together."""
        return self.offset + dense_bytes(self.shape, self.dtype)


def read_header(file: BinaryIO | Any) -> Header:
    """Read the header of an array in the NumPy format from the beginning of a file."""
    head = io.BytesIO(file.read(HEADER_BYTES))
    version = np.lib.format.read_magic(head)
    if version not in ((1, 0), (2, 0), (3, 0)):
        raise ValueError(f"version {version[0]}.{version[1]} of the NumPy format does not exist")
    # 3.0 differs from 2.0 only in the names of fields, which arrays of numbers do not have
    reader = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    try:
        shape, is_fortran, dtype = reader(head)
    except MemoryError as error:  # Python's error for an expression that is nested too deeply
        raise ValueError("the header cannot be parsed") from error
    if dtype.hasobject:
        raise ValueError("it holds Python objects, not numbers")
    return Header(shape, is_fortran, dtype, head.tell())


@dataclass(frozen=True)
class NpyRows:
    """Rows of a ``.npy`` file in C order, read on access; nothing stays mapped."""

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
        return dense_bytes(self.shape[1:], self.dtype)

    def _read(self, start: int, stop: int) -> Any:
        n_values = (stop - start) * self._row_bytes // self.dtype.itemsize
        values = np.fromfile(self.path, self.dtype, n_values, offset=self.offset + start * self._row_bytes)
        if len(values) < n_values:
            raise InvalidFileError(f"{self.path} ends before row {stop}; write it again.")
        return values.reshape(-1, *self.shape[1:])

    def _look_up(self, start: int, rows: Any) -> Any:
        check_length(self.path, self.offset + self.shape[0] * self._row_bytes)
        offset, shape = self.offset + start * self._row_bytes, (int(rows[-1]) + 1, *self.shape[1:])
        return np.asarray(np.memmap(self.path, self.dtype, "r", offset, shape)[rows])


def npy_part(path: Path) -> Part:
    """The rows of a ``.npy`` file as a part."""
    with explain_read_errors(path, ".npy file"), path.open("rb") as file:
        header = read_header(file)
        check_length(path, header.n_bytes)
    shape, dtype = header.shape, header.dtype
    if header.is_fortran:
        return Part(str(path), shape, dtype, partial(_memory_map, path))
    return Part(str(path), shape, dtype, partial(NpyRows, path, header.offset, shape, dtype))


def _memory_map(path: Path) -> Any:
    with explain_read_errors(path, ".npy file"):
        return np.load(path, mmap_mode="r")
