"""What containers in memory hold that would not become numbers, or not the right ones."""

from __future__ import annotations

from collections import Counter
from numbers import Real
from typing import Any

import numpy as np

LIBRARIES = ("pandas", "polars", "dask", "dask_expr")
"""Of data frames, which are known without importing these."""


def is_frame(source: Any) -> bool:
    """Whether a source is a data frame, in memory or of Dask's."""
    return any(
        kind.__name__ == "DataFrame" and kind.__module__.split(".")[0] in LIBRARIES for kind in type(source).__mro__
    )


def check_values(source: Any) -> None:
    """Refuse what scikit-learn would read as other numbers than are meant, or would refuse without saying where."""
    check_mask(source)
    if is_frame(source):
        check_column_types(source)


def check_mask(source: Any, name: str = "X") -> None:
    """Refuse masked values, which NumPy would read as if they were not."""
    rows = source if isinstance(source, list | tuple) else [source]
    n_masked = sum(np.count_nonzero(row.mask) for row in rows if isinstance(row, np.ma.MaskedArray))
    if n_masked:
        raise ValueError(
            f"{name} has {n_masked} masked values, which would be read as if they were not masked; fill them in, or "
            "leave out their rows."
        )


def check_column_types(frame: Any) -> None:
    """Refuse a frame in memory without columns, with two of one name, or with one that does not hold numbers."""
    names = list(frame.columns)
    if not names:
        raise ValueError("X is a data frame without columns; pass one with at least one column of numbers.")
    if twice := [name for name, times in Counter(names).items() if times > 1]:
        raise ValueError(f"X has two columns of the name {twice[0]!r}; rename one of them.")
    for name in names:
        column = frame[name]
        values = column.to_numpy()
        if values.dtype.kind not in "fiub" and not _are_numbers(values):
            raise ValueError(
                f"Column {name!r} of X holds {column.dtype}, not numbers; leave it out, or encode it as numbers."
            )


def _are_numbers(values: Any) -> bool:
    """Whether objects are numbers or missing ones; NumPy would make numbers of texts and dates, too."""
    missing = ("NoneType", "NAType")
    return values.dtype.kind == "O" and all(isinstance(v, Real) or type(v).__name__ in missing for v in values)
