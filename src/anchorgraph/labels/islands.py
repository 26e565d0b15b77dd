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
"""Of more parts, so many are compared with each other: each of the others follows the nearest one."""


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
        compared = _compared(part, len(sizes))
        is_compared = np.isin(of_some, compared)
        exact_compared, of_compared = exact[is_compared], of_some[is_compared]
        weights = np.repeat(sizes / np.diff(starts), np.diff(starts))[is_compared]
        group = np.full(len(sizes), -1)
        group[compared] = join_nearest(
            exact_compared, np.searchsorted(compared, of_compared), n_groups, weights, least_size
        )
        largest = compared[np.unique(group[compared], return_index=True)[1]]  # part of each group
        nearest = np.zeros(len(sizes), np.intp)
        for number in np.setdiff1d(np.arange(len(sizes)), largest):
            own = exact[starts[number] : starts[number + 1]]
            if group[number] < 0:
                group[number] = group[of_compared[cdist(own, exact_compared).min(axis=0).argmin()]]
            main = slice(starts[largest[group[number]]], starts[largest[group[number]] + 1])
            nearest[number] = some[main][cdist(own, exact[main]).min(axis=0).argmin()]
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


def _compared(part: Integers, n_parts: int) -> Integers:
    """Numbers of at most :data:`MOST_PARTS` parts, ascending: the largest, which are the first, and some of the others.

    These are the parts of evenly spread nodes, so that no region is without one, also among parts of equal size.
    """
    if n_parts <= MOST_PARTS:
        return np.arange(n_parts)
    n_largest = MOST_PARTS // 2
    others = part[part >= n_largest]
    n_spread = MOST_PARTS - n_largest
    return np.union1d(np.arange(n_largest), others[np.arange(n_spread) * len(others) // n_spread])


def _spread(part: Integers, sizes: Integers) -> Integers:
    """Some nodes of each part, evenly spread over their order, which is that of a tree for rows."""
    order = np.argsort(part, kind="stable")
    counts = -(-sizes * min(MOST_POINTS, len(part)) // len(part))
    starts = np.cumsum(sizes) - sizes
    within = np.concatenate([np.arange(count) * size // count for size, count in zip(sizes, counts, strict=True)])
    found: Integers = order[np.repeat(starts, counts) + within]
    return found
