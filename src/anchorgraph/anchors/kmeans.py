"""Anchors that are centres of k-means (CSR, LSC-K, ONGR-K)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from anchorgraph.anchors.random import RandomAnchors
from anchorgraph.contracts import Anchors, RowTable
from anchorgraph.numerics.checks import check_integer
from anchorgraph.numerics.lloyd import lloyd, quantisation_error
from anchorgraph.numerics.progress import stage


@dataclass(frozen=True)
class KMeansAnchors:
    """Centres of Lloyd's algorithm started from random rows (``anchors="kmeans"``).

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
        found = [lloyd(table, points, max_iter=self.max_iter, tol=0).astype(table.dtype) for points in starts]
        best = found[0] if self.n_init == 1 else min(found, key=lambda centres: quantisation_error(table, centres))
        return Anchors(best)
