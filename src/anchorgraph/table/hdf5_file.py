"""HDF5 files, among them AnnData's ``.h5ad``; each array is parts of whole chunks, or of whole sparse rows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from anchorgraph.table.hdf5_csr import csr_parts
from anchorgraph.table.hdf5_dataset import dense_parts
from anchorgraph.table.hdf5_objects import (
    arrays_in,
    describe_arrays,
    is_sparse_group,
    open_file,
    open_object,
)
from anchorgraph.table.hdf5_path import split_path
from anchorgraph.table.parts import InvalidFileError, Part


def hdf5_parts(path: Path) -> list[Part]:
    """The rows of an array as parts.

    Without an array in the path, it is X of a ``.h5ad`` file, and the only two-dimensional array of another file.
    """
    file, inside = split_path(path)
    with open_file(file) as opened:
        inside = inside or _default_array(file, opened)
    with open_object(file, inside) as found:
        from h5py import Dataset

        if isinstance(found, Dataset):
            return dense_parts(file, inside, found)
        if is_sparse_group(found):
            return csr_parts(file, inside, found)
        raise InvalidFileError(f"{file}/{inside} is not an array; {describe_arrays(file, found.file)}.")


def _default_array(file: Path, opened: Any) -> str:
    if file.suffix == ".h5ad":
        return "X"
    found = arrays_in(opened)
    if len(found) != 1:
        raise InvalidFileError(
            f"{file} has {len(found):,} two-dimensional arrays, not one; {describe_arrays(file, opened)}."
        )
    return found[0]
