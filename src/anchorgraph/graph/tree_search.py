"""Nearest anchors with the help of the tree that found them.

The hyperplanes at the top of the tree are normal to the directions in which the data vary most. In the few coordinates
along these directions, the nearest *cell* (an anchor, or a few neighbouring leaves if there are very many) is found,
which is cheap. In all coordinates, a row is compared only with the anchors near this cell. Descending to a leaf and
searching around it would miss neighbours on the other side of the leaf's boundaries, which connect the rows of a
cluster; this search does not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy import sparse

from anchorgraph.contracts import Anchors, BinaryTree, Block, Floats, Integers
from anchorgraph.graph.cells import FEW_COLUMNS, Cells, n_cells, nearest_anchors
from anchorgraph.graph.exact import squared_distances
from anchorgraph.numerics.blocks import chunks, row_bytes, take_rows
from anchorgraph.numerics.distances import CentredPoints, minus_centre
from anchorgraph.numerics.execution import run
from anchorgraph.numerics.groups import equal_runs
from anchorgraph.numerics.progress import portion
from anchorgraph.numerics.selection import largest

TOP_PLANES = 31
"""Number of hyperplanes in the first five levels of the tree."""

CHUNK_BYTES = 2**22
"""Larger chunks than elsewhere, so that more rows of the same cell are handled together."""

CELL_ROWS = 2**13
"""Number of rows whose cells are found together; in few coordinates, they take little memory."""


def n_candidates(n_anchors: int, n_cols: int, k: int) -> int:
    """Number of anchors that a row is compared with in all coordinates: 3.5 √m, or 8k if that is more.

    With few columns 4 √m, but 256 at least: comparing costs little there, and cells are larger.
    """
    root = np.sqrt(n_anchors)
    near = max(256, int(np.ceil(4 * root))) if n_cols <= FEW_COLUMNS else int(np.ceil(3.5 * root))
    return min(n_anchors, max(near, 8 * k))


@dataclass(frozen=True)
class TreeSearch:
    """Compare a row with anchors that are close to it along the top hyperplanes of their tree (``search="tree"``)."""

    def prepare(self, anchors: Anchors, k: int, n_rows: int) -> AnchorsOfCells:
        """Prepare the search for up to ``k`` of these anchors; any ``n_rows`` gives the same."""
        if anchors.tree is None:
            raise ValueError(
                "search='tree' needs anchors that were found by a tree; use anchors='bkhk' or 'hk', or search='exact'."
            )
        return AnchorsOfCells.of(CentredPoints.of(anchors.points), anchors.tree, k)


@dataclass(frozen=True)
class AnchorsOfCells:
    """A search in two steps: the best cell in the coordinates of the tree, then the nearest of the anchors around it.

    Attributes
    ----------
    anchors : CentredPoints
        The m anchors in all d coordinates.
    axes : (d, r) floats
        Orthonormal axes of the space that the normals of the top hyperplanes span.
    cells : Cells
        The cells in these r coordinates.
    candidates : (cells, K) integers
        The anchors nearest to each cell.
    """

    name: ClassVar[str] = "tree"

    anchors: CentredPoints
    axes: Floats
    cells: Cells
    candidates: Integers

    @classmethod
    def of(cls, anchors: CentredPoints, tree: BinaryTree, k: int) -> AnchorsOfCells:
        """Prepare a search for up to ``k`` neighbours."""
        axes = np.linalg.qr(tree.directions[:TOP_PLANES].T).Q.astype(anchors.points.dtype)
        n_anchors, n_cols = anchors.points.shape
        candidates = nearest_anchors(
            anchors.points @ axes, n_cells(n_anchors, n_cols), n_candidates(n_anchors, n_cols, k)
        )
        return cls(anchors, axes, cells_along(anchors, axes, candidates), candidates)

    def nearest(self, block: Block, k: int) -> tuple[Integers, Floats]:
        """Each row's ``k`` nearest candidates, nearest first, and the squared distances to them."""
        n_rows, width = block.shape[0], row_bytes(block)
        parts = chunks(n_rows, 1, CELL_ROWS)
        with portion(0, 2):
            cells = np.concatenate(run(lambda part: self.cells.nearest(self._coordinates(block[part])), parts))
        order = np.argsort(cells, kind="stable")
        columns = np.empty((n_rows, k), dtype=np.intp)
        distances = np.empty((n_rows, k), dtype=np.result_type(block.dtype, self.axes.dtype))

        def search_chunk(part: slice) -> None:
            rows = order[part]
            columns[rows], distances[rows] = self._nearest_of_sorted(take_rows(block, rows), cells.take(rows), k)

        scores = self.candidates.shape[1] * distances.itemsize
        with portion(1, 2):
            run(search_chunk, chunks(n_rows, max(width, scores), CHUNK_BYTES))
        return columns, distances

    def _coordinates(self, block: Block) -> Floats:
        """(n, r + 1) the coordinates of rows, followed by a one."""
        dtype = np.result_type(block.dtype, self.axes.dtype)  # new rows may be too large for that of the fit
        rows = np.ones((block.shape[0], self.axes.shape[1] + 1), dtype=dtype)
        for part in chunks(block.shape[0], row_bytes(block)):
            rows[part, :-1] = minus_centre(block[part], self.anchors.centre) @ self.axes
        if sparse.issparse(block):
            rows[:, :-1] -= self.anchors.centre @ self.axes
        return rows

    def _nearest_of_sorted(self, rows: Any, cells: Integers, k: int) -> tuple[Integers, Floats]:
        """Nearest candidates of rows that are sorted by cell, with one product for each cell; overwrites the rows."""
        is_sparse = sparse.issparse(rows)
        if not is_sparse:
            rows -= self.anchors.centre
        scores = np.empty((len(cells), self.candidates.shape[1]), dtype=np.result_type(rows.dtype, self.axes.dtype))
        for cell, part in equal_runs(cells):
            near, own = self.candidates[cell], rows[part]
            around, own = self.anchors.for_sparse(own, near) if is_sparse else (self.anchors.subset(near), own)
            scores[part] = around.scores(own)
        positions, best = largest(scores, k)
        positions += cells[:, np.newaxis] * np.intp(self.candidates.shape[1])
        return self.candidates.reshape(-1).take(positions), squared_distances(self.anchors, rows, best)


def cells_along(anchors: CentredPoints, axes: Floats, candidates: Integers) -> Cells:
    """The cells that candidates are for, in the coordinates along some axes."""
    return Cells.of(anchors.points @ axes, min(len(candidates), len(anchors.points)))
