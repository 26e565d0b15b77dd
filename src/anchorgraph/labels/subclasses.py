"""Classes split until their parts can be told from other classes (SSDA)."""

from __future__ import annotations

import numpy as np
from scipy.cluster.hierarchy import cut_tree, linkage

from anchorgraph.numerics.distances import CentredPoints
from anchorgraph.numerics.execution import run
from anchorgraph.numerics.progress import stage


@stage("clusters")
def split_classes(rows, codes, most):
    """Cut each class's tree of nearest groups (Ward's) into as few subclasses as are separable.

    A subclass is separable where none of its rows is nearer to the mean of a subclass of another class than to its own.
    All classes start whole; each that has an inseparable subclass is cut into one more, again and again.

    Parameters
    ----------
    rows : (n, d) floats
    codes : (n,) integers
    most : int
        Subclasses that a class is cut into at most; never more than half of its rows.

    Returns
    -------
    (n,) integers
        The subclass of each row.
    """
    members = [np.flatnonzero(codes == code) for code in range(codes.max() + 1)]
    limits = np.array([max(1, min(most, len(own) // 2)) for own in members])

    def cuts(pair):
        own, limit = pair
        return (
            cut_tree(linkage(rows[own], "ward"), np.arange(1, limit + 1)) if limit > 1 else np.zeros((len(own), 1), int)
        )

    trees = run(cuts, zip(members, limits, strict=True))
    counts = np.ones(len(members), dtype=int)
    while True:
        subclasses = np.empty(len(rows), dtype=int)
        for code, own in enumerate(members):
            subclasses[own] = counts[:code].sum() + trees[code][:, counts[code] - 1]
        owners = np.repeat(np.arange(len(members)), counts)
        to_split = np.unique(codes[_confused(rows, codes, subclasses, owners)])
        to_split = to_split[counts[to_split] < limits[to_split]]
        if not len(to_split):
            return subclasses
        counts[to_split] += 1


def _confused(rows, codes, subclasses, owners):
    """Which rows are nearer to a mean of another class than to that of their subclass."""
    sizes = np.bincount(subclasses)
    means = np.zeros((len(sizes), rows.shape[1]))
    np.add.at(means, subclasses, rows)
    means /= sizes[:, np.newaxis]
    points = CentredPoints.of(means)
    scores = points.scores(rows - points.centre)
    own = scores[np.arange(len(rows)), subclasses]
    scores[codes[:, np.newaxis] == owners] = -np.inf
    return scores.max(axis=1) > own
