"""Checks of arrays and data frames in memory for values that would be misread as numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np
from scipy import sparse

from anchorgraph.table.column_errors import hold_no_numbers, without_names
from anchorgraph.table.description import count
from anchorgraph.table.refused import hold_texts, not_a_table

LIBRARIES = ("pandas", "polars", "dask", "dask_expr")
"""Libraries of data frames, which are recognised without importing them."""

N_LOOKED_AT = 100
"""Values of the first row that are searched for texts."""


def is_frame(source: Any) -> bool:
    """Whether a source is a data frame of one of the libraries."""
    return any(
        kind.__name__ == "DataFrame" and kind.__module__.split(".")[0] in LIBRARIES for kind in type(source).__mro__
    )


def check_values(source: Any) -> None:
    """Raise an error for values that scikit-learn would misread, or would reject without naming the column."""
    check_mask(source)
    if is_frame(source):
        check_column_types(source)
    elif not sparse.issparse(source):
        _check_first_row(source)


def _check_first_row(source: Any) -> None:
    """Raise an error if an object is not array-like, or its first row holds texts, vectors or objects."""
    is_array_like = any(hasattr(source, name) for name in ("__array__", "__array_interface__", "__buffer__"))
    if not (is_array_like or isinstance(source, Sequence | memoryview)) or isinstance(source, str | bytes):
        raise not_a_table(f"X of type {type(source).__name__!r}")
    if isinstance(source, list | tuple):
        lengths = sorted({len(row) for row in source if isinstance(row, list | tuple)})
        if len(lengths) > 1:
            raise ValueError(
                f"X has rows of {lengths[0]} and of {count(lengths[-1], 'value')}; pass rows of the same length."
            )
    try:
        first = next(iter(source), 0.0)
        row = np.asarray(first)
    except (TypeError, ValueError, NotImplementedError):  # scalars and memory views
        return
    if texts := [value for value in row.ravel()[:N_LOOKED_AT].tolist() if isinstance(value, str | bytes)]:
        raise hold_texts(texts)
    if len(getattr(source, "shape", ())) == row.ndim == 1:
        raise ValueError("X holds a vector in each entry, not numbers; pass np.stack(X).")
    if row.dtype.kind in "mM" or (row.ndim == 0 and row.dtype.kind == "O" and not _are_numbers(row.ravel())):
        raise ValueError(f"X holds values of type {type(row.ravel()[0]).__name__!r}, not numbers; convert them first.")


def check_mask(source: Any, name: str = "X") -> None:
    """Raise an error if values are masked, because NumPy would ignore the mask."""
    rows = source if isinstance(source, list | tuple) else [source]
    n_masked = sum(int(np.count_nonzero(row.mask)) for row in rows if isinstance(row, np.ma.MaskedArray))
    if n_masked:
        raise ValueError(
            f"{name} has {count(n_masked, 'masked value')}, which NumPy would read as if not masked; fill such values "
            "or remove their rows."
        )


def check_column_types(frame: Any) -> None:
    """Raise an error if a data frame in memory has no columns, duplicate names, or a column that is not numeric."""
    names = list(frame.columns)
    if not names:
        raise ValueError("X is a data frame without columns; pass one with at least one column of numbers.")
    if twice := [name for name, times in Counter(names).items() if times > 1]:
        raise ValueError(f"X has two columns named {twice[0]!r}; rename one of them.")
    others = {name: frame[name].dtype for name in names if not _holds_numbers(frame[name].to_numpy())}
    for name in others:
        first = next(iter(frame[name]), None)
        if isinstance(first, list | tuple) or len(getattr(first, "shape", ())) == 1:
            raise ValueError(f"Column {name!r} of X holds vectors; pass them as rows: np.stack(X[{name!r}]).")
    if others:
        raise refuse_columns("X", others)


def refuse_columns(name: str, kinds: Mapping[Any, Any]) -> ValueError:
    """The error about columns of a data frame that hold no numbers."""
    remedy = f"leave {'them' if len(kinds) > 1 else 'it'} out, for example by as_table(X, {without_names(kinds)}), or "
    return hold_no_numbers(name, kinds, remedy + "encode the values as numbers")


def _holds_numbers(values: Any) -> bool:
    return values.ndim == 1 and (values.dtype.kind in "fiub" or _are_numbers(values))


def _are_numbers(values: Any) -> bool:
    """Whether objects are numbers or missing values; NumPy would also convert strings and dates."""
    missing = ("NoneType", "NAType")
    return values.dtype.kind == "O" and all(isinstance(v, Real) or type(v).__name__ in missing for v in values)
