"""Sparse rows in HDF5 files, in AnnData's encoding: a group with the arrays data, indices and indptr."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from anchorgraph.table.file_checks import check_sparse_rows, check_table
from anchorgraph.table.hdf5_dataset import check_source, check_storage
from anchorgraph.table.hdf5_objects import SPARSE_ARRAYS, is_sparse_group, open_object
from anchorgraph.table.parts import PART_BYTES, InvalidFileError, Part
from anchorgraph.table.sparse_rows import csr_from_arrays


def csr_parts(file: Path, inside: str, group: Any) -> list[Part]:
    """The rows of a group in CSR format as parts of about 16 MiB; only ``indptr`` is read as a whole, once."""
    name = f"{file}/{inside}"
    shape = _read_shape(name, group)
    for array in SPARSE_ARRAYS:
        check_storage(f"{name}/{array}", file, _member(name, group, array))
    check_table(name, shape, group["data"].dtype)
    check_sparse_rows(name, shape[0], file.stat().st_size)
    indptr, n_entries = _read_indptr(group, 0, shape[0]), len(group["data"])
    if len(indptr) != shape[0] + 1 or len(group["indptr"]) != len(indptr) or len(group["indices"]) != n_entries:
        lengths = ", ".join(f"{array} {group[array].shape}" for array in SPARSE_ARRAYS)
        raise ValueError(f"{lengths} do not fit shape {shape}")
    descents = np.flatnonzero(indptr[1:] < indptr[:-1])
    if indptr[0] != 0 or indptr[-1] > n_entries or descents.size:
        where = f"; it descends at row {descents[0]}" if descents.size else ""
        raise ValueError(f"indptr does not increase from 0 to at most {n_entries}{where}")
    dtype = group["data"].dtype
    dtype = np.dtype(np.float32) if dtype == np.float16 else dtype.newbyteorder("=")  # as SciPy has them
    entry_bytes = max(dtype.itemsize, 4) + group["indices"].dtype.itemsize
    row_bytes = max(1, entry_bytes * int(indptr[-1]) // max(shape[0], 1))
    load = partial(_load, file, inside, shape)
    return [
        Part(name, (stop - start, shape[1]), dtype, partial(load, start, stop), row_bytes, first_row=start)
        for start, stop in _spans(indptr, max(1, PART_BYTES // entry_bytes))
    ]


def _read_shape(name: str, group: Any) -> tuple[int, int]:
    """The shape of a group, which must be stored by rows; attributes as AnnData writes them, and as it once did."""
    layout = str(_read_attribute(group, "encoding-type", "h5sparse_format", "OSU") or "").removesuffix("_matrix")
    if layout == "csc":
        raise InvalidFileError(
            f"{name} is a sparse matrix in CSC format, which is stored by columns; store it by rows: load it with "
            "adata.to_memory(), set adata.X = adata.X.tocsr() and write it again."
        )
    shape = np.ravel(_read_attribute(group, "shape", "h5sparse_shape", "iu"))
    if layout != "csr" or len(shape) != 2 or None in shape:
        raise InvalidFileError(
            f"{name} has the arrays of a sparse matrix, but not the attributes 'encoding-type' (csr_matrix) and "
            "'shape' of AnnData's format; write it with anndata."
        )
    return int(shape[0]), int(shape[1])


def _read_attribute(group: Any, name: str, former: str, kinds: str) -> Any:
    found = next((key for key in (name, former) if key in group.attrs), None)
    if found is None:
        return None
    attribute = group.attrs.get_id(found)
    if attribute.dtype.kind not in kinds or attribute.shape not in ((), (2,)):
        raise ValueError(f"its attribute {found!r} has shape {attribute.shape} and dtype {attribute.dtype}")
    value = group.attrs[found]
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


def _member(name: str, group: Any, array: str) -> Any:
    from h5py import Dataset

    held = group[array]
    if not isinstance(held, Dataset):
        raise ValueError(f"{array} is not an array")
    check_source(f"{name}/{array}", held)
    if held.ndim != 1 or held.dtype.kind not in ("fiub" if array == "data" else "iu"):
        raise ValueError(f"{array} has shape {held.shape} and dtype {held.dtype}")
    return held


def _read_indptr(group: Any, start: int, stop: int) -> Any:
    return group["indptr"][start : stop + 1].astype(np.int64)


def _spans(indptr: Any, limit: int) -> list[tuple[int, int]]:
    """Consecutive rows with at most ``limit`` rows and entries together, or a single row with more."""
    n_rows, found, start = len(indptr) - 1, [], 0
    # empty rows count, too
    ends = indptr + np.arange(n_rows + 1)
    while start < n_rows:
        stop = max(start + 1, int(np.searchsorted(ends, ends[start] + limit, side="right")) - 1)
        found.append((start, stop))
        start = stop
    return found or [(0, 0)]


def _load(file: Path, inside: str, shape: tuple[int, int], start: int, stop: int) -> Any:
    name = f"{file}/{inside}"
    with open_object(file, inside) as group:
        if not is_sparse_group(group):  # the file may have been replaced
            raise ValueError("it is not a sparse matrix any more")
        data, indices, _ = (_member(name, group, array) for array in SPARSE_ARRAYS)
        indptr = _read_indptr(group, start, stop)
        if len(indptr) != stop - start + 1 or not 0 <= indptr[0] <= indptr[-1]:
            raise ValueError(f"indptr does not increase from row {start} to row {stop}")
        first, last = int(indptr[0]), int(indptr[-1])
        columns = indices[first:last]
        if len(outside := np.flatnonzero((columns < 0) | (columns >= shape[1]))):
            row = start + int(np.searchsorted(indptr - first, outside[0], side="right")) - 1
            raise ValueError(f"row {row} has the column index {columns[outside[0]]}, not in [0, {shape[1] - 1}]")
        arrays = {
            "format": np.array("csr"),
            "shape": np.array((stop - start, shape[1])),
            "data": data[first:last],
            "indices": columns,
            "indptr": indptr - first,
        }
        return csr_from_arrays(Path(name), arrays.__getitem__)
