"""Whether a CSV file was cut off, which its reader does not always notice and never says."""

from __future__ import annotations

import csv
from contextlib import suppress
from pathlib import Path

from anchorgraph.table.claims import pieces_of
from anchorgraph.table.parts import BrokenPartError

TAIL_BYTES = 2**20
"""The first and the last line are looked for in this much of a file; pyarrow refuses longer ones."""


def check_last_line(path: Path) -> None:
    """Refuse a file whose last line has fewer fields than the first, and no end."""
    with path.open("rb") as file:
        first = file.readline(TAIL_BYTES).rstrip(b"\r\n").split(b"\r")[0]
        file.seek(max(0, path.stat().st_size - TAIL_BYTES))
        tail = file.read()
    last = tail[max(tail.rfind(b"\n"), tail.rfind(b"\r")) + 1 :]
    with suppress(csv.Error):  # of lines that are hardly text
        if last and len(_fields(last)) < len(_fields(first)):
            raise _cut_off(path)


def check_last_quote(path: Path) -> None:
    """Refuse a file that ends within quotes: pyarrow takes all from there to the end for one value."""
    if sum(piece.count(b'"') for piece in pieces_of(path)) % 2 == 0:
        return
    with path.open(encoding="latin-1", newline="") as file:  # quotes and ends of lines are the same bytes in UTF-8
        try:
            for _ in csv.reader(file, strict=True):
                pass
        except csv.Error as error:
            if "unexpected end of data" in str(error) or "field limit" in str(error):
                raise _cut_off(path) from error


def _fields(line: bytes) -> list[str]:
    return next(csv.reader([line.decode("latin-1")]), [])


def _cut_off(path: Path) -> BrokenPartError:
    number = max(sum(piece.count(end) for piece in pieces_of(path)) for end in (b"\n", b"\r")) + 1
    return BrokenPartError(
        f"{path} ends in the middle of line {number:,} and was probably cut off; write or download it again."
    )
