"""The rows that a command reads, with their ids and labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from anchorgraph.contracts import RowTable
from anchorgraph.table import as_table, column_names, read_column


@dataclass(frozen=True)
class Source:
    """Rows as a table, and an id and a label for each row if their columns are named."""

    table: RowTable
    ids: tuple[str, Any] | None
    labels: Any


def open_source(
    path: Path,
    *,
    columns: Sequence[str] = (),
    drop: Sequence[str] = (),
    ids: str | None = None,
    label: str | None = None,
) -> Source:
    """Open the rows of a path.

    Parameters
    ----------
    path : Path
    columns, drop : sequences of str
        Columns to read, or columns to leave out.
    ids, label : str, optional
        Columns of ids and of labels, which are not features.

    Returns
    -------
    Source
    """
    if columns and drop:
        raise ValueError("--columns and --drop cannot be used together; pass one of them.")
    names = column_names(path)
    if names is None:
        if given := next((name for name in (*columns, *drop, ids, label) if name), None):
            raise ValueError(f"{path} has no column names, so {given!r} cannot be selected; use Parquet or CSV.")
        return Source(as_table(path), None, None)
    left_out = {*drop, *(name for name in (ids, label) if name)}
    for name in (*left_out, *columns):
        if name not in names:
            raise ValueError(f"{path} has no column {name!r}; its columns are {', '.join(names[:20])}.")
    chosen = [name for name in columns or names if name not in left_out]
    if not chosen:
        raise ValueError(f"No columns of {path} are left to read; drop fewer columns.")
    id_column = (ids, read_column(path, ids)) if ids else None
    return Source(as_table(path, columns=chosen), id_column, read_column(path, label) if label else None)
