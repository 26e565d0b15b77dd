"""Levels of clusters by the sentences of docs/methods/communities.md, row by row and pair by pair."""

import itertools

import numpy as np


def dimension(distances):
    """Levina and Bickel's estimate, from the mean of the inverse over the rows."""
    n, k = distances.shape
    total = sum(np.log(distances[i, k - 1] / distances[i, j]) for i in range(n) for j in range(k - 1))
    return n * (k - 2) / total


def sparseness(distances):
    q = dimension(distances)
    return np.array([q * np.log(np.mean(row)) for row in distances])


def gap(W, labels, sparse_at, cluster):
    """How much sparser the nodes of a cluster are at its border than inside."""
    outside = inside = sparse_outside = sparse_inside = 0.0
    for i in np.flatnonzero(labels == cluster):
        for j in range(len(W)):
            share = W[i, j] / W[i].sum()
            if labels[j] == cluster:
                inside, sparse_inside = inside + share, sparse_inside + share * sparse_at[i]
            else:
                outside, sparse_outside = outside + share, sparse_outside + share * sparse_at[i]
    return sparse_outside / outside - sparse_inside / inside if outside else np.inf


def jaccard(one, other):
    return len(one & other) / len(one | other)


def clusters_of(labels):
    return [set(np.flatnonzero(labels == cluster)) for cluster in range(max(labels) + 1)]


def lifetime(path, place, cluster):
    """``path`` has labels of rows, and the largest and smallest resolution of each partition."""
    rows, ends = clusters_of(path[place][0])[cluster], []
    for step in (-1, 1):
        last = place
        while (
            0 <= last + step < len(path)
            and max(jaccard(rows, other) for other in clusters_of(path[last + step][0])) >= 0.85
        ):
            last += step
        ends.append(np.log(path[last][1 if step < 0 else 2] + 0.01))
    return ends[0] - ends[1]


def persistence(path, place, W, sparse_at):
    labels = path[place][0]
    n, total = len(labels), 0.0
    if max(labels) == 0:
        return -np.inf
    for cluster in range(max(labels) + 1):
        size = np.count_nonzero(labels == cluster)
        lasts = lifetime(path, place, cluster)
        clear = min(1.0, max(0.0, (gap(W, labels, sparse_at, cluster) - 0.3) / 0.5, (lasts - 3) / 2))
        counted = clear * min(1.0, 2 * (1 - size / n))
        total += size / n * (counted * lasts - (1 - clear) / 2)
    return total


def adjusted_rand(labels, others):
    """By counting pairs of rows."""
    pairs = list(itertools.combinations(range(len(labels)), 2))
    same = sum(labels[i] == labels[j] for i, j in pairs)
    same_other = sum(others[i] == others[j] for i, j in pairs)
    both = sum(labels[i] == labels[j] and others[i] == others[j] for i, j in pairs)
    expected = same * same_other / len(pairs)
    return (both - expected) / ((same + same_other) / 2 - expected)


def chosen(path, values):
    """The place of the result, or None for one cluster.

    Of those like the finest nearly best partition, it is the finest that lasts nearly as long as the best one.
    """
    best = max(values)
    if best < 0.15:
        return None
    finest = next(place for place, value in enumerate(values) if value >= 0.85 * best)
    alike = [place for place in range(len(path)) if adjusted_rand(path[finest][0], path[place][0]) >= 0.85]
    return next(place for place in alike if values[place] >= 0.97 * max(values[other] for other in alike))
