"""The few coordinates in which near rows are found, and the fields of a search for new rows in a model file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from anchorgraph.contracts import Block, LinearMap, RowTable
from anchorgraph.contracts import Floats as FloatArray
from anchorgraph.estimators.bases.fields import Field, Floats, Integers, Optional, Record
from anchorgraph.graph import RowIndex, mutual_share, nearest_of_all, ties, unsearchable
from anchorgraph.numerics.blocks import dense
from anchorgraph.numerics.equal_rows import distinct_rows
from anchorgraph.projection import along_and_beyond_axes, along_axes, principal_axes

USUAL_NUMBER = 64
"""Number of coordinates of wider rows, unless another one is clearly better."""

NUMBERS = (32, USUAL_NUMBER, 128, 256)
"""Numbers of coordinates that are compared."""

CLEARLY_MORE = 0.05
"""By how much more of the ties must be mutual in another number of coordinates than in the usual one."""

COMPARED_ROWS = 4096
"""Maximum number of rows for which they are compared, which must not be few: ties of a sample are long."""

COMPARED_NEIGHBORS = 10
"""Number of nearest rows of each of them."""


@dataclass(frozen=True)
class Coordinates:
    """The row map to coordinates along principal axes, in float32, or to the rows themselves if they have few columns.

    Attributes
    ----------
    axes : LinearMap or None
    """

    axes: LinearMap | None

    def __call__(self, block: Block) -> FloatArray:
        return dense(block) if self.axes is None else along_axes(self.axes)(block)


@dataclass(frozen=True)
class AsGiven:
    """The row map from the rows of a given graph to themselves, where other methods have coordinates."""

    axes: None = None

    def __call__(self, block: Any) -> Any:
        return block


@dataclass(frozen=True)
class CoordinatesAndRest:
    """The row map to coordinates and, in a last column, the squared distance between rows and their coordinates.

    Rows with few columns are their coordinates, and have no such column.

    Attributes
    ----------
    coordinates : Coordinates or AsGiven
    """

    coordinates: Coordinates | AsGiven

    def __call__(self, block: Block) -> FloatArray:
        axes = self.coordinates.axes
        return self.coordinates(block) if axes is None else along_and_beyond_axes(axes)(block)

    def apart(self, rows: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The coordinates, and (n,) the squared distances to them."""
        if self.coordinates.axes is None:
            return rows, np.zeros(rows.shape[0], rows.dtype)
        return np.ascontiguousarray(rows[:, :-1]), rows[:, -1]


def few_coordinates(table: RowTable, n_components: int | None, seed: int) -> Coordinates:
    """The row map of a table to at most ``n_components`` coordinates; None lets :func:`suitable_number` choose."""
    if table.n_cols <= (USUAL_NUMBER if n_components is None else n_components):
        return Coordinates(None)
    if n_components is not None:
        return Coordinates(principal_axes(table, n_components, seed))
    axes = principal_axes(table, min(2 * USUAL_NUMBER, table.n_cols), seed, suitable_number)
    if len(axes.components) == 2 * USUAL_NUMBER < table.n_cols:  # further ones take time, and are seldom better
        axes = principal_axes(table, min(max(NUMBERS), table.n_cols), seed, suitable_number)
    return Coordinates(axes if len(axes.components) < table.n_cols else None)


def suitable_number(coordinates: FloatArray) -> int:
    """The number of leading coordinates in which rows agree most on which of them are near each other.

    Where coordinates are missing that tell rows apart, or others are mostly noise, some rows are near to very many that
    are not near to them. So it is the number with the largest share of mutual ties among the nearest rows, if that is
    larger by 0.05 than the share in the usual number, which else is kept.

    Parameters
    ----------
    coordinates : (n, q) floats
        Of a sample of the rows, along principal axes.

    Returns
    -------
    int
        One of :data:`NUMBERS`; all coordinates, if there are fewer.
    """
    step = -(-len(coordinates) // COMPARED_ROWS)
    rows = distinct_rows(np.ascontiguousarray(coordinates[::step], np.float32))[0]
    n, k = len(rows), min(COMPARED_NEIGHBORS, len(rows) - 1)
    if k == 0:
        return USUAL_NUMBER

    def share(number: int) -> float:
        some = np.ascontiguousarray(rows[:, :number])
        return mutual_share(ties(nearest_of_all(some, some, k, among_themselves=True), np.ones((n, k), np.float32), n))

    shares = {number: share(number) for number in NUMBERS}
    best = max(NUMBERS, key=shares.__getitem__)
    return best if shares[best] - shares[USUAL_NUMBER] >= CLEARLY_MORE else USUAL_NUMBER


def counted_rows(rows: RowTable) -> FloatArray:
    """The rows that count, in memory: those of a positive weight, or all."""
    if rows.weights:
        found: FloatArray = rows.take(rows.positive_rows())
    else:
        found = rows.rows() if rows.in_memory else rows.take(np.arange(rows.n_rows))
    return found


COORDINATES = Record(
    Coordinates,
    {
        "axes": Optional(
            Record(LinearMap, {"components": Floats("q d", double=True), "mean": Floats("d", double=True)}),
            same=("q", "d"),
        )
    },
)

SEARCH_OF_ROWS: dict[str, Field] = {
    "coordinates": COORDINATES,
    "index": Record(
        RowIndex,
        {"points": Floats("n q"), "means": Floats("m q"), "leaf_of": Integers("n", below="m", dtype="int32")},
        unsearchable,
    ),
}
"""Fields of row maps that find the nearest rows of the fit for new rows."""
