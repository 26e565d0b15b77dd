"""Chunks of Zarr arrays: whether they are all there."""

from __future__ import annotations

import math
import os
import re
import stat
from pathlib import Path
from typing import Any

from anchorgraph.table.claims import check_expansion
from anchorgraph.table.parts import BrokenPartError

MAX_CHUNKS = 2**20
"""Of an array in a store that is no folder, whose chunks Zarr looks for one by one."""


def chunks_in_store(name: str, array: Any) -> tuple[int, int]:
    """How many chunks are there, and how many there should be, as Zarr knows."""
    if array.nchunks > MAX_CHUNKS:
        raise BrokenPartError(f"{name} has {array.nchunks:,} chunks; store it in {MAX_CHUNKS:,} chunks at most.")
    return array.nchunks_initialized, array.nchunks


def chunks_in_folder(name: str, array: Any, folder: Path, document: dict[str, Any], at_once: int) -> tuple[int, int]:
    """How many files of chunks are there, and how many there should be.

    Only what is there is gone through: an array of a few bytes may say that it has more chunks than can be counted.
    """
    sizes, key = file_chunks(array), _chunk_key(document)
    grid = [-(-int(length) // size) for length, size in zip(array.shape, sizes, strict=True)]
    n_there = stored = 0
    for parent, _, files in os.walk(folder):
        for file in files:
            found = key.fullmatch(os.path.relpath(os.path.join(parent, file), folder))
            if found and all(int(number) < end for number, end in zip(found.groups(), grid, strict=True)):
                described = os.stat(os.path.join(parent, file))
                n_there += stat.S_ISREG(described.st_mode)
                stored += described.st_size
    check_expansion(name, at_once, stored, 1000, "store it in smaller chunks")
    n_within = math.prod(-(-size // int(chunk)) for size, chunk in zip(sizes, array.chunks, strict=True))
    if n_within > 1 and 16 * n_within > stored:  # a shard has an index of 16 bytes for each chunk in it
        raise BrokenPartError(
            f"{name} claims to hold shards of {n_within:,} chunks in {stored:,} bytes; write it again."
        )
    return n_there, math.prod(grid)


def _chunk_key(document: dict[str, Any]) -> re.Pattern[str]:
    """The names of the files of chunks, such as 0.1 in format 2 and c/0/1 in format 3."""
    encoding = document.get("chunk_key_encoding") or {"name": "v2"}
    prefix, usual = (r"c%", "/") if encoding["name"] == "default" else ("", ".")
    separator = encoding.get("configuration", document).get("separator", document.get("dimension_separator")) or usual
    return re.compile(f"{prefix}(0|[1-9][0-9]*)%(0|[1-9][0-9]*)".replace("%", re.escape(separator)))


def file_chunks(array: Any) -> tuple[int, ...]:
    """Rows and columns in a file of the store: of a shard, or of a chunk where there are none."""
    return tuple(map(int, getattr(array, "shards", None) or array.chunks))
