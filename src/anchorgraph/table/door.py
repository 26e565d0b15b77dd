"""The door through which all data come in."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from anchorgraph.contracts import RowTable
from anchorgraph.table.memory import MemoryTable


def as_table(source: Any, *, block_rows: int | None = None) -> RowTable:
    """Give any source of rows the three verbs of a :class:`~anchorgraph.contracts.RowTable`.

    Parameters
    ----------
    source : ndarray, memmap, sparse matrix or array, or a table
        Two-dimensional numbers. Integers of up to 16 bits and float16 are read as float32, wider integers as float64,
        block by block; float32 and float64 stay as they are and are not copied.
    block_rows : int, optional
        Rows in a block. By default a block takes a quarter of scikit-learn's ``working_memory`` setting.

    Returns
    -------
    RowTable
    """
    if isinstance(source, MemoryTable):
        return source
    if sparse.issparse(source):
        array: Any = sparse.csr_array(source)
    elif isinstance(source, np.ndarray):
        array = np.asarray(source)  # a memory map becomes a plain view of the same mapping
    else:
        raise TypeError(
            f"source of type {type(source).__name__!r} is not a table of numbers; pass a NumPy array, a memory map "
            "or a SciPy sparse array."
        )
    if array.ndim != 2 or array.dtype.kind not in "fiub":
        raise ValueError(
            f"source has shape {array.shape} and dtype {array.dtype}; pass a two-dimensional array of real numbers."
        )
    return MemoryTable(array, block_rows=block_rows)
