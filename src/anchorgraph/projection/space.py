"""Rows about their mean, in a space of no more dimensions than there are rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from anchorgraph.contracts import Floats, LinearMap, RowTable
from anchorgraph.numerics.dense import dense
from anchorgraph.numerics.distances import minus_centre
from anchorgraph.numerics.eigen import with_fixed_signs
from anchorgraph.numerics.threads import PRODUCT_BYTES, chunks, run_sum
from anchorgraph.projection.smaller_space import row_space
from anchorgraph.table import as_table, rows_beside


@dataclass(frozen=True)
class Space:
    """A table whose rows are read about a centre, and the way back from it to all columns.

    Attributes
    ----------
    table : RowTable
        The rows themselves; with more columns than rows, their coordinates in the space that they span.
    centre : (r,) floats
        The mean of the table.
    mean : (d,) floats
        The mean of the rows.
    basis : (d, r) floats or None
        Orthonormal columns, where the table has coordinates.
    dtype : dtype
        Of the rows as they came.
    """

    table: RowTable
    centre: Floats
    mean: Floats
    basis: Floats | None
    dtype: np.dtype[Any]

    def rows(self, block):
        """(b, r) rows of a block about the centre, dense and in float64."""
        return _about(block, self.centre)

    def coordinates(self, points):
        """(m, r) points of the space of all columns, about the centre."""
        moved = points.astype(np.float64) - self.mean
        return moved if self.basis is None else moved @ self.basis

    def points(self, coordinates):
        """What :meth:`coordinates` were made of."""
        return self.mean + (coordinates if self.basis is None else coordinates @ self.basis.T)

    def linear_map(self, directions):
        """The map along (r, q) directions, each with a fixed sign."""
        directions = directions if self.basis is None else self.basis @ directions
        return LinearMap(with_fixed_signs(directions).T, self.mean)

    def noise(self, scatter):
        """What the rounding of the rows' numbers adds to the scatter in a direction, at most."""
        largest = np.trace(scatter) + self.mean @ self.mean
        return (np.finfo(self.dtype).eps ** 2) * largest

    def sum_rows(self, step, n_jobs, *beside, n_values=0):
        """The sums over all rows of what ``step(rows, *beside)`` returns for some rows about the centre.

        ``beside`` are arrays with an entry for each row, of which a step gets those of its rows; ``n_values`` is how
        many numbers a step makes of a row beyond its own.
        """
        centre = self.centre  # and not self, which has the table: steps are sent to workers

        def block_step(block, span, *entries):
            def part(chunk):
                return step(_about(block[chunk], centre), *(own[chunk] for own in entries))

            row_bytes = 8 * max(block.shape[1], n_values)
            return run_sum(part, chunks(block.shape[0], row_bytes, PRODUCT_BYTES), n_jobs)

        return self.table.sum_blocks(block_step, *(rows_beside(self.table, array) for array in beside))


def _about(block, centre):
    return dense(block).astype(np.float64) - centre


def row_centred(table, n_jobs):
    """The space of a table's rows.

    Parameters
    ----------
    table : RowTable
    n_jobs : int

    Returns
    -------
    Space
    """
    if table.n_cols > table.n_rows:
        rows = table.take(np.arange(table.n_rows)).astype(np.float64)
        mean = dense(rows.mean(axis=0))
        coordinates, basis = row_space(minus_centre(rows, mean))
        return Space(as_table(coordinates), np.zeros(basis.shape[1]), mean, basis, table.dtype)
    (total,) = table.sum_blocks(lambda block, span: (dense(block.sum(axis=0, dtype=np.float64)),))
    mean = total / table.n_rows
    return Space(table, mean, mean, None, table.dtype)
