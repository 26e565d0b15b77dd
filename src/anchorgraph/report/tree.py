"""The tree of balanced clusters, as a page draws it."""

from __future__ import annotations

from typing import Any

import numpy as np

from anchorgraph.anchors import cut_tree, leaves_below
from anchorgraph.contracts import Floats, Integers

MAX_GROUPS = 32
"""Larger trees are cut to so many groups of neighbouring clusters."""


def describe_tree(model: Any, sizes: Integers) -> dict[str, Any] | None:
    """The upper part of a tree: its groups of clusters from left to right, and how they merge, from below.

    Parameters
    ----------
    model : fitted estimator
    sizes : (m,) integers
        Numbers of rows of the clusters.

    Returns
    -------
    dict or None
        ``names`` and ``rows`` of g groups; ``merges`` of two groups or earlier merges, which are numbered from g on,
        with the ``distance`` between their means. None for a model without a tree, or with one cluster.
    """
    tree = getattr(model, "tree_", None)
    if tree is None or not len(tree.children) or len(sizes) != len(tree.children) + 1:
        return None
    groups, counts = cut_tree(tree, min(len(sizes), MAX_GROUPS)), leaves_below(tree)
    n_groups = int(groups[-1]) + 1
    merges: list[dict[str, Any]] = []

    def merged(node: int, first: int) -> tuple[int, Floats, float]:
        """The number of what is below a node whose first leaf this is, its mean and its number of rows."""
        own = slice(first, first + int(counts[node]))
        n_rows = float(sizes[own].sum())
        mean = np.average(
            model.cluster_centers_[own].astype(np.float64), axis=0, weights=sizes[own] if n_rows else None
        )
        if groups[own][0] == groups[own][-1]:
            return int(groups[first]), mean, n_rows
        left, right = (int(child) for child in tree.children[node])
        one, other = merged(left, first), merged(right, first + int(counts[left]))
        distance = float(f"{np.linalg.norm(one[1] - other[1]):.5g}")
        merges.append({"left": one[0], "right": other[0], "distance": distance, "rows": int(n_rows)})
        return n_groups + len(merges) - 1, mean, n_rows

    merged(0, 0)
    ends = np.searchsorted(groups, np.arange(n_groups), "right") - 1
    starts = np.searchsorted(groups, np.arange(n_groups))
    names = [str(a) if a == b else f"{a}–{b}" for a, b in zip(starts, ends, strict=True)]
    return {"names": names, "rows": np.bincount(groups, sizes).astype(int).tolist(), "merges": merges}
