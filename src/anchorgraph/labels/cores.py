"""Cores, on which several partitions of a graph agree, and their merging to fewer clusters."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from anchorgraph.contracts import Floats, Integers
from anchorgraph.labels.modularity import numbered
from anchorgraph.numerics.groups import graph_of_groups, one_hot

MOST_CORES = 2048
"""Cores are the nodes of a dense graph. Partitions that would make more of them are left out: where they disagree so
widely, there is no structure to find. Of a single partition into more communities, the smallest are joined."""

MAX_ROUNDS = 30
"""Maximum number of rounds in which cores move."""

GAIN = 1e-9
"""Smallest gain for which a core moves, relative to the sum of all weights; less may be rounding."""


@dataclass(frozen=True)
class Cores:
    """Nodes on which all partitions agree, as one node of a small graph each.

    Attributes
    ----------
    core_of : (n,) integers
        Core of each node.
    graph : (k, k) floats
        Sums of the weights between cores; those within cores are on the diagonal.
    sizes : (k,) integers
        Number of nodes of each core.
    partitions : list of (k,) integers
        The partitions, by core.
    """

    core_of: Integers
    graph: Floats
    sizes: Integers
    partitions: list[Integers]

    @classmethod
    def of(cls, graph: sparse.csr_array, partitions: Sequence[Integers]) -> Cores:
        """The cores of partitions of a graph, given as (n,) labels from 0 each."""
        first = join_smallest(partitions[0], MOST_CORES)
        core_of, used = first, [first]
        for labels in partitions[1:]:
            finer = numbered(core_of.astype(np.int64) * (int(labels.max()) + 1) + labels)
            if finer.max() < MOST_CORES:
                core_of, used = finer, [*used, labels]
        by_core = []
        for labels in used:
            own = np.zeros(core_of.max() + 1, dtype=np.intp)
            own[core_of] = labels
            by_core.append(own)
        return cls(core_of, graph_of_groups(graph, core_of).toarray(), np.bincount(core_of), by_core)


def join_smallest(labels: Integers, most: int) -> Integers:
    """Join the two smallest communities, again and again, until there are at most ``most``.

    Communities without ties lose least modularity by this order; ties are not looked at, so what is joined need not
    belong together.
    """
    queue = [(int(size), number) for number, size in enumerate(np.bincount(labels))]
    heapq.heapify(queue)
    joined = np.arange(len(queue))
    while len(queue) > most:
        size, number = heapq.heappop(queue)
        next_size, into = queue[0]
        joined[number] = into
        heapq.heapreplace(queue, (size + next_size, into))
    for number in range(len(joined)):  # through those that were joined themselves
        while joined[joined[number]] != joined[number]:
            joined[number] = joined[joined[number]]
    return numbered(joined[labels])


def core_modularity(graph: Floats, labels: Integers, resolution: float) -> float:
    """Modularity of a partition of a dense graph."""
    between = sums_between(graph, labels)
    shares = between.sum(axis=1) / between.sum()
    return float(np.trace(between) / between.sum() - resolution * (shares @ shares))


def sums_between(graph: Floats, labels: Integers) -> Floats:
    """(c, c) sums of the weights between the clusters of a dense graph, of labels from 0 without gaps."""
    return sums_of_rows(sums_of_rows(graph, labels).T, labels).T


def sums_of_rows(values: Floats, labels: Integers) -> Floats:
    """(c, q) sums of the rows of each cluster, by a sparse product: a dense one would wait for BLAS threads."""
    sums: Floats = one_hot(labels, int(labels.max()) + 1, values.dtype).T @ np.ascontiguousarray(values)
    return sums


def merge_clusters(graph: Floats, labels: Integers, n_clusters: int | None, resolution: float) -> Integers:
    """Merge the two clusters whose union gains most modularity, again and again.

    A union gains ``w_ab - γ v_a v_b / t``. Clusters without ties are merged only where no others are left, the two
    smallest first: they gain most, or lose least.

    Parameters
    ----------
    graph : (k, k) floats
    labels : (k,) integers
        From 0 without gaps.
    n_clusters : int or None
        Number of clusters at the end, if there are as many; None merges as long as modularity grows.
    resolution : float

    Returns
    -------
    (k,) integers
        Labels from 0 without gaps.
    """
    between = sums_between(graph, labels)
    volumes = between.sum(axis=1)
    cost, number = resolution / volumes.sum(), np.arange(len(between))
    parent, is_left = number.copy(), np.ones(len(between), dtype=bool)
    np.fill_diagonal(between, 0)
    gains = np.where(between > 0, between - cost * np.outer(volumes, volumes), -np.inf)
    partner, best = gains.argmax(axis=1), gains.max(axis=1)
    for _ in range(len(between) - (n_clusters or 1)):
        one = int(best.argmax())
        other = int(partner[one])
        if n_clusters is None and best[one] <= 0:
            break
        if np.isneginf(best[one]):
            one, other = np.argpartition(np.where(is_left, volumes, np.inf), 1)[:2].tolist()
        parent[parent == other] = one
        is_left[other] = False
        volumes[one] += volumes[other]
        between[one] += between[other]
        between[one, one], between[other], between[:, other] = 0, 0, 0
        between[:, one] = between[one]
        gains[one] = np.where(between[one] > 0, between[one] - cost * volumes[one] * volumes, -np.inf)
        gains[:, one], gains[other], gains[:, other] = gains[one], -np.inf, -np.inf
        best[other] = -np.inf
        better = gains[one] > best
        stale = np.flatnonzero(is_left & ~better & ((partner == one) | (partner == other)) | (number == one))
        partner[better], best[better] = one, gains[one, better]
        partner[stale], best[stale] = gains[stale].argmax(axis=1), gains[stale].max(axis=1)
    return numbered(parent[labels])


def move_cores(graph: Floats, labels: Integers, resolution: float) -> Integers:
    """Move single nodes of a dense graph to the cluster where modularity gains most; no cluster becomes empty.

    Parameters
    ----------
    graph : (k, k) floats
    labels : (k,) integers
        From 0 without gaps.
    resolution : float

    Returns
    -------
    (k,) integers
    """
    labels = labels.copy()
    node_degrees, loops = graph.sum(axis=1), np.diag(graph)
    ties, volumes, sizes = sums_of_rows(graph, labels).T, np.bincount(labels, node_degrees), np.bincount(labels)
    cost, least = resolution * node_degrees / node_degrees.sum(), GAIN * node_degrees.sum()
    itself = cost * node_degrees - loops  # what a node adds to the ties and degrees of its own cluster

    nodes = np.arange(len(graph))
    for _ in range(MAX_ROUNDS):
        gains = ties - cost[:, np.newaxis] * volumes
        gains[nodes, labels] += itself
        n_moved = 0
        for node in np.flatnonzero(gains.max(axis=1) > gains[nodes, labels] + least):
            own, offers = labels[node], ties[node] - cost[node] * volumes
            offers[own] += itself[node]
            target = int(offers.argmax())
            if sizes[own] == 1 or offers[target] <= offers[own] + least:  # those before it have moved meanwhile
                continue
            for cluster, sign in ((own, -1), (target, 1)):
                ties[:, cluster] += sign * graph[:, node]
                volumes[cluster] += sign * node_degrees[node]
                sizes[cluster] += sign
            labels[node] = target
            n_moved += 1
        if not n_moved:
            break
    return labels
