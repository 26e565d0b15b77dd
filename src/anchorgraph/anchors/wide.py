"""Tables of very many columns, in the few coordinates in which their trees are grown.

Rows such as TF-IDF differ most in a few directions; in all columns, an iteration of 2-means takes far longer and finds
halves that are no better. A hyperplane in the few coordinates is also one in all columns, so the tree routes new rows
like any other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.extmath import row_norms

from anchorgraph.contracts import BinaryTree, Block, Floats, RowTable
from anchorgraph.numerics.blocks import chunks, row_bytes, weigh
from anchorgraph.numerics.distances import sparse_factor_type
from anchorgraph.numerics.execution import run, run_sum
from anchorgraph.table import as_table

WIDE = 2048
"""Number of columns from which trees are grown in a few coordinates, whether rows are dense or sparse."""

AXES = 96
"""Number of coordinates. On TF-IDF of docstrings, the rows of a leaf are as near to their mean as those of a tree grown
in all columns; with 64 coordinates 0.5 % further."""

FEWEST_ROWS = 16 * AXES
"""Tables of fewer rows are split in all columns, which takes no time."""

POWER_PASSES = 2
"""Passes over the rows that turn random axes towards the principal ones."""


SUM_BYTES = 2**24
"""Size of a chunk for sums of shape (d, r): adding them must not cost more than computing them."""


@dataclass(frozen=True)
class FewCoordinates:
    """Rows in a few coordinates, and the way back to hyperplanes of all columns.

    Attributes
    ----------
    rows : RowTable
        ``(x - mean) @ axes`` of each row.
    axes : (d, r) floats
        Orthonormal.
    mean : (d,) floats
    """

    rows: RowTable
    axes: Floats
    mean: Floats

    def in_all_columns(self, tree: BinaryTree) -> BinaryTree:
        """A tree of the few coordinates as one of all columns."""
        directions = (tree.directions @ self.axes.T.astype(tree.directions.dtype)).reshape(-1, len(self.mean))
        return replace(
            tree, directions=directions, thresholds=tree.thresholds + tree.directions @ tree.centre, centre=self.mean
        )


def few_coordinates(table: RowTable, rng: np.random.Generator) -> FewCoordinates | None:
    """The rows along roughly their first principal axes, or None if the table is not wide.

    The axes are the range of a random projection after a few power iterations with all rows.
    """
    if table.n_cols < WIDE or table.n_counted < FEWEST_ROWS:
        return None
    moments = _sum(table, _moments) / table.total_weight
    mean, square = moments[:-1], float(moments[-1])
    offset = float(mean @ mean)
    dtype = sparse_factor_type(table.dtype, offset, square - offset)
    axes: Floats = rng.standard_normal((table.n_cols, AXES))
    for _ in range(POWER_PASSES):
        axes = np.linalg.qr(_sum(table, _Coordinates(mean, axes, dtype).spread)).Q
    coordinates = _Coordinates(mean, axes, dtype)

    def project(block: Block) -> Floats:
        parts = chunks(block.shape[0], row_bytes(block))
        projected = np.concatenate(run(lambda part: coordinates.of(block[part]), parts))
        return projected.astype(block.dtype, copy=False)

    return FewCoordinates(as_table(table.map_rows(project)), axes, mean.astype(table.dtype))


@dataclass(frozen=True)
class _Coordinates:
    """Products with centred rows. Sparse rows are multiplied in ``dtype``, and the mean is subtracted afterwards."""

    mean: Floats
    axes: Floats
    dtype: np.dtype[Any]

    def of(self, rows: Any) -> Floats:
        """``(x - mean) @ axes`` of each row."""
        return self._of_movable(self._movable(rows))

    def spread(self, rows: Any, *weights: Floats) -> Floats:
        """``Σ x (x - mean)ᵀ axes``; over all rows of a table, their scatter matrix times the axes."""
        movable = self._movable(rows)
        return np.asarray(movable.T @ weigh(self._of_movable(movable), *weights), dtype=np.float64)

    def _movable(self, rows: Any) -> Any:
        return rows.astype(self.dtype, copy=False) if sparse.issparse(rows) else rows - self.mean.astype(rows.dtype)

    def _of_movable(self, rows: Any) -> Floats:
        products: Floats = rows @ self.axes.astype(rows.dtype, copy=False)
        return products - self.mean @ self.axes if sparse.issparse(rows) else products


def _moments(rows: Any, *weights: Floats) -> Floats:
    """The sums of each column, and of all squares."""
    sums = np.asarray(weigh(rows, *weights).sum(axis=0, dtype=np.float64)).ravel()
    return np.append(sums, weigh(row_norms(rows, squared=True), *weights).sum(dtype=np.float64))


def _sum(table: RowTable, work: Callable[..., Floats]) -> Floats:
    """The sum over all rows of what ``work(rows, *weights)`` returns for a chunk of them."""

    def step(block: Block, *weights: Floats) -> tuple[Any, ...]:
        def part_sum(part: slice) -> tuple[Floats]:
            return (work(block[part], *(own[part] for own in weights)),)

        return run_sum(part_sum, chunks(block.shape[0], row_bytes(block), SUM_BYTES))

    (total,) = table.sum_blocks(step, *table.weights)
    return np.asarray(total)
