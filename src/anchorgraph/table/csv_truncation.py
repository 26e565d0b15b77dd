"""Detection of truncated CSV files, which pyarrow does not always notice."""

from __future__ import annotations

import csv
from contextlib import suppress
from pathlib import Path

from anchorgraph.table.file_checks import read_pieces
from anchorgraph.table.parts import InvalidFileError

TAIL_BYTES = 2**20
"""The first and the last line must lie within this many bytes; pyarrow rejects longer lines."""


def check_last_line(path: Path) -> None:
    """Raise an error if the last line has fewer fields than the first and no line end."""
    with path.open("rb") as file:
        first = file.readline(TAIL_BYTES).rstrip(b"\r\n").split(b"\r")[0]
        file.seek(max(0, path.stat().st_size - TAIL_BYTES))
        tail = file.read()
    last = tail[max(tail.rfind(b"\n"), tail.rfind(b"\r")) + 1 :]
    with suppress(csv.Error):  # raised for lines that are not text
        if last and len(_fields(last)) < len(_fields(first)):
            raise _truncated(path)


def check_last_quote(path: Path) -> None:
    """Raise an error if the file ends within quotes: pyarrow reads everything after the quote as one value."""
    if sum(piece.count(b'"') for piece in read_pieces(path)) % 2 == 0:
        return
    with path.open(encoding="latin-1", newline="") as file:  # quotes and line ends are the same bytes in UTF-8
        try:
            for _ in csv.reader(file, strict=True):
                pass
        except csv.Error as error:
            if "unexpected end of data" in str(error) or "field limit" in str(error):
                raise _truncated(path) from error


def _fields(line: bytes) -> list[str]:
    return next(csv.reader([line.decode("latin-1")]), [])


def _truncated(path: Path) -> InvalidFileError:
    number = max(sum(piece.count(end) for piece in read_pieces(path)) for end in (b"\n", b"\r")) + 1
    return InvalidFileError(
        f"{path} ends in the middle of line {number:,} and was probably cut off; write or download it again."
    )
