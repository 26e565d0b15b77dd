"""Base class of all tables, and functions on blocks of rows that they share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
from scipy import sparse

from anchorgraph.contracts import Block, Integers, RowMap, RowTable


class Table(ABC):
    """Base class of the tables that :func:`~anchorgraph.as_table` returns."""

    names: list[str] | None
    in_memory: bool

    @property
    @abstractmethod
    def n_rows(self) -> int:
        """Number of rows."""

    @abstractmethod
    def take(self, rows: Integers) -> Block:
        """The rows with these numbers, in this order."""

    @abstractmethod
    def map_rows(self, row_map: RowMap, *aligned: RowTable) -> Any:
        """Apply a row map to all rows and stack the results."""

    def sample(self, n: int, rng: np.random.Generator) -> Block:
        """A uniform random sample of ``n`` rows, without replacement."""
        return self.take(np.sort(rng.choice(self.n_rows, n, replace=False, shuffle=False)))

    def rows(self) -> Any:
        """All rows."""
        return self.map_rows(identity)


def identity(block: Any) -> Any:
    """The row map that returns the rows unchanged."""
    return block


def add_sums(total: tuple[Any, ...], part: tuple[Any, ...]) -> tuple[Any, ...]:
    """Add the arrays of ``part`` to those of ``total`` in float64; an empty ``total`` counts as zeros."""
    exact = tuple(np.asarray(p, np.float64) if np.ndim(p) == 0 else p.astype(np.float64) for p in part)
    return tuple(a + b for a, b in zip(total, exact, strict=True)) if total else exact


def stack_rows(parts: list[Any]) -> Any:
    """Stack blocks of rows vertically; a single block is not copied."""
    if len(parts) == 1:
        return parts[0]
    return sparse.vstack(parts, format="csr") if sparse.issparse(parts[0]) else np.concatenate(parts)


def take_from_parts(rows: Integers, starts: Integers, read: Callable[[dict[int, Any]], list[Any]]) -> Any:
    """Take rows by number from parts that are each read in ascending order.

    Parameters
    ----------
    rows : (b,) integers
    starts : (p + 1,) integers
        Number of the first row of each part, and the total number of rows.
    read : callable
        Returns the blocks of some parts, given a dictionary from the number of a part to the ascending positions of
        the rows in it.
    """
    order = np.argsort(rows, kind="stable")
    ascending = np.asarray(rows)[order]
    cuts = np.searchsorted(ascending, starts)
    wanted = {
        number: ascending[first:last] - starts[number]
        for number, (first, last) in enumerate(pairwise(cuts.tolist()))
        if first < last
    }
    return stack_rows(read(wanted))[np.argsort(order)]


def float_type(dtype: Any) -> np.dtype[Any]:
    """The dtype that numbers are read as: float32 if it can hold all values of ``dtype``, otherwise float64."""
    return np.dtype(np.float32 if np.result_type(dtype, np.float32) == np.float32 else np.float64)
