"""Matrix Market files; each is one part of a table."""

from __future__ import annotations

import gzip
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse
from scipy.io import mminfo, mmread

from anchorgraph.table.description import count
from anchorgraph.table.file_checks import (
    check_expansion,
    check_length,
    check_sparse_rows,
    check_table,
    explain_read_errors,
)
from anchorgraph.table.parts import InvalidFileError, Part
from anchorgraph.table.sparse_rows import sparse_part

MTX_SUFFIXES = (".mtx", ".mtx.gz")

MAX_RATIO = 100
"""Compressed text may be this many times as long; entries of real data shrink to a fifth or so."""

HEADER_BYTES = 2**20
"""The comments and the line with the size, which SciPy holds in memory several times, end within so many bytes."""


def mtx_part(path: Path, transpose: bool = False) -> Part:
    """The rows of a Matrix Market file, or its columns, as a part; the file is read once to find its shape."""
    load = partial(load_mtx, transpose=transpose)
    rows = load(path)
    if sparse.issparse(rows):
        return sparse_part(path, rows, load)
    return Part(str(path), rows.shape, rows.dtype, partial(load, path))


def load_mtx(path: Path, transpose: bool = False) -> Any:
    """All rows of a file, or all columns as rows, as an array or a CSR array."""
    with explain_read_errors(path, "Matrix Market file"):
        n_bytes, last = _check_text(path)
        n_rows, n_cols, n_entries, layout, _, symmetry = mminfo(path)
        shape = (n_cols, n_rows) if transpose else (n_rows, n_cols)
        check_table(path, shape, np.dtype(float))
        if symmetry != "general" and n_rows != n_cols:
            raise ValueError(f"a matrix of {count(n_rows, 'row')} and {count(n_cols, 'column')} cannot be {symmetry}")
        if layout == "coordinate":  # an entry is at least "1 1" and a line end
            check_sparse_rows(path, shape[0], n_bytes)
            check_length(path, 4 * n_entries, n_bytes)
        else:  # an entry is at least a digit and a line end; symmetric matrices store half of the entries
            check_length(path, n_rows * n_cols * 2 if symmetry == "general" else n_rows * (n_rows - 1), n_bytes)
            if n_rows == 0:  # SciPy would divide by zero and end the process
                return np.empty(shape)
            if n_rows == 1 and symmetry == "skew-symmetric":  # SciPy would write surplus values beyond its array
                raise ValueError("a skew-symmetric matrix of one row holds nothing")
        rows = mmread(path if last == b"\n" else _with_final_newline(path))
        rows = rows.T if transpose else rows
        return sparse.csr_array(rows) if sparse.issparse(rows) else rows


def _with_final_newline(path: Path) -> BytesIO:
    """The text of a file with an end of its last line; without it, SciPy reads beyond its buffer."""
    with _open_text(path) as file:
        return BytesIO(file.read() + b"\n")


def _open_text(path: Path) -> Any:
    return gzip.open(path) if path.suffix == ".gz" else path.open("rb")


def _check_text(path: Path) -> tuple[int, bytes]:
    """Number of bytes of the text of a file, and the last one."""
    n_bytes, last, stored = 0, b"", path.stat().st_size
    with _open_text(path) as file:
        while piece := file.read(HEADER_BYTES):
            if n_bytes == 0:
                _check_header(path, piece)
            if b"\0" in piece:  # SciPy would read beyond its buffer
                raise ValueError("it contains null bytes, which text files do not have")
            n_bytes, last = n_bytes + len(piece), piece[-1:]
            check_expansion(path, n_bytes, stored, MAX_RATIO, "store it uncompressed, as .mtx")
    return n_bytes, last


def _check_header(path: Path, piece: bytes) -> None:
    """Raise an error if the first bytes of a text do not reach the end of the line with the size."""
    lines = piece.split(b"\n")[:-1]
    if len(piece) == HEADER_BYTES and all(line.startswith(b"%") or not line.strip() for line in lines):
        raise InvalidFileError(
            f"{path} does not give its size within the first {HEADER_BYTES:,} bytes; remove comments before it."
        )
