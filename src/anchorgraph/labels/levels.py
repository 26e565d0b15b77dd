"""Nested partitions of a graph: every cluster of one lies in a cluster of the next, coarser one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np
from scipy import sparse

from anchorgraph.contracts import Floats, Integers
from anchorgraph.labels.cores import sums_of_rows
from anchorgraph.labels.modularity import numbered
from anchorgraph.numerics.groups import one_hot


@dataclass(frozen=True)
class Levels:
    """Nested partitions of nodes, the finest first.

    Attributes
    ----------
    finest : (n,) integers
        Cluster of each node at the finest level.
    clusters : (q, c) integers
        The cluster of each of the q levels in which each of the c clusters of the finest level lies.
    resolutions : (q,) floats
        γ at which they were found.
    persistences : (q,) floats
        How long each lasts: see :func:`~anchorgraph.labels.persistence.persistences`.
    chosen : int
        The level whose clusters are the result.
    path : (s, 3) floats
        Resolution, number of clusters and persistence of the partitions of which these were taken; only those of more
        than one cluster.
    """

    finest: Integers
    clusters: Integers
    resolutions: Floats
    persistences: Floats
    chosen: int
    path: Floats = field(default_factory=lambda: np.empty((0, 3)))

    @classmethod
    def single(cls, labels: Integers, resolution: float, persistence: float = 0.0) -> Levels:
        """A single partition, of labels from 0 without gaps."""
        clusters = np.arange(labels.max() + 1)[np.newaxis]
        return cls(labels, clusters, np.array([resolution]), np.array([persistence]), 0)

    def labels(self, level: int) -> Integers:
        """(n,) the cluster of each node at a level."""
        labels: Integers = self.clusters[level][self.finest]
        return labels

    def parents(self) -> tuple[Integers, ...]:
        """For each level but the last, the cluster of the next level in which each of its clusters lies."""
        return tuple(coarser[np.unique(finer, return_index=True)[1]] for finer, coarser in pairwise(self.clusters))

    def of(self, groups: Integers) -> Levels:
        """The levels of nodes that are in the given ones of these: ``groups`` has their numbers."""
        return replace(self, finest=self.finest[groups])

    def after_moves(self, graph: sparse.csr_array, labels: Integers) -> Levels:
        """The levels after nodes have moved between the clusters of the chosen one.

        Inside its new cluster, a node joins that cluster of the finest level to which it has most edges, or the largest
        one if it has none.

        Parameters
        ----------
        graph : (n, n) CSR array
        labels : (n,) integers
            The clusters of the chosen level, after the moves. None of them is empty.

        Returns
        -------
        Levels
        """
        chosen = self.clusters[self.chosen]
        movers = np.flatnonzero(chosen[self.finest] != labels)
        if len(movers) == 0:
            return self
        n_finest = len(chosen)
        sizes = np.bincount(self.finest, minlength=n_finest)
        by_size = np.argsort(-sizes, kind="stable")
        largest = by_size[np.unique(chosen[by_size], return_index=True)[1]]  # of each cluster of the chosen level
        edges = (graph[movers] @ one_hot(self.finest, n_finest, graph.dtype)).tocoo()
        inside = chosen[edges.col] == labels[movers][edges.row]
        row, to, weight = edges.row[inside], edges.col[inside], edges.data[inside]
        order = np.lexsort((to, -weight, row))
        has_edges, first = np.unique(row[order], return_index=True)
        finest = self.finest.copy()
        finest[movers] = largest[labels[movers]]
        finest[movers[has_edges]] = to[order][first]
        left, finest = np.unique(finest, return_inverse=True)
        clusters = np.array([numbered(level) for level in self.clusters[:, left]])
        return replace(self, finest=finest, clusters=clusters)

    def without_small(self, least_size: int) -> Levels:
        """The same without levels, other than the chosen one, that have a cluster of fewer nodes."""
        sizes = np.bincount(self.finest, minlength=self.clusters.shape[1])
        is_kept = np.array([np.bincount(level, sizes).min() >= least_size for level in self.clusters])
        is_kept[self.chosen] = True
        clusters = self.clusters[is_kept]
        return replace(
            self,
            finest=clusters[0][self.finest],
            clusters=clusters[:, np.unique(clusters[0], return_index=True)[1]],
            resolutions=self.resolutions[is_kept],
            persistences=self.persistences[is_kept],
            chosen=int(np.count_nonzero(is_kept[: self.chosen])),
        )

    def renumbered(self, chosen: Integers, weights: Floats | None = None, counted: Integers | None = None) -> Levels:
        """The same with other numbers: those given for the chosen level, and by size, the largest first, for others.

        Parameters
        ----------
        chosen : (n_clusters,) integers
            New number of each cluster of the chosen level.
        weights : (m,) floats, optional
        counted : (m,) integers, optional
            The nodes that are counted, as often as they occur, with these weights; by default each once.

        Returns
        -------
        Levels
        """
        of_counted = self.finest if counted is None else self.finest[counted]
        sizes = np.bincount(of_counted, weights, minlength=self.clusters.shape[1])
        numbers = [_ranks(np.bincount(level, sizes)) for level in self.clusters]
        numbers[self.chosen] = chosen
        clusters = np.array([number[level] for number, level in zip(numbers, self.clusters, strict=True)])
        finest = numbers[0][self.finest].astype(np.int32)
        return replace(self, finest=finest, clusters=clusters[:, np.argsort(numbers[0])])


def _ranks(sizes: Floats | Integers) -> Integers:
    ranks: Integers = np.argsort(np.argsort(-sizes, kind="stable"))
    return ranks


def nested(graph: Floats, partitions: Sequence[Integers], chosen: int) -> list[Integers]:
    """Partitions that are nested, and nearly the given ones, of which the chosen one stays as it is.

    A coarser one is made of whole clusters of the one before it, each in the cluster where most of it is. In a finer
    one, a node whose cluster is mostly in another cluster of the next coarser partition joins, of the clusters that are
    mostly in its own, the one to which it has most edges.

    Parameters
    ----------
    graph : (k, k) floats
        Weights between nodes, here cores.
    partitions : sequence of (k,) integers
        The finest first.
    chosen : int

    Returns
    -------
    list of (k,) integers
        Labels from 0 without gaps.
    """
    sizes = graph.sum(axis=1)
    found = [numbered(labels) for labels in partitions]
    for place in range(chosen + 1, len(found)):
        finer = found[place - 1]
        found[place] = numbered(_where_most_is(finer, found[place], sizes)[finer])
    for place in range(chosen - 1, -1, -1):
        found[place] = _inside(graph, found[place], found[place + 1], sizes)
    return found


def _where_most_is(labels: Integers, others: Integers, sizes: Floats) -> Integers:
    """(c,) the cluster of ``others`` in which most of each cluster of ``labels`` is."""
    common = np.zeros((int(labels.max()) + 1, int(others.max()) + 1))
    np.add.at(common, (labels, others), sizes)
    found: Integers = common.argmax(axis=1)
    return found


def _inside(graph: Floats, finer: Integers, coarser: Integers, sizes: Floats) -> Integers:
    """A finer partition, changed so that its clusters are inside those of the coarser one."""
    parent = _where_most_is(finer, coarser, sizes)
    astray = np.flatnonzero(parent[finer] != coarser)
    edges = np.where(parent == coarser[astray, np.newaxis], sums_of_rows(graph[:, astray], finer).T, -1.0)
    best = edges.argmax(axis=1)
    has_parts = np.isin(coarser[astray], parent)
    found = finer.copy()
    found[astray] = np.where(has_parts, best, len(parent) + coarser[astray])
    return numbered(found)
