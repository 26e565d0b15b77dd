"""Data as blocks of rows: only :func:`as_table` asks for the type of its input."""

from anchorgraph.table.base import FEW_ROWS, add_sums, identity
from anchorgraph.table.csv_format import CSVFormat
from anchorgraph.table.description import count, shorten
from anchorgraph.table.files import column_names, read_column
from anchorgraph.table.memory import MemoryTable
from anchorgraph.table.outputs import together
from anchorgraph.table.sources import (
    as_table,
    check_source,
    computed_labels,
    has_names,
    is_out_of_core,
    is_table,
    split_columns,
)
from anchorgraph.table.target import Target, as_target, check_path, write_atomically, write_rows
from anchorgraph.table.values import check_mask, check_values

__all__ = [
    "FEW_ROWS",
    "CSVFormat",
    "MemoryTable",
    "Target",
    "add_sums",
    "as_table",
    "as_target",
    "check_mask",
    "check_path",
    "check_source",
    "check_values",
    "column_names",
    "computed_labels",
    "count",
    "has_names",
    "identity",
    "is_out_of_core",
    "is_table",
    "read_column",
    "shorten",
    "split_columns",
    "together",
    "write_atomically",
    "write_rows",
]
