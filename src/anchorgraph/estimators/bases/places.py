"""Where rows lie in a map that there is: row maps, and their fields in a model file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anchorgraph.contracts import Block
from anchorgraph.contracts import Floats as FloatArray
from anchorgraph.estimators.bases.coordinates import COORDINATES, SEARCH_OF_ROWS, AsGiven, Coordinates
from anchorgraph.estimators.bases.fields import Either, Field, Floats, Integer, Record, Size
from anchorgraph.estimators.bases.given_method import GIVEN_SEARCH
from anchorgraph.estimators.bases.kept_graph import search_among, too_few
from anchorgraph.graph import Adaptive, AnchorGraphMap, GivenIndex, RowIndex
from anchorgraph.layout import place

MOST_COMPONENTS = 3
"""The mesh of the repulsion grows with the power of the dimensions."""

LEAST_SHARE = 1e-12
"""Squared distance, relative to that of the farthest neighbour, that counts as zero."""

LEAST_WEIGHT = 1e-6
"""Weight of neighbours that are as far as the farthest: not zero, for all may be."""


@dataclass(frozen=True)
class RowPlaces:
    """The row map to places in a map of rows.

    Attributes
    ----------
    coordinates : Coordinates or AsGiven
    index : RowIndex or GivenIndex
        Of the rows in the map.
    n_neighbors : int
    positions : (n, p) floats
        Of these rows.
    """

    kind: ClassVar[str] = "rows"

    coordinates: Coordinates | AsGiven
    index: RowIndex | GivenIndex
    n_neighbors: int
    positions: FloatArray

    def __call__(self, block: Block) -> FloatArray:
        r"""(b, p) places among the nearest rows.

        The weight of the j-th nearest is the adaptive one, divided by the squared distance, :math:`h_{k+1} / h_j - 1`,
        so that a row close to one of the map is placed close to it.
        """
        near, distances = self.index.nearest(self.coordinates(block), self.n_neighbors + 1)
        farthest = distances[:, -1:]
        shares = np.square(distances[:, :-1] / np.where(farthest > 0, farthest, 1))
        weights = np.maximum(1 / np.maximum(shares, LEAST_SHARE) - 1, LEAST_WEIGHT)
        return place(self.positions, near[:, :-1], weights).astype(block.dtype)


@dataclass(frozen=True)
class AnchorPlaces:
    """The row map to places in a map of anchors.

    Attributes
    ----------
    coordinates : Coordinates
    points : (m, q) floats
        The anchors in these coordinates.
    graph : AnchorGraphMap
    positions : (m, p) floats
        Of the anchors.
    """

    kind: ClassVar[str] = "anchors"

    coordinates: Coordinates
    points: FloatArray
    graph: AnchorGraphMap
    positions: FloatArray

    @property
    def n_neighbors(self) -> int:
        """Number of anchors that each row is tied to."""
        return self.graph.n_neighbors

    def __call__(self, block: Block) -> FloatArray:
        """(b, p) places among the nearest anchors, by the rows of Z."""
        Z = self.graph(self.coordinates(block))
        near, weights = (array.reshape(-1, self.n_neighbors) for array in (Z.indices, Z.data))
        return place(self.positions, near, weights).astype(block.dtype)


def too_wide(places: RowPlaces | AnchorPlaces) -> str | None:
    """What is wrong with the map of a model file, as the end of a sentence, or None."""
    n_dims = places.positions.shape[1]
    return f"has {n_dims} dimensions, but at most {MOST_COMPONENTS}" if n_dims > MOST_COMPONENTS else None


ROW_PLACES: dict[str, Field] = {"n_neighbors": Integer(at_most="n-1"), "positions": Floats("n p")}

PLACES = Either(
    {
        "rows": Record(RowPlaces, {**SEARCH_OF_ROWS, **ROW_PLACES}, too_wide),
        "anchors": Record(
            AnchorPlaces,
            {
                "coordinates": COORDINATES,
                "points": Floats("m q"),
                "graph": Record(
                    AnchorGraphMap,
                    {
                        "n_neighbors": Integer(),
                        "search": search_among("points", columns="q"),
                        "weighting": Record(Adaptive, {}),
                        "n_anchors": Size("m"),
                    },
                    too_few,
                ),
                "positions": Floats("m p"),
            },
            too_wide,
        ),
    }
)

GIVEN_PLACES = Either({"rows": Record(RowPlaces, {**GIVEN_SEARCH, **ROW_PLACES}, too_wide)})
"""The same of a map of a given graph."""
