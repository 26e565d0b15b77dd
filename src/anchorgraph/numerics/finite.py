"""Checks that all numbers of a table are finite and neither too large nor too small."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Any, Self

import numpy as np
from scipy import sparse

from anchorgraph.contracts import Block
from anchorgraph.numerics.blocks import chunks
from anchorgraph.numerics.execution import run

WAYS_OUT = {
    "rows": (
        "remove or impute such values first, for example with sklearn.impute.SimpleImputer",
        "scale X first, for example with sklearn.preprocessing.StandardScaler",
    ),
    "graph": (
        "leave such entries out: where a sparse matrix has none, there is no neighbour",
        "divide X by a number of this size, which changes nothing else",
    ),
}
"""What to do about values that are not finite, and about those too large or small, by what X holds."""

SIZES: dict[np.dtype[Any], tuple[float, float]] = {
    np.dtype(np.float32): (1e-16, 1e16),
    np.dtype(np.float64): (1e-70, 1e70),
}
"""Smallest and largest absolute value in a table, by dtype. Sums of squares must neither underflow nor overflow, and
neither must the squares of these sums, which are always computed in float64."""


class RowError(ValueError):
    """A row that cannot be used.

    Parameters
    ----------
    row : int
        Its number within its block.
    where : str, optional
        Description of the row, such as its number in a file. By default "row" and the number.
    """

    row: int
    where: str | None

    def __init__(self, row: int, where: str | None = None) -> None:
        super().__init__(row, where)
        self.row, self.where = row, where

    def at(self, where: str, names: Sequence[str] | None = None) -> Self:
        """The same error with a description of the row, and the names of the columns where they have names.

        The first description stays: it is that of the table in which the row was found.
        """
        error = copy(self)
        error.where = self.where or where
        return error


class NotFiniteError(RowError):
    """X contains NaN or infinity.

    Parameters
    ----------
    row, column : int
        Position of the first such value; the row is counted within its block.
    value : str
        "NaN" or "infinity (inf)".
    holds : str
        What X holds, a key of :data:`WAYS_OUT`.
    """

    column: int | str
    value: str
    holds: str
    n_rows: int | None = None
    can_mask: bool = False

    def __init__(self, row: int, column: int, value: str, holds: str = "rows") -> None:
        super().__init__(row)
        self.args: tuple[Any, ...] = (row, column, value, holds)
        self.column, self.value, self.holds = column, value, holds

    def at(self, where: str, names: Sequence[str] | None = None) -> Self:
        """The same error with a description of the row, and the name of the column where it has one."""
        column = self.column
        if self.where is None and names is not None and isinstance(column, int):
            column = repr(names[column])
        error = super().at(where)
        error.column = column
        return error

    def counted(self, n_rows: int, *, can_mask: bool) -> Self:
        """The same error with the number of such rows; ``can_mask`` if the estimator has ``missing="mask"``."""
        error = copy(self)
        error.n_rows, error.can_mask = n_rows, can_mask
        return error

    def __str__(self) -> str:
        where = self.where or f"row {self.row}"
        others = "" if self.n_rows is None else f" ({self.n_rows:,} row{'s' * (self.n_rows > 1)} in all)"
        mask = ", or use missing='mask', which leaves these rows out" if self.can_mask and self.value == "NaN" else ""
        return f"X contains {self.value} in {where}, column {self.column}{others}; {WAYS_OUT[self.holds][0]}{mask}."


class TooLargeError(ValueError):
    """X contains a value whose products overflow."""


UNUSABLE = (NotFiniteError, TooLargeError)
"""The errors about numbers that no method can use."""


def largest_number(block: Block, holds: str = "rows") -> Any:
    """The largest absolute value in a block. NaN, infinity and values above :data:`SIZES` raise :data:`UNUSABLE`."""
    values: Any = block.data if sparse.issparse(block) else block

    def largest_of(part: slice) -> Any:
        return np.maximum(values[part].max(initial=0), -values[part].min(initial=0))

    parts = chunks(len(values), values.nbytes // max(len(values), 1))
    largest = np.max(run(largest_of, parts), initial=0)
    if not np.isfinite(largest):
        row, column, value = _first_not_finite(block)
        raise NotFiniteError(int(row), int(column), value, holds)
    if largest > SIZES[block.dtype][1]:
        raise TooLargeError(
            f"X has values as large as {largest:.2g}, whose products overflow {block.dtype}; {WAYS_OUT[holds][1]}."
        )
    return largest


def count_not_finite(block: Block) -> int:
    """Number of rows with NaN or infinity."""
    if not sparse.issparse(block):
        return int(np.count_nonzero(~np.isfinite(block).all(axis=1)))
    return len(np.unique(sparse.coo_array(block).row[~np.isfinite(block.data)]))


def check_not_tiny(n_filled: float, n_large_enough: float, dtype: np.dtype[Any], holds: str = "rows") -> None:
    """Raise ``ValueError`` if a table has non-zero values, but none above the smallest size in :data:`SIZES`."""
    if n_filled and not n_large_enough:
        raise ValueError(
            f"X has no absolute value above {SIZES[dtype][0]:.2g}, and products of smaller values underflow {dtype}; "
            f"{WAYS_OUT[holds][1]}."
        )


def _first_not_finite(block: Any) -> tuple[int, int, str]:
    """Row and column of the first value that is not finite, and its name."""
    entries = sparse.coo_array(block) if sparse.issparse(block) else None
    values = block if entries is None else entries.data
    first = int(np.flatnonzero(~np.isfinite(values))[0])
    row, column = divmod(first, block.shape[1]) if entries is None else (entries.row[first], entries.col[first])
    value = values.ravel()[first]
    return row, column, "NaN" if np.isnan(value) else "infinity (inf)"
