"""Matrix Market files as parts of a table."""

from __future__ import annotations

from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse
from scipy.io import mminfo, mmread

from anchorgraph.table.claims import check_length, check_sparse_rows, check_table, pieces_of, reading
from anchorgraph.table.parts import Part
from anchorgraph.table.sparse_rows import sparse_part


def mtx_part(path: Path) -> Part:
    """The rows of a Matrix Market file, read once to know them."""
    rows = load_mtx(path)
    if sparse.issparse(rows):
        return sparse_part(path, rows, load_mtx)
    return Part(str(path), rows.shape, rows.dtype, partial(load_mtx, path))


def load_mtx(path: Path) -> Any:
    """All rows of a file, as an array or a CSR array."""
    with reading(path, "Matrix Market file"):
        if any(b"\0" in piece for piece in pieces_of(path)):  # SciPy goes on from one to the end of the memory
            raise ValueError("it has bytes of value 0, which no text has")
        n_rows, n_cols, n_entries, layout, _, symmetry = mminfo(path)
        check_table(path, (n_rows, n_cols), np.dtype(float))
        if symmetry != "general" and n_rows != n_cols:
            raise ValueError(f"{n_rows} rows of {n_cols} columns cannot be {symmetry}")
        if layout == "coordinate":  # an entry is at least "1 1" and the end of its line
            check_sparse_rows(path, n_rows, path.stat().st_size)
            check_length(path, 4 * n_entries)
        else:  # at least a digit and the end of its line; half of them where the other half follows
            check_length(path, n_rows * n_cols * 2 if symmetry == "general" else n_rows * (n_rows - 1))
        rows = mmread(_ended(path))
        return sparse.csr_array(rows) if sparse.issparse(rows) else rows


def _ended(path: Path) -> Path | BytesIO:
    """A file whose last line has an end, without which SciPy reads on into the memory."""
    *_, last = pieces_of(path)
    return path if last.endswith(b"\n") else BytesIO(path.read_bytes() + b"\n")
