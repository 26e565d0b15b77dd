"""Rows of batches that are read in order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np


class StreamedRows:
    """Rows of batches that are read one after the other; to go back is to begin again.

    Parameters
    ----------
    shape : (int, int)
    dtype : dtype
    start : callable
        Returns an iterator over all rows as arrays.
    """

    def __init__(self, shape: tuple[int, int], dtype: np.dtype[Any], start: Callable[[], Iterator[Any]]) -> None:
        self.shape: tuple[int, int] = shape
        self.dtype: np.dtype[Any] = dtype
        self._start = start
        self._begin()

    def _begin(self) -> None:
        self._first: int = 0
        self._held: Any = np.empty((0, self.shape[1]), self.dtype)
        self._rest: Iterator[Any] = self._start()

    def __getitem__(self, rows: Any) -> Any:
        first, stop = (rows.start, rows.stop) if isinstance(rows, slice) else (int(rows[0]), int(rows[-1]) + 1)
        if first < self._first:
            self._begin()
        found = [np.empty((0, self.shape[1]), self.dtype)]
        while self._first < stop:
            last = self._first + len(self._held)
            if first < last:
                if isinstance(rows, slice):
                    found.append(self._held[max(0, first - self._first) : stop - self._first])
                else:
                    inside = rows[(rows >= self._first) & (rows < last)]
                    found.append(self._held[inside - self._first])
            if stop <= last or (following := next(self._rest, None)) is None:
                break
            self._first, self._held = last, following
        return np.concatenate(found)


def collect(shape: tuple[int, int], dtype: np.dtype[Any], start: Callable[[], Iterator[Any]]) -> Any:
    """All rows as one array, which is the only copy of them."""
    rows = np.empty(shape, dtype)
    done = 0
    for block in start():
        rows[done : done + len(block)] = block
        done += len(block)
    return rows
