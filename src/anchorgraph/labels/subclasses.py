"""Classes split until their parts can be separated from other classes (SSDA)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import cut_tree, linkage

from anchorgraph.contracts import Floats, Integers
from anchorgraph.numerics.distances import CentredPoints
from anchorgraph.numerics.execution import run
from anchorgraph.numerics.progress import stage


@stage("clusters")
def split_classes(rows: Floats, codes: Integers, max_subclasses: int) -> Integers:
    """Cut the Ward tree of each class into as few subclasses as are separable.

    A subclass is separable if none of its rows is nearer to the mean of a subclass of another class than to its own
    mean. Each class starts as one subclass. Every class with an inseparable subclass is cut into one more, repeatedly.

    Parameters
    ----------
    rows : (n, d) floats
    codes : (n,) integers
        The class of each row.
    max_subclasses : int
        Maximum number of subclasses per class; never more than half of its rows.

    Returns
    -------
    (n,) integers
        The subclass of each row.
    """
    members = [np.flatnonzero(codes == code) for code in range(codes.max() + 1)]
    limits = np.array([max(1, min(max_subclasses, len(own) // 2)) for own in members])

    def cuts(class_and_limit: tuple[Integers, int]) -> Integers:
        """(n_c, limit) subclasses of the rows of a class: column j is the cut into j + 1 subclasses."""
        own, limit = class_and_limit
        if limit == 1:
            return np.zeros((len(own), 1), int)
        columns: Integers = cut_tree(linkage(rows[own], "ward"), np.arange(1, limit + 1))
        return columns

    trees = run(cuts, zip(members, limits, strict=True))
    counts = np.ones(len(members), dtype=int)
    while True:
        subclasses = np.empty(len(rows), dtype=int)
        for code, own in enumerate(members):
            subclasses[own] = counts[:code].sum() + trees[code][:, counts[code] - 1]
        owners = np.repeat(np.arange(len(members)), counts)
        to_split = np.unique(codes[_inseparable(rows, codes, subclasses, owners)])
        to_split = to_split[counts[to_split] < limits[to_split]]
        if not len(to_split):
            return subclasses
        counts[to_split] += 1


def _inseparable(rows: Floats, codes: Integers, subclasses: Integers, owners: Integers) -> NDArray[np.bool_]:
    """Which rows are nearer to a mean of another class than to the mean of their own subclass."""
    sizes = np.bincount(subclasses)
    means = np.zeros((len(sizes), rows.shape[1]))
    np.add.at(means, subclasses, rows)
    means /= sizes[:, np.newaxis]
    points = CentredPoints.of(means)
    scores = points.scores(rows - points.centre)
    own = scores[np.arange(len(rows)), subclasses]
    scores[codes[:, np.newaxis] == owners] = -np.inf
    nearer: NDArray[np.bool_] = scores.max(axis=1) > own
    return nearer
