"""CSV files: each is parsed once, block by block, and its numbers are kept."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from anchorgraph.table.arrow_choice import refuse_by_type
from anchorgraph.table.arrow_columns import Chosen, Column
from anchorgraph.table.arrow_file import columns_of, number_partitions
from anchorgraph.table.arrow_rows import as_array, stored_names
from anchorgraph.table.column_errors import list_columns, quote_name, ways_out
from anchorgraph.table.csv_cells import Cell, find_texts, line_of, place_of_row
from anchorgraph.table.csv_format import SEPARATORS, TRUTH, CSVFormat
from anchorgraph.table.csv_stream import WatchedStream, check_last_quote, open_bytes
from anchorgraph.table.description import count
from anchorgraph.table.file_checks import explain_read_errors
from anchorgraph.table.kept import Keeper
from anchorgraph.table.location import Location
from anchorgraph.table.parts import InvalidFileError, Part

KIND = "CSV file"

MAX_COLUMNS = 2**17
"""The time of pyarrow grows with the square of the number of columns: this many take seconds, a million minutes."""

HEAD_BYTES = 2**18
"""The format is found from so many bytes, or from the first two lines if they are longer."""

MAX_LINE_BYTES = 2**25
"""The length of the longest first line."""

BLOCK_BYTES = 2**20
"""Bytes that are parsed at once; a line must be shorter."""

BAD_VALUE = re.compile(
    r"In CSV column #(\d+): (?:Row #(\d+): )?CSV conversion error to \w+: invalid value '(.*)'", re.DOTALL
)

BAD_RECORD = re.compile(r"Row #(\d+): Expected (\d+) columns, got (\d+)")


@dataclass(frozen=True)
class CsvFile:
    """A file whose first lines were read.

    Attributes
    ----------
    location : Location
    columns : dict
        Columns by name; their types follow from the first lines.
    names : list of str
        Names of the columns in the file, in their order.
    csv_format : CSVFormat
    block_bytes : int
    """

    location: Location
    columns: dict[str, Column]
    names: list[str]
    csv_format: CSVFormat
    block_bytes: int

    def __str__(self) -> str:
        return str(self.location)

    @classmethod
    def open(cls, location: Location, csv: CSVFormat | None = None) -> CsvFile:
        try:
            import pyarrow as pa
        except ImportError as error:
            raise ImportError(f'Reading {location} requires pyarrow: pip install "anchorgraph[io]".') from error
        with explain_read_errors(location, KIND):
            csv = csv or CSVFormat()
            is_sure = csv.header is not None
            text, is_whole = _read_head(location, csv.encoding)
            _check_width(location, csv, text)
            csv = csv.complete(text)
            records = csv.records(text)
            if not records:
                reason = "its first line is too long" if text.strip() else "it is empty"
                raise InvalidFileError(f"{location} is not a valid {KIND} ({reason}); write it again.")
            first, *rows = records if csv.header else [[], *records]
            names = first if csv.header else [f"column_{i}" for i in range(len(rows[0]))]
            is_counted = names == [str(number) for number in range(len(names))]  # as pandas names columns
            if not is_sure and not is_counted and csv.are_numbers(names):
                raise _no_names(location, names)
            if is_whole:
                check_last_quote(location, csv, text.count('"'), max(text.count("\n"), text.count("\r")))
            else:  # the last line is not complete
                rows = rows[:-1]
            kinds = [_kind(csv, [row[i] for row in rows if i < len(row)]) for i in range(len(names))]
            schema = pa.schema([pa.field(name, kind) for name, kind in zip(names, kinds, strict=True)])
            longest = max(len(line) for line in text.splitlines()) * 4
            return cls(location, columns_of(location, schema, set()), names, csv, max(BLOCK_BYTES, 4 * longest))

    def width(self, name: str) -> int | None:
        return None

    def count_rows(self) -> int:
        """Number of rows; the file is read for it."""
        import pyarrow as pa

        return sum(batch.num_rows for batch in self._batches({self.names[0]: pa.string()}))

    def parts(self, chosen: Sequence[Chosen], keeper: Keeper) -> list[Part]:
        """All rows, with the chosen columns in the given order: the file is read and its numbers are kept."""
        shape = (0, len(chosen))
        empty = Part(str(self), shape, np.dtype(np.float64), partial(np.empty, shape))
        place = partial(place_of_row, self.location, self.csv_format)
        return keeper.keep(str(self), self._rows(chosen), place) or [empty]

    def column(self, name: str) -> Any:
        """The values of one column, as numbers if all of them are."""
        import pyarrow as pa
        from pyarrow import compute

        values = pa.chunked_array([batch.column(0) for batch in self._batches({name: pa.string()})], pa.string())
        present = compute.if_else(compute.equal(values, ""), None, values)
        numbers = _with_points(present) if self.csv_format.decimal == "," else present
        for kind, found in ((pa.int64(), present), (pa.float64(), numbers), (pa.bool_(), present)):
            try:
                return found.cast(kind).to_numpy()
            except pa.ArrowInvalid:
                continue
        return values.to_numpy()

    def _rows(self, chosen: Sequence[Chosen]) -> Iterator[Any]:
        import pyarrow as pa

        stored = stored_names(self.columns, chosen) or self.names[:1]  # some column, to count the rows
        constants = number_partitions(self.location, self.names)
        types = {name: pa.bool_() if self.columns[name].kind == pa.bool_() else pa.float64() for name in stored}
        for batch in self._batches(types):
            held, dtype = pa.Table.from_batches([batch]), np.dtype(np.float64)
            yield as_array(held, chosen, dtype, name=str(self), constants=constants)

    def _batches(self, types: dict[str, Any]) -> Iterator[Any]:
        """Parse the file; all values of a column have the type that is given."""
        import pyarrow as pa
        from pyarrow import csv

        used = self.csv_format
        options = {
            "read_options": csv.ReadOptions(
                use_threads=False,
                block_size=self.block_bytes,
                encoding=used.encoding,
                column_names=None if used.header else self.names,
            ),
            "parse_options": csv.ParseOptions(delimiter=used.separator, newlines_in_values=True),
            "convert_options": csv.ConvertOptions(
                include_columns=list(types), column_types=types, decimal_point=used.decimal
            ),
        }
        with explain_read_errors(self.location, KIND), open_bytes(self.location) as source:
            watched = WatchedStream(source, self.location)
            try:
                yield from csv.open_csv(watched.for_arrow(), **options)
            except pa.ArrowInvalid as error:
                watched.wait_for_arrow()
                watched.check_last_line(self.location, used, len(self.names))
                watched.check_last_quote(self.location, used)
                self._explain(error, list(types))
                raise
            watched.check_last_quote(self.location, used)

    def refuse(self, names: list[str], chosen: list[str]) -> ValueError:
        """The error about some of the chosen columns, whose first values are not all numbers."""
        found = self._find_texts(chosen)
        return self._not_numbers(found) if found else refuse_by_type(self, names)  # a partition is not in the file

    def _explain(self, error: Exception, chosen: list[str]) -> None:
        """Raise an error that names the lines and the columns of values that are not numbers."""
        if found := BAD_VALUE.search(str(error)):
            name, value = self.names[int(found[1])], found[3][:40]
            cells = self._find_texts(chosen, int(found[2]), name) if found[2] else {}
            raise self._not_numbers(cells or {name: value}) from error
        if found := BAD_RECORD.search(str(error)):
            line = line_of(self.location, self.csv_format, int(found[1]))
            raise InvalidFileError(
                f"Line {line:,} of {self} has {count(int(found[3]), 'value')}, but the file has "
                f"{count(int(found[2]), 'column')}; correct it."
            ) from error

    def _find_texts(self, chosen: list[str], record: int = 1, known: str | None = None) -> dict[str, Cell]:
        wanted = {*chosen}
        positions = {name: position for position, name in enumerate(self.names) if name in wanted}
        return find_texts(self.location, self.csv_format, positions, record, known)

    def _not_numbers(self, cells: Mapping[str, Cell | str]) -> InvalidFileError:
        if len(cells) > 1:
            return InvalidFileError(
                f"Columns {list_columns(cells)} of {self} have values that are not numbers; correct them, or "
                f"{ways_out(cells)}."
            )
        ((name, cell),) = cells.items()
        found = cell if isinstance(cell, Cell) else repr(cell)
        return InvalidFileError(
            f"Column {quote_name(name)} of {self} has the value {found}, which is not a number; correct it, or "
            f"{ways_out(cells)}."
        )


def _with_points(values: Any) -> Any:
    """Values with a decimal point instead of a comma; those that have a point already are not numbers."""
    from pyarrow import compute

    has_point = compute.any(compute.match_substring(values, ".")).as_py()
    return values if has_point else compute.replace_substring(values, ",", ".", max_replacements=1)


def _read_head(location: Location, encoding: str) -> tuple[str, bool]:
    """The text of the first lines, and whether it is that of the whole file."""
    with open_bytes(location) as source:
        content = source.read(HEAD_BYTES)
        is_whole = len(content) < HEAD_BYTES
        while not is_whole and len(content.splitlines()) < 3 and len(content) < MAX_LINE_BYTES:
            piece = source.read(HEAD_BYTES)
            content, is_whole = content + piece, len(piece) < HEAD_BYTES
    try:
        text = codecs.getincrementaldecoder(encoding)().decode(content)
    except UnicodeDecodeError as error:
        raise InvalidFileError(
            f"{location} is not text in the encoding {encoding!r}; pass the right one, such as "
            "CSVFormat(encoding='latin-1') (--encoding of the program)."
        ) from error
    return text.removeprefix("\ufeff"), is_whole


def _check_width(location: Location, csv: CSVFormat, text: str) -> None:
    first = re.split("[\r\n]", text.lstrip("\r\n"), maxsplit=1)[0]
    n_columns = max(first.count(separator) for separator in ([csv.separator] if csv.separator else SEPARATORS)) + 1
    if n_columns > MAX_COLUMNS:
        raise InvalidFileError(
            f"{location} has at least {n_columns:,} columns; CSV files may have at most {MAX_COLUMNS:,}: store the "
            "rows as Parquet or .npy."
        )


def _no_names(location: Location, names: list[str]) -> InvalidFileError:
    first = ", ".join(names[:3]) + ", …" * (len(names) > 3)
    return InvalidFileError(
        f"{location} has only numbers in its first line ({first[:80]}), where the names of the columns are expected; "
        "if it is a row, pass CSVFormat(header=False), or --no-header in the program; if these are names, header=True, "
        "or --header."
    )


def _kind(csv: CSVFormat, values: list[str]) -> Any:
    """The type of a column, given its first values."""
    import pyarrow as pa

    if all(map(csv.is_number, values)):
        return pa.float64()
    return pa.bool_() if all(value in TRUTH or value == "" for value in values) else pa.string()
