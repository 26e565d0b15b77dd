"""Parts of a table: consecutive rows that are read when they are needed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

PART_BYTES = 2**24
"""A part has the rows of one chunk, row group or block, or of as many as fit into this size."""


@dataclass(frozen=True)
class Part:
    """Consecutive rows of a table that are read when they are needed.

    Attributes
    ----------
    name : str
        The file, and the part of it, for error messages.
    shape : tuple of int
        Rows and columns; only rows if a row is a single number.
    dtype : dtype
        Type of the stored numbers.
    open : callable
        Returns an object that can be indexed by a slice or an ascending array of row numbers.
    row_bytes : int or None
        Average size of a sparse row in memory; None for dense rows.
    first_row : int
        Number of its first row in the file, for error messages.
    place : callable, optional
        Says in which line of a text file a row is, given its number in the file.
    """

    name: str
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    open: Callable[[], Any]
    row_bytes: int | None = None
    first_row: int = 0
    place: Callable[[int], str] | None = None


class InvalidFileError(ValueError):
    """A file that is broken, incomplete or not of the expected kind; the message names it."""
