"""``.npz`` files as parts of a table: a sparse matrix that SciPy saved, or an array X that NumPy did.

NumPy and SciPy believe what such a file says. Here the header of each array is held against the directory of the zip
file, and that against the file's size, before anything is read.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np
from scipy import sparse

from anchorgraph.table.claims import check_expansion, check_table, reading
from anchorgraph.table.npy_file import Header, read_header
from anchorgraph.table.parts import BrokenPartError, Part
from anchorgraph.table.sparse_rows import csr_of_arrays, sparse_part

KIND = ".npz file with an array X or a sparse matrix of SciPy's"


def npz_part(path: Path) -> Part:
    """The rows of a ``.npz`` file, read once to know them."""
    rows = load_npz(path)
    if sparse.issparse(rows):
        return sparse_part(path, rows, load_npz)
    return Part(str(path), rows.shape, rows.dtype, partial(load_npz, path))


def load_npz(path: Path) -> Any:
    """All rows of a file, as an array or a CSR array."""
    with reading(path, KIND), ZipFile(path) as archive:
        arrays = [name.removesuffix(".npy") for name in archive.namelist() if name.endswith(".npy")]
        if "format" in arrays:
            return csr_of_arrays(path, partial(_read_array, path, archive))
        if not arrays:
            raise BrokenPartError(f"{path} has no arrays in it; save one with numpy.savez.")
        name = "X" if "X" in arrays else arrays[0]
        header = _read_header(path, archive, name)
        check_table(path, header.shape, header.dtype)
        return _read_array(path, archive, name)


def _read_header(path: Path, archive: ZipFile, name: str) -> Header:
    member = archive.getinfo(f"{name}.npy")
    with archive.open(member) as file:
        header = read_header(file)
    if header.n_bytes != member.file_size:
        raise BrokenPartError(
            f"{path} has {member.file_size:,} bytes where its array {name!r} takes {header.n_bytes:,}; write it again."
        )
    stored = min(member.compress_size, path.stat().st_size)
    way_out = "store it uncompressed, with numpy.savez or as .npy"
    check_expansion(f"Array {name!r} of {path}", header.n_bytes, stored, 100, way_out)
    return header


def _read_array(path: Path, archive: ZipFile, name: str) -> Any:
    _read_header(path, archive, name)
    with archive.open(f"{name}.npy") as file:
        return np.lib.format.read_array(file, allow_pickle=False)
