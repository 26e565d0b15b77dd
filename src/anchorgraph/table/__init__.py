"""Data as blocks of rows: :func:`as_table` is the only place that asks what kind of data it was given."""

from anchorgraph.table.door import as_table, gathered, has_names, is_outside, is_table, rows_beside, split_labels
from anchorgraph.table.local import LocalTable, unchanged
from anchorgraph.table.memory import MemoryTable

__all__ = [
    "LocalTable",
    "MemoryTable",
    "as_table",
    "gathered",
    "has_names",
    "is_outside",
    "is_table",
    "rows_beside",
    "split_labels",
    "unchanged",
]
