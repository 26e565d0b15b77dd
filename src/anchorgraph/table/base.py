"""Base class of all tables, and functions on blocks of rows that they share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Self

import numpy as np

from anchorgraph.contracts import Block, Floats, Integers, RowMap, RowTable, SumStep
from anchorgraph.numerics.blocks import stack
from anchorgraph.numerics.equal_rows import distinct_in_order, row_digests
from anchorgraph.numerics.progress import portion
from anchorgraph.table.weights import RowWeights

FEW_ROWS = 2**12
"""Up to this number of rows, a sample does not depend on their order, and equal ones are counted once."""


class Table(ABC):
    """Base class of the tables that :func:`~anchorgraph.as_table` returns."""

    names: list[str] | None
    in_memory: bool
    present: tuple[RowTable, ...] = ()
    _weights: RowWeights | None = None
    description: str | None = None
    """What was understood of a source: its rows and columns in a line, for files and Arrow data."""

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

    @property
    def weights(self) -> tuple[RowTable, ...]:
        """The weights of the rows, or nothing."""
        return () if self._weights is None else (self._weights.table,)

    @property
    def total_weight(self) -> float:
        """The sum of the weights."""
        return float(self.n_rows) if self._weights is None else self._weights.total

    @property
    def n_counted(self) -> int:
        """How many rows the weights stand for."""
        return self.n_rows if self._weights is None else self._weights.n_counted

    @property
    def n_positive(self) -> int:
        """Number of rows of a positive weight."""
        return self.n_rows if self._weights is None else self._weights.n_positive

    @property
    def n_distinct(self) -> int:
        """Number of different rows of a positive weight, among at most :data:`FEW_ROWS` that are drawn."""
        if self.n_rows <= FEW_ROWS:
            return len(np.unique(np.asarray(self.map_rows(row_digests))[self.positive_rows()]))
        sample = self.sample(min(FEW_ROWS, self.n_positive), np.random.default_rng(0))
        return len(np.unique(row_digests(sample)))

    @property
    def weight_unit(self) -> float:
        """What the weight one was before the weights were scaled."""
        return 1.0 if self._weights is None else self._weights.unit

    def weighted(self, weights: RowTable, *present: RowTable, unit: float = 1.0) -> Self:
        """The same table with weights, which are zero for rows that are not present."""
        table = copy(self)
        table._weights, table.present = RowWeights.of(weights, unit), present
        return table

    def with_weights_of(self, other: Table) -> Self:
        """Give this table, which is made of the rows of another one, the weights of these rows."""
        self._weights, self.present = other._weights, other.present
        return self

    def sample(self, n: int, rng: np.random.Generator) -> Block:
        """``n`` different rows, without replacement and in proportion to their weights.

        Of few rows, equal ones are drawn as one row of their weight, in an order that does not depend on that of the
        rows: a weight then stands for so many rows exactly. Of many rows it does so on average.
        """
        if self.n_rows <= FEW_ROWS:
            counted = np.flatnonzero(self.weight_of_each())
            first, number_of = distinct_in_order(self.take(counted))
            weights = np.bincount(number_of, self.weight_of_each()[counted]).astype(np.float64)
            return self.take(counted[first[_draw_by_weight(weights, n, rng)]])
        if self._weights is None:
            return self.take(np.sort(rng.choice(self.n_rows, n, replace=False, shuffle=False)))
        return self.take(_draw_by_weight(self.weight_of_each(), n, rng))

    def positive_rows(self) -> Integers:
        """Numbers of the rows of a positive weight."""
        return np.arange(self.n_rows) if self._weights is None else np.flatnonzero(self._weights.of_each_row())

    def row_counts(self, per_row: int, at_least: int = 1) -> Integers:
        """(n_rows,) how often each row counts: its weight, if all are whole numbers and ``per_row`` on average or less.

        Otherwise counts are in proportion to the weights, rounded, and ``per_row`` on average over positive weights, or
        ``at_least`` in all.
        """
        if self._weights is None:
            return np.ones(self.n_rows, dtype=np.intp)
        most = max(per_row * self._weights.n_positive, at_least)
        is_few = self._weights.are_whole and self._weights.total <= most
        return self._weights.counts(self.n_counted if is_few else most, 0.5)

    def draw(self, n: int, rng: np.random.Generator) -> Block:
        """``n`` rows in proportion to their weights, in the order of the table: a random sample without weights."""
        rng = np.random.default_rng(rng.integers(2**63))  # so that the next numbers are the same with weights
        if self._weights is not None:
            return self.take(np.repeat(np.arange(self.n_rows), self._weights.counts(n, rng.random())))
        rows = np.arange(n) if n == self.n_rows else np.sort(rng.choice(self.n_rows, n, replace=False, shuffle=False))
        return self.take(rows)

    def weight_of_each(self) -> Floats:
        """(n_rows,) weights in memory: ones, if the rows have none."""
        return np.ones(self.n_rows) if self._weights is None else self._weights.of_each_row()

    def rows(self) -> Any:
        """All rows."""
        return self.map_rows(identity)


def _draw_by_weight(weights: Floats, n: int, rng: np.random.Generator) -> Integers:
    """Numbers of ``n`` different rows: those whose exponential waiting times, at rates of their weights, end first.

    If there are fewer rows of a positive weight, they are taken again, from the first one on.
    """
    with np.errstate(divide="ignore"):  # the logarithms of times, which do not overflow; infinite for the weight zero
        times = np.log(rng.exponential(size=len(weights))) - np.log(weights)
    n_different = min(n, int(np.count_nonzero(weights)))
    chosen: Integers = np.resize(np.sort(np.argpartition(times, n_different - 1)[:n_different]), n)
    return chosen


def identity(block: Any) -> Any:
    """The row map that returns the rows unchanged."""
    return block


@dataclass(frozen=True)
class RowsAndSums:
    """What a row map makes of a block, and the sums that a step makes of both."""

    row_map: RowMap
    step: SumStep

    def __call__(self, block: Block, *aligned: Any) -> tuple[Any, tuple[Any, ...]]:
        with portion(0, 2):
            rows = self.row_map(block)
        with portion(1, 2):
            return rows, add_sums((), self.step(rows, block, *aligned))


def add_sums(total: tuple[Any, ...], part: tuple[Any, ...]) -> tuple[Any, ...]:
    """Add the arrays of ``part`` to those of ``total`` in float64; an empty ``total`` counts as zeros."""
    exact = tuple(np.asarray(p, np.float64) if np.ndim(p) == 0 else p.astype(np.float64) for p in part)
    return tuple(a + b for a, b in zip(total, exact, strict=True)) if total else exact


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
    return stack(read(wanted))[np.argsort(order)]


def float_type(dtype: Any) -> np.dtype[Any]:
    """The dtype that numbers are read as: float32 if it can hold all values of ``dtype``, otherwise float64."""
    return np.dtype(np.float32 if np.result_type(dtype, np.float32) == np.float32 else np.float64)
