"""Nearest anchors by comparing every row with every anchor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anchorgraph.numerics.distances import CentredPoints, minus_centre
from anchorgraph.numerics.selection import largest
from anchorgraph.numerics.threads import chunks, row_bytes, run


@dataclass(frozen=True)
class ExactSearch:
    """All n·m distances, a chunk of rows at a time: n×m numbers never exist at once."""

    name: ClassVar[str] = "exact"

    anchors: CentredPoints
    n_jobs: int

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
        parts = run(look, chunks(block.shape[0], widest), self.n_jobs)
        return tuple(np.concatenate(part) for part in zip(*parts, strict=True))


def squared_distances(anchors, rows, scores):
    """``‖x - u‖² = ‖x - c‖² - 2 s(x, u)``, never below zero."""
    return np.maximum(anchors.row_norms(rows)[:, np.newaxis] - 2 * scores, 0)
