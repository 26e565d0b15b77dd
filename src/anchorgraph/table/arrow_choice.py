"""Which columns of Arrow files are read: those that are named, or else the only vectors, or else all."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, Protocol

from anchorgraph.table.arrow_columns import Chosen, Column
from anchorgraph.table.column_errors import hold_no_numbers, no_column, ways_out
from anchorgraph.table.parts import InvalidFileError

ELEMENT = re.compile(r"0|[1-9][0-9]{0,9}")
"""The number of an element of a vector in the name of a feature, such as ``emb_12``."""


class ColumnFile(Protocol):
    """A file, or another source, with column names."""

    @property
    def columns(self) -> Mapping[str, Column]:
        """Its columns by name."""

    def width(self, name: str) -> int | None:
        """The length of the first vector in a column, or None if there is none."""

    def count_rows(self) -> int:
        """Number of rows."""

    def refuse(self, names: list[str], chosen: list[str]) -> ValueError:
        """The error about some of the chosen columns, which hold no numbers."""


def as_names(names: str | Sequence[str] | None) -> list[str] | None:
    """A name or several names as a list."""
    return [names] if isinstance(names, str) else None if names is None else list(names)


def refuse_by_type(file: ColumnFile, names: list[str]) -> ValueError:
    """The error about columns whose types are not those of numbers."""
    return hold_no_numbers(file, {name: file.columns[name].kind for name in names}, ways_out(names))


def choose_columns(files: Sequence[Any], columns: list[str] | None, without: list[str]) -> list[Chosen]:
    """The columns to read from some files.

    Parameters
    ----------
    files : sequence of ColumnFile
    columns : list of str or None
        Names of columns, of which a vector column's stands for all of its numbers, or names of single numbers of
        vectors, such as ``emb_0``. None chooses the only vector column, or all columns if there is none.
    without : list of str
        Columns to leave out.

    Returns
    -------
    list of Chosen
    """
    first = files[0]
    for name in without:
        if name not in first.columns:
            raise no_column(first, name, first.columns)
    names = _default(first, without) if columns is None else [name for name in columns if name not in without]
    if not names:
        raise ValueError(f"{first} has no columns to read; store or choose at least one.")
    chosen = _resolve(files, names)
    _check_files(files, chosen, {*without} if columns is None else None)
    expanded = [name for column in chosen for name in column.names]
    if len({*expanded}) < len(expanded):
        twice = Counter(expanded).most_common(1)[0][0]
        raise ValueError(f"{first} would have two columns named {twice!r}; choose one of them with columns=[…].")
    return chosen


def _default(file: ColumnFile, without: list[str]) -> list[str]:
    features = [column for name, column in file.columns.items() if name not in without and not column.is_partition]
    vectors = [column.name for column in features if column.element is not None]
    if len(vectors) > 1:
        raise ValueError(
            f"{file} has several columns of vectors: {', '.join(map(repr, vectors[:20]))}; choose with "
            f"columns={vectors[0]!r} (--column of the program)."
        )
    return vectors or [column.name for column in features]


def _resolve(files: Sequence[ColumnFile], names: list[str]) -> list[Chosen]:
    """Columns by name; consecutive numbers of the same vectors are read together."""
    chosen = []
    found = [_find(files[0], name) for name in names]
    for (name, is_whole), own in groupby(found, key=lambda one: (one[0], one[1] is None)):
        width = _width(files, name) if files[0].columns[name].element is not None else None
        if is_whole:
            chosen += [Chosen(name, width) for _ in own]
            continue
        numbers = tuple(number for _, number in own if number is not None)
        if width is None or max(numbers) >= width:
            raise no_column(files[0], f"{name}_{max(numbers)}", files[0].columns)
        chosen.append(Chosen(name, width, None if numbers == tuple(range(width)) else numbers))
    return chosen


def _find(file: ColumnFile, name: str) -> tuple[str, int | None]:
    """The column of a name, and the number of an element if it is the name of one."""
    if name in file.columns:
        return name, None
    vector, _, number = name.rpartition("_")
    if vector in file.columns and file.columns[vector].element is not None and ELEMENT.fullmatch(number):
        return vector, int(number)
    raise no_column(file, name, file.columns)


def _width(files: Sequence[ColumnFile], name: str) -> int:
    """The length of the first vector of all files."""
    width = next((width for file in files if name in file.columns and (width := file.width(name)) is not None), None)
    if width is None and any(file.count_rows() for file in files):
        raise InvalidFileError(
            f"Column {name!r} of {files[0]} has no vectors: all its values are missing; store them, or choose another "
            "column with columns=[…]."
        )
    if width is None:
        raise ValueError(f"{files[0]} has no rows{', and neither has any other file' * (len(files) > 1)}.")
    if width == 0:
        raise InvalidFileError(f"Column {name!r} of {files[0]} holds vectors of 0 numbers; store at least one.")
    return width


def _check_files(files: Sequence[ColumnFile], chosen: list[Chosen], without: set[str] | None) -> None:
    """Raise an error if a file lacks a column, or holds something else in it; or has more, unless they were chosen.

    Parameters
    ----------
    files : sequence of ColumnFile
    chosen : list of Chosen
    without : set of str or None
        Columns that may be there and are not read; None for any.
    """
    expected = {column.name for column in chosen} | (without or set())
    for file in files:
        for column in chosen:
            if column.name not in file.columns:
                raise ValueError(
                    f"{file} has no column {column.name!r}, which {files[0]} has; all files must have the same columns."
                )
        if others := [column.name for column in chosen if file.columns[column.name].dtype is None]:
            raise file.refuse(others, [column.name for column in chosen])
        for column in chosen:
            held = file.columns[column.name]
            if (held.element is None) != (column.width is None):
                raise ValueError(
                    f"Column {column.name!r} of {file} holds {held.kind}, but that of {files[0]} holds "
                    f"{files[0].columns[column.name].kind}; all files must have the same columns."
                )
        if without is None or any(column.width is not None for column in chosen):
            continue
        more = [name for name, held in file.columns.items() if name not in expected and not held.is_partition]
        if more:
            raise ValueError(
                f"{file} has a column {more[0]!r} that {files[0]} does not have; all files must have the same columns."
            )
