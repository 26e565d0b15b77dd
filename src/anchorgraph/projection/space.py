"""Rows about their mean, in a space of no more dimensions than there are rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from anchorgraph.contracts import Floats, LinearMap, RowTable
from anchorgraph.numerics.chunks import PRODUCT_BYTES, chunks
from anchorgraph.numerics.dense import dense
from anchorgraph.numerics.distances import minus_centre
from anchorgraph.numerics.eigen import with_fixed_signs
from anchorgraph.numerics.execution import run, run_sum
from anchorgraph.numerics.progress import stage
from anchorgraph.projection.smaller_space import row_space
from anchorgraph.table import as_table


@dataclass(frozen=True)
class Space:
    """The rows of a table about their mean, and the way back to all columns.

    Attributes
    ----------
    table : RowTable
        A view of the rows about their mean, dense and in float64; with more columns than rows, their coordinates in the
        space that they span.
    mean : (d,) floats
        The mean of the rows.
    basis : (d, r) floats or None
        Orthonormal columns, where the table has coordinates.
    dtype : dtype
        Of the rows as they came.
    """

    table: RowTable
    mean: Floats
    basis: Floats | None
    dtype: np.dtype[Any]

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

    def sum_rows(self, step, *entries, n_values=0):
        """The sums over all rows of what ``step(rows, *entries)`` returns for some rows about their mean.

        ``entries`` are arrays with an entry for each row, of which a step gets those of its rows; ``n_values`` is how
        many numbers a step makes of a row beyond its own.
        """

        def block_step(block, *own):
            def part(chunk):
                return step(block[chunk], *(entries[chunk] for entries in own))

            row_bytes = 8 * max(block.shape[1], n_values)
            return run_sum(part, chunks(block.shape[0], row_bytes, PRODUCT_BYTES))

        return self.table.sum_blocks(block_step, *map(self.table.align, entries))


def minus_mean(mean):
    """The row map ``x - mean``, dense and in float64."""

    def rows(block):
        moved = np.empty(block.shape)

        def move(part):
            np.subtract(dense(block[part]), mean, out=moved[part])

        run(move, chunks(block.shape[0], moved.itemsize * block.shape[1]))
        return moved

    return rows


@stage("projection")
def row_centred(table):
    """The space of a table's rows.

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
        return Space(as_table(coordinates), mean, basis, table.dtype)
    (total,) = table.sum_blocks(lambda block: (dense(block.sum(axis=0, dtype=np.float64)),))
    mean = total / table.n_rows
    return Space(table.view(minus_mean(mean)), mean, None, table.dtype)
