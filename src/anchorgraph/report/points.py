"""The points of the map: where they lie, and the groups and numbers that colour them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from anchorgraph.contracts import Floats, Integers
from anchorgraph.numerics.blocks import dense
from anchorgraph.plot.colours import group_colour
from anchorgraph.report.groups import Groups
from anchorgraph.report.packing import NONE, pack, pack_codes, pack_numbers
from anchorgraph.report.positions import Positions
from anchorgraph.report.shown import ShownRows

TAIL = 0.01
"""Share of rows at each end of a colour scale that have its first and last colour, so that far values do not take it
for themselves."""


def place_points(positions: Positions) -> dict[str, Any]:
    """Coordinates in two bytes each, by the same scale in both directions; the largest number is none.

    ``unplaced`` counts the rows without a place, and ``sentence`` says what the coordinates are.
    """
    points = positions.points
    placed = np.isfinite(points).all(axis=1)
    middle, span = _square(points[placed]) if placed.any() else (np.zeros(2), 1.0)
    steps = np.full(points.shape, NONE, dtype=np.uint16)
    scaled = (points[placed] - middle) / span + 0.5
    steps[placed] = np.round(scaled * (NONE - 1)).astype(np.uint16)
    x, y = (pack(column.copy()) for column in steps.T)
    return {"x": x, "y": y, "unplaced": int(np.count_nonzero(~placed)), "sentence": positions.sentence}


def _square(points: Floats) -> tuple[Floats, float]:
    """The middle and the side of the square around some points."""
    low, high = points.min(axis=0), points.max(axis=0)
    return (low + high) / 2, float((high - low).max()) or 1.0


def colour_by_groups(groups: Groups, rows: ShownRows) -> dict[str, Any]:
    """The group of each shown row, and names and colours of the groups."""
    colours = [group_colour(number) for number in range(len(groups.names))]
    codes = pack_codes(groups.codes[rows.numbers])
    return {"title": groups.what, "names": groups.names, "colours": colours, "codes": codes}


def colour_by_columns(rows: ShownRows, columns: Integers, names: Sequence[str]) -> list[dict[str, Any]]:
    """The values of some columns of the shown rows."""
    values = dense(rows.values[:, columns])
    return [
        colour_by_numbers(names[column], values[:, place]) | {"section": "columns"}
        for place, column in enumerate(columns.tolist())
    ]


def colour_by_numbers(title: str, values: Floats) -> dict[str, Any]:
    """Numbers with the ends of their colour scale."""
    known = values[np.isfinite(values)].astype(np.float64)
    first, last = np.quantile(known, [TAIL, 1 - TAIL]).tolist() if len(known) else (0.0, 0.0)
    packed = pack_numbers(values)
    if first == last:
        first, last = packed["low"], packed["high"]
    return {"title": title, **packed, "from": first, "to": last}
