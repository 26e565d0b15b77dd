"""What all tables share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
from scipy import sparse

from anchorgraph.contracts import Block, Integers, RowMap, RowTable


class Table(ABC):
    """Base of the tables that :func:`~anchorgraph.as_table` gives."""

    names: list[str] | None
    in_memory: bool

    @property
    @abstractmethod
    def n_rows(self) -> int:
        """Number of rows."""

    @abstractmethod
    def take(self, rows: Integers) -> Block:
        """Rows by number."""

    @abstractmethod
    def map_rows(self, row_map: RowMap, *aligned: RowTable) -> Any:
        """What a row map returns for all rows."""

    def sample(self, n: int, rng: np.random.Generator) -> Block:
        """Some rows, chosen uniformly."""
        return self.take(np.sort(rng.choice(self.n_rows, n, replace=False, shuffle=False)))

    def rows(self) -> Any:
        """All rows."""
        return self.map_rows(identity)


def identity(block: Any) -> Any:
    """The row map that returns the rows of a table."""
    return block


def added(total: tuple[Any, ...], part: tuple[Any, ...]) -> tuple[Any, ...]:
    """Sums in float64, from nothing."""
    exact = tuple(np.asarray(p, np.float64) if np.ndim(p) == 0 else p.astype(np.float64) for p in part)
    return tuple(a + b for a, b in zip(total, exact, strict=True)) if total else exact


def stacked(parts: list[Any]) -> Any:
    """Blocks of rows below each other; a single one is not copied."""
    if len(parts) == 1:
        return parts[0]
    return sparse.vstack(parts, format="csr") if sparse.issparse(parts[0]) else np.concatenate(parts)


def taken(rows: Integers, starts: Integers, read: Callable[[dict[int, Any]], list[Any]]) -> Any:
    """Rows by number from parts that want ascending numbers of their own.

    Parameters
    ----------
    rows : (b,) integers
    starts : (p + 1,) integers
        The first row of each part, and the number of all.
    read : callable
        The blocks for some parts by number, of each the rows at ascending positions in it.
    """
    order = np.argsort(rows, kind="stable")
    ascending = np.asarray(rows)[order]
    cuts = np.searchsorted(ascending, starts)
    wanted = {
        number: ascending[first:last] - starts[number]
        for number, (first, last) in enumerate(pairwise(cuts.tolist()))
        if first < last
    }
    return stacked(read(wanted))[np.argsort(order)]


def float_type(dtype: Any) -> np.dtype[Any]:
    """What numbers are read as: float32 where that holds them all, else float64."""
    return np.dtype(np.float32 if np.result_type(dtype, np.float32) == np.float32 else np.float64)
