"""``.npy`` files as parts of a table."""

from __future__ import annotations

import io
import itertools
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from anchorgraph.table.claims import check_length, dense_bytes, reading
from anchorgraph.table.parts import BrokenPartError, Part

WINDOW_BYTES = 2**24
"""Of a file, rows by number are looked up in windows of this size: what is mapped counts as memory of the process."""

HEADER_BYTES = 2**16
"""More than any header that NumPy reads: one that says it has gigabytes is not read that far."""


@dataclass(frozen=True)
class Header:
    """What an array in NumPy's format says of itself, and where its numbers begin."""

    shape: tuple[int, ...]
    is_fortran: bool
    dtype: np.dtype[Any]
    offset: int

    @property
    def n_bytes(self) -> int:
        """Of the header and the numbers together."""
        return self.offset + dense_bytes(self.shape, self.dtype)


def read_header(file: BinaryIO | Any) -> Header:
    """The header of an array in NumPy's format, at the beginning of a file."""
    head = io.BytesIO(file.read(HEADER_BYTES))
    version = np.lib.format.read_magic(head)
    if version not in ((1, 0), (2, 0), (3, 0)):
        raise ValueError(f"NumPy's format has no version {version[0]}.{version[1]}")
    # 3.0 differs from 2.0 in the names of fields alone, which arrays of numbers have not
    reader = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    try:
        shape, is_fortran, dtype = reader(head)
    except MemoryError as error:  # so Python says that an expression is too deep
        raise ValueError("the header cannot be parsed") from error
    if dtype.hasobject:
        raise ValueError("it holds Python objects, not numbers")
    return Header(shape, is_fortran, dtype, head.tell())


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
        return dense_bytes(self.shape[1:], self.dtype)

    def _read(self, start: int, stop: int) -> Any:
        n_values = (stop - start) * self._row_bytes // self.dtype.itemsize
        values = np.fromfile(self.path, self.dtype, n_values, offset=self.offset + start * self._row_bytes)
        if len(values) < n_values:
            raise BrokenPartError(f"{self.path} ends before its row {stop}; write it again.")
        return values.reshape(-1, *self.shape[1:])

    def _look_up(self, start: int, rows: Any) -> Any:
        check_length(self.path, self.offset + self.shape[0] * self._row_bytes)
        offset, shape = self.offset + start * self._row_bytes, (int(rows[-1]) + 1, *self.shape[1:])
        return np.asarray(np.memmap(self.path, self.dtype, "r", offset, shape)[rows])


def npy_part(path: Path) -> Part:
    """The rows of a ``.npy`` file."""
    with reading(path, ".npy file"), path.open("rb") as file:
        header = read_header(file)
        check_length(path, header.n_bytes)
    shape, dtype = header.shape, header.dtype
    if header.is_fortran:
        return Part(str(path), shape, dtype, partial(_mapped, path))
    return Part(str(path), shape, dtype, partial(NpyRows, path, header.offset, shape, dtype))


def _mapped(path: Path) -> Any:
    with reading(path, ".npy file"):
        return np.load(path, mmap_mode="r")
