"""Paths that go on inside an HDF5 file."""

from __future__ import annotations

from os.path import isfile
from pathlib import Path

HDF5_SUFFIXES = (".h5", ".hdf5", ".h5ad")


def split_path(path: Path) -> tuple[Path, str]:
    """The file that a path leads to, and the path of an array inside it if it is an HDF5 file.

    Parameters
    ----------
    path : Path
        Such as ``cells.h5ad/obsm/X_pca``.

    Returns
    -------
    file : Path
    inside : str
        Empty if the path ends with the file.
    """
    for file in (path, *path.parents):
        if file.suffix in HDF5_SUFFIXES and isfile(file):
            inside = path.relative_to(file).as_posix()
            return file, "" if inside == "." else inside
    return path, ""
