"""Where the values of a CSV file are that cannot be read, in lines as an editor counts them.

pyarrow counts records: a line break in quotes, or an empty line, makes its numbers smaller than those of the lines. The
file is therefore read again by Python's own reader, which is slower, but only after an error.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from anchorgraph.table.csv_format import TRUTH, CSVFormat
from anchorgraph.table.csv_stream import open_bytes
from anchorgraph.table.location import Location

N_SEARCHED = 2**20
"""Values that are looked at before and after a bad one, to find all columns that are not numbers."""


@dataclass(frozen=True)
class Cell:
    """A value, shortened, and the line in which it begins."""

    value: str
    line: int

    def __str__(self) -> str:
        return f"{self.value!r} in line {self.line:,}"


def find_texts(
    location: Location, csv_format: CSVFormat, columns: Mapping[str, int], record: int = 1, known: str | None = None
) -> dict[str, Cell]:
    """The first value of each column that is not a number.

    Parameters
    ----------
    location : Location
    csv_format : CSVFormat
    columns : mapping
        Positions of the columns in a record, by name.
    record : int
        The record around which values are looked at; the first of the file is 1.
    known : str, optional
        A column that pyarrow read up to this record, whose value there it cannot read.

    Returns
    -------
    dict
        The columns with such values, in the order of ``columns``.
    """
    found: dict[str, Cell] = {}
    reach = max(N_SEARCHED // max(len(columns), 1), 100)
    for number, line, values in _records(location, csv_format):
        if number <= max(bool(csv_format.header), record - reach):
            continue
        if number > record + reach or len(found) == len(columns):
            break
        for name, position in columns.items():
            value = values[position] if position < len(values) else ""
            is_text = number == record if name == known else not (csv_format.is_number(value) or value in TRUTH)
            if is_text and name not in found:
                found[name] = Cell(value[:40], line + sum(map(_line_breaks, values[:position])))
    return {name: found[name] for name in columns if name in found}


def line_of(location: Location, csv_format: CSVFormat, record: int) -> int:
    """The line in which a record begins; the first is 1."""
    return next((line for number, line, _ in _records(location, csv_format) if number == record), record)


def place_of_row(location: Location, csv_format: CSVFormat, row: int) -> str:
    """Where a row is in a file; the first is 0."""
    return f"line {line_of(location, csv_format, row + 1 + bool(csv_format.header)):,}"


def _records(location: Location, csv_format: CSVFormat) -> Iterator[tuple[int, int, list[str]]]:
    """The records that are not empty, with their numbers and the lines in which they begin."""
    encoding = "utf-8-sig" if csv_format.encoding == "utf-8" else csv_format.encoding
    with open_bytes(location) as source, io.TextIOWrapper(source, encoding, "replace", newline="") as text:
        reader = csv.reader(text, delimiter=csv_format.separator or ",")
        number, line = 0, 1
        try:
            for record in reader:
                if record:
                    number += 1
                    yield number, line, record
                line = reader.line_num + 1
        except csv.Error:  # a value of more than 128 KiB
            return


def _line_breaks(value: str) -> int:
    return max(value.count("\n"), value.count("\r"))
