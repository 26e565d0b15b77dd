"""Clusters of a graph by modularity: communities of several runs, where they agree, and how these are merged."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from anchorgraph.contracts import Floats, Integers
from anchorgraph.labels.cores import MOST_CORES, Cores
from anchorgraph.labels.islands import Islands
from anchorgraph.labels.louvain import louvain, move_nodes
from anchorgraph.labels.modularity import modularity, numbered
from anchorgraph.labels.resolution_path import USUAL, Merged, merge_along_path, merge_cores
from anchorgraph.numerics.execution import run
from anchorgraph.numerics.groups import graph_of_groups
from anchorgraph.numerics.progress import portion, stage

N_RUNS = 4
"""Runs that are compared."""

FIRST_SWEEPS = 6
"""Sweeps that join nodes to small groups, from which all runs begin: this takes most of the time of a run."""

MANY_TIES = 2**19
"""Number of ties from which runs are faster in threads: with fewer, they wait for each other more than they compute."""

NEARLY = 0.9
"""If there are fewer communities than this share of the clusters, they are found again at a larger resolution."""

RAISE = 2.5
"""Factor by which the resolution is raised then, at least. Its square is next: what is needed may be any number."""


@dataclass(frozen=True)
class Partition:
    """Clusters of a graph.

    Attributes
    ----------
    labels : (n,) integers
        From 0 without gaps.
    resolution : float
        γ at which they were found.
    """

    labels: Integers
    resolution: float


@stage("communities")
def find_clusters(
    graph: sparse.csr_array, n_clusters: int | None, resolution: float, seed: int, points: Floats | None = None
) -> Partition:
    """Clusters of large modularity: exactly ``n_clusters``, or as many as modularity finds.

    Of a graph with more unconnected parts than ``n_clusters``, the nearest parts are joined, specks first. If fewer
    groups are left, these are divided, without the parts that were joined to a larger one, which follow it.

    Parameters
    ----------
    graph : (n, n) CSR array
        Symmetric weights; every node has ties.
    n_clusters : int or None
    resolution : float
        γ of :func:`~anchorgraph.labels.modularity.modularity` for the communities. It is raised if it gives fewer cores
        than clusters; clusters are merged at 0.7 of it, or less.
    seed : int
    points : (n, q) floats, optional
        Where the nodes are. Without it, the smallest of unconnected parts are joined first.

    Returns
    -------
    Partition
    """
    n = graph.shape[0]
    if n_clusters == 1 or n == 1:
        return Partition(np.zeros(n, np.intp), resolution)
    if n_clusters == n:
        return Partition(np.arange(n), resolution)
    if n_clusters is None or points is None:
        return _divide(graph, n_clusters, resolution, seed)
    islands = Islands.of(graph, points, n_clusters)
    if islands.group_of.max() + 1 == n_clusters:
        return Partition(islands.group_of, 0.0)
    main = islands.main
    if np.count_nonzero(main) < n_clusters:  # as many clusters as there are nodes, nearly
        return _divide(graph, n_clusters, resolution, seed)
    found = _divide(graph if main.all() else graph[main][:, main], n_clusters, resolution, seed)
    labels = np.empty(n, np.intp)
    labels[main] = found.labels
    return Partition(labels[islands.nearest], found.resolution)


def _divide(graph: sparse.csr_array, n_clusters: int | None, resolution: float, seed: int) -> Partition:
    """:func:`find_clusters` of a graph with no more unconnected parts than clusters, or where these are not told."""
    if n_clusters is None:
        runs = compared_runs(graph, resolution, seed)
        if max(labels.max() for labels in runs) >= MOST_CORES:
            return Partition(max(runs, key=lambda labels: modularity(graph, labels, resolution)), resolution)
        cores = Cores.of(graph, runs)
        merged = merge_cores(cores, None, USUAL * resolution)
    else:
        cores, resolution = _enough_cores(graph, n_clusters, resolution, seed)
        with portion(2, 3):
            merged = merge_along_path(cores, n_clusters, resolution)
    return _move_rows(graph, cores, merged, n_clusters, seed)


def _enough_cores(graph: sparse.csr_array, n_clusters: int, resolution: float, seed: int) -> tuple[Cores, float]:
    """Cores of at least so many clusters, if possible of communities that are as many, and their resolution."""
    runs, raised = compared_runs(graph, resolution, seed), resolution
    n_found = min(int(labels.max()) for labels in runs) + 1
    if n_found < NEARLY * n_clusters:
        raised *= RAISE * n_clusters / n_found
        runs = compared_runs(graph, raised, seed, part=1)
    cores = Cores.of(graph, runs)
    factor = RAISE
    while len(cores.sizes) < n_clusters:
        raised, factor = raised * factor, factor**2
        cores = Cores.of(graph, compared_runs(graph, raised, seed, part=1))
    return cores, raised


def compared_runs(graph: sparse.csr_array, resolution: float, seed: int, part: int = 0) -> list[Integers]:
    """Partitions by several runs from the same small groups; ``part`` is the third of the stage that they are."""
    nodes, rng = np.arange(graph.shape[0]), np.random.default_rng([seed, N_RUNS + 1])
    groups = numbered(move_nodes(graph, nodes, resolution, rng, FIRST_SWEEPS))
    level = graph_of_groups(graph, groups)

    def one(number: int) -> Integers:
        return louvain(level, resolution, np.random.default_rng([seed, number]))[groups]

    with portion(part, 3):
        return run(one, range(N_RUNS)) if graph.nnz > MANY_TIES else list(map(one, range(N_RUNS)))


def _move_rows(graph: sparse.csr_array, cores: Cores, merged: Merged, n_clusters: int | None, seed: int) -> Partition:
    """The clusters of cores as clusters of nodes, which then move once more, unless a cluster would vanish by it."""
    labels = merged.labels[cores.core_of]
    moved = move_nodes(graph, labels, merged.resolution, np.random.default_rng([seed, N_RUNS]))
    found, numbers = np.unique(moved, return_inverse=True)
    is_whole = n_clusters is None or len(found) == n_clusters
    return Partition(numbers if is_whole else labels, merged.resolution)
