"""The clusters around rows, by the rows of the fit that are nearest to them, and how typical rows are of these."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import ndimage, sparse

from anchorgraph.contracts import Block
from anchorgraph.contracts import Floats as FloatArray
from anchorgraph.contracts import Integers as IntegerArray
from anchorgraph.estimators.bases.coordinates import SEARCH_OF_ROWS, AsGiven, Coordinates, CoordinatesAndRest
from anchorgraph.estimators.bases.fields import TINY, Derived, Floats, Record, Rows
from anchorgraph.estimators.bases.given_method import GIVEN_SEARCH
from anchorgraph.graph import GivenIndex, RowIndex
from anchorgraph.labels import are_equal, vote
from anchorgraph.numerics.blocks import chunks
from anchorgraph.numerics.execution import run

VOTERS = 5
"""Number of nearest rows that vote for the cluster of a new row."""

HALF_OWN = 0.1
"""A cluster with this share of the rows has a scale half way between its own and that of all rows."""

LEAST = 0.01
"""Smallest scale of its own that a cluster can have, as a share of that of all rows."""


@dataclass(frozen=True)
class Shares:
    """The row map to the shares of the clusters around each row.

    Attributes
    ----------
    coordinates : Coordinates or AsGiven
    index : RowIndex or GivenIndex
        Of the rows that were clustered.
    memberships : (n, c) CSR array
        Shares of the clusters around each of these.
    """

    coordinates: Coordinates | AsGiven
    index: RowIndex | GivenIndex
    memberships: sparse.csr_array

    def prepared(self) -> Shares:
        """The same, with an index that workers need not prepare again."""
        self.index.prepared()
        return self

    def __call__(self, block: Block) -> FloatArray:
        """(n, c) shares."""
        return np.concatenate(self._vote(*self.voters(self.coordinates(block)), lambda shares: shares))

    def best(self, block: Block) -> tuple[IntegerArray, FloatArray]:
        """(n,) the cluster of the largest share, and (n,) this share."""
        return self.best_at(self.coordinates(block))

    def best_at(self, sketch: FloatArray) -> tuple[IntegerArray, FloatArray]:
        """The same for rows in the coordinates."""
        return self.best_of(*self.voters(sketch))

    def best_of(self, neighbors: IntegerArray, distances: FloatArray) -> tuple[IntegerArray, FloatArray]:
        """The same for rows whose nearest rows are known."""
        best = self._vote(neighbors, distances, lambda own: (own.argmax(axis=1).astype(np.int32), own.max(axis=1)))
        labels, largest = zip(*best, strict=True)
        return np.concatenate(labels), np.concatenate(largest)

    def voters(self, sketch: FloatArray) -> tuple[IntegerArray, FloatArray]:
        """The nearest rows of the fit, and the distances to them."""
        return self.index.nearest(sketch, min(VOTERS, self.index.n_points))

    def _vote(self, neighbors: IntegerArray, distances: FloatArray, work: Callable[[FloatArray], Any]) -> list[Any]:
        neighbors, distances = neighbors[:, :VOTERS], distances[:, :VOTERS]
        return run(
            lambda part: work(vote(self.memberships, neighbors[part], distances[part])),
            self.parts(len(neighbors), self.memberships.shape[1]),
        )

    @staticmethod
    def parts(n_rows: int, n_clusters: int) -> list[slice]:
        """The parts of some rows whose votes for so many clusters are computed at once."""
        return chunks(n_rows, 8 * n_clusters)


@dataclass(frozen=True)
class RowTypicality:
    """The row map to scores of rows, ``-d(x) / s_c``; typical rows have larger scores.

    d is the mean distance of a row to its nearest other rows of the fit, and c its cluster.

    Attributes
    ----------
    shares : Shares
    n_neighbors : int
        Number of nearest rows.
    scales : (c,) floats
        s, all positive.
    """

    shares: Shares
    n_neighbors: int
    scales: FloatArray

    @classmethod
    def of(cls, shares: Shares, distances: FloatArray, squared_rest: FloatArray, labels: IntegerArray) -> RowTypicality:
        """The scales of clusters, ``s_c = t^(1-w) t_c^w`` with ``w = p_c / (p_c + 0.1)``.

        t is the median of d over all rows, t_c that over the rows of the cluster, and p_c the share of rows in it: a
        small group of outliers that is a cluster of its own is measured by all rows.

        Parameters
        ----------
        shares : Shares
        distances : (n, k) floats
            Of the rows that were clustered to their nearest other ones, in the coordinates.
        squared_rest : (n,) floats
            Squared distances of these rows to their coordinates.
        labels : (n,) integers

        Returns
        -------
        RowTypicality
        """
        d = _mean_distances(distances, squared_rest)
        overall = float(np.median(d)) or float(d.mean()) or 1.0
        n_clusters = shares.memberships.shape[1]
        own = ndimage.median(d, labels, np.arange(n_clusters))
        p = np.bincount(labels, minlength=n_clusters) / len(labels)
        weights = p / (p + HALF_OWN)
        scales = overall ** (1 - weights) * np.maximum(own, LEAST * overall) ** weights
        return cls(shares, distances.shape[1], scales)

    def __call__(self, block: Block) -> FloatArray:
        """(n,) scores of the rows of a block."""
        locate = CoordinatesAndRest(self.shares.coordinates)
        sketch, squared_rest = locate.apart(locate(block))
        n_wanted = min(max(self.n_neighbors + 1, VOTERS), self.shares.index.n_points)
        neighbors, distances = self.shares.index.nearest(sketch, n_wanted)
        labels, _ = self.shares.best_of(neighbors, distances)
        d = _mean_distances(_to_others(distances, self.n_neighbors), squared_rest)
        scores: FloatArray = (-d / self.scales[labels]).astype(block.dtype)
        return scores


def _mean_distances(distances: FloatArray, squared_rest: FloatArray) -> FloatArray:
    """(n,) mean distances in all columns; neighbours count as if they were equal to their coordinates."""
    if distances.shape[1] == 0:
        return np.zeros(len(distances))
    squares = np.square(distances, dtype=np.float64) + squared_rest[:, np.newaxis]
    found: FloatArray = np.sqrt(squares).mean(axis=1)
    return found


def _to_others(distances: FloatArray, n_neighbors: int) -> FloatArray:
    """(n, n_neighbors) distances to the nearest rows without one that is equal; all if there is only one row."""
    if distances.shape[1] == 1:
        return distances
    is_equal = are_equal(distances[:, : n_neighbors + 1])[:, :1]
    return np.where(is_equal, distances[:, 1 : n_neighbors + 1], distances[:, :n_neighbors])


def without_shares(shares: Shares) -> str | None:
    """What is wrong with the memberships of a model file, as the end of a sentence, or None."""
    found = shares.memberships
    if found.shape[1] > found.shape[0]:  # a small file must not ask for large results
        return "has more clusters than rows"
    least = min(found.data.min(initial=0) if sparse.issparse(found) else found.min(), 0)
    return "has a row without memberships, or a negative one" if least < 0 or found.sum(axis=1).min() <= 0 else None


def _unusable(typicality: RowTypicality) -> str | None:
    n_rows, least = typicality.shares.index.n_points, typicality.scales.min()
    if typicality.n_neighbors >= n_rows:
        return f"compares a row with {typicality.n_neighbors} others of {n_rows}"
    return None if least > TINY else f"has a scale of {least:.2g}"


SAVED_SHARES = Record(Shares, {**SEARCH_OF_ROWS, "memberships": Rows("n c")}, without_shares)
SAVED_GIVEN_SHARES = Record(Shares, {**GIVEN_SEARCH, "memberships": Rows("n c")}, without_shares)
SAVED_TYPICALITY = Record(
    RowTypicality,
    {
        "shares": Derived(lambda shares: shares, ("_shares",)),
        "n_neighbors": Derived(lambda n_neighbors: n_neighbors, ("n_neighbors_",)),
        "scales": Floats("c", double=True),
    },
    _unusable,
)
"""Fields of a model file."""
