"""Objects of HDF5 files, and the paths that lead to them.

A file may contain links and data sets that read other files. Objects are therefore reached link by link, and nothing is
asked of a data set before it is known to be stored in this file.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from anchorgraph.table.file_checks import explain_read_errors
from anchorgraph.table.parts import InvalidFileError

SPARSE_ARRAYS = ("data", "indices", "indptr")

MAX_LINKS = 16
"""Soft links on the way to an array; more are taken for a circle, as HDF5 does."""

SHOWN = 8
"""Number of arrays that an error message lists."""


@contextmanager
def open_object(file: Path, inside: str) -> Iterator[Any]:
    """Open a data set or group of a file for reading."""
    with open_file(file, f"HDF5 file with an array {inside!r}") as opened:
        yield _find(file, inside, opened)


@contextmanager
def open_file(file: Path, kind: str = "HDF5 file") -> Iterator[Any]:
    """Open a file for reading, of the expected kind."""
    try:
        import h5py
    except ImportError as error:
        raise ImportError(f'Reading {file} requires h5py: pip install "anchorgraph[io]".') from error
    with explain_read_errors(file, kind), h5py.File(file, "r") as opened:
        yield opened


def _find(file: Path, inside: str, opened: Any) -> Any:
    """The object at a path inside a file, through groups and soft links of this file only."""
    from h5py import Group, h5l

    held, n_links, steps = opened["/"], 0, inside.split("/")[::-1]
    while steps:
        step = steps.pop().encode()
        if step in (b"", b"."):
            continue
        if not isinstance(held, Group) or not held.id.links.exists(step):
            raise InvalidFileError(f"{file} has no array {inside!r}; {describe_arrays(file, opened)}.")
        kind = held.id.links.get_info(step).type
        if kind == h5l.TYPE_SOFT:
            n_links += 1
            if n_links > MAX_LINKS:
                raise InvalidFileError(f"{file}/{inside} is a link that leads through more than {MAX_LINKS} others.")
            target = held.id.links.get_val(step).decode()
            held = opened["/"] if target.startswith("/") else held
            steps += target.split("/")[::-1]
        elif kind == h5l.TYPE_HARD:
            held = held[step]
        else:
            raise InvalidFileError(
                f"{file}/{inside} is a link to another file, which is not followed; pass the path of that file."
            )
    return held


def arrays_in(opened: Any) -> list[str]:
    """Names of the two-dimensional arrays; links are not followed."""
    from h5py import Dataset

    found: list[str] = []

    def visit(name: str, held: Any) -> None:
        is_array = isinstance(held, Dataset) and (reads_other_files(held) or held.ndim == 2)
        if is_array or is_sparse_group(held):
            found.append(name)

    opened.visititems(visit)
    return found


def describe_arrays(file: Path, opened: Any) -> str:
    """The arrays of a file and how to choose one, as part of an error message."""
    names = arrays_in(opened)
    if not names:
        return "store a two-dimensional array in it"
    shown = ", ".join(repr(name[:60]) for name in names[:SHOWN]) + ", …" * (len(names) > SHOWN)
    return f"its arrays are {shown}: pass one of them in the path, as in {f'{file.name}/{names[0][:60]}'!r}"


def reads_other_files(dataset: Any) -> bool:
    """Whether the numbers of a data set are in other files; to ask even for its shape would open these."""
    from h5py import h5d

    how = dataset.id.get_create_plist()
    return how.get_layout() not in (h5d.COMPACT, h5d.CONTIGUOUS, h5d.CHUNKED) or how.get_external_count() > 0


def is_sparse_group(held: Any) -> bool:
    """Whether an object is a group with the arrays of a sparse matrix."""
    from h5py import Group, h5l

    links = held.id.links if isinstance(held, Group) else None
    return links is not None and all(
        links.exists(name) and links.get_info(name).type == h5l.TYPE_HARD for name in map(str.encode, SPARSE_ARRAYS)
    )
