"""Exactly so many clusters of cores, by merging along a path of resolutions and choosing from what comes of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from anchorgraph.contracts import Floats, Integers
from anchorgraph.labels.cores import Cores, core_modularity, merge_clusters, move_cores, sums_between

PATH = (1, 0.7, 0.5, 0.35, 0.25, 0.18, 0.12, 0.08, 0.05, 0.03, 0.02, 0.01, 0.005, 0.002, 0)
"""Resolutions relative to that of the communities: large ones give clusters of similar size, small ones follow gaps."""

SMALLEST = 0.1
"""Size below which a cluster is a speck, relative to clusters of equal size."""

HALF_A_TIE = 0.5
"""Added to each cut: that two clusters of a few rows have no tie between them says less than that two large ones do."""

CLEARLY_LESS = 0.8
"""Another resolution is chosen only if its cut is smaller than that of modularity by this factor."""


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

    .. math:: \Big(1 + \frac{1}{s}\Big) \sum_c \frac{v_c - w_c + 1/2}{v_c}

    with :math:`v_c` the degrees of a cluster, :math:`w_c` the ties within it, and :math:`s` the size of the smallest
    cluster relative to n / n_clusters; partitions with s < 0.1 do not count.
    The resolution of modularity itself, reduced if there are more communities than clusters, is kept unless the
    value of another one is less by a fifth.

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
    usual = merge_cores(cores, n_clusters, resolution * min(1.0, float(np.sqrt(n_clusters / n_communities))))
    others = [merge_cores(cores, n_clusters, share * resolution) for share in PATH]
    best = min(others, key=lambda merged: cut_value(cores, merged.labels))
    is_clear = cut_value(cores, best.labels) < CLEARLY_LESS * cut_value(cores, usual.labels)
    return best if is_clear else usual


def cut_value(cores: Cores, labels: Integers) -> float:
    """The normalised cut of a partition of cores, times a penalty for unequal sizes; infinity if one is a speck."""
    between = sums_between(cores.graph, labels)
    sizes = np.bincount(labels, cores.sizes)
    smallest = sizes.min() * len(sizes) / sizes.sum()
    if smallest < SMALLEST:
        return np.inf
    volumes: Floats = between.sum(axis=1)
    cuts = (volumes - np.diag(between) + HALF_A_TIE) / np.maximum(volumes, HALF_A_TIE)
    return float(cuts.sum() * (1 + 1 / smallest))
