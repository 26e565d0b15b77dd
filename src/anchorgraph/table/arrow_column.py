"""Values of a column of Arrow's as an array."""

from __future__ import annotations

from typing import Any


def values_of(column: Any) -> Any:
    """The values of a column; numbers that are missing become NaN, which is noticed where NaN is."""
    import pyarrow as pa

    # NumPy has no booleans that may be missing: they would become objects
    numbers = column.cast(pa.uint8()) if pa.types.is_boolean(column.type) and column.null_count else column
    return numbers.to_numpy(zero_copy_only=False)
