"""Text in CSV files that spreadsheets would take for formulas."""

from __future__ import annotations

from typing import Any

FORMULA = r"^[=+\-@\t\r\n]"
"""How cells begin that spreadsheets evaluate, according to OWASP's page on CSV injection."""

NUMBER = r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$"
"""Text that is a number is not a formula, with a sign neither."""

ESCAPED = (
    "Text that begins with =, +, -, @, a tab or a line end was written to the CSV file after an apostrophe, so that "
    "spreadsheets do not evaluate it as a formula; write .parquet to keep it as it is."
)
"""The warning."""


def escape_formulas(table: Any) -> Any:
    """A table with an apostrophe before each text, and each name of a column, that would be a formula.

    Parameters
    ----------
    table : pyarrow.Table

    Returns
    -------
    pyarrow.Table
        The same table if there is none.
    """
    import pyarrow as pa

    columns = [pa.chunked_array([table.column_names]), *table.columns]
    names, *values = escaped = [_escape(column) for column in columns]
    is_same = all(new is old for new, old in zip(escaped, columns, strict=True))
    return table if is_same else pa.table(values, names=names.to_pylist())


def _escape(column: Any) -> Any:
    import pyarrow as pa
    from pyarrow import compute

    text = column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column
    kinds = (pa.types.is_string, pa.types.is_large_string, pa.types.is_binary, pa.types.is_large_binary)
    if not any(is_kind(text.type) for is_kind in kinds):
        return column
    begins, is_number = (compute.match_substring_regex(text, pattern) for pattern in (FORMULA, NUMBER))
    is_formula = compute.and_not(begins, is_number)
    if not compute.any(is_formula).as_py():
        return column
    apostrophe, nothing = (pa.scalar(part, text.type) for part in (b"'", b""))
    return compute.if_else(is_formula, compute.binary_join_element_wise(apostrophe, text, nothing), text)
