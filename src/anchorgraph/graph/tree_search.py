"""Nearest anchors with the help of the tree that found them.

The hyperplanes at the top of the tree are normal to the directions in which the data vary most. In the few coordinates
along these directions, a row is compared with every *cell* (an anchor, or a few neighbouring leaves if there are very
many), which is cheap. In all coordinates, it is compared only with the anchors near the best cell. Descending to a leaf
and searching around it would miss neighbours on the other side of the leaf's boundaries, which connect the rows of a
cluster; this search does not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy import sparse
from sklearn.utils.extmath import row_norms

from anchorgraph.contracts import Anchors, BinaryTree, Block, Floats, Integers
from anchorgraph.graph.exact import squared_distances
from anchorgraph.numerics.blocks import chunks, row_bytes, take_rows
from anchorgraph.numerics.distances import CentredPoints, minus_centre
from anchorgraph.numerics.execution import run
from anchorgraph.numerics.selection import largest

TOP_PLANES = 31
"""Number of hyperplanes in the first five levels of the tree."""

CHUNK_BYTES = 2**22
"""Larger chunks than elsewhere, so that more rows of the same cell are handled together."""

MOST_CELLS = 1024
"""With more anchors than this, neighbouring leaves share a cell, so that each cell has enough rows for an efficient
matrix product."""


def n_candidates(n_anchors: int, k: int) -> int:
    """Number of anchors that a row is compared with in all coordinates: 3.5 √m, or 8k if that is more."""
    return min(n_anchors, max(int(np.ceil(3.5 * np.sqrt(n_anchors))), 8 * k))


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
    cells : (r + 1, cells) floats
        The centres of the cells in these r coordinates, followed by a row of minus half their squared norms. The scores
        of a row are the product of its r coordinates and a one with this array.
    candidates : (cells, K) integers
        The anchors nearest to each cell.
    """

    name: ClassVar[str] = "tree"

    anchors: CentredPoints
    axes: Floats
    cells: Floats
    candidates: Integers

    @classmethod
    def of(cls, anchors: CentredPoints, tree: BinaryTree, k: int) -> AnchorsOfCells:
        """Prepare a search for up to ``k`` neighbours."""
        axes = np.linalg.qr(tree.directions[:TOP_PLANES].T).Q.astype(anchors.points.dtype)
        coordinates, n_anchors = anchors.points @ axes, len(anchors.points)
        candidates = _nearest_to_cells(coordinates, cell_starts(n_anchors), n_candidates(n_anchors, k))
        return cls(anchors, axes, cells_along(anchors, axes), candidates)

    def nearest(self, block: Block, k: int) -> tuple[Integers, Floats]:
        """Each row's ``k`` nearest candidates, nearest first, and the squared distances to them."""
        widest = max(row_bytes(block), self.cells[0].nbytes)  # memory of a row, or of its scores
        parts = chunks(block.shape[0], widest, CHUNK_BYTES)
        cells = np.concatenate(run(lambda part: self._best_cell(block[part]), parts))
        order = np.argsort(cells, kind="stable")
        columns = np.empty((len(cells), k), dtype=np.intp)
        distances = np.empty((len(cells), k), dtype=np.result_type(block.dtype, self.axes.dtype))

        def search_chunk(part: slice) -> None:
            rows = order[part]
            columns[rows], distances[rows] = self._nearest_of_sorted(take_rows(block, rows), cells[rows], k)

        run(search_chunk, parts)
        return columns, distances

    def _best_cell(self, block: Block) -> Integers:
        rows = np.ones((block.shape[0], len(self.cells)), dtype=self.axes.dtype)
        rows[:, :-1] = minus_centre(block, self.anchors.centre) @ self.axes
        if sparse.issparse(block):
            rows[:, :-1] -= self.anchors.centre @ self.axes
        best: Integers = (rows @ self.cells).argmax(axis=1)
        return best

    def _nearest_of_sorted(self, rows: Any, cells: Integers, k: int) -> tuple[Integers, Floats]:
        """Nearest candidates of rows that are sorted by cell, with one product for each cell; overwrites the rows."""
        is_sparse = sparse.issparse(rows)
        if not is_sparse:
            rows -= self.anchors.centre
        scores = np.empty((len(cells), self.candidates.shape[1]), dtype=np.result_type(rows.dtype, self.axes.dtype))
        starts = np.flatnonzero(np.diff(cells, prepend=-1))
        for start, stop in zip(starts, [*starts[1:], len(cells)], strict=True):
            near, own = self.candidates[cells[start]], rows[start:stop]
            around, own = self.anchors.for_sparse(own, near) if is_sparse else (self.anchors.subset(near), own)
            scores[start:stop] = around.scores(own)
        positions, best = largest(scores, k)
        return self.candidates[cells[:, np.newaxis], positions], squared_distances(self.anchors, rows, best)


def cell_starts(n_anchors: int) -> Integers:
    """The first anchor of each cell."""
    cell_of_anchor = np.arange(n_anchors) // -(-n_anchors // MOST_CELLS)
    return np.flatnonzero(np.diff(cell_of_anchor, prepend=-1))


def cells_along(anchors: CentredPoints, axes: Floats) -> Floats:
    """The (r + 1, cells) centres of all cells along some axes and their norms, as in :class:`AnchorsOfCells`."""
    coordinates = anchors.points @ axes
    starts = cell_starts(len(coordinates))
    sizes = np.diff(starts, append=len(coordinates))
    centres = np.add.reduceat(coordinates, starts, axis=0) / sizes[:, np.newaxis].astype(coordinates.dtype)
    return np.vstack([centres.T, -row_norms(centres, squared=True) / 2])


def _nearest_to_cells(coordinates: Floats, starts: Integers, n_chosen: int) -> Integers:
    """(cells, K) anchors that are nearest to any anchor of each cell, in the coordinates of the tree, ascending."""
    points = CentredPoints.of(coordinates)
    n_anchors = len(coordinates)

    def search_chunk(part: slice) -> Integers:
        first = starts[part]
        last = starts[part.stop] if part.stop < len(starts) else n_anchors
        rows = points.points[first[0] : last]
        closeness = points.scores(rows) - points.half_norms[first[0] : last, np.newaxis]
        closeness = np.maximum.reduceat(closeness, first - first[0], axis=0)
        chosen = np.argpartition(closeness, n_anchors - n_chosen, axis=1)[:, n_anchors - n_chosen :]
        return np.sort(chosen, axis=1)

    parts = chunks(len(starts), n_anchors * coordinates.itemsize * -(-n_anchors // len(starts)))
    return np.concatenate(run(search_chunk, parts))
