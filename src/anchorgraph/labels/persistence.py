r"""Which partitions of a graph last: those that stay alike over a long range of resolutions, with gaps around clusters.

From a fine resolution to a coarse one, cores are merged and moved, each time from the partition before. A cluster lasts
from the largest to the smallest γ at which there is one that has at least 85 % of its rows in common with it (Jaccard
index), in units of :math:`\log(\gamma + 0.01)`. A cloud without structure is cut somewhere, too; so rows count as far
as there is a gap around their cluster (:meth:`~anchorgraph.labels.gaps.Gaps.around`), or as far as it lasts longer than
parts of such a cloud do:

.. math:: \mathrm{persistence} = \frac1n \sum_c n_c \Big( h_c\, q_c\, \mathrm{lifetime}_c - \frac{1 - h_c}{2} \Big)

where :math:`h_c` grows from 0 to 1 between gaps of 0.3 and 0.8, or between lifetimes of 3 and 5 if that is more,
and :math:`q_c = \min(1, 2 (1 - n_c / n))` leaves out that nearly all rows together last. The result is found in two
steps: the finest partition whose persistence is at least 85 % of the largest one; and, among the partitions that are
nearly the same as this one, the finest with at least 97 % of their largest persistence. If no persistence is larger
than 0.15, all rows are one cluster.

Where rows fall into parts without edges between them, the path ends with these. The nearest ones are then joined, and
groups of them that stay alike until a join over twice the distance are coarser levels, too, but not chosen.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from anchorgraph.contracts import Floats, Integers
from anchorgraph.labels.cores import Cores, merge_clusters, move_cores, sums_between
from anchorgraph.labels.gaps import LEAST_DISTANCE, Gaps
from anchorgraph.labels.islands import links_of_parts
from anchorgraph.labels.levels import Levels, nested
from anchorgraph.labels.modularity import numbered

FINEST = 12.0
"""γ at which the path begins, with clusters of some ten rows where there are few rows, and of hundreds where many."""

COARSEST, N_STEPS = 0.01, 44
"""Smallest positive γ of the path, and number of steps to it; the last γ is 0."""

OFFSET = 0.01
"""Added to γ before the logarithm, so that unconnected parts, which last down to γ = 0, do not last forever."""

ALIKE = 0.85
"""From this Jaccard index on, clusters are the same, and from this adjusted Rand index on, partitions are."""

DIFFERENT = 0.7
"""Levels have a smaller adjusted Rand index with each other; if each cluster has two parts, it is about 2/3."""

NO_GAP, CLEAR_GAP = 0.3, 0.8
"""Gaps of which rows do not count, or count fully."""

LONG, VERY_LONG = 3.0, 5.0
"""Lifetimes of clusters whose rows count a little, or fully, even without a gap."""

WITHOUT_GAP = 0.5
"""What a row in a cluster without a gap costs, in the units of lifetimes."""

NEARLY = 0.85
"""Share of the largest persistence from which on a finer partition is taken."""

AS_LONG = 0.97
"""Share of the largest persistence of those like it from which on that partition is the result."""

LEAST = 0.15
"""Persistence that a partition needs."""

FAR = float(np.log(2))
"""Persistence, in e-folds of distance, that groups of unconnected parts need."""

MOST_GROUPS = 32
"""Only so many groups of unconnected parts are considered, or fewer."""


@dataclass(frozen=True)
class Stretch:
    """A partition of cores, and the range of resolutions at which it was found."""

    labels: Integers
    largest: float
    smallest: float
    is_joined: bool = False

    @property
    def resolution(self) -> float:
        """The middle of the range; 0 for groups of unconnected parts, whose range is one of inverse distances."""
        if self.is_joined:
            return 0.0
        if self.largest == self.smallest:
            return self.largest
        return float(np.sqrt((self.largest + OFFSET) * (self.smallest + OFFSET)) - OFFSET)


def find_levels(cores: Cores, gaps: Gaps, least_size: int = 1, points: Floats | None = None) -> Levels:
    """The levels of cores that last; the chosen one follows from the data.

    Parameters
    ----------
    cores : Cores
    gaps : Gaps
    least_size : int
        Smaller clusters of the levels join the one to which they have most edges.
    points : (n, q) floats, optional
        Where the nodes are: groups of unconnected parts can be levels only with these.

    Returns
    -------
    Levels
        Of the cores.
    """
    path = stretches(cores)
    values = persistences(path, cores.sizes, gaps)
    chosen = _chosen(path, values, cores.sizes)
    if chosen is None:
        single = Levels.single(np.zeros(len(cores.sizes), np.intp), 0.0)
        return replace(single, path=_described(path, values))
    return _levels(path, values, cores, chosen, gaps, points, least_size)


def levels_around(
    cores: Cores, gaps: Gaps, labels: Integers, resolution: float, points: Floats | None = None
) -> Levels:
    """A partition of cores that was found otherwise, as the chosen level, and the levels that last beside it.

    Parameters
    ----------
    cores : Cores
    gaps : Gaps
    labels : (k,) integers
        The partition, from 0 without gaps.
    resolution : float
        γ of the partition.
    points : (n, q) floats, optional
        As for :func:`find_levels`.

    Returns
    -------
    Levels
        Of the cores.
    """
    path = stretches(cores)
    place = sum(stretch.labels.max() > labels.max() for stretch in path)
    path.insert(place, Stretch(labels, resolution, resolution))
    return _levels(path, persistences(path, cores.sizes, gaps), cores, place, gaps, points)


def stretches(cores: Cores) -> list[Stretch]:
    """The partitions of cores from a fine resolution to γ = 0; equal ones that follow each other are one."""
    labels: Integers = np.arange(len(cores.sizes))
    found: list[Stretch] = []
    for resolution in (*np.geomspace(FINEST, COARSEST, N_STEPS).tolist(), 0.0):
        labels = merge_clusters(cores.graph, labels, None, resolution)
        labels = numbered(move_cores(cores.graph, labels, resolution))
        largest = resolution
        if found and np.array_equal(labels, found[-1].labels):
            largest = found.pop().largest
        found.append(Stretch(labels, largest, resolution))
    return found


def joined_parts(cores: Cores, parts: Integers, points: Floats) -> list[Stretch]:
    """Unconnected parts of cores as they are joined, the nearest first, until two groups are left.

    Ranges are those of inverse distances, relative to that of the last join.
    """
    if parts.max() < 2:
        return []
    links, distances = links_of_parts(parts[cores.core_of], points)
    inverse = distances[-1] / np.maximum(distances, LEAST_DISTANCE * distances[-1])
    group, found = np.arange(len(links) + 1), []
    for place, (one, other) in enumerate(links[:-1]):
        group[group == group[other]] = group[one]
        if len(links) - place <= MOST_GROUPS:
            found.append(Stretch(numbered(group)[parts], float(inverse[place]), float(inverse[place + 1]), True))
    return found


def _join_small(cores: Cores, labels: Integers, least_size: int) -> Integers:
    """Join clusters of fewer nodes, the smallest first, to the one to which they have most edges, if to any."""
    sizes = np.bincount(labels, cores.sizes)
    if sizes.min() >= least_size:
        return labels
    between = sums_between(cores.graph, labels)
    np.fill_diagonal(between, 0)
    joined, can_join = np.arange(len(sizes)), np.ones(len(sizes), bool)
    while (sizes[can_join] < least_size).any():
        small = int(np.where(can_join, sizes, np.inf).argmin())
        into = int(between[small].argmax())
        can_join[small] = False
        if between[small, into] == 0:
            continue
        joined[joined == small] = into
        sizes[into] += sizes[small]
        between[into] += between[small]
        between[:, into] = between[into]
        between[into, into], between[small], between[:, small] = 0, 0, 0
    return numbered(joined[labels])


def persistences(path: list[Stretch], sizes: Integers, gaps: Gaps) -> Floats:
    """How long the clusters of each partition last, as far as there is a gap around them; -inf for a single cluster.

    Parameters
    ----------
    path : list of Stretch
    sizes : (k,) integers
        Numbers of nodes of the cores.
    gaps : Gaps

    Returns
    -------
    (s,) floats
    """
    values = np.full(len(path), -np.inf)
    for place, stretch in enumerate(path):
        shares = np.bincount(stretch.labels, sizes) / sizes.sum()
        if len(shares) > 1:
            lasting = lifetimes(path, place, sizes)
            has_gap = (gaps.around(stretch.labels) - NO_GAP) / (CLEAR_GAP - NO_GAP)
            clear = np.clip(np.maximum(has_gap, (lasting - LONG) / (VERY_LONG - LONG)), 0, 1)
            counted = clear * np.minimum(1, 2 * (1 - shares))
            values[place] = shares @ (counted * lasting - WITHOUT_GAP * (1 - clear))
    return values


def lifetimes(path: list[Stretch], place: int, sizes: Integers) -> Floats:
    """(c,) how long each cluster of a partition lasts, in units of ``log(γ + 0.01)``."""
    labels = path[place].labels
    ends = []
    for others, end in ((path[place::-1], "largest"), (path[place:], "smallest")):
        last = np.full(labels.max() + 1, np.nan)
        lasts = np.ones(len(last), dtype=bool)
        for stretch in others:
            lasts &= _most_alike(labels, stretch.labels, sizes) >= ALIKE
            if not lasts.any():
                break
            last[lasts] = np.log(getattr(stretch, end) + OFFSET)
        ends.append(last)
    lengths: Floats = ends[0] - ends[1]
    return lengths


def _most_alike(labels: Integers, others: Integers, sizes: Integers) -> Floats:
    """(c,) the largest Jaccard index of each cluster with one of another partition."""
    one, other, common = _common(labels, others, sizes)
    union = np.bincount(labels, sizes)[one] + np.bincount(others, sizes)[other] - common
    largest = np.zeros(labels.max() + 1)
    np.maximum.at(largest, one, common / union)
    return largest


def _common(labels: Integers, others: Integers, sizes: Integers) -> tuple[Integers, Integers, Integers]:
    """The pairs of clusters of two partitions that have nodes in common, and how many."""
    n_others = int(others.max()) + 1
    codes, pair = np.unique(labels * n_others + others, return_inverse=True)
    return codes // n_others, codes % n_others, np.bincount(pair, sizes).astype(np.intp)


def adjusted_rand(labels: Integers, others: Integers, sizes: Integers) -> float:
    """The adjusted Rand index of two partitions of cores, by their nodes."""

    def pairs(counts: Floats | Integers) -> float:
        return float(np.sum(counts * (counts - 1.0)) / 2)

    both, total = pairs(_common(labels, others, sizes)[2]), pairs(np.array([sizes.sum()]))
    own, other = pairs(np.bincount(labels, sizes)), pairs(np.bincount(others, sizes))
    expected, mean = own * other / max(total, 1.0), (own + other) / 2
    return 1.0 if mean == expected else (both - expected) / (mean - expected)


def _chosen(path: list[Stretch], values: Floats, sizes: Integers) -> int | None:
    """The place of the partition that is the result, or None if none lasts."""
    if not values.max() >= LEAST:
        return None
    finest = int(np.argmax(values >= NEARLY * values.max()))
    alike = [adjusted_rand(path[finest].labels, stretch.labels, sizes) >= ALIKE for stretch in path]
    of_alike = np.where(alike, values, -np.inf)
    return int(np.argmax(of_alike >= AS_LONG * of_alike.max()))


def _levels(
    path: list[Stretch],
    values: Floats,
    cores: Cores,
    chosen: int,
    gaps: Gaps,
    points: Floats | None,
    least_size: int = 1,
) -> Levels:
    """The chosen partition and those that last beside it, as levels: different from each other, and nested."""
    described = _described(path, values)
    if points is not None:
        joined = joined_parts(cores, path[-1].labels, points)
        of_joined = persistences(joined, cores.sizes, gaps)
        path, values = path + joined, np.append(values, np.where(of_joined >= FAR, of_joined, -np.inf))
    places = [chosen]
    for place in np.argsort(-values, kind="stable").tolist():
        if values[place] < LEAST:
            break
        others = (path[other].labels for other in places)
        if all(adjusted_rand(path[place].labels, labels, cores.sizes) < DIFFERENT for labels in others):
            places.append(place)
    places.sort()
    own = places.index(chosen)
    large = [_join_small(cores, path[place].labels, least_size) for place in places]
    partitions = nested(cores.graph, large, own)
    n_clusters = [int(labels.max()) + 1 for labels in partitions]
    next_to = [np.sign(own - level) + level for level in range(len(places))]  # the level nearer to the chosen one
    kept = [
        level
        for level, number in enumerate(n_clusters)
        if level == own or (number > 1 and number != n_clusters[next_to[level]])
    ]
    finest = partitions[kept[0]]
    clusters = np.zeros((len(kept), int(finest.max()) + 1), np.intp)
    for row, level in zip(clusters, kept, strict=True):
        row[finest] = partitions[level]
    found = [path[places[level]] for level in kept]
    return Levels(
        finest,
        clusters,
        np.array([stretch.resolution for stretch in found]),
        np.array([values[places[level]] for level in kept]),
        kept.index(own),
        described,
    )


def _described(path: list[Stretch], values: Floats) -> Floats:
    """(s, 3) resolution, number of clusters and persistence of each partition of more than one cluster."""
    found = [(one.resolution, one.labels.max() + 1, value) for one, value in zip(path, values, strict=True)]
    return np.array([line for line in found if line[1] > 1], np.float64).reshape(-1, 3)
