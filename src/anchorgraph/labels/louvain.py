"""Communities of large modularity by moving nodes (Blondel et al. 2008), many at a time."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from anchorgraph.contracts import Floats, Integers
from anchorgraph.labels.modularity import degrees, numbered
from anchorgraph.numerics.groups import graph_of_groups, one_hot

MAX_SWEEPS = 12
"""Maximum number of sweeps on a level."""

MAX_LOSSES = 2
"""Sweeps end when so many of them were taken back."""

FEW_OPEN = 1e-2
"""Sweeps end when no more than this share of the nodes is still to be looked at."""

GAIN = 1e-9
"""Smallest gain for which a node moves, in weights of ties; less may be rounding."""


def louvain(graph: sparse.csr_array, resolution: float, rng: np.random.Generator) -> Integers:
    """A partition of large modularity.

    On each level, nodes move between communities, which are the nodes of the next level. At the end, the nodes of the
    graph itself move once more.

    Parameters
    ----------
    graph : (n, n) CSR array
        Symmetric weights.
    resolution : float
        γ of :func:`~anchorgraph.labels.modularity.modularity`.
    rng : Generator
        Chooses the nodes that may move in each sweep.

    Returns
    -------
    (n,) integers
        Labels from 0 without gaps.
    """
    level, labels = graph, np.arange(graph.shape[0])
    while True:
        communities = numbered(move_nodes(level, np.arange(level.shape[0]), resolution, rng))
        labels = communities[labels]
        if communities.max() + 1 == level.shape[0]:
            break
        level = graph_of_groups(level, communities)
    return numbered(move_nodes(graph, labels, resolution, rng))


def move_nodes(
    graph: sparse.csr_array, labels: Integers, resolution: float, rng: np.random.Generator, max_sweeps: int = MAX_SWEEPS
) -> Integers:
    """Move nodes to neighbouring communities in sweeps, as long as modularity grows.

    In a sweep, a random half of the nodes move at once, each to the community where it alone would gain most. Nodes
    that gain one by one can lose together; a sweep after which modularity is smaller is taken back. Nodes are looked at
    again only after a neighbour has moved.

    Parameters
    ----------
    graph : (n, n) CSR array
        Symmetric weights.
    labels : (n,) integers
        Community of each node at the start.
    resolution : float
    rng : Generator
    max_sweeps : int

    Returns
    -------
    (n,) integers
    """
    n, node_degrees, loops = graph.shape[0], degrees(graph), graph.diagonal()
    is_open, n_lost = np.ones(n, dtype=bool), 0
    for _ in range(max_sweeps):
        nodes = np.flatnonzero(is_open & (rng.random(n) < 0.5))
        targets = _best_communities(graph, labels, nodes, node_degrees, loops, resolution)
        goes = targets != labels[nodes]
        movers = nodes[goes]
        moved = labels.copy()
        moved[movers] = targets[goes]
        ties = graph[movers]
        if _gain(ties, movers, labels, moved, node_degrees, resolution) < 0:
            n_lost += 1
            if n_lost == MAX_LOSSES:
                break
            continue
        labels = moved
        is_open[nodes] = False
        is_open[ties.indices] = True
        if np.count_nonzero(is_open) <= FEW_OPEN * n:
            break
    return labels


def _best_communities(
    graph: sparse.csr_array, labels: Integers, nodes: Integers, node_degrees: Floats, loops: Floats, resolution: float
) -> Integers:
    """The community where each of these nodes would gain most, if it alone moved.

    A node i gains ``w_ic - γ d_i v_c / t`` in a community c, with ``w_ic`` the weight of its ties to c and ``v_c`` the
    degrees of c, both without the node itself.
    """
    n_labels = int(labels.max()) + 1
    ties = graph[nodes] @ one_hot(labels, n_labels, graph.dtype)  # only to communities that a node has ties to
    n_ties = np.diff(ties.indptr)
    community, node = ties.indices, np.repeat(np.arange(len(nodes), dtype=np.int32), n_ties)
    volumes = np.bincount(labels, node_degrees, minlength=n_labels)
    own, degree = labels[nodes], node_degrees[nodes]
    cost = resolution * degree / volumes.sum()
    is_own = community == own[node]
    gains = ties.data - cost[node] * volumes[community]
    gains[is_own] += (cost * degree - loops[nodes])[node[is_own]]
    stay = -cost * (volumes[own] - degree)  # for nodes without ties in their own community
    stay[node[is_own]] = gains[is_own]
    best = np.full(len(nodes), -np.inf)
    if len(gains):
        best[n_ties > 0] = np.maximum.reduceat(gains, ties.indptr[:-1][n_ties > 0])
    is_best = (gains == best[node]) & (best > stay + GAIN)[node]
    targets = own.copy()
    targets[node[is_best]] = community[is_best]
    return targets


def _gain(
    ties: sparse.csr_array, movers: Integers, before: Integers, after: Integers, node_degrees: Floats, resolution: float
) -> float:
    """The difference of modularity, times the sum of all degrees, when these nodes with these ties have moved at once.

    A tie to a node that stays counts twice, once from each end.
    """
    start, end = np.repeat(movers, np.diff(ties.indptr)), ties.indices
    change = (after[start] == after[end]).astype(np.int8) - (before[start] == before[end]).astype(np.int8)
    twice = np.where(before[end] == after[end], 2.0, 1.0)
    within = float((ties.data * change) @ twice)
    n_labels = int(max(before.max(), after.max())) + 1
    volumes = [np.bincount(labels, node_degrees, minlength=n_labels) for labels in (before, after)]
    squares = [float(volume @ volume) for volume in volumes]
    return within - resolution * (squares[1] - squares[0]) / float(volumes[0].sum())
