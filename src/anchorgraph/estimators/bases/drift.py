"""How many rows of a batch are farther from all anchors than those that the anchors were found for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from anchorgraph.contracts import Floats, NearestAnchors, RowTable

QUANTILE = 0.99
"""The distances of these rows of the first batch count as ordinary."""

FACTOR = 1.5
"""A row is far if it is so many times as far as an ordinary one: anchors are nearer to the rows that they were found
for than to others of the same distribution, in many dimensions by √(5/3) if each is the mean of four rows."""

N_COMPARED = 4096
"""Maximum number of rows of a batch that are compared, so that a large batch is not searched twice."""


@dataclass(frozen=True)
class Reach:
    """How far rows are from their nearest anchor.

    Attributes
    ----------
    search : NearestAnchors
    limit : float
        Squared distance of the nearest anchor above which a row is far.
    """

    search: NearestAnchors
    limit: float

    @classmethod
    def of(cls, search: NearestAnchors, table: RowTable, seed: int) -> Reach:
        """The reach of anchors for the first batch of rows."""
        return cls(search, FACTOR**2 * float(np.quantile(_squared_distances(search, table, seed), QUANTILE)))

    def share_beyond(self, table: RowTable, seed: int) -> float:
        """The share of the rows of a batch that are far, by weight."""
        if not table.n_counted:
            return 0.0
        return float(np.mean(_squared_distances(self.search, table, seed) > self.limit))


def _squared_distances(search: NearestAnchors, table: RowTable, seed: int) -> Floats:
    """Of rows to their nearest anchor: each row as often as its weight says, or a sample of them."""
    rows = table.draw(min(table.n_counted, N_COMPARED), np.random.default_rng([seed, 3]))
    return search.nearest(rows, 1)[1][:, 0]
