"""Matrix Market files; each is one part of a table."""

from __future__ import annotations

from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse
from scipy.io import mminfo, mmread

from anchorgraph.table.file_checks import (
    check_length,
    check_sparse_rows,
    check_table,
    explain_read_errors,
    read_pieces,
)
from anchorgraph.table.parts import Part
from anchorgraph.table.sparse_rows import sparse_part


def mtx_part(path: Path) -> Part:
    """The rows of a Matrix Market file as a part; the file is read once to find its shape."""
    rows = load_mtx(path)
    if sparse.issparse(rows):
        return sparse_part(path, rows, load_mtx)
    return Part(str(path), rows.shape, rows.dtype, partial(load_mtx, path))


def load_mtx(path: Path) -> Any:
    """All rows of a file, as an array or a CSR array."""
    with explain_read_errors(path, "Matrix Market file"):
        if any(b"\0" in piece for piece in read_pieces(path)):  # SciPy would read beyond its buffer
            raise ValueError("it contains null bytes, which text files do not have")
        n_rows, n_cols, n_entries, layout, _, symmetry = mminfo(path)
        check_table(path, (n_rows, n_cols), np.dtype(float))
        if symmetry != "general" and n_rows != n_cols:
            raise ValueError(f"a matrix of {n_rows} rows and {n_cols} columns cannot be {symmetry}")
        if layout == "coordinate":  # an entry is at least "1 1" and a line end
            check_sparse_rows(path, n_rows, path.stat().st_size)
            check_length(path, 4 * n_entries)
        else:  # an entry is at least a digit and a line end; symmetric matrices store half of the entries
            check_length(path, n_rows * n_cols * 2 if symmetry == "general" else n_rows * (n_rows - 1))
        rows = mmread(_with_final_newline(path))
        return sparse.csr_array(rows) if sparse.issparse(rows) else rows


def _with_final_newline(path: Path) -> Path | BytesIO:
    """A file whose last line has an end; without it, SciPy reads beyond its buffer."""
    *_, last = read_pieces(path)
    return path if last.endswith(b"\n") else BytesIO(path.read_bytes() + b"\n")
