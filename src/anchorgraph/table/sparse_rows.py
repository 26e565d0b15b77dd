"""Sparse rows from unchecked arrays: SciPy does not check indices and would access memory out of bounds."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from anchorgraph.table.file_checks import check_sparse_rows, check_table
from anchorgraph.table.parts import InvalidFileError, Part


def sparse_part(path: Path, rows: Any, load: Callable[[Path], Any]) -> Part:
    """The rows of a file as a part, given the same rows in memory."""
    entry_bytes = max(rows.dtype.itemsize, 4) + rows.indices.itemsize
    row_bytes = max(1, entry_bytes * rows.nnz // max(rows.shape[0], 1))
    return Part(str(path), rows.shape, rows.dtype, partial(load, path), row_bytes)


def csr_from_arrays(path: Path, read: Callable[[str], Any]) -> Any:
    """The CSR array of a file written by :func:`scipy.sparse.save_npz`, in any of its formats.

    Parameters
    ----------
    path : Path
    read : callable
        Returns the array with a given name.

    Returns
    -------
    csr_array
    """
    kind = read("format").item()
    kind = kind.decode("ascii") if isinstance(kind, bytes) else kind
    if kind not in BUILDERS:
        raise InvalidFileError(f"{path} holds a sparse matrix of format {kind!r}; save one of {', '.join(BUILDERS)}.")
    data, lengths = read("data"), _integers(read("shape"))
    if lengths.shape != (2,):
        raise ValueError(f"its array 'shape' has shape {lengths.shape}, not (2,)")
    shape = tuple(lengths.tolist())
    check_table(path, shape, data.dtype)
    # SciPy supports neither float16 nor foreign byte orders
    data = data.astype(np.float32 if data.dtype == np.float16 else data.dtype.newbyteorder("="), copy=False)
    return sparse.csr_array(BUILDERS[kind](path, data, shape, lambda name: _integers(read(name))))


def _csr(path: Path, data: Any, shape: tuple[int, ...], read: Callable[[str], Any]) -> Any:
    return _compressed(sparse.csr_array, data, shape, shape, read)


def _csc(path: Path, data: Any, shape: tuple[int, ...], read: Callable[[str], Any]) -> Any:
    check_sparse_rows(path, shape[0], data.nbytes)
    return _compressed(sparse.csc_array, data, shape, shape[::-1], read)


def _bsr(path: Path, data: Any, shape: tuple[int, ...], read: Callable[[str], Any]) -> Any:
    check_sparse_rows(path, shape[0], data.nbytes)
    blocks = data.shape[1:]
    if data.ndim != 3 or 0 in blocks or shape[0] % blocks[0] or shape[1] % blocks[1]:
        raise ValueError(f"blocks of shape {blocks} do not fill shape {shape}")
    return _compressed(sparse.bsr_array, data, shape, (shape[0] // blocks[0], shape[1] // blocks[1]), read)


def _compressed(
    maker: Any, data: Any, shape: tuple[int, ...], grid: tuple[int, ...], read: Callable[[str], Any]
) -> Any:
    """A matrix whose ``indptr`` and ``indices`` are checked for a grid of (outer, inner) cells.

    SciPy's ``check_format(full_check=True)`` accepts two kinds of arrays that crash the process: it ignores ``indptr``
    if its last number is 0, and computes differences of it that overflow.
    """
    indices, indptr = read("indices"), read("indptr")
    if indices.ndim != 1 or indptr.shape != (grid[0] + 1,) or len(indices) != len(data):
        raise ValueError(f"indices {indices.shape} and indptr {indptr.shape} do not fit data {data.shape} of {shape}")
    if indptr[0] != 0 or indptr[-1] > len(indices) or (indptr[1:] < indptr[:-1]).any():
        raise ValueError(f"indptr does not increase from 0 to at most {len(indices)}")
    _check_range("indices", indices, grid[1])
    made = maker((data, indices, indptr), shape=shape)
    made.check_format(full_check=True)
    return made


def _coo(path: Path, data: Any, shape: tuple[int, ...], read: Callable[[str], Any]) -> Any:
    check_sparse_rows(path, shape[0], data.nbytes)
    try:
        row, col = read("coords")  # the format of future SciPy versions
    except KeyError:
        row, col = read("row"), read("col")
    if not data.shape == row.shape == col.shape or data.ndim != 1:
        raise ValueError(f"row {row.shape} and col {col.shape} do not fit data {data.shape}")
    _check_range("row", row, shape[0])
    _check_range("col", col, shape[1])
    return sparse.coo_array((data, (row, col)), shape=shape)


def _dia(path: Path, data: Any, shape: tuple[int, ...], read: Callable[[str], Any]) -> Any:
    check_sparse_rows(path, shape[0], data.nbytes)
    offsets = read("offsets")
    if data.ndim != 2 or offsets.shape != data.shape[:1] or len(np.unique(offsets)) != len(offsets):
        raise ValueError(f"offsets {offsets.shape} do not fit data {data.shape}")
    _check_range("offsets", offsets, shape[1], least=1 - shape[0])
    # not by SciPy, whose time grows with offsets × columns, even if few entries are stored
    diagonal, col = np.nonzero(data[:, : shape[1]])
    row = col - offsets[diagonal]
    inside = (row >= 0) & (row < shape[0])
    diagonal, row, col = diagonal[inside], row[inside], col[inside]
    return sparse.coo_array((data[diagonal, col], (row, col)), shape=shape)


BUILDERS: dict[str, Callable[..., Any]] = {"csr": _csr, "csc": _csc, "coo": _coo, "bsr": _bsr, "dia": _dia}


def _integers(array: Any) -> Any:
    """Indices of any integer type as signed integers."""
    if array.dtype.kind not in "iu":
        raise ValueError(f"indices have dtype {array.dtype}, not integers")
    if array.dtype.kind == "u" and array.size and array.max() > np.iinfo(np.int64).max:
        raise ValueError(f"index {array.max()} is out of range")
    return array if array.dtype in (np.int32, np.int64) else array.astype(np.int64)


def _check_range(name: str, indices: Any, end: int, least: int = 0) -> None:
    if indices.size and not least <= indices.min() <= indices.max() < end:
        raise ValueError(f"{name}: values from {indices.min()} to {indices.max()} are not all in [{least}, {end - 1}]")
