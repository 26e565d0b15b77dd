"""The tree of clusters, as a page draws it: of balanced clusters, by splits, or of levels."""

from __future__ import annotations

from typing import Any

import numpy as np

from anchorgraph.anchors import cut_tree, leaves_below
from anchorgraph.contracts import Floats, Integers

MAX_GROUPS = 32
"""Larger trees are cut to so many groups of neighbouring clusters."""

MAX_CLUSTERS = 64
"""Levels of more clusters are not drawn."""


def tree_of_splits(model: Any, sizes: Integers) -> dict[str, Any] | None:
    """The upper part of a tree: its groups of clusters from left to right, and how they merge, from below.

    Parameters
    ----------
    model : fitted estimator
    sizes : (m,) integers
        Numbers of rows of the clusters.

    Returns
    -------
    dict or None
        ``names`` and ``rows`` of g groups; ``merges`` of groups or earlier merges, which are numbered from g on: their
        ``parts``, and as ``height`` the spread of their clusters, the root mean square of the distances of the centres
        to their mean. None for a model without a tree, or with one cluster.
    """
    tree: Any = getattr(model, "tree_", None)
    children = getattr(tree, "children", ())  # a tree of levels has none
    if not len(children) or len(sizes) != len(children) + 1:
        return None
    groups, counts = cut_tree(tree, min(len(sizes), MAX_GROUPS)), leaves_below(tree)
    n_groups = int(groups[-1]) + 1
    merges: list[dict[str, Any]] = []

    def merged(node: int, first: int) -> int:
        """The number of what is below a node whose first leaf this is."""
        own = slice(first, first + int(counts[node]))
        if groups[own][0] == groups[own][-1]:
            return int(groups[first])
        left, right = (int(child) for child in children[node])
        parts = [merged(left, first), merged(right, first + int(counts[left]))]
        spread = float(f"{_spread(model.cluster_centers_[own], sizes[own]):.5g}")
        merges.append({"parts": parts, "height": spread, "rows": int(sizes[own].sum())})
        return n_groups + len(merges) - 1

    merged(0, 0)
    ends = np.searchsorted(groups, np.arange(n_groups), "right") - 1
    starts = np.searchsorted(groups, np.arange(n_groups))
    names = [str(a) if a == b else f"{a}–{b}" for a, b in zip(starts, ends, strict=True)]
    return {"names": names, "rows": np.bincount(groups, sizes).astype(int).tolist(), "merges": merges}


def tree_of_levels(levels: dict[str, Any]) -> dict[str, Any] | None:
    """The clusters of the finest level with at most 64 of them, and how they lie in those of coarser levels.

    Parameters
    ----------
    levels : dict
        See :meth:`~anchorgraph.report.levels.ClusterLevels.describe`.

    Returns
    -------
    dict or None
        As that of splits. The height of a cluster is its level, and at the top are all rows. None if there are too many
        clusters at all levels but the last.
    """
    sizes, parents = levels["sizes"], [*levels["parents"], [0] * len(levels["sizes"][-1])]
    first = next((level for level, own in enumerate(sizes) if len(own) <= MAX_CLUSTERS), len(sizes))
    if len(sizes[-1]) == 1:  # all rows are a level
        parents = parents[:-1]
    if first >= len(parents):
        return None
    order = [0]  # the clusters of a level from left to right, those of a part side by side
    for level in range(len(parents) - 1, first - 1, -1):
        order = [cluster for part in order for cluster, parent in enumerate(parents[level]) if parent == part]
    names, rows = [str(cluster) for cluster in order], [sizes[first][cluster] for cluster in order]
    merges: list[dict[str, Any]] = []
    number = {cluster: place for place, cluster in enumerate(order)}
    for level in range(first, len(parents)):
        parts: dict[int, list[int]] = {}
        for cluster, place in number.items():
            parts.setdefault(parents[level][cluster], []).append(place)
        number = {}
        for parent, own in parts.items():
            number[parent] = len(names) + len(merges)
            n_rows = sizes[level + 1][parent] if level + 1 < len(sizes) else sum(sizes[-1])
            merges.append({"parts": own, "height": level + 1.0 - first, "rows": n_rows})
    return {"names": names, "rows": rows, "merges": merges, "first": first}


def _spread(centres: Floats, sizes: Integers) -> float:
    """The root mean square of the distances of centres to their mean, by the numbers of their rows."""
    weights = np.maximum(sizes, 1e-300)  # those of clusters without rows have no mean
    mean = np.average(centres.astype(np.float64), axis=0, weights=weights)
    return float(np.sqrt(np.average(((centres - mean) ** 2).sum(axis=1), weights=weights)))
