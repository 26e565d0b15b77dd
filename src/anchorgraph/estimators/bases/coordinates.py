"""The few coordinates in which near rows are found, and the fields of a search for new rows in a model file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from anchorgraph.contracts import Block, LinearMap, RowTable
from anchorgraph.contracts import Floats as FloatArray
from anchorgraph.estimators.bases.fields import Field, Floats, Integers, Optional, Record
from anchorgraph.graph import RowIndex, unsearchable
from anchorgraph.numerics.blocks import dense
from anchorgraph.projection import along_and_beyond_axes, along_axes, principal_axes


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


def few_coordinates(table: RowTable, n_components: int, seed: int) -> Coordinates:
    """The row map of a table to at most ``n_components`` coordinates."""
    return Coordinates(principal_axes(table, n_components, seed) if table.n_cols > n_components else None)


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
