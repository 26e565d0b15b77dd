"""The rows of a fit, prepared so that the nearest of them are found for new rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np

from anchorgraph.contracts import Block, Floats, Integers
from anchorgraph.graph.compare import by_distance, nearest_of_all, nearest_of_groups
from anchorgraph.graph.leaves import Leaves
from anchorgraph.graph.nearest_rows import near_leaves
from anchorgraph.numerics.equal_rows import row_keys
from anchorgraph.numerics.finite import SIZES, TooLargeError

LEAVES_OF_NEW_ROWS = 32
"""Leaves whose rows a new row is compared with. They are more than in a fit, where two trees are searched."""

IN_ALL_COLUMNS = 6
"""So many times the neighbours that are wanted are compared in all coordinates, if these are more."""

Neighbors: TypeAlias = tuple[Integers, Floats]
"""Numbers of near rows, and distances to them."""


@dataclass(frozen=True)
class RowIndex:
    """Rows by leaf of a tree.

    Attributes
    ----------
    points : (n, q) floats
        The rows, in the coordinates in which near ones are found.
    leaf_of : (n,) integers
        Leaf of each row; the only one, if the search is exact.
    means : (m, q) floats
        Mean of each leaf.
    """

    points: Floats
    leaf_of: Integers
    means: Floats

    @classmethod
    def of(cls, points: Floats, trees: Sequence[Leaves]) -> RowIndex:
        """Prepare points in the order of the first tree, or for an exact search if there is none."""
        if not trees:
            mean = points.mean(axis=0, keepdims=True, dtype=np.float64).astype(points.dtype)
            return cls(points, np.zeros(len(points), np.int32), mean)
        leaves = trees[0]
        return cls(points, np.repeat(np.arange(len(leaves), dtype=np.int32), np.diff(leaves.starts)), leaves.means)

    @property
    def n_points(self) -> int:
        """Number of rows."""
        return len(self.points)

    def prepared(self) -> RowIndex:
        """The same, with all that follows from its attributes computed, so that workers do not compute it again."""
        for name in ("leaves", "near", "_keys"):
            getattr(self, name)
        return self

    @cached_property
    def leaves(self) -> Leaves:
        """The rows of each leaf."""
        return Leaves.of(self.leaf_of, self.means)

    @cached_property
    def near(self) -> Integers:
        """(m, p) the leaves near each leaf."""
        return near_leaves(self.leaves, LEAVES_OF_NEW_ROWS)

    def nearest(self, sketch: Floats, k: int) -> Neighbors:
        """Each new row's nearest rows of the fit, nearest first, and the distances to them.

        A row is compared with the rows in the leaves around the one whose mean is nearest, so that the result does
        not depend on other new rows. With a single leaf the search is exact.

        Parameters
        ----------
        sketch : (b, q) floats
            New rows in the coordinates of ``points``.
        k : int

        Returns
        -------
        neighbors : (b, k) integers
        distances : (b, k) floats
        """
        sketch = self._as_points(sketch)
        return by_distance(sketch, self.points, self._candidates(sketch, k), k)

    def nearest_in_all_columns(self, sketch: Floats, k: int, rows: Block, points: Block) -> Neighbors:
        """:meth:`nearest`, by distances in all columns: of (b, d) new rows, and the (n, d) rows of the fit."""
        sketch = self._as_points(sketch)
        if len(self.means) == 1:
            near = nearest_of_all(rows, points, k, among_themselves=False)
        else:
            near = self._candidates(sketch, IN_ALL_COLUMNS * k)
        return by_distance(rows, points, near, k)

    def _as_points(self, sketch: Floats) -> Floats:
        """New rows in the dtype of the rows of the fit, which may be a smaller one."""
        dtype, largest = self.points.dtype, SIZES[self.points.dtype][1]
        if sketch.dtype != dtype and float(np.abs(sketch).max()) > largest:
            raise TooLargeError(
                f"X has absolute values above {largest:.0e}, whose products overflow {dtype}, the dtype of the fit; "
                "scale X as in fit, or fit rows of float64."
            )
        return sketch.astype(dtype, copy=False)

    def _candidates(self, sketch: Floats, n_wanted: int) -> Integers:
        """(b, n_wanted + 1) the nearest rows in few coordinates, or fewer; and one that is equal, if there is one."""
        groups = self._by_leaf(sketch)
        neighbors = nearest_of_groups(
            sketch,
            [members for _, members in groups],
            self.points,
            lambda number: self.leaves.rows_of_all(self.near[groups[number][0]]),
            min(n_wanted, self._n_candidates([leaf for leaf, _ in groups])),
            among_themselves=False,
        )
        return np.column_stack([neighbors, self._equal(sketch, otherwise=neighbors[:, 0])])

    def _by_leaf(self, sketch: Floats) -> list[tuple[int, Integers]]:
        """New rows with the same nearest leaf together: the leaf, and the rows."""
        leaf_of = nearest_of_all(sketch, self.means, 1, among_themselves=False)[:, 0]
        order = np.argsort(leaf_of, kind="stable")
        leaves, starts = np.unique(leaf_of[order], return_index=True)
        return list(zip(leaves.tolist(), np.split(order, starts[1:]), strict=True))

    def _equal(self, sketch: Floats, otherwise: Integers) -> Integers:
        """(b,) a row of the fit that is equal to each new row, also if its leaf is not searched; else ``otherwise``."""
        keys, order = self._keys
        found = np.searchsorted(keys, row_keys(sketch)).clip(max=len(keys) - 1)
        is_equal = (self.points[order[found]] == sketch).all(axis=1)
        return np.where(is_equal, order[found], otherwise)

    @cached_property
    def _keys(self) -> tuple[Integers, Integers]:
        keys = row_keys(self.points)
        order = np.argsort(keys, kind="stable").astype(np.int32)
        return keys[order], order

    def _n_candidates(self, leaves: list[int]) -> int:
        """Number of rows near these leaves, at least."""
        return int(np.diff(self.leaves.starts)[self.near[leaves]].sum(axis=1).min())


def unsearchable(index: RowIndex) -> str | None:
    """What is wrong with an index from a model file, as the end of a sentence, or None."""
    sizes = np.bincount(index.leaf_of, minlength=len(index.means))
    return f"has no rows in leaf {int(sizes.argmin())}" if sizes.min() == 0 else None
