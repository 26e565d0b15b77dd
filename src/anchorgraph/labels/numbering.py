"""Numbers of clusters that stay when rows are clustered anew."""

from __future__ import annotations

import numpy as np

from anchorgraph.contracts import Assignment, Integers


def numbers_as_before(before: Integers, now: Integers, n_clusters: int) -> Integers:
    """The number of each new cluster: that of the earlier cluster with which it has most rows in common, if it is free.

    Pairs of a new and an earlier cluster are compared in the order of the rows that they have in common, the largest
    first. New clusters for which this finds no number below ``n_clusters`` get those that are left.

    Parameters
    ----------
    before, now : (n,) integers
        Earlier and new cluster of the same rows.
    n_clusters : int
        Number of new clusters.

    Returns
    -------
    (n_clusters,) integers
        All numbers below ``n_clusters``, in some order.
    """
    can_stay = before < n_clusters
    codes, n_common = np.unique(now[can_stay].astype(np.int64) * n_clusters + before[can_stay], return_counts=True)
    number_of: dict[int, int] = {}
    taken: set[int] = set()
    for code in codes[np.argsort(-n_common, kind="stable")].tolist():
        cluster, number = divmod(code, n_clusters)
        if cluster not in number_of and number not in taken:
            number_of[cluster] = number
            taken.add(number)
    left = iter(sorted(set(range(n_clusters)) - taken))
    return np.array([number_of[cluster] if cluster in number_of else next(left) for cluster in range(n_clusters)])


def renumbered(assignment: Assignment, numbers: Integers) -> Assignment:
    """The same assignment, whose cluster c has the number ``numbers[c]``."""
    order = np.argsort(numbers)
    return Assignment(assignment.directions[:, order], assignment.offsets[order])
