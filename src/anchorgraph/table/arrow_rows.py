"""Arrow data as arrays of numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from anchorgraph.table.arrow_columns import Chosen, Column, stored_kind
from anchorgraph.table.description import count
from anchorgraph.table.parts import InvalidFileError


def number_type(columns: Mapping[str, Column], chosen: Sequence[Chosen]) -> np.dtype[Any]:
    """The dtype of the rows of some columns together."""
    return np.result_type(*(columns[column.name].dtype for column in chosen))


def stored_names(columns: Mapping[str, Column], chosen: Sequence[Chosen]) -> list[str]:
    """The names of the columns that are read from the file, each once."""
    return list(dict.fromkeys(column.name for column in chosen if not columns[column.name].is_partition))


def as_array(
    held: Any,
    chosen: Sequence[Chosen],
    dtype: np.dtype[Any],
    *,
    name: str,
    first_row: int = 0,
    constants: Mapping[str, Any] | None = None,
) -> Any:
    """The chosen columns of an Arrow table as rows of numbers; a missing number becomes NaN, which is reported later.

    Parameters
    ----------
    held : pyarrow.Table
    chosen : sequence of Chosen
    dtype : dtype
    name : str
        Name of the file, for the error about a missing vector or one of another length.
    first_row : int
        Number of the first row in the file.
    constants : mapping, optional
        Values of columns that are the same for all rows, by name.

    Returns
    -------
    (n, d) array
    """
    rows = np.empty((held.num_rows, sum(column.n_cols for column in chosen)), dtype)
    stop = 0
    for column in chosen:
        start, stop = stop, stop + column.n_cols
        if constants and column.name in constants:
            rows[:, start] = constants[column.name]
        elif column.width is None:
            rows[:, start] = _numbers(_stored(held[column.name]))
        else:
            _fill_vectors(rows[:, start:stop], _stored(held[column.name]), column, name, first_row)
    return rows


def _stored(values: Any) -> Any:
    """Values as they are stored; those of an extension type have its name only."""
    kind = stored_kind(values.type)
    return values if kind is values.type else values.cast(kind)


def _numbers(column: Any) -> Any:
    import pyarrow as pa

    return (column.cast(pa.float64()) if pa.types.is_decimal(column.type) else column).to_numpy()


def _fill_vectors(rows: Any, column: Any, chosen: Chosen, name: str, first_row: int) -> None:
    """Copy vectors into the columns of an array, chunk by chunk; a missing vector becomes NaN."""
    done = 0
    for chunk in column.chunks:
        found = rows[done : done + len(chunk)]
        _check_lengths(chunk, chosen, name, first_row + done)
        vectors = chunk.flatten().to_numpy(zero_copy_only=False).reshape(-1, chosen.width)
        vectors = vectors if chosen.elements is None else vectors[:, list(chosen.elements)]
        if chunk.null_count:
            found[...] = np.nan
            found[chunk.is_valid().to_numpy(zero_copy_only=False)] = vectors
        else:
            found[...] = vectors
        done += len(chunk)


def _check_lengths(vectors: Any, chosen: Chosen, name: str, first_row: int) -> None:
    import pyarrow as pa

    if pa.types.is_fixed_size_list(vectors.type):
        lengths = np.full(min(len(vectors), 1), vectors.type.list_size)
    else:
        lengths = vectors.value_lengths().fill_null(chosen.width).to_numpy()
    if (lengths != chosen.width).any():
        row = int(np.argmax(lengths != chosen.width))
        raise InvalidFileError(
            f"Row {first_row + row} of {name} has a vector of {count(int(lengths[row]), 'number')} in column "
            f"{chosen.name!r}, but the first has {chosen.width}; store vectors of the same length."
        )


def first_length(vectors: Any) -> int | None:
    """The length of the first vector that is not missing, or None if there is none."""
    lengths = _stored(vectors).value_lengths().drop_null()
    return int(lengths[0].as_py()) if len(lengths) else None
