"""HK: hierarchical 2-means without balance, the anchors of HKULGE."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from anchorgraph.anchors.balanced import unit, widest_directions
from anchorgraph.anchors.nodes import Nodes
from anchorgraph.anchors.sample import grow_on_sample
from anchorgraph.anchors.tree import GrownTree, Splits, grow
from anchorgraph.contracts import Anchors, Floats, RowTable
from anchorgraph.numerics.checks import check_integer
from anchorgraph.numerics.rounds import go_round

_State: TypeAlias = tuple[NDArray[np.bool_], Floats, Floats, Floats]


@dataclass(frozen=True)
class UnbalancedRule:
    """Split a node by ordinary 2-means; its leaves are divided between the children in proportion to their rows."""

    max_iter: int

    in_all_columns: ClassVar[bool] = True

    def needs_start(self, n_rows: int) -> bool:
        """Always."""
        return True

    def start(self, nodes: Nodes, n_leaves: int, rngs: Iterable[np.random.Generator]) -> NDArray[np.bool_]:
        """Sides of the median along roughly the first principal axis."""
        scores = nodes.project(widest_directions(nodes, rngs))
        is_left: NDArray[np.bool_] = scores <= np.median(scores, axis=1, keepdims=True)
        return is_left

    def split(
        self, nodes: Nodes, is_left: NDArray[np.bool_] | None, n_leaves: int, rngs: Iterable[np.random.Generator]
    ) -> Splits:
        """2-means from these sides."""
        if is_left is None:
            is_left = self.start(nodes, n_leaves, rngs)
        is_left, directions, thresholds, n_iter = two_means(nodes, is_left, self.max_iter)
        n_left = is_left.sum(axis=1)
        shares = np.clip(np.rint(n_leaves * n_left / nodes.n_rows).astype(int), 1, n_leaves - 1)
        shares[(n_left == 0) | (n_left == nodes.n_rows)] = 0
        return Splits(is_left, shares, directions, thresholds, n_iter)


def grow_hk(table: RowTable, n_anchors: int, *, seed: int, max_iter: int = 100) -> GrownTree:
    """Grow a tree by ordinary 2-means; the anchors are the means of the leaves.

    ulge does not say when HK stops, and reports numbers of leaves close to the requested one. Dividing the leaves of a
    node between its children gives exactly ``n_anchors`` leaves, except that a node of equal rows remains one leaf.
    """
    return grow(table, n_anchors, UnbalancedRule(max_iter), seed=seed)


@dataclass(frozen=True)
class HKAnchors:
    """Means of the leaves of a tree of ordinary 2-means (``anchors="hk"``).

    Parameters
    ----------
    max_iter : int, default=100
        Maximum number of iterations of 2-means in a node.
    """

    max_iter: int = 100

    def __post_init__(self) -> None:
        check_integer("max_iter", self.max_iter)

    def select(self, table: RowTable, n_anchors: int, seed: int) -> Anchors:
        """The anchors of a table."""
        return grow_on_sample(partial(grow_hk, max_iter=self.max_iter), table, n_anchors, seed=seed).anchors


def two_means(nodes: Nodes, is_left: NDArray[np.bool_], max_iter: int) -> tuple[NDArray[np.bool_], Floats, Floats, int]:
    """Lloyd's algorithm with two centres for each of several nodes, from given sides.

    A row is left if ``x·(c_2 - c_1) <= (‖c_2‖² - ‖c_1‖²)/2``, that is, if it is nearer to ``c_1``.

    Parameters
    ----------
    nodes : NodeRows or NodeStack
    is_left : (b, n) booleans
    max_iter : int

    Returns
    -------
    is_left : (b, n) booleans
    directions : (b, d) floats
    thresholds : (b,) floats
    n_iter : int
    """
    n, dtype = nodes.n_rows, nodes.dtype
    total = nodes.weighted_sum(np.ones_like(is_left, dtype=dtype))
    left_sum = nodes.weighted_sum(is_left.astype(dtype))

    def iterate(state: _State) -> tuple[_State, bool]:
        is_left, left_sum, directions, thresholds = state
        n_left = is_left.sum(axis=1, keepdims=True)
        both = (n_left > 0) & (n_left < n)
        left = left_sum / np.maximum(n_left, 1)
        right = (total - left_sum) / np.maximum(n - n_left, 1)
        directions = np.where(both, unit(right - left), directions).astype(dtype)
        middles = np.einsum("ij,ij->i", (left + right) / 2, directions)
        thresholds = np.where(both[:, 0], middles, thresholds)
        was_left, is_left = is_left, nodes.project(directions) <= thresholds[:, np.newaxis]
        moved = np.subtract(is_left, was_left, dtype=dtype)
        return (is_left, left_sum + nodes.weighted_sum(moved), directions, thresholds), not moved.any()

    start: _State = (is_left, left_sum, np.zeros(total.shape, dtype=dtype), np.zeros(len(total)))
    (is_left, _, directions, thresholds), n_iter = go_round(iterate, start, max_iter)
    return is_left, directions, thresholds, n_iter
