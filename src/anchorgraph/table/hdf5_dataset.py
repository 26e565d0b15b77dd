"""Data sets of HDF5 files: checks of how they are stored, and dense rows as parts of whole chunks."""

from __future__ import annotations

import math
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from anchorgraph.table.file_checks import check_expansion, check_table, dense_bytes
from anchorgraph.table.hdf5_objects import open_object, reads_other_files
from anchorgraph.table.parts import PART_BYTES, InvalidFileError, Part

FILTERS = {1: "gzip", 2: "shuffle", 3: "fletcher32", 4: "szip", 32000: "lzf"}
"""Filters by their number in the format; for others, HDF5 would load code from a plugin."""

MAX_RATIO = 1100
"""Deflate, the strongest of the filters, makes at most 1,032 bytes of one."""


def check_source(name: str, dataset: Any) -> None:
    """Raise an error if a data set would read other files, or take code from elsewhere."""
    if reads_other_files(dataset):
        raise InvalidFileError(f"{name} refers to other files, which are not read; copy its numbers into one file.")
    how = dataset.id.get_create_plist()
    for number in range(how.get_nfilters()):
        code, *_, title = how.get_filter(number)
        if code not in FILTERS:
            raise InvalidFileError(
                f"{name} is stored with the filter {title.decode('ascii', 'replace')[:80] or code!r}, which could run "
                f"code of others; store it with one of {', '.join(FILTERS.values())}."
            )


def check_storage(name: str, file: Path, dataset: Any) -> None:
    """Raise an error unless all numbers of a data set are stored in the file.

    HDF5 would return zeros for what was never written, however much that is.

    Parameters
    ----------
    name : str
        The file and the data set, for error messages.
    file : Path
    dataset : h5py.Dataset
    """
    check_source(name, dataset)
    shape, stored, file_bytes = dataset.shape, dataset.id.get_storage_size(), file.stat().st_size
    if shape is None:
        raise InvalidFileError(f"{name} is empty; store two-dimensional real numbers.")
    n_bytes = dense_bytes(shape, dataset.dtype)
    if stored > file_bytes:
        raise InvalidFileError(f"{name} claims {stored:,} bytes of a file of {file_bytes:,}; write it again.")
    if (chunks := dataset.chunks) is not None and n_bytes:
        n_chunks = math.prod(-(-length // size) for length, size in zip(shape, chunks, strict=True))
        if (n_found := dataset.id.get_num_chunks()) < n_chunks:
            raise InvalidFileError(
                f"{name} has {n_found:,} of {n_chunks:,} chunks: it is incomplete; write all of its rows."
            )
        n_bytes = n_chunks * dense_bytes(chunks, dataset.dtype)  # a chunk is read as a whole
    if dataset.id.get_create_plist().get_nfilters():
        check_expansion(name, n_bytes, stored, MAX_RATIO, "store it in smaller chunks, or uncompressed")
    elif stored < n_bytes:
        raise InvalidFileError(f"{name} has {stored:,} of {n_bytes:,} bytes: it is incomplete; write all of its rows.")


def dense_parts(file: Path, inside: str, dataset: Any) -> list[Part]:
    """The rows of a two-dimensional data set as parts."""
    name = f"{file}/{inside}"
    check_source(name, dataset)
    dtype = np.dtype(dataset.dtype)
    check_table(name, dataset.shape or (), dtype)
    check_storage(name, file, dataset)
    n_rows, n_cols = map(int, dataset.shape)
    chunk_rows, row_bytes = (dataset.chunks or (1,))[0], n_cols * dtype.itemsize
    step = chunk_rows * max(1, PART_BYTES // (row_bytes * chunk_rows))
    load = partial(_load, file, inside)
    return [
        Part(name, (min(step, n_rows - start), n_cols), dtype, partial(load, start, start + step), first_row=start)
        for start in range(0, max(n_rows, 1), step)
    ]


def _load(file: Path, inside: str, start: int, stop: int) -> Any:
    with open_object(file, inside) as dataset:
        check_source(f"{file}/{inside}", dataset)  # the file may have been replaced
        return dataset[start:stop]
