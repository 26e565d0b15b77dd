"""Sparse rows with the same number of entries in every row, such as those of Z, stored in little space.

A CSR array has four bytes for each column and for the start of each row. Few anchors need two for a column, and rows of
equal length need no starts.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from anchorgraph.table.npy_file import npy_part
from anchorgraph.table.parts import Part
from anchorgraph.table.target import write_shard


@dataclass(frozen=True)
class PackedRows:
    """Sparse rows with k entries each; indexing by a slice or an array of row numbers gives a CSR array.

    Attributes
    ----------
    columns : (n, k) integers
        An array, or the rows of a file.
    weights : (n, k) numbers
        The values in these columns.
    n_cols : int
    """

    columns: Any
    weights: Any
    n_cols: int

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and columns."""
        return self.weights.shape[0], self.n_cols

    @property
    def dtype(self) -> np.dtype[Any]:
        """Type of the values."""
        dtype: np.dtype[Any] = self.weights.dtype
        return dtype

    def __getitem__(self, rows: Any) -> sparse.csr_array:
        weights, columns = self.weights[rows], self.columns[rows]
        n, k = weights.shape
        starts = np.arange(0, n * k + 1, k, dtype=np.int64 if n * k > np.iinfo(np.int32).max else np.int32)
        return sparse.csr_array((weights.ravel(), columns.ravel().astype(np.int32), starts), shape=(n, self.n_cols))


def pack(rows: Any) -> Any:
    """Sparse rows as :class:`PackedRows`; dense rows, and those with unequal numbers of entries, are returned as is."""
    if not sparse.issparse(rows) or not rows.nnz:
        return rows
    n, k = rows.shape[0], int(rows.indptr[1])
    if (np.diff(rows.indptr) != k).any():
        return rows
    columns = rows.indices[: n * k].astype(column_type(rows.shape[1]))
    return PackedRows(columns.reshape(n, k), rows.data[: n * k].reshape(n, k), rows.shape[1])


def unpack(rows: Any) -> Any:
    """The rows that were packed, as a CSR array; other rows are returned as is."""
    return rows[0 : rows.shape[0]] if isinstance(rows, PackedRows) else rows


def column_type(n_cols: int) -> type[np.signedinteger[Any]]:
    """The smallest integer type for the numbers of so many columns."""
    return np.int16 if n_cols <= np.iinfo(np.int16).max else np.int32


def packed_part(rows: PackedRows, folder: Path, number: int) -> Part:
    """Write packed rows to two files of a folder, which are then a part of a table.

    Parameters
    ----------
    rows : PackedRows
    folder : Path
    number : int
        Number of the part, from zero.

    Returns
    -------
    Part
    """
    of_columns = folder / "columns"
    of_columns.mkdir(exist_ok=True)
    path = write_shard(rows.weights, folder, number)
    columns, weights = npy_part(write_shard(rows.columns, of_columns, number)).open(), npy_part(path).open()
    row_bytes = rows.weights.shape[1] * (rows.dtype.itemsize + np.dtype(np.int32).itemsize)
    return Part(str(path), rows.shape, rows.dtype, partial(PackedRows, columns, weights, rows.n_cols), row_bytes)
