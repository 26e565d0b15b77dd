"""What containers in memory hold that would not become numbers, or not the right ones."""

from __future__ import annotations

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


def check_mask(source: Any) -> None:
    """Refuse masked values, which NumPy would read as if they were not."""
    n_masked = np.count_nonzero(source.mask) if isinstance(source, np.ma.MaskedArray) else 0
    if n_masked:
        raise ValueError(
            f"X is a masked array with {n_masked} masked values, which would be read as if they were not masked; fill "
            "them in, or leave out their rows."
        )


def check_column_types(frame: Any) -> None:
    """Refuse the first column of a frame in memory that does not hold numbers."""
    for name in frame.columns:
        column = frame[name]
        values = column.to_numpy()
        if values.dtype.kind not in "fiub" and not _are_numbers(values):
            raise ValueError(
                f"Column {name!r} of X holds {column.dtype}, not numbers; leave it out, or encode it as numbers."
            )


def _are_numbers(values: Any) -> bool:
    """Whether objects become numbers, as missing ones do; NumPy would make numbers of dates, too."""
    if values.dtype.kind != "O":
        return False
    there = [value for value in values if value is not None and type(value).__name__ != "NAType"]
    try:
        np.array(there, dtype=np.float64)
    except (TypeError, ValueError):
        return False
    return True
