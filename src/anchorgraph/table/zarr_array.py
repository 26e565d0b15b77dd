"""A Zarr array as parts of a table: some whole chunks each."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from anchorgraph.table.parts import BrokenPartError, Part

PART_BYTES = 2**24
"""Rows of a part: those of one chunk, or of as many as have this size."""


def is_zarr(source: Any) -> bool:
    """Whether a source is of Zarr's, which is asked without importing it."""
    return type(source).__module__.split(".")[0] == "zarr"


def is_zarr_path(source: Any) -> bool:
    """Whether a source is the path of a Zarr array, or could only be one."""
    if not isinstance(source, str | Path):
        return False
    path = Path(source)
    return path.suffix == ".zarr" or any((path / name).is_file() for name in ("zarr.json", ".zarray"))


def open_zarr(path: str | Path) -> Any:
    """The array at a path."""
    try:
        import zarr
    except ImportError as error:
        raise ImportError(f"{path} takes zarr to read; install anchorgraph[io].") from error
    try:
        return zarr.open_array(str(path), mode="r")
    except Exception as error:  # missing and broken ones have errors of their own in each version
        raise BrokenPartError(f"{path} is not a Zarr array ({error}).") from error


def zarr_parts(array: Any) -> list[Part]:
    """The rows of an array, of which every chunk must be there."""
    name = f"the Zarr array {getattr(array, 'store', '')}"
    if not hasattr(array, "ndim"):
        raise TypeError(f"{name} is a group; pass one of its arrays.")
    if array.ndim != 2 or array.dtype.kind not in "fiub":
        raise ValueError(f"{name} has shape {array.shape} and dtype {array.dtype}; store two-dimensional real numbers.")
    if (n_there := array.nchunks_initialized) < array.nchunks:
        raise BrokenPartError(
            f"{name} has {n_there} of {array.nchunks} chunks: it was not written whole, or chunks of zeros were left "
            "out; write these too (write_empty_chunks)."
        )
    n_rows, row_bytes = array.shape[0], max(1, array.shape[1] * array.dtype.itemsize)
    step = array.chunks[0] * max(1, PART_BYTES // (row_bytes * array.chunks[0]))
    rows = [(start, min(start + step, n_rows)) for start in range(0, n_rows, step)] or [(0, 0)]
    return [
        Part(
            f"{name}, rows from {start}",
            (stop - start, array.shape[1]),
            np.dtype(array.dtype),
            partial(_load, array, start, stop, name),
        )
        for start, stop in rows
    ]


def _load(array: Any, start: int, stop: int, name: str) -> Any:
    try:
        return np.asarray(array[start:stop])
    except Exception as error:  # of whichever codec the chunk has
        raise BrokenPartError(f"{name} has a chunk that cannot be read ({error}).") from error
