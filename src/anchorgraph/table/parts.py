"""Parts of a table: some consecutive rows, and how to get at them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Part:
    """Some consecutive rows of a table, and how to get at them.

    Attributes
    ----------
    name : str
        For errors: the file, and what of it.
    shape : tuple of int
        Rows and columns; rows alone for a number each.
    dtype : dtype
        Of the numbers as they are stored.
    open : callable
        Returns what gives rows for a slice or an ascending array of numbers in square brackets.
    row_bytes : int or None
        Memory that a sparse row takes on average.
    """

    name: str
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    open: Callable[[], Any]
    row_bytes: int | None = None


class BrokenPartError(ValueError):
    """A file that is not what it seems; the message names it."""
