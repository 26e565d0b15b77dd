"""How typical a row is: how near its anchors are, measured by the rows of the fit around them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from anchorgraph.contracts import Block, Floats, Integers, NearestAnchors, RowTable
from anchorgraph.graph import AllAnchors
from anchorgraph.numerics.blocks import chunks
from anchorgraph.numerics.distances import CentredPoints, minus_centre
from anchorgraph.numerics.execution import run

N_COMPARED = 1024
"""Maximum number of rows of the fit that scales are learnt from, so that a large table is not searched twice."""

N_PLACES = 256
"""Maximum number of anchors around which scales are learnt; further anchors take that of the nearest of these."""

SHARE = 0.2
"""The nearest rows of an anchor that its scale is learnt from: far more than a group of outliers has."""

FACTOR = 1.5
"""Distances around an anchor that differ from those of all rows by less than this are measured by those of all rows."""

LEAST = 0.01
"""Smallest scale, as a share of that of all rows: where rows are equal to their anchors, distances are zero."""


@dataclass(frozen=True)
class Typicality:
    """The row map to scores of rows, ``-d(x) / s_j``; typical rows have larger scores.

    d is the mean distance of a row to its ``n_neighbors`` nearest anchors, and j the nearest of them.

    Attributes
    ----------
    search : NearestAnchors
        Prepared for the anchors.
    n_neighbors : int
    scales : (m,) floats
        s, all positive.
    """

    search: NearestAnchors
    n_neighbors: int
    scales: Floats

    @classmethod
    def of(cls, search: NearestAnchors, points: Floats, table: RowTable, n_neighbors: int, seed: int) -> Typicality:
        """The scales of anchors for the rows of a table, or a sample of them.

        ``s_j`` is the median t of d over all rows, or at most the factor 1.5 away from the median t_j of d over the
        fifth of the rows that is nearest to the anchor: ``min(max(t, t_j / 1.5), 1.5 t_j)``.

        Parameters
        ----------
        search : NearestAnchors
            Prepared for the anchors.
        points : (m, d) floats
            The anchors.
        table : RowTable
        n_neighbors : int
        seed : int

        Returns
        -------
        Typicality
        """
        rows = table.draw(min(table.n_counted, N_COMPARED), np.random.default_rng([seed, 4]))
        _, distances = _distances(search, rows, n_neighbors)
        overall = float(np.median(distances)) or float(np.mean(distances)) or 1.0
        around = _medians_around(points, rows, distances)
        scales = np.clip(overall, around / FACTOR, around * FACTOR)
        return cls(search, n_neighbors, np.maximum(scales, LEAST * overall))

    def __call__(self, block: Block) -> Floats:
        """(n,) scores of the rows of a block."""
        nearest, distances = _distances(self.search, block, self.n_neighbors)
        scores: Floats = (-distances / self.scales[nearest]).astype(block.dtype)
        return scores


def _distances(search: NearestAnchors, rows: Block, n_neighbors: int) -> tuple[Integers, Floats]:
    """The nearest anchor of each row, and the mean distance to its ``n_neighbors`` nearest ones."""
    columns, squares = search.nearest(rows, n_neighbors)
    return columns[:, 0], np.sqrt(squares.astype(np.float64)).mean(axis=1)


def _medians_around(points: Floats, rows: Block, distances: Floats) -> Floats:
    """(m,) the median of ``distances`` over the rows that are nearest to each point."""
    places = points[:: -(-len(points) // N_PLACES)]
    n_near = max(round(SHARE * len(distances)), 1)
    centred, rows = (
        CentredPoints.of(places).for_sparse(rows) if sparse.issparse(rows) else (CentredPoints.of(places), rows)
    )
    rows = minus_centre(rows, centred.centre)
    half_norms = centred.row_norms(rows) / 2

    def medians(part: slice) -> Floats:
        some = centred.subset(np.arange(len(places))[part])
        nearness = np.ascontiguousarray((some.scores(rows) - half_norms[:, np.newaxis]).T)
        near = np.argpartition(-nearness, n_near - 1, axis=1)[:, :n_near]
        return np.median(distances[near], axis=1)

    found = np.concatenate(run(medians, chunks(len(places), 8 * len(distances))))
    if len(places) == len(points):
        return found
    return found[AllAnchors(CentredPoints.of(places)).nearest(points, 1)[0][:, 0]]
