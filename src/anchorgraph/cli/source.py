"""The rows that a command reads, with their ids and labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from anchorgraph.contracts import RowTable
from anchorgraph.table import CSVFormat, as_table, column_names, read_column
from anchorgraph.urls import quoted, shown


@dataclass(frozen=True)
class Source:
    """Rows as a table, and an id, a label and a weight for each row if their columns are named."""

    title: str
    table: RowTable
    ids: tuple[str, Any] | None = None
    labels: Any = None
    weights: Any = None

    def facts(self) -> dict[str, str]:
        """What was understood of the source, for the summary."""
        description = getattr(self.table, "description", None)
        return {} if description is None else {"source": description}


def open_source(
    path: str,
    *,
    columns: Sequence[str] = (),
    drop: Sequence[str] = (),
    ids: str | None = None,
    label: str | None = None,
    weight: str | None = None,
    csv: Mapping[str, Any] | None = None,
    transpose: bool = False,
) -> Source:
    """Open the rows of a path.

    Parameters
    ----------
    path : str
        A path or URL.
    columns, drop : sequences of str
        Columns to read, or columns to leave out.
    ids, label, weight : str, optional
        Columns of ids, of labels and of weights, which are not features.
    csv : mapping, optional
        Arguments of a :class:`~anchorgraph.CSVFormat`.
    transpose : bool
        Whether the columns of a Matrix Market file are rows.

    Returns
    -------
    Source
    """
    if columns and drop:
        raise ValueError("--columns and --drop cannot be used together; pass one of them.")
    title = shown(path).rstrip("/").rpartition("/")[2]
    csv_format = CSVFormat(**(csv or {}))
    apart = [name for name in (ids, label, weight) if name]
    if column_names(path, csv_format) is None:
        if given := next(iter((*columns, *drop, *apart)), None):
            raise ValueError(
                f"{shown(path)} has no column names, so {quoted(given)} cannot be selected; use Parquet or CSV."
            )
        return Source(title, as_table(path, transpose=transpose))
    left_out = [*drop, *apart]
    options: dict[str, Any] = {"csv": csv_format, "transpose": transpose}
    table = as_table(path, columns=list(columns) or None, without=left_out or None, **options)

    def values(name: str | None) -> Any:
        return read_column(path, name, csv_format) if name else None

    return Source(title, table, (ids, values(ids)) if ids else None, values(label), values(weight))
