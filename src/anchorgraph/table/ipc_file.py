"""Arrow IPC files (Feather) and streams, read by record batches."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar

from anchorgraph.table.arrow_file import ArrowFile, columns_of
from anchorgraph.table.file_checks import explain_read_errors
from anchorgraph.table.location import Location
from anchorgraph.table.parts import InvalidFileError

MAGIC = b"ARROW1"
"""The first bytes of a file; a stream has none."""

OLD_MAGIC = b"FEA1"
"""The first bytes of the first version of Feather."""


@dataclass(frozen=True)
class IpcFile(ArrowFile):
    """An IPC file; ``metadata`` are the names of all columns in their order.

    Arrow trusts such files, so the offsets in what is read are checked before they are used.
    """

    kind: ClassVar[str] = "Arrow file"

    @classmethod
    def open(cls, location: Location, csv: Any = None) -> IpcFile:
        ipc = _import_ipc(location)
        with explain_read_errors(location, cls.kind), _opened(location) as source:
            first = source.read(len(MAGIC))
            if first.startswith(OLD_MAGIC):
                raise InvalidFileError(f"{location} is a Feather file of version 1; write it again as version 2.")
            if first != MAGIC:
                return IpcStream.open_stream(location)
            schema = ipc.open_file(source).schema
            columns = columns_of(location, schema, set())
            # the number of rows of a batch is known when some column of it is read
            smallest = min(range(len(schema)), key=lambda i: _bits(schema.types[i]), default=0)
            reader = ipc.open_file(source, options=ipc.IpcReadOptions(included_fields=[smallest]))
            sizes = tuple(reader.get_batch(i).num_rows for i in range(reader.num_record_batches))
            return cls(location, columns, sizes, schema.names)

    def read(self, pieces: range, names: list[str]) -> Any:
        import pyarrow as pa

        fields = sorted(self.metadata.index(name) for name in names)
        with _opened(self.location) as source:
            reader = pa.ipc.open_file(source, options=pa.ipc.IpcReadOptions(included_fields=fields))
            return _checked([reader.get_batch(piece) for piece in pieces], reader.schema, names)


@dataclass(frozen=True)
class IpcStream(IpcFile):
    """An IPC stream, as Hugging Face stores data sets; ``metadata`` are the names, and the place of each batch."""

    @classmethod
    def open_stream(cls, location: Location) -> IpcStream:
        import pyarrow as pa

        with _opened(location) as source:
            reader = pa.ipc.open_stream(source)
            sizes, ends = [], [source.tell()]
            for batch in reader:
                sizes.append(batch.num_rows)
                ends.append(source.tell())
            columns = columns_of(location, reader.schema, set())
            return cls(location, columns, tuple(sizes), (reader.schema.names, ends))

    def read(self, pieces: range, names: list[str]) -> Any:
        import pyarrow as pa

        all_names, ends = self.metadata
        fields = sorted(all_names.index(name) for name in names)
        with _opened(self.location) as source:
            # a stream of the schema and these batches only
            content = source.read(ends[0])
            source.seek(ends[pieces.start])
            content += source.read(ends[pieces.stop] - ends[pieces.start])
            reader = pa.ipc.open_stream(content, options=pa.ipc.IpcReadOptions(included_fields=fields))
            return _checked(list(reader), reader.schema, names)


def _checked(batches: list[Any], schema: Any, names: list[str]) -> Any:
    """The columns of some batches, whose offsets are known to be sound."""
    import pyarrow as pa

    held = pa.Table.from_batches(batches, schema).select(names)
    held.validate(full=True)
    return held


def _bits(kind: Any) -> int:
    try:
        return int(kind.bit_width)
    except ValueError:  # of variable length
        return 2**31


@contextmanager
def _opened(location: Location) -> Iterator[Any]:
    """The bytes of a file; lengths in it that memory cannot hold are an error of the file."""
    try:
        with location.open() as source:
            yield source
    except MemoryError as error:
        raise InvalidFileError(
            f"{location} has {location.size():,} bytes and claims to hold more than fits into memory; write it again, "
            "in smaller record batches."
        ) from error


def _import_ipc(location: Location) -> Any:
    try:
        from pyarrow import ipc
    except ImportError as error:
        raise ImportError(f'Reading {location} requires pyarrow: pip install "anchorgraph[io]".') from error
    return ipc
