"""How a CSV file is written, as it is given or found from its first lines."""

from __future__ import annotations

import codecs
import csv
import re
from dataclasses import dataclass, replace

SEPARATORS = (",", ";", "\t", "|")
"""Separators that are looked for; of equally good ones, the first is used."""

N_LINES = 100
"""Lines from which the format is found."""

NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|[+-]?(inf|nan)", re.IGNORECASE)
WITH_COMMA = re.compile(r"[+-]?[0-9]*,[0-9]+([eE][+-]?[0-9]+)?")
MISSING = frozenset(("", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "N/A"))
MISSING |= {"NA", "NULL", "NaN", "n/a", "nan", "null"}
"""What pyarrow reads as a missing number."""
TRUTH = frozenset(("true", "True", "TRUE", "false", "False", "FALSE"))


@dataclass(frozen=True)
class CSVFormat:
    """How CSV files are written.

    Parameters
    ----------
    separator : str, optional
        The character between values. By default it is found from the first lines: a comma, a semicolon, a tab or ``|``.
    decimal : {".", ","}, optional
        The decimal point. By default it is a comma if the separator is not, and values look like ``1,5``.
    header : bool, optional
        Whether the first line has the names of the columns; otherwise they are named ``column_0``, ``column_1``, ….
        By default it must have names that are not all numbers; pass True if they are.
    encoding : str
        The encoding of the text.

    Examples
    --------
    >>> from anchorgraph import CSVFormat
    >>> CSVFormat(separator=";", decimal=",", encoding="latin-1")
    CSVFormat(separator=';', decimal=',', header=None, encoding='latin-1')
    """

    separator: str | None = None
    decimal: str | None = None
    header: bool | None = None
    encoding: str = "utf-8"

    def __post_init__(self) -> None:
        if self.separator is not None and (len(self.separator) != 1 or self.separator in '"\r\n'):
            raise ValueError(f"separator must be one character, and no quote or line end; got {self.separator!r}.")
        if self.decimal not in (None, ".", ","):
            raise ValueError(f"decimal must be '.' or ','; got {self.decimal!r}.")
        if self.decimal is not None and self.decimal == self.separator:
            raise ValueError(f"decimal and separator are both {self.decimal!r}; pass two different characters.")
        try:
            codecs.lookup(self.encoding)
        except LookupError:
            raise ValueError(
                f"encoding={self.encoding!r} is not known to Python; pass one such as 'latin-1'."
            ) from None

    def complete(self, text: str) -> CSVFormat:
        """The format with the separator and the decimal point that the first lines of a file have."""
        separator = self.separator or _find_separator(text, self.decimal)
        has_header, records = self.header is not False, self.records(text, separator)
        decimal = self.decimal or _find_decimal(records[has_header:], separator)
        return replace(self, separator=separator, decimal=decimal, header=has_header)

    def records(self, text: str, separator: str | None = None) -> list[list[str]]:
        """The values of the first lines; empty lines are passed over."""
        found = []
        try:
            for record in csv.reader(text.splitlines(keepends=True), delimiter=separator or self.separator or ","):
                found += [record] if record else []
                if len(found) == N_LINES:
                    break
        except csv.Error:  # a value of more than 128 KiB; pyarrow says what is wrong
            pass
        return found

    def are_numbers(self, names: list[str]) -> bool:
        """Whether the values of a line are numbers, of which some may be missing."""
        return all(map(self.is_number, names)) and any(name.strip(" \t") not in MISSING for name in names)

    def is_number(self, value: str) -> bool:
        """Whether a value is a number or missing."""
        value = value.strip(" \t")
        if self.decimal == ",":
            value = value.replace(",", ".", 1) if "." not in value else "."
        return value in MISSING or NUMBER.fullmatch(value) is not None


def _find_separator(text: str, decimal: str | None) -> str:
    """The separator that gives most lines as many values as the first, and then most numbers."""

    def score(separator: str) -> tuple[float, float]:
        guess = CSVFormat(separator, decimal if decimal != separator else None)
        first, *others = guess.records(text) or [[]]
        if len(first) < 2:
            return 0, 0
        guess = replace(guess, decimal=guess.decimal or _find_decimal(others, separator))
        values = [value for record in others for value in record]
        numbers = sum(map(guess.is_number, values)) / max(len(values), 1)
        return (1 + sum(len(record) == len(first) for record in others)) / (1 + len(others)), numbers

    return max((one for one in SEPARATORS if one != decimal), key=score)


def _find_decimal(records: list[list[str]], separator: str) -> str:
    values = [value.strip() for record in records for value in record] if separator != "," else []
    return (
        ","
        if any(map(WITH_COMMA.fullmatch, values)) and not any("." in v and NUMBER.fullmatch(v) for v in values)
        else "."
    )
