"""The bytes of a CSV file, watched while they are read, to notice that the file was cut off."""

from __future__ import annotations

import csv
import io
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Self

from anchorgraph.table.csv_format import CSVFormat
from anchorgraph.table.file_checks import check_expansion
from anchorgraph.table.location import Location
from anchorgraph.table.parts import InvalidFileError

TAIL_BYTES = 2**20
"""The last line is looked for in so many bytes."""

PIECE_BYTES = 2**24
"""Bytes that are decompressed at once."""

MAX_RATIO = 100
"""Compressed text may be this many times as long, as that of Matrix Market files."""

LONGEST_WAIT = 1.0
"""Seconds after which Arrow's threads are no longer waited for."""


class _Lent:
    """What Arrow's threads hold for a while; ``lent`` has an entry for each such object."""

    _lent: deque[None]

    def lend(self, lent: deque[None]) -> Self:
        self._lent = lent
        lent.append(None)
        return self

    def __del__(self) -> None:
        self._lent.pop()


class _LentBytes(_Lent, bytes):
    pass


class _LentFile(_Lent):
    """A file object with what pyarrow asks for."""

    closed: bool = False

    def __init__(self, read: Callable[[int], bytes], lent: deque[None]) -> None:
        self.read = read
        self.lend(lent)

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        self.closed = True


class WatchedStream:
    """Counts bytes, line ends and quotes of what is read from a file object, and remembers the last bytes."""

    def __init__(self, source: Any, location: Location) -> None:
        self._source = source
        self._location = location
        self._stored = location.size() if location.suffix.endswith(".gz") else 0  # 0 is not known
        self._lent: deque[None] = deque()
        self.n_bytes: int = 0
        self.tail: bytes = b""
        self.n_quotes: int = 0
        self.n_lines: int = 0

    def for_arrow(self) -> Any:
        """A file object for a reader of pyarrow."""
        return _LentFile(self.read, self._lent)

    def read(self, n_bytes: int) -> bytes:
        piece = self._read_compressed(n_bytes) if self._stored else self._source.read(n_bytes)
        if piece:
            self.n_bytes += len(piece)
            self.n_quotes += piece.count(b'"')
            self.n_lines += max(piece.count(b"\n"), piece.count(b"\r"))
            self.tail = piece if len(piece) >= TAIL_BYTES else (self.tail + piece)[-TAIL_BYTES:]
        return _LentBytes(piece).lend(self._lent)

    def _read_compressed(self, n_bytes: int) -> bytes:
        """So many bytes, read little by little: a block may be as large as a line of hundreds of megabytes."""
        pieces, n_read = [], 0
        while n_read < n_bytes and (piece := self._source.read(min(n_bytes - n_read, PIECE_BYTES))):
            pieces.append(piece)
            n_read += len(piece)
            total = self.n_bytes + n_read
            check_expansion(self._location, total, self._stored, MAX_RATIO, "store it uncompressed, as .csv")
        return b"".join(pieces)

    def wait_for_arrow(self) -> None:
        """Wait until the threads of a reader, which was deleted after an error, have let go of file and bytes.

        They read ahead. If the process ends while one of them frees a Python object, C++ ends it by an abort.
        """
        end = time.monotonic() + LONGEST_WAIT
        while self._lent and time.monotonic() < end:
            time.sleep(1e-3)

    def check_last_line(self, location: Location, csv_format: CSVFormat, n_columns: int) -> None:
        """Raise an error if the last line has fewer values than there are columns, and no line end."""
        text = self.tail.decode(csv_format.encoding, "replace")
        last = text[max(text.rfind("\n"), text.rfind("\r")) + 1 :]
        if last and len(next(iter(csv_format.records(last)), [])) < n_columns:
            raise _cut_off(location, self.n_lines)

    def check_last_quote(self, location: Location, csv_format: CSVFormat) -> None:
        """Raise an error if the file ends within quotes."""
        check_last_quote(location, csv_format, self.n_quotes, self.n_lines)


def check_last_quote(location: Location, csv_format: CSVFormat, n_quotes: int, n_lines: int) -> None:
    """Raise an error if a file of so many quotes and line ends ends within quotes: all that follows is one value."""
    if n_quotes % 2 == 0:
        return
    with open_bytes(location) as source, io.TextIOWrapper(source, csv_format.encoding, "replace", newline="") as text:
        try:
            for _ in csv.reader(text, delimiter=csv_format.separator or ",", strict=True):
                pass
        except csv.Error as error:
            if "unexpected end of data" in str(error) or "field limit" in str(error):
                raise _cut_off(location, n_lines) from error


def _cut_off(location: Location, n_lines: int) -> InvalidFileError:
    return InvalidFileError(
        f"{location} ends in the middle of line {n_lines + 1:,} and was probably cut off; write or download it again."
    )


@contextmanager
def open_bytes(location: Location) -> Iterator[Any]:
    """The bytes of a file, decompressed piece by piece if its name ends in ``.gz``."""
    import pyarrow as pa

    with location.open() as source:
        if location.suffix.endswith(".gz"):
            with pa.CompressedInputStream(source, "gzip") as content:
                yield content
        else:
            yield source
