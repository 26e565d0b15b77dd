"""Cells of neighbouring anchors, in a few coordinates; the cell nearest to a row is found in two steps.

The leaves of a tree are numbered from left to right, so anchors with consecutive numbers are near each other. A *cell*
is a run of consecutive anchors (a single one, unless there are very many), and a *group* is a run of consecutive cells.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log2

import numpy as np
from sklearn.utils.extmath import row_norms

from anchorgraph.contracts import Floats, Integers
from anchorgraph.numerics.blocks import chunks
from anchorgraph.numerics.distances import CentredPoints
from anchorgraph.numerics.execution import run
from anchorgraph.numerics.groups import equal_runs

MOST_CELLS = 4096
"""With more anchors than this, several share a cell, so that each cell has enough rows for an efficient product."""


FEW_COLUMNS = 62
"""Up to so many columns, a product of a cell takes less time than what is done for each cell."""

ANCHORS_A_CELL = 8
"""Number of anchors that share a cell with few columns."""


def n_cells(n_anchors: int, n_cols: int) -> int:
    """Number of cells: one for each anchor, or with few columns for eight, up to :data:`MOST_CELLS`."""
    return min(-(-n_anchors // ANCHORS_A_CELL) if n_cols <= FEW_COLUMNS else n_anchors, MOST_CELLS)


def n_groups(n_cells: int) -> int:
    """Number of groups: about 2 √c, a power of two, so that groups are nearly the subtrees of a balanced tree."""
    return min(n_cells, 1 << round(log2(4 * n_cells) / 2))


def n_near(n_cells: int) -> int:
    """Number of cells that a row of a group is compared with: 8 √c."""
    return min(n_cells, int(np.ceil(8 * np.sqrt(n_cells))))


def n_pooled(n_cells: int, n_anchors: int, n_chosen: int) -> int:
    """Number of cells that have about eight times as many anchors as are to be chosen from them."""
    return min(n_cells, -(-8 * n_chosen * n_cells // n_anchors))


@dataclass(frozen=True)
class Cells:
    """A row is compared with all groups, and then with the cells near the best group.

    Attributes
    ----------
    groups : (r + 1, g) floats
        The centres of the groups, followed by a row of minus half their squared norms. The scores of a row are the
        product of its r coordinates and a one with this array.
    near : (g, h) integers
        The cells nearest to each group. Their numbers have 16 bits, which NumPy sorts in linear time.
    points : (g, r + 1, h) floats
        For each group, the centres of these cells with their norms.
    """

    groups: Floats
    near: Integers
    points: Floats

    @classmethod
    def of(cls, coordinates: Floats, n_cells: int) -> Cells:
        """Divide m anchors into cells, given their (m, r) coordinates."""
        centres = _means(coordinates, run_starts(len(coordinates), n_cells))
        groups = n_groups(n_cells)
        near = _nearest_to_runs(centres, _runs(n_cells, groups), n_near(n_cells))
        points = _with_norms(centres)[:, near].transpose(1, 0, 2)
        group_centres = _means(centres, run_starts(n_cells, groups))
        return cls(_with_norms(group_centres), near.astype(np.uint16), np.ascontiguousarray(points))

    def nearest(self, rows: Floats) -> Integers:
        """(n,) the nearest cell of each row, given the rows' coordinates followed by a one, (n, r + 1)."""
        groups = (rows @ self.groups).argmax(axis=1).astype(np.uint16)
        order = np.argsort(groups, kind="stable")
        rows, groups = rows.take(order, axis=0), groups.take(order)
        cells: Integers = np.empty_like(groups)
        for group, part in equal_runs(groups):
            best = (rows[part] @ self.points[group]).argmax(axis=1)
            cells[part] = self.near[group].take(best)
        result: Integers = np.empty_like(cells)
        result[order] = cells
        return result


def run_starts(n: int, n_runs: int) -> Integers:
    """Where the runs begin if ``n`` things are divided evenly.

    If their number is a power of two, runs of leaves are the subtrees of a tree that halves its leaves, to a leaf.
    """
    return np.arange(n_runs) * n // n_runs


def nearest_anchors(coordinates: Floats, n_cells: int, n_chosen: int) -> Integers:
    """(c, K) the anchors nearest to any anchor of each cell, ascending.

    The anchors of a cell are compared with those of the cells with the nearest centres: with very many anchors,
    comparing all pairs would take too long.
    """
    if n_cells == len(coordinates):
        return _nearest_points(CentredPoints.of(coordinates), n_chosen)
    starts = run_starts(len(coordinates), n_cells)
    anchors, sizes = CentredPoints.of(coordinates), np.diff(starts, append=len(coordinates))
    n_near_cells = n_pooled(n_cells, len(coordinates), n_chosen)
    near_cells = _nearest_points(CentredPoints.of(_means(coordinates, starts)), n_near_cells)
    cells = _runs(len(coordinates), n_cells)

    def search_cell(cell: int) -> Integers:
        is_near = np.zeros(n_cells, dtype=bool)
        is_near[near_cells[cell]] = True
        pool = np.flatnonzero(np.repeat(is_near, sizes))
        return pool[_closest(anchors.subset(pool), anchors, cells[cell], n_chosen)]

    pieces = _runs(n_cells, n_groups(n_cells))
    return np.concatenate(run(lambda piece: [search_cell(cell) for cell in range(piece.start, piece.stop)], pieces))


def _nearest_points(points: CentredPoints, n_chosen: int) -> Integers:
    """(n, K) the points nearest to each point, itself among them, ascending."""
    n = len(points.points)

    def search_chunk(part: slice) -> Integers:
        chosen = np.argpartition(points.scores(points.points[part]), n - n_chosen, axis=1)[:, n - n_chosen :]
        return np.sort(chosen, axis=1)

    return np.concatenate(run(search_chunk, chunks(n, n * points.points.itemsize)))


def _nearest_to_runs(points: Floats, runs: list[slice], n_chosen: int) -> Integers:
    """(runs, K) the points nearest to any point of each run, ascending."""
    centred = CentredPoints.of(points)
    return np.stack(run(lambda part: _closest(centred, centred, part, n_chosen), runs))


def _closest(pool: CentredPoints, points: CentredPoints, part: slice, n_chosen: int) -> Integers:
    """The points of a pool that are closest to any of some consecutive points."""
    scores = pool.scores(points.points[part])
    scores -= points.half_norms[part, np.newaxis]
    closeness = scores.max(axis=0)
    n_others = len(closeness) - n_chosen
    return np.sort(np.argpartition(closeness, n_others)[n_others:])


def _runs(n: int, n_runs: int) -> list[slice]:
    """``n`` things divided evenly into consecutive runs."""
    starts = run_starts(n, n_runs).tolist()
    return [slice(start, stop) for start, stop in zip(starts, [*starts[1:], n], strict=True)]


def _means(points: Floats, starts: Integers) -> Floats:
    """The mean of each run of consecutive points."""
    sizes = np.diff(starts, append=len(points))
    means: Floats = np.add.reduceat(points, starts, axis=0) / sizes[:, np.newaxis].astype(points.dtype)
    return means


def _with_norms(points: Floats) -> Floats:
    """Points as columns, followed by a row of minus half their squared norms."""
    return np.vstack([points.T, -row_norms(points, squared=True) / 2])
