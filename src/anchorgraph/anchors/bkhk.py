"""BKHK: hierarchical balanced 2-means (Algorithm 1 of ulge and of fsc)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from anchorgraph.anchors.balanced import START_TOL, cut, first_halves, halves_of_sample, two_means
from anchorgraph.anchors.nodes import Nodes
from anchorgraph.anchors.sample import grow_on_sample, grow_on_some
from anchorgraph.anchors.tree import GrownTree, Splits, grow
from anchorgraph.contracts import Anchors, RowTable
from anchorgraph.numerics.checks import check_integer, check_number


@dataclass(frozen=True)
class BalancedRule:
    """Split the rows and leaves of a node into halves that are as equal as possible.

    A node with q leaves gives ⌊q/2⌋ of them and the same share of its rows to its left child, so leaf sizes
    differ by at most one for any number of anchors. For powers of two these are the halves of the papers.
    """

    max_iter: int
    tol: float
    max_samples: int | None

    @property
    def in_all_columns(self) -> bool:
        """Only if no row may move in the end."""
        return self.tol == 0

    def needs_start(self, n_rows: int) -> bool:
        """Unless the halves are those of a sample."""
        return self.max_samples is None or n_rows <= self.max_samples

    def start(self, nodes: Nodes, n_leaves: int, rngs: Iterable[np.random.Generator]) -> NDArray[np.bool_]:
        """Halves of each node with a loose tolerance."""
        n_left = self._n_left(nodes, n_leaves)
        is_left = first_halves(nodes, n_left, rngs, self.max_iter)
        return two_means(nodes, n_left, is_left, max_iter=self.max_iter, tol=START_TOL).is_left

    def split(
        self, nodes: Nodes, is_left: NDArray[np.bool_] | None, n_leaves: int, rngs: Iterable[np.random.Generator]
    ) -> Splits:
        """Balanced 2-means of the rows or, for large nodes, of a sample."""
        n_left = self._n_left(nodes, n_leaves)
        if self.max_samples is not None and nodes.n_rows > self.max_samples:
            sampled = halves_of_sample(nodes, n_left, rngs, self.max_samples, self.max_iter, self.tol)
            halves = replace(cut(nodes, n_left, sampled.directions), n_iter=sampled.n_iter)
        else:
            if is_left is None:
                is_left = first_halves(nodes, n_left, rngs, self.max_iter)
            halves = two_means(nodes, n_left, is_left, max_iter=self.max_iter, tol=self.tol)
        n_left_leaves = np.full(nodes.n_nodes, n_leaves // 2)
        return Splits(halves.is_left, n_left_leaves, halves.directions, halves.thresholds, halves.n_iter)

    def _n_left(self, nodes: Nodes, n_leaves: int) -> int:
        return nodes.n_rows * (n_leaves // 2) // n_leaves


def grow_bkhk(
    table: RowTable,
    n_anchors: int,
    *,
    seed: int,
    max_iter: int = 100,
    tol: float = 0.02,
    max_samples: int | None = None,
) -> GrownTree:
    """Grow a balanced tree with exactly ``n_anchors`` leaves; the anchors are the means of the leaves.

    Parameters
    ----------
    table : RowTable
    n_anchors, seed : int
    max_iter : int
        Maximum number of iterations of balanced 2-means in a node.
    tol : float
        A node is split when an iteration moves at most this share of its rows.
    max_samples : int, optional
        Nodes with more rows are split along the direction found on a sample of so many rows.

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
        Maximum number of iterations of balanced 2-means in a node.
    tol : float, default=0.02
        Stop when an iteration moves at most this share of a node's rows. With 0, stop when no row moves.
    max_samples : int, default=None
        Maximum number of rows to grow the tree on. By default 2¹⁸ rows or 256 MiB, whichever is less, but at least 32
        rows per anchor.
    """

    max_iter: int = 100
    tol: float = 0.02
    max_samples: int | None = None

    def __post_init__(self) -> None:
        check_integer("max_iter", self.max_iter)
        check_number("tol", self.tol, at_least=0, below=1)
        if self.max_samples is not None:
            check_integer("max_samples", self.max_samples, at_least=2)

    def select(self, table: RowTable, n_anchors: int, seed: int) -> Anchors:
        """The anchors of a table."""
        return grow_on_sample(self._grow, table, n_anchors, seed=seed, max_samples=self.max_samples).anchors

    def grow(self, table: RowTable, n_anchors: int, seed: int) -> GrownTree:
        """The whole tree of a table, with the leaf of each row if it is grown on all rows and these have no weights.

        If the rows are in memory, it is grown on all of them, and ``max_samples`` is the size above which a node is
        split on a sample of its rows. Otherwise it is grown on a sample of this size, and the anchors are its means.
        """
        if table.in_memory:
            return self._grow(table, n_anchors, seed=seed, max_samples=self.max_samples)
        return grow_on_some(self._grow, table, n_anchors, seed=seed, max_samples=self.max_samples)

    def _grow(self, table: RowTable, n_anchors: int, *, seed: int, max_samples: int | None = None) -> GrownTree:
        return grow_bkhk(table, n_anchors, seed=seed, max_iter=self.max_iter, tol=self.tol, max_samples=max_samples)
