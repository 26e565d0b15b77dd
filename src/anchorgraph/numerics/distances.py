"""Squared distances as one matrix product, correct far from the origin in float32."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from sklearn.utils.extmath import row_norms

from anchorgraph.contracts import Block, Floats, Integers

MEDIAN_POINTS = 64
"""Points that their median is taken of: it need only lie among them."""


def minus_centre(block: Block, centre: Floats) -> Block:
    """``block - centre`` for a dense block; a sparse block stays as it is, and its shift is left to the products."""
    return block if sparse.issparse(block) else block - centre


@dataclass(frozen=True)
class CentredPoints:
    """Points ``u`` prepared for scores ``s(x, u) = (x - c)·(u - c) - ‖u - c‖²/2``.

    ``‖x - u‖² = ‖x - c‖² - 2 s(x, u)``, so the nearest point has the largest score, and a row's own norm is needed
    for its few chosen points only. Subtracting a point ``c`` amid the others first keeps float32 exact enough: with
    unit spread and offset 1,000 the plain expansion gets the nearest points of almost every row wrong.

    Both methods take a block that went through :func:`minus_centre`. Sparse rows stay sparse: for them ``c`` is
    subtracted after the product, which is therefore made in float64.
    """

    centre: Floats
    points: Floats
    half_norms: Floats
    centre_scores: Floats

    @classmethod
    def of(cls, points: Floats) -> CentredPoints:
        some = points[:: max(1, len(points) // MEDIAN_POINTS)]
        centre = np.median(some, axis=0).astype(points.dtype)  # which a point far from all others does not move
        centred = points - centre
        return cls(centre, centred, row_norms(centred, squared=True) / 2, centred.astype(np.float64) @ centre)

    def subset(self, columns: Integers) -> CentredPoints:
        """The same for some of the points, still around the centre of all."""
        return CentredPoints(
            self.centre,
            self.points.take(columns, axis=0),  # lets other threads run, indexing by an array does not
            self.half_norms[columns],
            self.centre_scores[columns],
        )

    def scores(self, block: Block) -> Floats:
        """(n, m) scores of the rows of a block."""
        if sparse.issparse(block):
            scores = block.astype(np.float64) @ self.points.T
            scores -= self.centre_scores
            scores = scores.astype(block.dtype, copy=False)
        else:
            scores = block @ self.points.T
        scores -= self.half_norms
        return scores

    def row_norms(self, block: Block) -> Floats:
        """(n,) ``‖x - c‖²`` of the rows of a block."""
        if sparse.issparse(block):
            exact, centre = block.astype(np.float64), self.centre.astype(np.float64)
            return (row_norms(exact, squared=True) - 2 * (exact @ centre) + centre @ centre).astype(block.dtype)
        return row_norms(block, squared=True)
