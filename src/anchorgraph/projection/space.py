"""Centred rows, in a space of no more dimensions than there are rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from anchorgraph.contracts import Block, Floats, Integers, LinearMap, RowMap, RowTable, SumStep
from anchorgraph.numerics.blocks import PRODUCT_BYTES, chunks, dense, weigh
from anchorgraph.numerics.distances import minus_centre
from anchorgraph.numerics.eigen import with_fixed_signs
from anchorgraph.numerics.execution import run, run_sum
from anchorgraph.numerics.progress import stage
from anchorgraph.projection.smaller_space import row_space
from anchorgraph.table import as_table, identity


@dataclass(frozen=True)
class Space:
    """The centred rows of a table, and the map from their coordinates back to all columns.

    Attributes
    ----------
    source : RowTable
        The rows; with more columns than rows, the coordinates of the rows of a positive weight in the space that these
        span.
    centred : RowMap
        Centred rows, dense and in float64, of rows of the source.
    mean : (d,) floats
        The mean of the rows, by their weights.
    basis : (d, r) floats or None
        Basis of that space, with orthonormal columns; None if the table has all columns.
    dtype : dtype
        The dtype of the rows before they were centred.
    counted : (n,) integers or None
        The numbers of the rows that the source has; None if it has all.
    n_dimensions : int
        Dimensions that a mean variance is over: the columns, or, if even by their weights the rows are fewer, those of
        the space that they span.
    """

    source: RowTable
    centred: RowMap
    mean: Floats
    basis: Floats | None
    dtype: np.dtype[Any]
    counted: Integers | None
    n_dimensions: int

    @property
    def table(self) -> RowTable:
        """A view of the centred rows."""
        return self.source.view(self.centred)

    def align(self, codes: Integers) -> RowTable:
        """A table of the codes of the rows of the source, from those of all rows."""
        return self.source.align(codes if self.counted is None else codes[self.counted])

    def coordinates(self, points: Floats) -> Floats:
        """(m, r) coordinates of (m, d) points."""
        moved = points.astype(np.float64) - self.mean
        return moved if self.basis is None else moved @ self.basis

    def points(self, coordinates: Floats) -> Floats:
        """(m, d) points with these coordinates: the inverse of :meth:`coordinates`."""
        return self.mean + (coordinates if self.basis is None else coordinates @ self.basis.T)

    def linear_map(self, directions: Floats) -> LinearMap:
        """The projection onto (r, q) directions, each with a fixed sign."""
        directions = directions if self.basis is None else self.basis @ directions
        return LinearMap(with_fixed_signs(directions).T, self.mean)

    def noise(self, scatter: Floats) -> float:
        """Bound on the error of the scatter along a direction that the rounding of the rows causes."""
        largest = np.trace(scatter) + self.mean @ self.mean
        bound: float = (np.finfo(self.dtype).eps ** 2) * largest
        return bound

    def sum_rows(self, step: SumStep, *aligned: RowTable, n_values: int = 0) -> tuple[Any, ...]:
        """The sums over all rows of what ``step(rows, *aligned, *weights)`` returns for some of the centred rows.

        The weights of the rows come last, where they have weights.

        Parameters
        ----------
        step : callable
        *aligned : RowTable
            Tables aligned with the source; a step gets the same rows of them.
        n_values : int
            Numbers that a step computes for each row, if more than it has columns; it determines the size of chunks.

        Returns
        -------
        tuple
        """
        centred = self.centred  # not self, which has the table: steps are sent to workers

        def block_step(block: Block, *own: Any) -> tuple[Any, ...]:
            def part(chunk: slice) -> tuple[Any, ...]:
                return step(centred(block[chunk]), *(rows[chunk] for rows in own))

            row_bytes = 8 * max(block.shape[1], n_values)
            return run_sum(part, chunks(block.shape[0], row_bytes, PRODUCT_BYTES))

        return self.source.sum_blocks(block_step, *aligned, *self.source.weights)


def minus_mean(mean: Floats) -> RowMap:
    """The row map ``x - mean``, dense and in float64."""

    def rows(block: Block) -> Floats:
        centred = np.empty(block.shape)

        def centre(part: slice) -> None:
            np.subtract(dense(block[part]), mean, out=centred[part])

        run(centre, chunks(block.shape[0], centred.itemsize * block.shape[1]))
        return centred

    return rows


@stage("projection")
def row_centred(table: RowTable) -> Space:
    """The centred rows of a table, about their mean by weight.

    Parameters
    ----------
    table : RowTable

    Returns
    -------
    Space
    """
    n_positive = np.count_nonzero(table.weight_of_each()) if table.weights else table.n_rows
    if table.n_cols > n_positive:
        return _in_span(table)
    (total,) = table.sum_blocks(_sum_of_rows, *table.weights)
    mean = total / table.total_weight
    return Space(table, minus_mean(mean), mean, None, table.dtype, None, table.n_cols)


def _in_span(table: RowTable) -> Space:
    """The centred rows of a positive weight by their coordinates in the space that they span."""
    counted = np.flatnonzero(table.weight_of_each())
    weights = [table.weight_of_each()[counted]] if table.weights else []
    rows = table.take(counted).astype(np.float64)
    mean = _sum_of_rows(rows, *weights)[0] / table.total_weight
    coordinates, basis = row_space(minus_centre(rows, mean), *weights)
    source = as_table(coordinates)
    source = source.weighted(source.align(*weights)) if weights else source
    n_dimensions = table.n_cols if table.n_counted >= table.n_cols else basis.shape[1]
    return Space(source, identity, mean, basis, table.dtype, counted, n_dimensions)


def _sum_of_rows(rows: Block, *weights: Floats) -> tuple[Floats]:
    return (dense(weigh(rows, *weights).sum(axis=0, dtype=np.float64)),)
