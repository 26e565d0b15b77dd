"""Zarr arrays; each part of a table consists of whole chunks."""

from __future__ import annotations

import json
from functools import partial
from os.path import isfile
from pathlib import Path
from typing import Any

import numpy as np

from anchorgraph.table.file_checks import check_table, dense_bytes, explain_read_errors
from anchorgraph.table.parts import PART_BYTES, InvalidFileError, Part
from anchorgraph.table.reasons import cause, explain_remote_errors, short_reason
from anchorgraph.table.zarr_chunks import count_chunks_in_folder, count_chunks_in_store, file_chunk_shape
from anchorgraph.table.zarr_codecs import check_codecs
from anchorgraph.urls import shown

METADATA_FILES = ("zarr.json", ".zarray")
"""Metadata files of arrays in the formats 3 and 2."""


def is_zarr(source: Any) -> bool:
    """Whether a source is a Zarr object; Zarr is not imported for this."""
    return type(source).__module__.split(".")[0] == "zarr"


def is_zarr_path(source: Any) -> bool:
    """Whether a source is the path of a Zarr array: it ends in ``.zarr`` or contains a metadata file."""
    if not isinstance(source, str | Path):
        return False
    path = Path(source)
    return Path(shown(source)).suffix == ".zarr" or any(isfile(path / name) for name in METADATA_FILES)


def open_zarr(path: str | Path) -> Any:
    """Open the Zarr array at a path."""
    name = shown(path)
    try:
        import zarr
    except ImportError as error:
        raise ImportError(f'Reading {name} requires zarr: pip install "anchorgraph[io]".') from error
    files = [file for name in METADATA_FILES if (file := Path(path) / name).is_file()]
    for file in files:  # before Zarr opens the array, because Zarr 2 then decodes the fill value
        with explain_read_errors(file, "metadata file of a Zarr array"):
            _check_metadata(name, json.loads(file.read_bytes()))
    is_remote = "://" in str(path) and not zarr.__version__.startswith("2.")
    if not files and not is_remote:
        raise InvalidFileError(f"{name} is not a Zarr array (it contains no zarr.json or .zarray).")
    try:
        return zarr.open_array(str(path), mode="r")
    except Exception as error:  # each version of Zarr raises other types
        reason = short_reason(error, str(path))
        raise InvalidFileError(f"{name} is not a valid Zarr array ({reason}).") from cause(error, str(path))


def zarr_parts(array: Any, url: str = "") -> list[Part]:
    """The rows of an array, which was opened at a URL or not, as parts; all chunks must exist."""
    folder = _folder_of(array)
    name = f"the Zarr array {folder or 'in a ' + type(getattr(array, 'store', None)).__name__}"
    if not hasattr(array, "ndim"):
        raise TypeError(f"{name} is a group; pass one of its arrays.")
    metadata = _read_metadata(array, folder)
    _check_metadata(name, metadata)
    shape, dtype = tuple(map(int, array.shape)), np.dtype(array.dtype)
    check_table(name, shape, dtype)
    if any(size < 1 for size in (*array.chunks, *file_chunk_shape(array))):
        raise InvalidFileError(f"{name} has chunks of shape {tuple(array.chunks)}; write it again.")
    n_rows, row_bytes, chunk_rows = shape[0], shape[1] * dtype.itemsize, int(array.chunks[0])
    step = chunk_rows * max(1, PART_BYTES // (row_bytes * chunk_rows))
    part_bytes = max(min(step, n_rows) * row_bytes, dense_bytes(file_chunk_shape(array), dtype))
    if folder is None:
        with explain_remote_errors(url, f"{name} cannot be read", unless=(InvalidFileError,)):
            n_found, n_chunks = count_chunks_in_store(name, array)
    else:
        n_found, n_chunks = count_chunks_in_folder(name, array, folder, metadata, part_bytes)
    if n_found < n_chunks:
        raise InvalidFileError(
            f"{name} has {n_found:,} of {n_chunks:,} chunks: it is incomplete, or chunks of zeros were omitted; write "
            "all chunks (option write_empty_chunks)."
        )
    rows = [(start, min(start + step, n_rows)) for start in range(0, n_rows, step)] or [(0, 0)]
    load = partial(_load, array, name=name, url=url)
    return [
        Part(f"{name}, rows from {start}", (stop - start, shape[1]), dtype, partial(load, start, stop))
        for start, stop in rows
    ]


def _folder_of(source: Any) -> Path | None:
    """The folder of an array or group, or None if it is in another kind of store."""
    store = getattr(source, "chunk_store", getattr(source, "store", None))
    root = getattr(store, "root", None) or getattr(store, "path", None)  # Zarr 3, Zarr 2
    if not isinstance(root, str | Path):
        return None
    folder = Path(root) / getattr(source, "path", "")
    return folder if folder.is_dir() else None


def _read_metadata(array: Any, folder: Path | None) -> dict[str, Any]:
    """The metadata of an array, as in ``zarr.json`` or ``.zarray``."""
    if hasattr(array, "metadata"):
        return dict(array.metadata.to_dict())
    file = None if folder is None else folder / ".zarray"  # Zarr 2
    metadata = json.loads(file.read_bytes()) if file is not None and file.is_file() else {}
    codecs = [codec.get_config() for codec in (*(array.filters or ()), array.compressor) if codec is not None]
    return {**metadata, "filters": codecs}


def _check_metadata(name: str, metadata: Any) -> None:
    check_codecs(name, metadata)
    fill_value = metadata.get("fill_value") if isinstance(metadata, dict) else None
    if isinstance(fill_value, list | tuple | dict):
        raise InvalidFileError(
            f"{name} has the fill value {str(fill_value)[:80]}, which is not a number; write it again with a number."
        )


def _load(array: Any, start: int, stop: int, *, name: str, url: str) -> Any:
    try:
        return np.asarray(array[start:stop])
    except MemoryError:
        raise
    except Exception as error:  # depends on the codec
        reason = short_reason(error, url)
        raise InvalidFileError(f"{name} has a chunk that cannot be read ({reason}).") from cause(error, url)
