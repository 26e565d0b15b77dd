"""Parquet files, read by row groups, of which large ones are read a few rows at a time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar

from anchorgraph.table.arrow_file import ArrowFile, columns_of
from anchorgraph.table.file_checks import check_expansion, explain_read_errors
from anchorgraph.table.location import Location
from anchorgraph.table.parts import PART_BYTES

NO_INDEX = "__null_dask_index__"
"""Name that Dask gives to the index column of a data frame without an index."""

MIN_BUFFER, MAX_BUFFER = 2**16, 2**22
"""Bytes of each column that are read at once from a large row group; all columns share PART_BYTES, if they can."""


@dataclass(frozen=True)
class ParquetFile(ArrowFile):
    """A Parquet file; index columns that pandas or Dask wrote are not columns of it."""

    kind: ClassVar[str] = "Parquet file"

    @classmethod
    def open(cls, location: Location, csv: Any = None) -> ParquetFile:
        with explain_read_errors(location, cls.kind), _opened(location, None) as file:
            metadata, schema = file.metadata, file.schema_arrow
            columns = columns_of(location, schema, _index_columns(schema.metadata or {}))
            sizes = tuple(metadata.row_group(group).num_rows for group in range(metadata.num_row_groups))
            if any(size < 0 for size in sizes):
                raise ValueError(f"a row group has {min(sizes)} rows")
            n_bytes = max(sizes, default=0) * len(columns) * 8  # before any of them is decoded
            check_expansion(location, n_bytes, location.size(), 1000, "write it with smaller row groups")
            return cls(location, columns, sizes, metadata)

    def read(self, pieces: range, names: list[str]) -> Any:
        with _opened(self.location, self.metadata) as file:
            return file.read_row_groups(list(pieces), columns=names)

    def stream(self, piece: int, names: list[str], n_rows: int) -> Iterator[Any]:
        import pyarrow as pa

        # without a buffer, pyarrow reads all bytes of a column in the row group at once
        buffer_size = min(MAX_BUFFER, max(MIN_BUFFER, PART_BYTES // len(names)))
        with _opened(self.location, self.metadata, buffer_size) as file:
            for batch in file.iter_batches(n_rows, row_groups=[piece], columns=names):
                yield pa.Table.from_batches([batch]).select(names)


def _index_columns(metadata: dict[bytes, bytes]) -> set[Any]:
    of_pandas = json.loads(metadata.get(b"pandas", b"{}"))
    return {NO_INDEX, *(name for name in of_pandas.get("index_columns", []) if isinstance(name, str))}


@contextmanager
def _opened(location: Location, metadata: Any, buffer_size: int = 0) -> Iterator[Any]:
    try:
        import pyarrow.parquet as pq
    except ImportError as error:
        raise ImportError(f'Reading {location} requires pyarrow: pip install "anchorgraph[io]".') from error
    # what is far away is read in few large requests
    options = {"metadata": metadata, "buffer_size": buffer_size, "pre_buffer": not (location.is_local or buffer_size)}
    with location.open() as source, pq.ParquetFile(source, **options) as file:
        yield file
