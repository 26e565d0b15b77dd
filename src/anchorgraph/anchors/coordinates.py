"""The few coordinates in which anchors of many columns are found.

Rows of many columns differ most in a few directions. There, an iteration of k-means takes a fraction of the time and
finds clusters that are as good. A hyperplane in the few coordinates is also one in all columns, so a tree routes new
rows like any other.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.extmath import row_norms

from anchorgraph.contracts import BinaryTree, Floats, RowTable
from anchorgraph.numerics.blocks import chunks, row_bytes
from anchorgraph.numerics.chunked import in_chunks
from anchorgraph.numerics.distances import sparse_factor_type
from anchorgraph.numerics.execution import run_sum
from anchorgraph.table import FEW_ROWS

AXES = 64
"""Number of coordinates. On MNIST (1,024 leaves, three seeds), rows are 0.5 % further from the mean of their leaf than
in a tree that is grown in all columns to the last row that moves; with 32 coordinates 2 %."""

MANY_COLUMNS = 2 * AXES
"""Number of columns from which trees are grown in a few coordinates, whether rows are dense or sparse."""

FEWEST_ROWS = 16 * AXES
"""Tables of fewer rows are split in all columns, which takes no time."""

ROWS_A_COLUMN = 4
"""Number of sampled rows for each column from which the axes are computed."""

SAMPLE_BYTES = 2**28
"""Maximum size of the sample."""

POWER_STEPS = 2
"""Products with the scatter matrix of the sample that turn random axes towards the principal ones."""

FAR = 100
"""Squared distance of a mean from the origin, in units of the spread of the rows, above which float32 would lose digits
if it were subtracted after a product."""

SUM_BYTES = 2**24
"""Size of a chunk for sums of shape (d, r): adding them must not cost more than computing them."""


@dataclass(frozen=True)
class FewCoordinates:
    """Rows in a few coordinates, the way there, and the way back to hyperplanes of all columns.

    Attributes
    ----------
    rows : RowTable
        ``(x - mean) @ axes`` of each row.
    coordinates : Coordinates
    """

    rows: RowTable
    coordinates: Coordinates

    def in_all_columns(self, tree: BinaryTree) -> BinaryTree:
        """A tree of the few coordinates as one of all columns."""
        axes, mean = self.coordinates.axes, self.coordinates.mean
        dtype = tree.directions.dtype
        directions = (tree.directions @ axes.T.astype(dtype)).reshape(-1, len(mean))
        thresholds = tree.thresholds + tree.directions @ tree.centre
        return replace(tree, directions=directions, thresholds=thresholds, centre=mean.astype(dtype))


def few_coordinates(table: RowTable, rng: np.random.Generator) -> FewCoordinates | None:
    """The rows along roughly their first principal axes, or None if the table has few columns or rows.

    The axes are those of a sample: the range of a random projection after a few power iterations.
    """
    if table.n_cols < MANY_COLUMNS or table.n_counted < FEWEST_ROWS:
        return None
    coordinates = _principal(table.draw(_sample_size(table), rng), rng)
    return FewCoordinates(table.keep(in_chunks(coordinates.of)), coordinates)


def _sample_size(table: RowTable) -> int:
    affordable = min(ROWS_A_COLUMN * table.n_cols, SAMPLE_BYTES // table.row_bytes)
    # of few rows all, so that a weight stands for so many rows exactly
    return table.n_counted if table.n_counted <= FEW_ROWS else min(table.n_counted, max(affordable, FEWEST_ROWS))


def _principal(rows: Any, rng: np.random.Generator) -> Coordinates:
    """Roughly the first principal axes of some rows."""
    mean = np.asarray(rows.mean(axis=0, dtype=np.float64)).ravel()
    offset, square = float(mean @ mean), float(np.mean(row_norms(rows, squared=True), dtype=np.float64))
    dtype, is_far = sparse_factor_type(rows.dtype, offset, square - offset), offset > FAR * (square - offset)
    coordinates = Coordinates(mean, rng.standard_normal((rows.shape[1], AXES)), dtype, is_far)
    for _ in range(POWER_STEPS):
        coordinates = replace(coordinates, axes=np.linalg.qr(_spread(coordinates, rows)).Q)
    return coordinates


def _spread(coordinates: Coordinates, rows: Any) -> Floats:
    """The scatter matrix of some rows times the axes."""
    parts = chunks(rows.shape[0], row_bytes(rows), SUM_BYTES)
    (total,) = run_sum(lambda part: (coordinates.spread(rows[part]),), parts)
    return np.asarray(total)


@dataclass(frozen=True)
class Coordinates:
    """Products of centred rows with some axes.

    Attributes
    ----------
    mean : (d,) floats
    axes : (d, r) floats
        Orthonormal.
    dtype : dtype
        Type of the factors of sparse rows, from which the mean is subtracted after the product.
    is_far : bool
        Whether the mean is so far from the origin that it is subtracted from dense rows before the product.
    """

    mean: Floats
    axes: Floats
    dtype: np.dtype[Any]
    is_far: bool

    def of(self, rows: Any) -> Floats:
        """``(x - mean) @ axes`` of each row."""
        return self._of_movable(self._movable(rows)).astype(rows.dtype, copy=False)

    def spread(self, rows: Any) -> Floats:
        """``Σ x (x - mean)ᵀ axes``; over all rows of a sample, their scatter matrix times the axes."""
        movable = self._movable(rows)
        return np.asarray(movable.T @ self._of_movable(movable), dtype=np.float64)

    def _movable(self, rows: Any) -> Any:
        if sparse.issparse(rows):
            return rows.astype(self.dtype, copy=False)
        return rows - self.mean.astype(rows.dtype) if self.is_far else rows

    def _of_movable(self, rows: Any) -> Floats:
        products: Floats = rows @ self.axes.astype(rows.dtype, copy=False)
        if self.is_far and not sparse.issparse(rows):
            return products
        return products - (self.mean @ self.axes).astype(products.dtype, copy=False)
