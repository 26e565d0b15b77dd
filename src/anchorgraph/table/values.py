"""Checks of arrays and data frames in memory for values that would be misread as numbers."""

from __future__ import annotations

from collections import Counter
from numbers import Real
from typing import Any

import numpy as np

LIBRARIES = ("pandas", "polars", "dask", "dask_expr")
"""Libraries of data frames, which are recognised without importing them."""


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


def check_mask(source: Any, name: str = "X") -> None:
    """Raise an error if values are masked, because NumPy would ignore the mask."""
    rows = source if isinstance(source, list | tuple) else [source]
    n_masked = sum(np.count_nonzero(row.mask) for row in rows if isinstance(row, np.ma.MaskedArray))
    if n_masked:
        raise ValueError(
            f"{name} has {n_masked} masked values, which would be read as if they were not masked; fill them or remove "
            "their rows."
        )


def check_column_types(frame: Any) -> None:
    """Raise an error if a data frame in memory has no columns, duplicate names, or a column that is not numeric."""
    names = list(frame.columns)
    if not names:
        raise ValueError("X is a data frame without columns; pass one with at least one column of numbers.")
    if twice := [name for name, times in Counter(names).items() if times > 1]:
        raise ValueError(f"X has two columns named {twice[0]!r}; rename one of them.")
    for name in names:
        column = frame[name]
        values = column.to_numpy()
        if values.dtype.kind not in "fiub" and not _are_numbers(values):
            raise ValueError(
                f"Column {name!r} of X holds {column.dtype}, not numbers; leave it out, or encode it as numbers."
            )


def _are_numbers(values: Any) -> bool:
    """Whether objects are numbers or missing values; NumPy would also convert strings and dates."""
    missing = ("NoneType", "NAType")
    return values.dtype.kind == "O" and all(isinstance(v, Real) or type(v).__name__ in missing for v in values)
