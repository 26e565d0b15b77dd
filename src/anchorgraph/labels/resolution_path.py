"""Exactly so many clusters of cores, by merging along a path of resolutions and choosing from what comes of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from anchorgraph.contracts import Floats, Integers
from anchorgraph.labels.cores import Cores, core_modularity, merge_clusters, move_cores, sums_between

USUAL = 0.7
"""The usual resolution relative to that of the communities, for few clusters; without ``n_clusters``, for all."""

PATH = (1, 0.7, 0.5, 0.35, 0.25, 0.18, 0.12, 0.08, 0.05, 0.03, 0.02, 0.01, 0.005, 0.002, 0)
"""Resolutions relative to the usual one: large ones give clusters of similar size, small ones follow gaps."""

SMALLEST = 0.03
"""Size below which a cluster is a speck, relative to clusters of equal size."""

UNEQUAL = 0.05
"""By how much unequal sizes make a cut worse: this, divided by the size of the smallest cluster."""

ONE_TIE = 1.0
"""Added to each cut: that two clusters of a few rows have no tie between them says less than that two large ones do."""

CLEARLY_LESS = 0.75
"""Another resolution is chosen only if its cut is smaller than that of the usual one by this factor."""


@dataclass(frozen=True)
class Merged:
    """Clusters of cores: their labels, and the resolution at which they were merged."""

    labels: Integers
    resolution: float


def merge_cores(cores: Cores, n_clusters: int | None, resolution: float) -> Merged:
    """The partition of largest modularity among those that each of the cores' partitions is merged and moved to.

    If none of them has as many communities as clusters are wanted, the cores themselves are merged.

    Parameters
    ----------
    cores : Cores
    n_clusters : int or None
        None merges as long as modularity grows.
    resolution : float

    Returns
    -------
    Merged
    """
    starts = [labels for labels in cores.partitions if labels.max() + 1 >= (n_clusters or 1)]
    found = [
        move_cores(cores.graph, merge_clusters(cores.graph, labels, n_clusters, resolution), resolution)
        for labels in starts or [np.arange(len(cores.sizes))]
    ]
    return Merged(max(found, key=lambda labels: core_modularity(cores.graph, labels, resolution)), resolution)


def merge_along_path(cores: Cores, n_clusters: int, resolution: float) -> Merged:
    r"""Merge cores to exactly ``n_clusters`` clusters at the resolution that makes the best cut.

    Modularity prefers clusters of similar size, and cuts long and unequal ones to pieces. At smaller resolutions they
    stay whole where there is a gap around them. The normalised cut tells which is the case:

    .. math:: \Big(1 + \frac{1}{20 s}\Big) \sum_c \frac{v_c - w_c + 1}{v_c}

    with :math:`v_c` the degrees of a cluster, :math:`w_c` the ties within it, and :math:`s` the size of the smallest
    cluster relative to n / n_clusters; partitions with s < 0.03 do not count.
    The usual resolution (:func:`usual_share`) is kept unless the value of a smaller one is less by a quarter.

    Parameters
    ----------
    cores : Cores
    n_clusters : int
        At most the number of cores.
    resolution : float
        That of these communities.

    Returns
    -------
    Merged
    """
    n_communities = min(int(labels.max()) + 1 for labels in cores.partitions)
    usual = resolution * usual_share(n_clusters / n_communities)
    found = [merge_cores(cores, n_clusters, share * usual) for share in PATH]
    values = [cut_value(cores, merged.labels) for merged in found]
    best = int(np.argmin(values))
    return found[best] if values[best] < CLEARLY_LESS * values[0] else found[0]


def usual_share(ratio: float) -> float:
    r"""The usual resolution, relative to that of the communities, by the ratio of clusters to communities.

    .. math:: \min\big(1, \max(\rho^{3/2}, 0.7 \rho^{1/2})\big)

    As many clusters as there are communities are these; for fewer, it falls quickly at first.
    """
    return float(min(1.0, max(ratio**1.5, USUAL * ratio**0.5)))


def cut_value(cores: Cores, labels: Integers) -> float:
    """The normalised cut of a partition of cores, times a penalty for unequal sizes; infinity if one is a speck."""
    between = sums_between(cores.graph, labels)
    sizes = np.bincount(labels, cores.sizes)
    smallest = sizes.min() * len(sizes) / sizes.sum()
    if smallest < SMALLEST:
        return np.inf
    volumes: Floats = between.sum(axis=1)
    cuts = (volumes - np.diag(between) + ONE_TIE) / np.maximum(volumes, ONE_TIE)
    return float(cuts.sum() * (1 + UNEQUAL / smallest))
