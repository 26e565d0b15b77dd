"""Nearest anchors by comparing every row with every anchor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy import sparse

from anchorgraph.contracts import Anchors, Block, Floats, Integers
from anchorgraph.numerics.blocks import chunks, row_bytes
from anchorgraph.numerics.distances import CentredPoints, minus_centre
from anchorgraph.numerics.execution import run
from anchorgraph.numerics.selection import largest


@dataclass(frozen=True)
class ExactSearch:
    """Compare every row with every anchor (``search="exact"``)."""

    def prepare(self, anchors: Anchors, k: int, n_rows: int) -> AllAnchors:
        """Prepare the search for these anchors; any ``k`` and ``n_rows`` give the same."""
        return AllAnchors(CentredPoints.of(anchors.points))


@dataclass(frozen=True)
class AllAnchors:
    """Compute all n·m distances, a chunk of rows at a time, so that the (n, m) array never exists as a whole."""

    name: ClassVar[str] = "exact"

    anchors: CentredPoints

    def nearest(self, block: Block, k: int) -> tuple[Integers, Floats]:
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
        anchors, block = self._for(block)

        def search_chunk(part: slice) -> tuple[Integers, Floats]:
            rows = minus_centre(block[part], anchors.centre)
            columns, scores = largest(anchors.scores(rows), k)
            return columns, squared_distances(anchors, rows, scores)

        columns, distances = zip(*run(search_chunk, self._chunks(block)), strict=True)
        return np.concatenate(columns), np.concatenate(distances)

    def all(self, block: Block) -> Floats:
        """(n, m) squared distances of each row to all anchors."""
        anchors, block = self._for(block)

        def of_chunk(part: slice) -> Floats:
            rows = minus_centre(block[part], anchors.centre)
            return squared_distances(anchors, rows, anchors.scores(rows))

        return np.concatenate(run(of_chunk, self._chunks(block)))

    def one(self, block: Block, columns: Integers) -> Floats:
        """(n,) squared distances of each row to one of the anchors."""
        anchors, block = self._for(block)

        def of_chunk(part: slice) -> Floats:
            rows = minus_centre(block[part], anchors.centre)
            return squared_distances(anchors, rows, anchors.own_scores(rows, columns[part])[:, np.newaxis])[:, 0]

        return np.concatenate(run(of_chunk, self._chunks(block)))

    def _for(self, block: Block) -> tuple[CentredPoints, Block]:
        """The anchors and a block, both without columns in which a sparse block has no entries."""
        return self.anchors.for_sparse(block) if sparse.issparse(block) else (self.anchors, block)

    def _chunks(self, block: Block) -> list[slice]:
        widest = max(row_bytes(block), self.anchors.half_norms.nbytes)  # memory of a row, or of its scores
        return chunks(block.shape[0], widest)


def squared_distances(anchors: CentredPoints, rows: Block, scores: Floats) -> Floats:
    """``‖x - u‖² = ‖x - c‖² - 2 s(x, u)``, clipped at zero because of rounding errors."""
    return np.maximum(anchors.row_norms(rows)[:, np.newaxis] - 2 * scores, 0)
