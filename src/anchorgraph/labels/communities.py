"""Clusters of a graph by modularity: cores, on which the communities of several runs agree, and how they are merged."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from anchorgraph.contracts import Floats, Integers
from anchorgraph.labels.cores import MOST_CORES, Cores
from anchorgraph.labels.gaps import Gaps, sparseness, sparseness_of_degrees
from anchorgraph.labels.islands import Islands
from anchorgraph.labels.levels import Levels
from anchorgraph.labels.louvain import louvain, move_nodes
from anchorgraph.labels.modularity import modularity, numbered
from anchorgraph.labels.persistence import find_levels, levels_around
from anchorgraph.labels.resolution_path import USUAL, Merged, merge_along_path, merge_cores
from anchorgraph.numerics.execution import run
from anchorgraph.numerics.groups import graph_of_groups
from anchorgraph.numerics.islands import fewest_rows
from anchorgraph.numerics.progress import portion, stage
from anchorgraph.numerics.warn import warn_user

N_RUNS = 4
"""Runs that are compared."""

FIRST_SWEEPS = 6
"""Sweeps that join nodes to small groups, from which all runs begin: this takes most of the time of a run."""

MANY_TIES = 2**19
"""Number of ties from which runs are faster in threads: with fewer, they wait for each other more than they compute."""

NEARLY = 0.9
"""If there are fewer communities than this share of the clusters, they are found again at a larger resolution."""

FINE = 5.0
"""γ of the communities from whose cores a path begins if the number of clusters is not given."""

N_PORTIONS = 5
"""Portions of the stage: unconnected parts, communities, communities at a raised resolution, merging, levels."""

RAISE = 2.5
"""Factor by which the resolution is raised then, at least. Its square is next: what is needed may be any number."""


@dataclass(frozen=True)
class Partition:
    """Clusters of a graph.

    Attributes
    ----------
    labels : (n,) integers
        From 0 without gaps.
    levels : Levels
        The levels of clusters of which these are the chosen one, before single nodes moved at the end.
    """

    labels: Integers
    levels: Levels

    @classmethod
    def single(cls, labels: Integers, resolution: float) -> Partition:
        """A partition without other levels."""
        return cls(labels, Levels.single(labels, resolution))

    @property
    def resolution(self) -> float:
        """γ at which the clusters were found."""
        return float(self.levels.resolutions[self.levels.chosen])


@stage("communities")
def find_clusters(
    graph: sparse.csr_array,
    n_clusters: int | None,
    seed: int,
    *,
    resolution: float | None = None,
    points: Floats | None = None,
    distances: Floats | None = None,
    least_size: int = 1,
) -> Partition:
    """Clusters of large modularity: exactly ``n_clusters``, or those that last longest.

    As many unconnected parts as ``n_clusters`` are the clusters. Of more, the nearest are joined, specks first. If
    fewer groups are left, these are divided, without the parts that were joined to a larger one, which follow it.

    Parameters
    ----------
    graph : (n, n) CSR array
        Symmetric weights; every node has ties.
    n_clusters : int or None
    seed : int
    resolution : float, optional
        γ of :func:`~anchorgraph.labels.modularity.modularity` for the communities, by default 1. It is raised if it
        gives fewer cores than clusters; clusters are merged at 0.7 of it, or less. Given without ``n_clusters``, the
        clusters are those of this γ.
    points : (n, q) floats, optional
        Where the nodes are. Without it, of too many unconnected parts, the smallest are joined first, with a warning.
    distances : (n, k) floats, optional
        Of each node to its nearest ones. Without them, gaps around clusters follow from the degrees of the nodes.
    least_size : int
        Of the smallest cluster, if neither ``n_clusters`` nor ``resolution`` is given. Smaller unconnected parts follow
        the nearest larger one; without ``points`` they stay.

    Returns
    -------
    Partition
    """
    n, at = graph.shape[0], 1.0 if resolution is None else resolution
    if n_clusters == 1 or n == 1:
        return Partition.single(np.zeros(n, np.intp), at)
    if n_clusters == n:
        return Partition.single(np.arange(n), at)
    sparse_at = sparseness_of_degrees(graph) if distances is None else sparseness(distances)
    if n_clusters is not None:
        divide = partial(_divide, n_clusters=n_clusters, resolution=at)
    elif resolution is None:
        divide = partial(_by_persistence, least_size=least_size)
    else:
        divide = partial(_by_modularity, resolution=resolution)
    if points is None and n_clusters is not None:
        parts = _only_parts(graph, n_clusters)
        if parts is not None:
            return _of_groups(graph, parts, seed, sparse_at, points, at)
    if points is None or (n_clusters is None and least_size == 1):
        return divide(graph, seed, sparse_at, points)
    with portion(0, N_PORTIONS):
        islands = Islands.of(graph, points, n_clusters or n, least_size if n_clusters is None else None)
    if islands.group_of.max() + 1 == n_clusters:
        return _of_groups(graph, islands.group_of, seed, sparse_at, points, at)
    main = islands.main
    if main.all() or np.count_nonzero(main) < (n_clusters or 1):  # as many clusters as there are nodes, nearly
        return divide(graph, seed, sparse_at, points)
    found = divide(graph[main][:, main], seed, sparse_at[main], points[main])
    of_each = (np.cumsum(main) - 1)[islands.nearest]
    return Partition(found.labels[of_each], found.levels.of(of_each))


def _only_parts(graph: sparse.csr_array, n_clusters: int) -> Integers | None:
    """The unconnected part of each node if there are as many as clusters, none of a few nodes; a warning about more."""
    n_parts, part = connected_components(graph, directed=False)
    if n_parts > n_clusters:
        warn_user(
            f"The graph falls into {n_parts} unconnected parts, more than n_clusters={n_clusters}. It has no distances "
            f"between them, so that the smallest are joined, near or not; use at least {n_parts} clusters, a graph "
            "with more neighbours, or the rows themselves with metric='euclidean' or 'cosine'."
        )
    are_clusters = n_parts == n_clusters and np.bincount(part).min() >= fewest_rows(len(part), n_clusters)
    return part if are_clusters else None


def _of_groups(
    graph: sparse.csr_array,
    group_of: Integers,
    seed: int,
    sparse_at: Floats,
    points: Floats | None,
    resolution: float,
) -> Partition:
    """Groups of whole unconnected parts as clusters."""
    cores = Cores.of(graph, [group_of, *compared_runs(graph, resolution, seed)])  # each lies in one group
    of_cores = np.zeros(len(cores.sizes), np.intp)
    of_cores[cores.core_of] = group_of
    return _beside_levels(graph, cores, Merged(of_cores, 0.0), seed, sparse_at, points)


def _by_persistence(
    graph: sparse.csr_array, seed: int, sparse_at: Floats, points: Floats | None, least_size: int
) -> Partition:
    """The clusters that last longest, from a fine resolution to a coarse one."""
    runs = compared_runs(graph, FINE, seed)
    if _are_too_many(runs):
        runs = compared_runs(graph, 1.0, seed, part=2)
        if _are_too_many(runs):
            return _best_alone(graph, runs, 1.0)
    cores = Cores.of(graph, runs)
    with portion(4, N_PORTIONS):
        levels = find_levels(cores, Gaps.of(graph, cores.core_of, sparse_at), least_size, points)
    return _move_rows(graph, levels.of(cores.core_of), seed)


def _by_modularity(
    graph: sparse.csr_array, seed: int, sparse_at: Floats, points: Floats | None, resolution: float
) -> Partition:
    """The clusters of largest modularity at 0.7 of a resolution, as many as there are."""
    runs = compared_runs(graph, resolution, seed)
    if _are_too_many(runs):
        return _best_alone(graph, runs, resolution)
    cores = Cores.of(graph, runs)
    return _beside_levels(graph, cores, merge_cores(cores, None, USUAL * resolution), seed, sparse_at, points)


def _are_too_many(runs: list[Integers]) -> bool:
    """Whether there are more communities than there can be cores."""
    return bool(max(labels.max() for labels in runs) >= MOST_CORES)


def _best_alone(graph: sparse.csr_array, runs: list[Integers], resolution: float) -> Partition:
    """The partition of largest modularity, without levels."""
    return Partition.single(max(runs, key=lambda labels: modularity(graph, labels, resolution)), resolution)


def _divide(
    graph: sparse.csr_array, seed: int, sparse_at: Floats, points: Floats | None, n_clusters: int, resolution: float
) -> Partition:
    """Exactly ``n_clusters`` clusters of a graph with no more unconnected parts, or where these do not count."""
    cores, raised = _enough_cores(graph, n_clusters, resolution, seed)
    with portion(3, N_PORTIONS):
        merged = merge_along_path(cores, n_clusters, raised)
    return _beside_levels(graph, cores, merged, seed, sparse_at, points)


def _beside_levels(
    graph: sparse.csr_array, cores: Cores, merged: Merged, seed: int, sparse_at: Floats, points: Floats | None
) -> Partition:
    """Clusters of cores, and the levels that last beside them."""
    with portion(4, N_PORTIONS):
        gaps = Gaps.of(graph, cores.core_of, sparse_at)
        levels = levels_around(cores, gaps, merged.labels, merged.resolution, points)
    return _move_rows(graph, levels.of(cores.core_of), seed)


def _enough_cores(graph: sparse.csr_array, n_clusters: int, resolution: float, seed: int) -> tuple[Cores, float]:
    """Cores of at least so many clusters, if possible of communities that are as many, and their resolution."""
    runs, raised = compared_runs(graph, resolution, seed), resolution
    n_found = min(int(labels.max()) for labels in runs) + 1
    if n_found < NEARLY * n_clusters:
        raised *= RAISE * n_clusters / n_found
        runs = compared_runs(graph, raised, seed, part=2)
    cores = Cores.of(graph, runs)
    factor = RAISE
    while len(cores.sizes) < n_clusters:
        raised, factor = raised * factor, factor**2
        cores = Cores.of(graph, compared_runs(graph, raised, seed, part=2))
    return cores, raised


def compared_runs(graph: sparse.csr_array, resolution: float, seed: int, part: int = 1) -> list[Integers]:
    """Partitions by several runs from the same small groups; ``part`` is the portion of the stage that they are."""
    nodes, rng = np.arange(graph.shape[0]), np.random.default_rng([seed, N_RUNS + 1])
    groups = numbered(move_nodes(graph, nodes, resolution, rng, FIRST_SWEEPS))
    level = graph_of_groups(graph, groups)

    def one(number: int) -> Integers:
        return louvain(level, resolution, np.random.default_rng([seed, number]))[groups]

    with portion(part, N_PORTIONS):
        return run(one, range(N_RUNS)) if graph.nnz > MANY_TIES else list(map(one, range(N_RUNS)))


def _move_rows(graph: sparse.csr_array, levels: Levels, seed: int) -> Partition:
    """The clusters of the chosen level after nodes moved once more, unless a cluster would vanish by it."""
    labels, resolution = levels.labels(levels.chosen), float(levels.resolutions[levels.chosen])
    n_clusters = int(labels.max()) + 1
    moved = move_nodes(graph, labels, resolution, np.random.default_rng([seed, N_RUNS])) if n_clusters > 1 else labels
    is_whole = len(np.unique(moved)) == n_clusters
    return Partition(moved if is_whole else labels, levels)
