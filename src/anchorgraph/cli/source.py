"""The rows that a command reads, with their ids and labels beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from anchorgraph.contracts import RowTable
from anchorgraph.table import as_table, column_names, read_column


@dataclass(frozen=True)
class Source:
    """Rows as a table, and for each row an id and a label, where columns are named for them."""

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
    """Read a path.

    Parameters
    ----------
    path : Path
    columns, drop : sequences of str
        Those to read, or those to leave out.
    ids, label : str, optional
        Columns that are no features.

    Returns
    -------
    Source
    """
    if columns and drop:
        raise ValueError("--columns and --drop say the same thing in two ways; pass one of them.")
    named = column_names(path)
    if named is None:
        if given := next((name for name in (*columns, *drop, ids, label) if name), None):
            raise ValueError(f"{path} has no column names, so {given!r} cannot be chosen; use CSV or Parquet.")
        return Source(as_table(path), None, None)
    left_out = {*drop, *(name for name in (ids, label) if name)}
    for name in (*left_out, *columns):
        if name not in named:
            raise ValueError(f"{name!r} is no column of {path}; it has {', '.join(named[:20])}.")
    chosen = [name for name in columns or named if name not in left_out]
    if not chosen:
        raise ValueError(f"No column of {path} is left to read; drop fewer.")
    beside = (ids, read_column(path, ids)) if ids else None
    return Source(as_table(path, columns=chosen), beside, read_column(path, label) if label else None)
