"""Data as blocks of rows: :func:`as_table` is the only place that asks what kind of data it was given."""

from anchorgraph.table.base import identity
from anchorgraph.table.files import column_names, read_column
from anchorgraph.table.memory import MemoryTable
from anchorgraph.table.sources import as_table, gathered, has_names, is_outside, is_table, split_labels
from anchorgraph.table.target import Target, appearing, write_rows
from anchorgraph.table.values import check_mask, check_values

__all__ = [
    "MemoryTable",
    "Target",
    "appearing",
    "as_table",
    "check_mask",
    "check_values",
    "column_names",
    "gathered",
    "has_names",
    "identity",
    "is_outside",
    "is_table",
    "read_column",
    "split_labels",
    "write_rows",
]
