"""Groups of the unconnected parts of a graph: the nearest parts are joined first."""

from __future__ import annotations

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import minimum_spanning_tree
from scipy.spatial.distance import cdist

from anchorgraph.contracts import Floats, Integers
from anchorgraph.numerics.blocks import chunks
from anchorgraph.numerics.execution import run
from anchorgraph.numerics.groups import equal_runs

SPECK = 0.1
"""A part is a speck if its weight is below this fraction of the mean weight of the groups that are wanted."""

FEW = 16.0
"""A speck of less weight, counted in rows, is never a group: in it, no row has all of 15 neighbours."""

RARE = 0.03
"""A speck below this fraction of the mean weight is no group if other parts have to be divided."""

N_NEAREST = 3
"""The distance between two parts is that of so many points of mean weight, so that a stray one does not decide."""

DIGITS = 12
"""Distances that agree in so many digits are equal: rounding errors do not choose between them."""


def join_nearest(
    points: Floats,
    part_of: Integers,
    n_groups: int,
    sizes: Floats | Integers | None = None,
    least: float | None = None,
) -> Integers:
    r"""Join the nearest parts of some points, until at most ``n_groups`` groups are left.

    A speck is a part whose weight is below ``0.1 * total / n_groups``; one that has grown beyond that is none any more.
    First, specks of less than 16 rows are joined to the part nearest to them, even if fewer groups are left then;
    otherwise a few points far from all others would be a group, and large groups would be joined in its place. If there
    are still more parts than groups, larger specks are joined, again the one nearest to another part first, and then
    the two nearest parts, again and again. If there are fewer, so that some have to be divided, those below
    ``0.03 * total / n_groups`` are joined, too. So as many parts as groups are the groups, of whatever sizes.

    The distance between the parts P and Q is the larger one of :math:`d(P, Q)` and :math:`d(Q, P)`, where d(P, Q) is
    the mean, over the three points x of P nearest to Q, of

    .. math:: \min_{y \in Q} \lVert x - y \rVert.

    It looks only at where the parts come near each other, so that rings inside rings have distances, which their
    centres do not tell. One point between two parts does not make them near: the two other points of its own part are
    far from the other one. (The mean of the three smallest distances of *pairs* could be that of one point and three of
    the other part.) Points count by their weights, and "three" is three times the mean weight: points between parts,
    such as the mean of a few rows of both, often have hardly any. The distance between joined parts is the smallest one
    between parts of both, as in single linkage; so all joins are along the minimum spanning tree of the parts.

    Parameters
    ----------
    points : (m, q) floats
    part_of : (m,) integers
        The part of each point, numbered from 0 without gaps.
    n_groups : int
        As many groups, or fewer where there are fewer parts that are no specks.
    sizes : (m,) floats or integers, optional
        How many rows each point stands for, all positive; by default one each.
    least : float, optional
        Weight below which a part is a speck, and is joined even if fewer groups are left; by default as above.

    Returns
    -------
    (n_parts,) integers
        The group of each part, from 0 without gaps, in the order of their first parts. It depends neither on the order
        of the points, nor, up to ties, on that of the parts: between equal distances, the smallest numbers of parts
        decide.
    """
    own = np.ones(len(part_of)) if sizes is None else np.asarray(sizes, np.float64)
    weights = np.bincount(part_of, own)
    limit = SPECK * weights.sum() / n_groups if least is None else least
    few = fewest_rows(weights.sum(), n_groups) if least is None else least
    rare = max(few, RARE * weights.sum() / n_groups) if least is None else least
    group = np.arange(len(weights))
    if len(group) == 1:
        return group
    links, _ = nearest_links(points, part_of, own)
    for n_left in range(len(group), 1, -1):
        ends = group[links]
        smaller, at_least = weights[ends].min(axis=1), rare if n_left < n_groups else few
        with_speck = smaller < (at_least if smaller.min() < at_least else limit)
        if n_left <= n_groups and smaller.min() >= at_least:
            break
        place = int(np.argmax(with_speck))  # without specks, 0: the shortest one
        kept, joined = sorted(ends[place])
        weights[kept] += weights[joined]
        group[group == joined] = kept
        links = np.delete(links, place, axis=0)
    numbers: Integers = np.unique(group, return_inverse=True)[1]
    return numbers


def fewest_rows(n_rows: float, n_groups: int) -> float:
    """Weight below which a part is never a group: that of 16 rows, or a tenth of the mean weight of a group."""
    return min(FEW, SPECK * n_rows / n_groups)


def nearest_links(points: Floats, part_of: Integers, sizes: Floats | Integers) -> tuple[Integers, Floats]:
    """The minimum spanning tree of parts by the distances of :func:`join_nearest`.

    Parameters
    ----------
    points, part_of, sizes
        As for :func:`join_nearest`.

    Returns
    -------
    links : (n_parts - 1, 2) integers
        Pairs of parts, the nearest first.
    distances : (n_parts - 1,) floats
    """
    distances = _part_distances(points, part_of, np.asarray(sizes, np.float64))
    links = _shortest_links(distances)
    return links, distances[links[:, 0], links[:, 1]]


def _part_distances(points: Floats, part_of: Integers, weights: Floats) -> Floats:
    """(n_parts, n_parts) symmetric distances between parts.

    They are computed by differences, which are exact for points that are far from the origin, and so need no centre.
    """
    order = np.argsort(part_of, kind="stable")
    exact, shares = np.asarray(points, np.float64)[order], weights[order] / weights.mean()
    runs = [rows for _, rows in equal_runs(part_of[order])]
    starts = [rows.start for rows in runs]
    directed = np.array(run(lambda rows: _distances_from(exact[rows], shares[rows], exact, starts), runs))
    distances: Floats = np.maximum(directed, directed.T)
    return distances


def _distances_from(own: Floats, shares: Floats, points: Floats, starts: list[int]) -> Floats:
    """``d(P, Q)`` from the points of one part and their weights to all parts, which begin at ``starts``."""
    pieces = chunks(len(own), 8 * len(points))
    found = np.concatenate([np.minimum.reduceat(cdist(own[piece], points), starts, axis=1) for piece in pieces])
    nearest = np.argsort(found, axis=0, kind="stable")
    weights = shares[nearest]
    counted = np.clip(N_NEAREST - (np.cumsum(weights, axis=0) - weights), 0, weights)
    distances: Floats = np.average(np.take_along_axis(found, nearest, axis=0), axis=0, weights=counted)
    return distances


def _shortest_links(distances: Floats) -> Integers:
    """(n_parts - 1, 2) pairs of parts, the edges of the minimum spanning tree, shortest first.

    The tree is that of the ranks of distances: they are different, and not zero where two parts touch.
    """
    ends = np.array(np.triu_indices(len(distances), 1), dtype=np.int32)  # SciPy before 1.15 asks for this type
    first, second = ends[0], ends[1]
    order = np.argsort(_rounded(distances[first, second]), kind="stable")
    first, second = first[order], second[order]
    ranks = sparse.csr_array((np.arange(1.0, len(order) + 1), (first, second)), shape=distances.shape)
    chosen = np.sort(minimum_spanning_tree(ranks).data.astype(np.intp)) - 1
    return np.column_stack([first[chosen], second[chosen]])


def _rounded(distances: Floats) -> Floats:
    mantissa, exponent = np.frexp(distances)
    rounded: Floats = np.ldexp(mantissa.round(DIGITS), exponent)
    return rounded
