"""Unconnected parts of a graph of rows: the nearest ones belong together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import cdist

from anchorgraph.contracts import Floats, Integers
from anchorgraph.labels.modularity import numbered
from anchorgraph.numerics.islands import join_nearest, nearest_links

MOST_POINTS = 2048
"""About how many nodes distances are computed from: evenly many of each part, at least one."""

MOST_PARTS = 2048
"""Smaller parts than so many others are not compared with each other: each follows the nearest one."""


@dataclass(frozen=True)
class Islands:
    """Parts of a graph without ties between them, in groups of near ones.

    Attributes
    ----------
    group_of : (n,) integers
        Group of each node, from 0 without gaps.
    main : (n,) bools
        Whether a node is in the largest part of its group.
    nearest : (n,) integers
        For nodes of other parts, a node of the largest part of the group that is nearest to theirs; else the node.
    """

    group_of: Integers
    main: NDArray[np.bool_]
    nearest: Integers

    @classmethod
    def of(cls, graph: sparse.csr_array, points: Floats, n_groups: int, least_size: int | None = None) -> Islands:
        """The parts of a graph of points, joined to at most ``n_groups`` groups by :func:`join_nearest`.

        Parts of fewer than ``least_size`` nodes, by default the specks of that function, join the nearest one.
        """
        _, part = connected_components(graph, directed=False)
        sizes = np.bincount(part)
        part = np.argsort(np.argsort(-sizes, kind="stable"))[part]  # the largest is the first
        sizes = np.bincount(part)
        some = _spread(part, sizes)  # those of the first part, then of the second ...
        exact, of_some = points[some].astype(np.float64), part[some]
        starts = np.searchsorted(of_some, np.arange(len(sizes) + 1))
        n_joined = min(len(sizes), MOST_PARTS)
        few = slice(starts[n_joined])
        weights = np.repeat(sizes / np.diff(starts), np.diff(starts))
        group = np.zeros(len(sizes), np.intp)
        group[:n_joined] = join_nearest(exact[few], of_some[few], n_groups, weights[few], least_size)
        largest = np.unique(group[:n_joined], return_index=True)[1]  # part of each group
        all_main, nearest = np.flatnonzero(np.isin(of_some, largest)), np.zeros(len(sizes), np.intp)
        for number in np.setdiff1d(np.arange(len(sizes)), largest):
            main = largest[group[number]]
            of_main = all_main if number >= n_joined else np.arange(starts[main], starts[main + 1])
            distances = cdist(exact[starts[number] : starts[number + 1]], exact[of_main])
            found = of_main[distances.min(axis=0).argmin()]
            nearest[number], group[number] = some[found], group[of_some[found]]
        is_main = np.isin(part, largest)
        return cls(numbered(group[part]), is_main, np.where(is_main, np.arange(len(part)), nearest[part]))


def links_of_parts(part: Integers, points: Floats) -> tuple[Integers, Floats]:
    """The minimum spanning tree of parts by the distances of :class:`Islands`: pairs, the nearest first, and lengths.

    Parameters
    ----------
    part : (n,) integers
        From 0 without gaps.
    points : (n, q) floats

    Returns
    -------
    links : (p - 1, 2) integers
    distances : (p - 1,) floats
    """
    sizes = np.bincount(part)
    some = _spread(part, sizes)
    counts = np.bincount(part[some])
    return nearest_links(points[some].astype(np.float64), part[some], np.repeat(sizes / counts, counts))


def _spread(part: Integers, sizes: Integers) -> Integers:
    """Some nodes of each part, evenly spread over their order, which is that of a tree for rows."""
    order = np.argsort(part, kind="stable")
    counts = -(-sizes * min(MOST_POINTS, len(part)) // len(part))
    starts = np.cumsum(sizes) - sizes
    within = np.concatenate([np.arange(count) * size // count for size, count in zip(sizes, counts, strict=True)])
    found: Integers = order[np.repeat(starts, counts) + within]
    return found
