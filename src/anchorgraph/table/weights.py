"""Weights of rows: how much each row counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from anchorgraph.contracts import Floats, Integers, RowTable


@dataclass(frozen=True)
class RowWeights:
    """The weights of the rows of a table. A weight of 2 counts as the row twice, a weight of 0 as no row.

    Attributes
    ----------
    table : RowTable
        One number for each row, not negative.
    total : float
        The sum of the weights.
    n_positive : int
        The number of rows of a positive weight.
    are_whole : bool
        Whether all weights are whole numbers.
    unit : float
        What the weight one was before the weights were scaled.
    """

    table: RowTable
    total: float
    n_positive: int
    are_whole: bool
    unit: float = 1.0

    @property
    def n_counted(self) -> int:
        """How many rows the weights stand for: their sum if all are whole numbers, else the number of positive ones."""
        return int(self.total) if self.are_whole else self.n_positive

    @classmethod
    def of(cls, table: RowTable, unit: float = 1.0) -> RowWeights:
        """The weights in a table with one number for each row."""
        total, n_positive, n_broken = table.sum_blocks(_sums)
        return cls(table, float(total), int(n_positive), not n_broken, unit)

    def of_each_row(self) -> Floats:
        """(n_rows,) weights, in memory."""
        weights: Floats = np.asarray(self.table.rows(), dtype=np.float64)
        return weights

    def counts(self, n: int, offset: float) -> Integers:
        """(n_rows,) how often each row is among ``n`` rows in proportion to the weights.

        The rows follow each other on a line, each as long as its weight, on which n points are spread evenly; whole
        weights are their own counts if n is their sum.

        Parameters
        ----------
        n : int
        offset : float
            The first point, from 0 to below 1 in units of the distance between points.
        """
        weights = self.of_each_row()
        ends = np.cumsum(weights) * (n / self.total)
        ends[-1] = n
        counted: Integers = np.diff(np.floor(ends + offset), prepend=0).astype(np.intp)
        return weights.astype(np.intp) if self.are_whole and n == self.total else counted


def _sums(weights: Floats) -> tuple[Any, ...]:
    """Sum of the weights of a block, number of positive ones, and of those that are not whole numbers."""
    return weights.sum(dtype=np.float64), np.count_nonzero(weights), np.count_nonzero(weights % 1)
