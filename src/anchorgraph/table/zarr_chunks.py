"""Count the chunks of Zarr arrays, to detect missing ones."""

from __future__ import annotations

import math
import os
import re
import stat
from pathlib import Path
from typing import Any

from anchorgraph.table.file_checks import check_expansion
from anchorgraph.table.parts import InvalidFileError

MAX_CHUNKS = 2**20
"""Maximum number of chunks of an array that is not in a folder; Zarr looks them up one by one."""


def count_chunks_in_store(name: str, array: Any) -> tuple[int, int]:
    """The number of existing chunks and of all chunks, as Zarr reports them."""
    if array.nchunks > MAX_CHUNKS:
        raise InvalidFileError(f"{name} has {array.nchunks:,} chunks; store it in at most {MAX_CHUNKS:,} chunks.")
    return array.nchunks_initialized, array.nchunks


def count_chunks_in_folder(
    name: str, array: Any, folder: Path, metadata: dict[str, Any], part_bytes: int
) -> tuple[int, int]:
    """The number of existing chunk files and of all chunk files.

    Existing files are counted, not expected ones: a small array may claim more chunks than can be enumerated.

    Parameters
    ----------
    name : str
        The array, for error messages.
    array : zarr.Array
    folder : Path
    metadata : dict
    part_bytes : int
        Size in memory of what is read at once.
    """
    sizes, key = file_chunk_shape(array), _chunk_key(metadata)
    grid = [-(-int(length) // size) for length, size in zip(array.shape, sizes, strict=True)]
    n_found = stored = 0
    for parent, _, files in os.walk(folder):
        for file in files:
            found = key.fullmatch(os.path.relpath(os.path.join(parent, file), folder))
            if found and all(int(number) < end for number, end in zip(found.groups(), grid, strict=True)):
                status = os.stat(os.path.join(parent, file))
                n_found += stat.S_ISREG(status.st_mode)
                stored += status.st_size
    check_expansion(name, part_bytes, stored, 1000, "store it in smaller chunks")
    n_within = math.prod(-(-size // int(chunk)) for size, chunk in zip(sizes, array.chunks, strict=True))
    if n_within > 1 and 16 * n_within > stored:  # a shard has an index of 16 bytes for each chunk in it
        raise InvalidFileError(
            f"{name} claims to hold shards of {n_within:,} chunks in {stored:,} bytes; write it again."
        )
    return n_found, math.prod(grid)


def _chunk_key(metadata: dict[str, Any]) -> re.Pattern[str]:
    """Pattern of the names of chunk files, such as 0.1 in format 2 and c/0/1 in format 3."""
    encoding = metadata.get("chunk_key_encoding") or {"name": "v2"}
    prefix, usual = (r"c%", "/") if encoding["name"] == "default" else ("", ".")
    separator = encoding.get("configuration", metadata).get("separator", metadata.get("dimension_separator")) or usual
    return re.compile(f"{prefix}(0|[1-9][0-9]*)%(0|[1-9][0-9]*)".replace("%", re.escape(separator)))


def file_chunk_shape(array: Any) -> tuple[int, ...]:
    """Rows and columns stored in one file: the shape of a shard, or of a chunk if there are no shards."""
    return tuple(map(int, getattr(array, "shards", None) or array.chunks))
