"""HK: hierarchical 2-means without balance, the anchors of HKULGE."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from anchorgraph.anchors.balanced import unit, widest_directions
from anchorgraph.anchors.sample import grow_on_sample
from anchorgraph.anchors.tree import Splits, grow
from anchorgraph.numerics.checks import check_integer
from anchorgraph.numerics.rounds import go_round


@dataclass(frozen=True)
class UnbalancedRule:
    """Split a node by plain 2-means; its children share its leaves in proportion to their rows."""

    max_iter: int

    def needs_start(self, n_rows):
        return True

    def start(self, sketch, n_leaves, rngs):
        """Sides of the median along roughly the first principal axis."""
        scores = sketch.project(widest_directions(sketch, rngs))
        return scores <= np.median(scores, axis=1, keepdims=True)

    def split(self, nodes, is_left, n_leaves, rngs):
        is_left, directions, thresholds, n_iter = two_means(nodes, is_left, self.max_iter)
        n_left = is_left.sum(axis=1)
        shares = np.clip(np.rint(n_leaves * n_left / nodes.n_rows).astype(int), 1, n_leaves - 1)
        shares[(n_left == 0) | (n_left == nodes.n_rows)] = 0
        return Splits(is_left, shares, directions, thresholds, n_iter)


def grow_hk(table, n_anchors, *, seed, max_iter=100):
    """Grow a tree by plain 2-means; an anchor is a leaf's mean.

    ulge does not say when HK stops, and reports leaf counts near the wanted one. Sharing a node's leaves between its
    children keeps the count at ``n_anchors`` exactly, except that a node whose rows all coincide stays one leaf.
    """
    return grow(table, n_anchors, UnbalancedRule(max_iter), seed=seed)


@dataclass(frozen=True)
class HKAnchors:
    """Means of the leaves of a tree of plain 2-means (``anchors="hk"``).

    Parameters
    ----------
    max_iter : int, default=100
        Rounds of 2-means at most in a node.
    """

    max_iter: int = 100

    def __post_init__(self):
        check_integer("max_iter", self.max_iter)

    def select(self, table, n_anchors, seed):
        """The anchors of a table."""
        return grow_on_sample(partial(grow_hk, max_iter=self.max_iter), table, n_anchors, seed=seed).anchors


def two_means(nodes, is_left, max_iter):
    """Lloyd's rounds with two centres for each of several nodes, from given sides.

    A row is left where ``x·(c_2 - c_1) <= (‖c_2‖² - ‖c_1‖²)/2``, that is, nearer to ``c_1``.
    """
    n, dtype = nodes.n_rows, nodes.dtype
    total = nodes.weighted_sum(np.ones_like(is_left, dtype=dtype))
    left_sum = nodes.weighted_sum(is_left.astype(dtype))

    def turn(state):
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

    start = (is_left, left_sum, np.zeros(total.shape, dtype=dtype), np.zeros(len(total)))
    (is_left, _, directions, thresholds), n_iter = go_round(turn, start, max_iter)
    return is_left, directions, thresholds, n_iter
