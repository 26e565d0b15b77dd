"""Squared distances by one matrix product, accurate in float32 even for data far from the origin."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.extmath import row_norms

from anchorgraph.contracts import Block, Floats, Integers
from anchorgraph.numerics.blocks import occurring_columns

MEDIAN_POINTS = 64
"""Number of points whose median is the centre; the centre only has to lie among the points."""


def minus_centre(block: Block, centre: Floats) -> Block:
    """``block - centre`` for a dense block; a sparse block is returned unchanged.

    Subtracting the centre would make a sparse block dense, so it is accounted for after the matrix product instead.
    """
    return block if sparse.issparse(block) else block - centre


def sparse_factor_type(dtype: np.dtype[Any], offset: float, spread: float) -> np.dtype[Any]:
    """The dtype in which sparse rows are multiplied: their own near the origin, float64 far from it.

    Sparse rows cannot be moved to their centre. If this is further from the origin than twice the spread around it,
    digits would be lost in float32. Both are given as squared lengths.
    """
    return dtype if offset <= 4 * spread else np.dtype(np.float64)


@dataclass(frozen=True)
class CentredPoints:
    """Points ``u`` prepared for scores ``s(x, u) = (x - c)·(u - c) - ‖u - c‖²/2``.

    ``‖x - u‖² = ‖x - c‖² - 2 s(x, u)``, so the nearest point has the largest score, and a row's own norm is needed
    only for the few points that are chosen. Subtracting a point ``c`` that lies among the others keeps float32
    accurate: with unit spread and offset 1,000 the usual expansion gets the nearest points of almost every row wrong.

    The methods take a block that was passed through :func:`minus_centre`. Sparse rows stay sparse: ``c`` is subtracted
    after the product, which is therefore computed in float64.

    Attributes
    ----------
    centre : (d,) floats
        c.
    points : (m, d) floats
        u - c.
    half_norms : (m,) floats
        ‖u - c‖²/2.
    centre_scores : (m,) floats
        (u - c)·c, subtracted from the products of sparse rows.
    centre_norm : float
        ‖c‖² for the norms of sparse rows.
    spread : float
        Median of ‖u - c‖².
    """

    centre: Floats
    points: Floats
    half_norms: Floats
    centre_scores: Floats
    centre_norm: float
    spread: float

    @classmethod
    def of(cls, points: Floats) -> CentredPoints:
        """Prepare (m, d) points."""
        some = points[:: max(1, len(points) // MEDIAN_POINTS)]
        centre = np.median(some, axis=0).astype(points.dtype)  # unlike the mean, not moved by a distant point
        centred = points - centre
        half_norms, exact = row_norms(centred, squared=True) / 2, centre.astype(np.float64)
        centre_scores, spread = centred.astype(np.float64) @ centre, 2 * float(np.median(half_norms))
        return cls(centre, centred, half_norms, centre_scores, float(exact @ exact), spread)

    def subset(self, columns: Integers) -> CentredPoints:
        """The same for some of the points, with the centre of all."""
        return CentredPoints(
            self.centre,
            self.points.take(columns, axis=0),  # releases the GIL, unlike indexing by an array
            self.half_norms.take(columns),
            self.centre_scores.take(columns),
            self.centre_norm,
            self.spread,
        )

    def for_sparse(self, block: Any, chosen: Integers | None = None) -> tuple[CentredPoints, Block]:
        """The same, or some of the points, for the rows of a sparse block, and these rows.

        Both are without the columns in which the block has no entries, and the points are stored column by column in
        the dtype of the product: otherwise SciPy would copy all of them for every product.
        """
        columns, rows = occurring_columns(block)
        if chosen is None:
            some, by_column = self, self.points.T[columns]
        else:
            some = replace(self, half_norms=self.half_norms[chosen], centre_scores=self.centre_scores[chosen])
            places = columns[:, np.newaxis] + self.points.shape[1] * chosen
            by_column = self.points.reshape(-1).take(places)
        points = np.ascontiguousarray(by_column, dtype=self._factor_type(block)).T
        return replace(some, centre=self.centre[columns], points=points), rows

    def scores(self, block: Block) -> Floats:
        """(n, m) scores of the rows of a block."""
        scores: Floats
        if sparse.issparse(block):
            factor_type = self._factor_type(block)
            scores = block.astype(factor_type, copy=False) @ self.points.T.astype(factor_type, copy=False)
            scores -= self.centre_scores
            scores = scores.astype(block.dtype, copy=False)
        else:
            scores = block @ self.points.T
        scores -= self.half_norms
        return scores

    def own_scores(self, block: Block, columns: Integers) -> Floats:
        """(n,) score of each row with one of the points."""
        points = self.points.take(columns, axis=0)
        if sparse.issparse(block):
            exact: Any = block.astype(np.float64)
            products = np.asarray(exact.multiply(points).sum(axis=1)).ravel() - self.centre_scores.take(columns)
        else:
            products = np.einsum("nd,nd->n", block, points)
        scores: Floats = (products - self.half_norms.take(columns)).astype(block.dtype)
        return scores

    def row_norms(self, block: Block) -> Floats:
        """(n,) ``‖x - c‖²`` of the rows of a block."""
        norms: Floats
        if sparse.issparse(block):
            exact, centre = block.astype(np.float64), self.centre.astype(np.float64)
            norms = (row_norms(exact, squared=True) - 2 * (exact @ centre) + self.centre_norm).astype(block.dtype)
        else:
            norms = row_norms(block, squared=True)
        return norms

    def _factor_type(self, block: Block) -> np.dtype[Any]:
        return sparse_factor_type(block.dtype, self.centre_norm, self.spread)
