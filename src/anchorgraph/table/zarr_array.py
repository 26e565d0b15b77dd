"""A Zarr array as parts of a table: some whole chunks each."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from anchorgraph.table.claims import check_table, dense_bytes, reading, reason
from anchorgraph.table.parts import BrokenPartError, Part
from anchorgraph.table.zarr_chunks import chunks_in_folder, chunks_in_store, file_chunks
from anchorgraph.table.zarr_codecs import check_codecs

PART_BYTES = 2**24
"""Rows of a part: those of one chunk, or of as many as have this size."""

DOCUMENTS = ("zarr.json", ".zarray")
"""Files in which an array says what it is, in the formats 3 and 2."""


def is_zarr(source: Any) -> bool:
    """Whether a source is of Zarr's, which is asked without importing it."""
    return type(source).__module__.split(".")[0] == "zarr"


def is_zarr_path(source: Any) -> bool:
    """Whether a source is the path of a Zarr array, or could only be one."""
    if not isinstance(source, str | Path):
        return False
    path = Path(source)
    return path.suffix == ".zarr" or any((path / name).is_file() for name in DOCUMENTS)


def open_zarr(path: str | Path) -> Any:
    """The array at a path."""
    try:
        import zarr
    except ImportError as error:
        raise ImportError(f"{path} takes zarr to read; install anchorgraph[io].") from error
    documents = [file for name in DOCUMENTS if (file := Path(path) / name).is_file()]
    for document in documents:  # before Zarr: version 2 decodes the fill value when it opens an array
        with reading(document, "description of a Zarr array"):
            check_codecs(path, json.loads(document.read_bytes()))
    is_remote = "://" in str(path) and not zarr.__version__.startswith("2.")
    if not documents and not is_remote:
        raise BrokenPartError(f"{path} is not a Zarr array (there is no zarr.json or .zarray in it).")
    try:
        return zarr.open_array(str(path), mode="r")
    except Exception as error:  # missing and broken ones have errors of their own in each version
        raise BrokenPartError(f"{path} is not a Zarr array ({reason(error)}).") from error


def zarr_parts(array: Any) -> list[Part]:
    """The rows of an array, of which every chunk must be there."""
    folder = _folder_of(array)
    name = f"the Zarr array {folder or 'in a ' + type(getattr(array, 'store', None)).__name__}"
    if not hasattr(array, "ndim"):
        raise TypeError(f"{name} is a group; pass one of its arrays.")
    document = _description(array, folder)
    check_codecs(name, document)
    shape, dtype = tuple(map(int, array.shape)), np.dtype(array.dtype)
    check_table(name, shape, dtype)
    if any(size < 1 for size in (*array.chunks, *file_chunks(array))):
        raise BrokenPartError(f"{name} has chunks of shape {tuple(array.chunks)}; write it again.")
    n_rows, row_bytes, chunk_rows = shape[0], shape[1] * dtype.itemsize, int(array.chunks[0])
    step = chunk_rows * max(1, PART_BYTES // (row_bytes * chunk_rows))
    at_once = max(min(step, n_rows) * row_bytes, dense_bytes(file_chunks(array), dtype))
    if folder is None:
        n_there, n_chunks = chunks_in_store(name, array)
    else:
        n_there, n_chunks = chunks_in_folder(name, array, folder, document, at_once)
    if n_there < n_chunks:
        raise BrokenPartError(
            f"{name} has {n_there:,} of {n_chunks:,} chunks: it was not written whole, or chunks of zeros were left "
            "out; write these too (write_empty_chunks)."
        )
    rows = [(start, min(start + step, n_rows)) for start in range(0, n_rows, step)] or [(0, 0)]
    return [
        Part(f"{name}, rows from {start}", (stop - start, shape[1]), dtype, partial(_load, array, start, stop, name))
        for start, stop in rows
    ]


def _folder_of(source: Any) -> Path | None:
    """The folder of an array or group, if its store is one."""
    store = getattr(source, "chunk_store", getattr(source, "store", None))
    root = getattr(store, "root", None) or getattr(store, "path", None)  # of Zarr 3, of Zarr 2
    if not isinstance(root, str | Path):
        return None
    folder = Path(root) / getattr(source, "path", "")
    return folder if folder.is_dir() else None


def _description(array: Any, folder: Path | None) -> dict[str, Any]:
    """What an array says it is, as in ``zarr.json`` or ``.zarray``."""
    if hasattr(array, "metadata"):
        return dict(array.metadata.to_dict())
    file = None if folder is None else folder / ".zarray"  # Zarr 2
    document = json.loads(file.read_bytes()) if file is not None and file.is_file() else {}
    codecs = [codec.get_config() for codec in (*(array.filters or ()), array.compressor) if codec is not None]
    return {**document, "filters": codecs}


def _load(array: Any, start: int, stop: int, name: str) -> Any:
    try:
        return np.asarray(array[start:stop])
    except MemoryError:
        raise
    except Exception as error:  # of whichever codec the chunk has
        raise BrokenPartError(f"{name} has a chunk that cannot be read ({reason(error)}).") from error
