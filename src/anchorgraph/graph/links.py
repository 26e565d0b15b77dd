"""Rows linked to rows: the candidates that the neighbours of neighbours are, also against the direction of the ties."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from scipy import sparse

from anchorgraph.contracts import Integers
from anchorgraph.graph.leaves import Leaves

FOLLOWED = 15
"""Nearest neighbours that a row is linked to, at most."""

FOLLOWERS = 12
"""Rows that a row is linked to as it is one of their nearest, at most. A row may be near to others that have nearer
ones, and is then found from these only against the direction of the ties."""

FEWEST_LINKS = 2
"""Number of rows near a leaf that must be linked to a candidate. All rows of a leaf are compared with all candidates of
any of them; those with one link are near to few, and are more than half."""


def links(neighbors: Integers) -> Integers:
    """Each row's nearest neighbours, and rows that have it among theirs, those first in whose list it is early.

    Parameters
    ----------
    neighbors : (n, k) integers
        Nearest first.

    Returns
    -------
    (n, f) integers
        Places without a row have the number of the row itself.
    """
    nearest = neighbors[:, :FOLLOWED]
    n, k = nearest.shape
    # tie number rank * n + row, so that ties to a row are in the order of their ranks: a sort by counting
    numbers = np.arange(n * k + 1, dtype=np.int32 if n * k < 2**31 else np.int64)
    ties = sparse.csr_array((np.ones(n * k, np.int8), nearest.T.ravel(), numbers), shape=(n * k, n)).tocsc()
    counts = np.diff(ties.indptr)
    place = numbers[:-1] - np.repeat(ties.indptr[:-1], counts)
    followed = np.repeat(np.arange(n, dtype=neighbors.dtype), counts)
    kept = np.flatnonzero(place < FOLLOWERS)
    linked = np.repeat(np.arange(n, dtype=neighbors.dtype), k + FOLLOWERS).reshape(n, -1)
    linked[:, :k] = nearest
    linked[followed.take(kept), k + place.take(kept)] = ties.indices.take(kept) % n
    return linked


def linked_rows(linked: Integers, own: Integers) -> Integers:
    """Ascending numbers of rows that several of the rows linked to a group are linked to."""
    near = _occurring(linked.take(own, axis=0), 1)
    return _occurring(linked.take(near, axis=0), FEWEST_LINKS)


def _occurring(numbers: Integers, n_times: int) -> Integers:
    """Numbers that occur at least so many times, ascending."""
    ordered = np.sort(numbers, axis=None)
    is_first = np.concatenate([[True], ordered[1:] != ordered[:-1]])
    occurs = is_first[: len(ordered) - n_times + 1]
    if n_times > 1:
        occurs = occurs & (ordered[n_times - 1 :] == ordered[: len(occurs)])
    found: Integers = ordered[: len(occurs)][occurs]
    return found


@dataclass(frozen=True)
class Compared:
    """What the rows of each leaf have been compared with, and need not be compared with again.

    Attributes
    ----------
    leaves : Leaves
    near : (m, p) integers
        Leaves with whose rows those of each leaf have been compared.
    others : dict
        Further rows, ascending, by the number of the leaf.
    """

    leaves: Leaves
    near: Integers
    others: dict[int, Integers] = field(default_factory=dict)

    def without(self, leaf: int, rows: Integers) -> Integers:
        """Those of some rows, ascending, that a leaf has not been compared with."""
        is_near = np.zeros(len(self.leaves), bool)
        is_near[self.near[leaf]] = True
        new: Integers = rows[~is_near.take(self.leaves.leaf_of.take(rows))]
        others = self.others.get(leaf, new[:0])
        return new[others.take(np.searchsorted(others, new), mode="clip") != new] if len(others) else new

    def add(self, leaf: int, rows: Integers) -> None:
        """A leaf has also been compared with these rows, which it had not been."""
        self.others[leaf] = np.sort(np.concatenate([self.others.get(leaf, rows[:0]), rows]))
