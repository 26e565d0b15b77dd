"""Rows in the order of a balanced tree, and the trees in whose leaves their nearest rows are found."""

from __future__ import annotations

import numpy as np

from anchorgraph.anchors import grow_bkhk
from anchorgraph.contracts import Floats, Integers
from anchorgraph.graph import Leaves, leaf_rows
from anchorgraph.numerics.progress import stage
from anchorgraph.table import as_table

N_TREES = 2
"""Rows that are parted by one tree are together in the other, mostly."""

ROUNDS = 4
"""Iterations of 2-means in a node: the leaves only have to hold rows that are near each other."""

NODE_ROWS = 512
"""Number of rows that the hyperplane of a large node is found from."""


@stage("trees")
def in_tree_order(points: Floats, n_neighbors: int, seed: int) -> tuple[Integers, list[Leaves]]:
    """The order of rows by the leaves of a tree, and the leaves of this and of further trees of the ordered rows.

    Near rows are then near in memory, which makes all that follows faster.

    Parameters
    ----------
    points : (n, q) floats
    n_neighbors, seed : int

    Returns
    -------
    order : (n,) integers
    trees : list of Leaves
        Empty if there are so few rows that each can be compared with all others.
    """
    n = len(points)
    n_leaves = -(-n // leaf_rows(n, n_neighbors))
    if n_leaves == 1:
        return np.arange(n), []
    first = _leaves(points, n_leaves, seed)
    in_order = Leaves(np.arange(n, dtype=np.int32), first.starts, first.means)
    ordered = points.take(first.order, axis=0)
    others = [_leaves(ordered, n_leaves, seed + number) for number in range(1, N_TREES)]
    return first.order, [in_order, *others]


def _leaves(points: Floats, n_leaves: int, seed: int) -> Leaves:
    # in float64, hyperplanes do not depend on the CPU, except where they nearly touch a row
    exact = as_table(points).view(lambda block: block.astype(np.float64, copy=False))
    grown = grow_bkhk(exact, n_leaves, seed=seed, max_iter=ROUNDS, max_samples=NODE_ROWS)
    assert grown.labels is not None  # the rows are in memory
    return Leaves.of(grown.labels, grown.anchors.points.astype(points.dtype))
