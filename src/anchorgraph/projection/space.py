"""Centred rows, in a space of no more dimensions than there are rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from anchorgraph.contracts import Block, Floats, LinearMap, RowMap, RowTable, SumStep
from anchorgraph.numerics.blocks import PRODUCT_BYTES, chunks, dense
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
        The rows; with more columns than rows, their coordinates in the space that they span.
    centred : RowMap
        Centred rows, dense and in float64, of rows of the source.
    mean : (d,) floats
        The mean of the rows.
    basis : (d, r) floats or None
        Basis of that space, with orthonormal columns; None if the table has all columns.
    dtype : dtype
        The dtype of the rows before they were centred.
    """

    source: RowTable
    centred: RowMap
    mean: Floats
    basis: Floats | None
    dtype: np.dtype[Any]

    @property
    def table(self) -> RowTable:
        """A view of the centred rows."""
        return self.source.view(self.centred)

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
        """The sums over all rows of what ``step(rows, *aligned)`` returns for some of the centred rows.

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

        return self.source.sum_blocks(block_step, *aligned)


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
    """The centred rows of a table.

    Parameters
    ----------
    table : RowTable

    Returns
    -------
    Space
    """
    if table.n_cols > table.n_rows:
        rows = table.take(np.arange(table.n_rows)).astype(np.float64)
        mean = dense(rows.mean(axis=0))
        coordinates, basis = row_space(minus_centre(rows, mean))
        return Space(as_table(coordinates), identity, mean, basis, table.dtype)
    (total,) = table.sum_blocks(lambda block: (dense(block.sum(axis=0, dtype=np.float64)),))
    mean = total / table.n_rows
    return Space(table, minus_mean(mean), mean, None, table.dtype)
