"""Rows that are kept after they were made once: in memory, or in a temporary folder."""

from __future__ import annotations

import shutil
import weakref
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import gettempdir, mkdtemp
from threading import Lock
from typing import Any

import numpy as np
from sklearn import get_config

from anchorgraph.numerics.execution import run
from anchorgraph.table.npy_file import npy_part
from anchorgraph.table.parts import PART_BYTES, Part
from anchorgraph.table.streamed import StreamedRows, collect
from anchorgraph.table.target import explain_full_disk, write_blocks, write_shard

REMEDY = "free some space or set TMPDIR to a folder on a larger disk"


def memory_limit() -> int:
    """Bytes that may be kept in memory: a quarter of scikit-learn's ``working_memory``."""
    return int(get_config()["working_memory"] * 2**20 / 4)


class TemporaryFolder:
    """A temporary folder that is removed when this object is garbage-collected or the process ends."""

    def __init__(self) -> None:
        self.path: Path = Path(mkdtemp(prefix="anchorgraph-"))
        weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)


class Remembered:
    """A function without arguments that is called once; a copy in another process calls it again."""

    def __init__(self, load: Callable[[], Any]) -> None:
        self._load, self._rows = load, None

    def __call__(self) -> Any:
        if self._rows is None:
            self._rows = self._load()
        return self._rows

    def __getstate__(self) -> dict[str, Any]:
        return {"_load": self._load, "_rows": None}


class Stored:
    """A function without arguments whose rows are written to a temporary folder when it is called first.

    Rows of two neighbouring parts are made at once, on two threads: decoding takes longer than reading. A copy in
    another process makes its rows again each time.
    """

    def __init__(self, load: Callable[[], Any], keeper: Keeper, following: list[Stored]) -> None:
        self._load, self._keeper, self._following = load, keeper, following
        self._number = len(following)
        self._part: Part | None = None
        following.append(self)

    def __call__(self) -> Any:
        if self._keeper is None:
            return self._load()
        if self._part is None:
            both = self._following[self._number : self._number + 2]
            run(lambda each: each._store(), [each for each in both if not each._part])
        assert self._part is not None  # it is the first of the two
        return self._part.open()

    def _store(self) -> None:
        self._part = self._keeper.store(self._load(), self._number)

    def __getstate__(self) -> dict[str, Any]:
        return {"_load": self._load, "_keeper": None, "_following": [], "_number": 0, "_part": None}


class StoredBlocks(Stored):
    """The same for rows that are made block by block; a copy in another process reads them in order."""

    def __init__(
        self,
        start: Callable[[], Iterator[Any]],
        shape: tuple[int, int],
        dtype: np.dtype[Any],
        keeper: Keeper,
        following: list[Stored],
    ) -> None:
        super().__init__(partial(StreamedRows, shape, dtype, start), keeper, following)
        self._start, self._n_rows = start, shape[0]

    def _store(self) -> None:
        self._part = self._keeper.write(partial(write_blocks, self._start(), self._n_rows), self._number)


class Keeper:
    """Keeps dense rows of unknown number: in memory up to its limit, and then in a temporary folder."""

    def __init__(self) -> None:
        self._left = memory_limit()
        self._disk_left: int | None = None
        self._folder: TemporaryFolder | None = None
        self._n_shards = 0
        self._stored: list[Stored] = []
        self._lock = Lock()

    def keep(self, name: str, blocks: Iterator[Any], place: Callable[[int], str] | None = None) -> list[Part]:
        """Keep all rows of a file.

        Parameters
        ----------
        name : str
            Name of the file, for error messages.
        blocks : iterator of (n, d) arrays
        place : callable, optional
            As :attr:`Part.place`.

        Returns
        -------
        list of Part
        """
        parts: list[Part] = []
        first_row = 0
        try:
            for rows in _join(blocks):
                parts.append(replace(self._keep(rows), name=name, first_row=first_row, place=place))
                first_row += len(rows)
        except BaseException:
            if self._folder is not None:  # now, because the traceback keeps the folder alive
                shutil.rmtree(self._folder.path, ignore_errors=True)
            raise
        return parts

    def remember(self, load: Callable[[], Any], n_bytes: int) -> Callable[[], Any]:
        """The same function, which loads its rows once, because decoding takes time.

        They are kept in memory, or in a temporary folder if half of the free space of its disk suffices for all;
        otherwise they are loaded each time.
        """
        if self._has_memory(n_bytes):
            return Remembered(load)
        return Stored(load, self, self._stored) if self._has_disk(n_bytes) else load

    def remember_blocks(
        self, start: Callable[[], Iterator[Any]], shape: tuple[int, int], dtype: np.dtype[Any]
    ) -> Callable[[], Any]:
        """A function that returns the rows of all blocks, which are made once, as far as there is space for them.

        Parameters
        ----------
        start : callable
            Returns an iterator over all rows as arrays; few of them are in memory at once.
        shape : (int, int)
        dtype : dtype
        """
        n_bytes = shape[0] * shape[1] * dtype.itemsize
        if self._has_memory(n_bytes):
            return Remembered(partial(collect, shape, dtype, start))
        if self._has_disk(n_bytes):
            return StoredBlocks(start, shape, dtype, self, self._stored)
        return partial(StreamedRows, shape, dtype, start)

    def _has_memory(self, n_bytes: int) -> bool:
        is_enough = n_bytes <= self._left
        self._left -= n_bytes if is_enough else 0
        return is_enough

    def _has_disk(self, n_bytes: int) -> bool:
        if self._disk_left is None:
            self._disk_left = shutil.disk_usage(gettempdir()).free // 2
        is_enough = n_bytes <= self._disk_left
        self._disk_left -= n_bytes if is_enough else 0
        return is_enough

    def _keep(self, rows: Any) -> Part:
        self._left -= rows.nbytes
        if self._left >= 0:
            return Part("", rows.shape, rows.dtype, partial(_itself, rows))
        self._n_shards += 1
        return self.store(rows, self._n_shards)

    def store(self, rows: Any, number: int) -> Part:
        """Write rows to the temporary folder, under a number of their own."""
        return self.write(partial(write_shard, rows), number)

    def write(self, write: Callable[[Path, int], Path], number: int) -> Part:
        """Let a function write a file with a number of its own to the temporary folder."""
        with self._lock:
            self._folder = self._folder or TemporaryFolder()
        with explain_full_disk(self._folder.path, self._folder.path, None, REMEDY):
            part = npy_part(write(self._folder.path, number))
        return replace(part, open=partial(_opened, part.open, self._folder))


def _join(blocks: Iterator[Any]) -> Iterator[Any]:
    held: list[Any] = []
    for block in blocks:
        held.append(block)
        if sum(rows.nbytes for rows in held) >= PART_BYTES:
            yield np.concatenate(held)
            held = []
    if held:
        yield np.concatenate(held)


def _itself(rows: Any) -> Any:
    return rows


def _opened(open_part: Any, folder: TemporaryFolder) -> Any:
    """Open a part; its folder lives as long as this function's arguments."""
    return open_part()
