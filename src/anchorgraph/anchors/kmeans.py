"""Anchors that are centres of k-means (CSR, LSC-K, ONGR-K)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from anchorgraph.anchors.coordinates import FewCoordinates, few_coordinates
from anchorgraph.anchors.random import RandomAnchors
from anchorgraph.contracts import Anchors, Block, Floats, RowTable
from anchorgraph.numerics.checks import check_integer
from anchorgraph.numerics.groups import group_means, sums_of_block
from anchorgraph.numerics.lloyd import lloyd, nearest_centre, quantisation_error
from anchorgraph.numerics.progress import stage


@dataclass(frozen=True)
class KMeansAnchors:
    """Centres of Lloyd's algorithm started from random rows (``anchors="kmeans"``).

    Rows of 128 columns and more are assigned to centres in 64 coordinates along which they vary most.

    Parameters
    ----------
    max_iter : int, default=5
        Maximum number of iterations: five as in csr; the tables of ulge use 100.
    n_init : int, default=1
        Number of starts; the centres with the smallest quantisation error are used.
    """

    max_iter: int = 5
    n_init: int = 1

    def __post_init__(self) -> None:
        check_integer("max_iter", self.max_iter)
        check_integer("n_init", self.n_init)

    @stage("anchors")
    def select(self, table: RowTable, n_anchors: int, seed: int) -> Anchors:
        """The anchors of a table."""
        seeds = [seed, *np.random.default_rng([seed, 1]).integers(2**31 - 1, size=self.n_init - 1)]
        starts = (RandomAnchors().select(table, n_anchors, int(start)).points for start in seeds)
        few = few_coordinates(table, np.random.default_rng([seed, 2]))
        if few is None:
            found = [lloyd(table, points, max_iter=self.max_iter, tol=0) for points in starts]
        else:
            found = [lloyd_in(few, table, points, self.max_iter) for points in starts]
        centres = [each.astype(table.dtype) for each in found]
        return Anchors(centres[0] if self.n_init == 1 else min(centres, key=lambda c: quantisation_error(table, c)))


def lloyd_in(few: FewCoordinates, table: RowTable, centres: Floats, max_iter: int) -> Floats:
    """Lloyd's algorithm with distances in a few coordinates; the last iteration takes the means of all columns.

    Parameters
    ----------
    few : FewCoordinates
        Those of the table.
    table : RowTable
    centres : (c, d) floats
        Initial centres.
    max_iter : int
        Maximum number of iterations, at least 1.

    Returns
    -------
    (c, d) floats
    """
    moved = lloyd(few.rows, few.coordinates.of(centres), max_iter=max_iter - 1, tol=0)
    nearest = nearest_centre(moved.astype(table.dtype))

    def step(block: Block, coordinates: Floats, *weights: Floats) -> tuple[Any, ...]:
        return sums_of_block(block, nearest(coordinates), len(centres), *weights)

    sums, sizes = table.sum_blocks(step, few.rows, *table.weights)
    return group_means(sums, sizes, centres)
