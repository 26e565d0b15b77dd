"""Nearest anchors by comparing every row with every anchor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anchorgraph.numerics.chunks import chunks, row_bytes
from anchorgraph.numerics.distances import CentredPoints, minus_centre
from anchorgraph.numerics.execution import run
from anchorgraph.numerics.selection import largest


@dataclass(frozen=True)
class ExactSearch:
    """Compare every row with every anchor (``search="exact"``)."""

    def prepare(self, anchors, k, n_rows):
        """The search among these anchors."""
        return AllAnchors(CentredPoints.of(anchors.points))


@dataclass(frozen=True)
class AllAnchors:
    """All n·m distances, a chunk of rows at a time: n×m numbers never exist at once."""

    name: ClassVar[str] = "exact"

    anchors: CentredPoints

    def nearest(self, block, k):
        """Each row's ``k`` nearest anchors, nearest first, and the squared distances to them.

        Parameters
        ----------
        block : (n, d) Block
        k : int

        Returns
        -------
        columns : (n, k) integers
        squared_distances : (n, k) floats
        """

        def look(part):
            rows = minus_centre(block[part], self.anchors.centre)
            columns, scores = largest(self.anchors.scores(rows), k)
            return columns, squared_distances(self.anchors, rows, scores)

        widest = max(row_bytes(block), self.anchors.half_norms.nbytes)  # of a row, and of its scores
        parts = run(look, chunks(block.shape[0], widest))
        return tuple(np.concatenate(part) for part in zip(*parts, strict=True))


def squared_distances(anchors, rows, scores):
    """``‖x - u‖² = ‖x - c‖² - 2 s(x, u)``, never below zero."""
    return np.maximum(anchors.row_norms(rows)[:, np.newaxis] - 2 * scores, 0)
