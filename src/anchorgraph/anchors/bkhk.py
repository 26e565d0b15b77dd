"""BKHK: hierarchical balanced 2-means (Algorithm 1 of ulge and of fsc)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from anchorgraph.anchors.balanced import cut, halves_of_sample, start, two_means
from anchorgraph.anchors.sample import grow_on_sample
from anchorgraph.anchors.tree import Splits, grow
from anchorgraph.numerics.checks import check_integer, check_number


@dataclass(frozen=True)
class BalancedRule:
    """Split a node's rows and leaves in two equal halves, or as nearly as they go.

    A node that owns q leaves gives ⌊q/2⌋ of them and the same share of its rows to its left child, so leaf sizes
    differ by at most one for any number of anchors; for powers of two this is the papers' halving.
    """

    max_iter: int
    tol: float
    max_samples: int | None

    def needs_start(self, n_rows):
        return self.max_samples is None or n_rows <= self.max_samples

    def start(self, sketch, n_leaves, rngs):
        return start(sketch, self._n_left(sketch, n_leaves), rngs, self.max_iter)

    def split(self, nodes, is_left, n_leaves, rngs):
        n_left = self._n_left(nodes, n_leaves)
        if self.needs_start(nodes.n_rows):
            halves = two_means(nodes, n_left, is_left, max_iter=self.max_iter, tol=self.tol)
        else:
            sampled = halves_of_sample(nodes, n_left, rngs, self.max_samples, self.max_iter, self.tol)
            halves = replace(cut(nodes, n_left, sampled.directions), n_iter=sampled.n_iter)
        n_left_leaves = np.full(nodes.n_nodes, n_leaves // 2)
        return Splits(halves.is_left, n_left_leaves, halves.directions, halves.thresholds, halves.n_iter)

    def _n_left(self, nodes, n_leaves):
        return nodes.n_rows * (n_leaves // 2) // n_leaves


def grow_bkhk(table, n_anchors, *, seed, max_iter=100, tol=0.05, max_samples=None):
    """Grow a balanced tree with exactly ``n_anchors`` leaves; an anchor is a leaf's mean.

    Parameters
    ----------
    table : RowTable
    n_anchors, seed : int
    max_iter, tol
        Rounds at most in a node; a round that moves no more than the share ``tol`` of its rows is the last.
    max_samples : int, optional
        Larger nodes find their centres on a sample of so many rows and then place all of their rows in one pass.

    Returns
    -------
    GrownTree
    """
    return grow(table, n_anchors, BalancedRule(max_iter, tol, max_samples), seed=seed)


@dataclass(frozen=True)
class BKHKAnchors:
    """Means of the leaves of a balanced tree (``anchors="bkhk"``).

    Parameters
    ----------
    max_iter : int, default=100
        Rounds of balanced 2-means at most in a node.
    tol : float, default=0.05
        A round that moves no more than this share of a node's rows is its last; with 0, one that moves none.
    max_samples : int, default=None
        Rows that the tree is grown on at most: by default 2¹⁸ and 256 MiB, but 32 for each anchor.
    """

    max_iter: int = 100
    tol: float = 0.05
    max_samples: int | None = None

    def __post_init__(self):
        check_integer("max_iter", self.max_iter)
        check_number("tol", self.tol, at_least=0, below=1)
        if self.max_samples is not None:
            check_integer("max_samples", self.max_samples, at_least=2)

    def select(self, table, n_anchors, seed):
        """The anchors of a table."""
        return grow_on_sample(self._grow, table, n_anchors, seed=seed, max_samples=self.max_samples).anchors

    def grow(self, table, n_anchors, seed):
        """The whole tree of a table, with the leaf of each row where they are in memory.

        There all rows are split, and ``max_samples`` is the size of a node from which on its centres are found on a
        sample.
        """
        if table.in_memory:
            return self._grow(table, n_anchors, seed=seed, max_samples=self.max_samples)
        return grow_on_sample(self._grow, table, n_anchors, seed=seed, max_samples=self.max_samples)

    def _grow(self, table, n_anchors, *, seed, max_samples=None):
        return grow_bkhk(table, n_anchors, seed=seed, max_iter=self.max_iter, tol=self.tol, max_samples=max_samples)
