"""Rows grouped by the leaves of a balanced tree."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from anchorgraph.contracts import Floats, Integers


@dataclass(frozen=True)
class Leaves:
    """Rows by the leaf that they belong to; leaves are numbered from left to right, so that close numbers are near.

    Attributes
    ----------
    order : (n,) integers
        Row numbers, leaf after leaf, ascending within each leaf.
    starts : (m + 1,) integers
        Where the rows of each leaf begin in ``order``, and the number of rows.
    means : (m, d) floats
        Mean of the rows of each leaf.
    """

    order: Integers
    starts: Integers
    means: Floats

    @classmethod
    def of(cls, labels: Integers, means: Floats) -> Leaves:
        """Group rows by the leaf that each belongs to."""
        sizes = np.bincount(labels, minlength=len(means))
        return cls(np.argsort(labels, kind="stable").astype(np.int32), np.cumsum([0, *sizes]), means)

    def __len__(self) -> int:
        return len(self.means)

    def rows(self, leaf: int) -> Integers:
        """The rows of a leaf."""
        found: Integers = self.order[self.starts[leaf] : self.starts[leaf + 1]]
        return found

    @cached_property
    def groups(self) -> list[Integers]:
        """The rows of each leaf."""
        return [self.rows(leaf) for leaf in range(len(self))]

    @cached_property
    def leaf_of(self) -> Integers:
        """(n,) leaf of each row."""
        found = np.empty(len(self.order), np.int32)
        found[self.order] = np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.starts))
        return found

    def rows_of_all(self, leaves: Integers) -> Integers:
        """The rows of several leaves, ascending."""
        return np.sort(np.concatenate([self.rows(leaf) for leaf in leaves]))
