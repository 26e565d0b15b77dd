"""Rows that are kept after they were made once: in memory, or in a temporary folder."""

from __future__ import annotations

import shutil
import weakref
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import numpy as np
from sklearn import get_config

from anchorgraph.table.npy_file import npy_part
from anchorgraph.table.parts import Part
from anchorgraph.table.target import explain_full_disk, write_shard

PART_BYTES = 2**24
"""Blocks are joined to parts of this size."""

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


class Keeper:
    """Keeps dense rows of unknown number: in memory up to its limit, and then in a temporary folder."""

    def __init__(self) -> None:
        self._left = memory_limit()
        self._folder: TemporaryFolder | None = None
        self._n_shards = 0

    def keep(self, name: str, blocks: Iterator[Any]) -> list[Part]:
        """Keep all rows of a file.

        Parameters
        ----------
        name : str
            Name of the file, for error messages.
        blocks : iterator of (n, d) arrays

        Returns
        -------
        list of Part
        """
        parts: list[Part] = []
        first_row = 0
        try:
            for rows in _join(blocks):
                parts.append(replace(self._keep(rows), name=name, first_row=first_row))
                first_row += len(rows)
        except BaseException:
            if self._folder is not None:  # now, because the traceback keeps the folder alive
                shutil.rmtree(self._folder.path, ignore_errors=True)
            raise
        return parts

    def remember(self, load: Callable[[], Any], n_bytes: int) -> Callable[[], Any]:
        """The same function, which loads its rows once if there is memory left for them: decoding takes time."""
        if n_bytes > self._left:
            return load
        self._left -= n_bytes
        return Remembered(load)

    def _keep(self, rows: Any) -> Part:
        self._left -= rows.nbytes
        if self._left >= 0:
            return Part("", rows.shape, rows.dtype, partial(_itself, rows))
        self._folder = self._folder or TemporaryFolder()
        with explain_full_disk(self._folder.path, self._folder.path, None, REMEDY):
            part = npy_part(write_shard(rows, self._folder.path, self._n_shards))
        self._n_shards += 1
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
