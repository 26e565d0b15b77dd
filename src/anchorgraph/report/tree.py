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
        with the ``spread`` of their clusters: the root mean square of the distances of the centres to their mean. None
        for a model without a tree, or with one cluster.
    """
    tree = getattr(model, "tree_", None)
    if tree is None or not len(tree.children) or len(sizes) != len(tree.children) + 1:
        return None
    groups, counts = cut_tree(tree, min(len(sizes), MAX_GROUPS)), leaves_below(tree)
    n_groups = int(groups[-1]) + 1
    merges: list[dict[str, Any]] = []

    def merged(node: int, first: int) -> int:
        """The number of what is below a node whose first leaf this is."""
        own = slice(first, first + int(counts[node]))
        if groups[own][0] == groups[own][-1]:
            return int(groups[first])
        left, right = (int(child) for child in tree.children[node])
        parts = {"left": merged(left, first), "right": merged(right, first + int(counts[left]))}
        spread = float(f"{_spread(model.cluster_centers_[own], sizes[own]):.5g}")
        merges.append(parts | {"spread": spread, "rows": int(sizes[own].sum())})
        return n_groups + len(merges) - 1

    merged(0, 0)
    ends = np.searchsorted(groups, np.arange(n_groups), "right") - 1
    starts = np.searchsorted(groups, np.arange(n_groups))
    names = [str(a) if a == b else f"{a}–{b}" for a, b in zip(starts, ends, strict=True)]
    return {"names": names, "rows": np.bincount(groups, sizes).astype(int).tolist(), "merges": merges}


def _spread(centres: Floats, sizes: Integers) -> float:
    """The root mean square of the distances of centres to their mean, by the numbers of their rows."""
    weights = np.maximum(sizes, 1e-300)  # those of clusters without rows have no mean
    mean = np.average(centres.astype(np.float64), axis=0, weights=weights)
    return float(np.sqrt(np.average(((centres - mean) ** 2).sum(axis=1), weights=weights)))
