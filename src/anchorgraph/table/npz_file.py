"""``.npz`` files; each is one part of a table: a sparse matrix saved by SciPy, or an array X saved by NumPy.

NumPy and SciPy trust the headers of such a file. Here the header of each array is compared with the directory of the
zip file, and that with the size of the file, before anything is read.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np
from scipy import sparse

from anchorgraph.table.file_checks import check_expansion, check_table, explain_read_errors
from anchorgraph.table.npy_file import Header, read_header
from anchorgraph.table.parts import InvalidFileError, Part
from anchorgraph.table.sparse_rows import csr_from_arrays, sparse_part

KIND = ".npz file with an array X or a SciPy sparse matrix"


def npz_part(path: Path) -> Part:
    """The rows of a ``.npz`` file as a part; the file is read once to find its shape."""
    rows = load_npz(path)
    if sparse.issparse(rows):
        return sparse_part(path, rows, load_npz)
    return Part(str(path), rows.shape, rows.dtype, partial(load_npz, path))


def load_npz(path: Path) -> Any:
    """All rows of a file, as an array or a CSR array."""
    with explain_read_errors(path, KIND), ZipFile(path) as archive:
        arrays = [name.removesuffix(".npy") for name in archive.namelist() if name.endswith(".npy")]
        if "format" in arrays:
            return csr_from_arrays(path, partial(_read_array, path, archive))
        if not arrays:
            raise InvalidFileError(f"{path} contains no arrays; save one with numpy.savez.")
        name = "X" if "X" in arrays else arrays[0]
        header = _read_header(path, archive, name)
        check_table(path, header.shape, header.dtype)
        return _read_array(path, archive, name)


def _read_header(path: Path, archive: ZipFile, name: str) -> Header:
    member = archive.getinfo(f"{name}.npy")
    with archive.open(member) as file:
        header = read_header(file)
    if header.n_bytes != member.file_size:
        raise InvalidFileError(
            f"{path} has {member.file_size:,} bytes for the array {name!r}, which takes {header.n_bytes:,}; write it "
            "again."
        )
    stored = min(member.compress_size, path.stat().st_size)
    remedy = "store it uncompressed, with numpy.savez or as .npy"
    check_expansion(f"Array {name!r} of {path}", header.n_bytes, stored, 100, remedy)
    return header


def _read_array(path: Path, archive: ZipFile, name: str) -> Any:
    _read_header(path, archive, name)
    with archive.open(f"{name}.npy") as file:
        return np.lib.format.read_array(file, allow_pickle=False)
