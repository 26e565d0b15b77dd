"""The levels of clusters of rows, and the clusters of new rows at each of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from anchorgraph.contracts import Block
from anchorgraph.contracts import Floats as FloatArray
from anchorgraph.contracts import Integers as IntegerArray
from anchorgraph.estimators.bases.fields import Derived, Floats, Integer, Integers, Record
from anchorgraph.estimators.bases.row_shares import Shares
from anchorgraph.labels import Levels, vote
from anchorgraph.numerics.execution import run
from anchorgraph.numerics.groups import one_hot

WITHOUT_VOTES = 1e-3
"""Votes that all rows together have for the cluster that they are in; each of the nearest rows has .1 or more."""


@dataclass(frozen=True, eq=False)
class Level:
    """One of several nested clusterings of the same rows.

    Attributes
    ----------
    n_clusters : int
    resolution : float
        γ in the middle of the range in which it was found; 0 for groups of unconnected parts.
    persistence : float
        How long its clusters last, in e-folds of γ, or of distance for groups of unconnected parts, as far as there are
        gaps around them.
    labels : ndarray of shape (n_rows,)
        The largest cluster has label 0, except in the level of ``labels_`` after ``partial_fit``.
    """

    n_clusters: int
    resolution: float
    persistence: float
    _cluster_of: IntegerArray = field(repr=False)
    _finest: Any = field(repr=False)

    @property
    def labels(self) -> Any:
        if self._finest is None:
            raise AttributeError("labels of levels are not kept in model files; use predict(X, level=...)")
        look_up = partial(np.take, np.append(self._cluster_of, -1).astype(np.int32), mode="wrap")  # -1 stays -1
        if isinstance(self._finest, np.ndarray):
            return look_up(self._finest)
        return self._finest.map_blocks(look_up, dtype=np.int32)


def described(levels: Levels, finest: Any) -> tuple[Level, ...]:
    """The levels for users, with the labels of rows whose clusters at the finest level are given."""
    return tuple(
        Level(int(clusters.max()) + 1, float(resolution), float(persistence), clusters, finest)
        for clusters, resolution, persistence in zip(
            levels.clusters, levels.resolutions, levels.persistences, strict=True
        )
    )


@dataclass(frozen=True)
class RowLevels:
    """The row map to the clusters at all levels.

    Attributes
    ----------
    shares : Shares
        Of the clusters of the chosen level.
    levels : Levels
        Of the rows that were clustered.
    """

    shares: Shares
    levels: Levels

    def __call__(self, block: Block) -> FloatArray:
        """(n, 3) the label of the chosen level, its share, and the label of the finest level."""
        return self.at(self.shares.coordinates(block))

    def at(self, sketch: FloatArray) -> FloatArray:
        """The same for rows in the coordinates."""
        neighbors, distances = self.shares.voters(sketch)
        labels, largest = self.shares.best_of(neighbors, distances)
        return np.column_stack([labels, largest, self._finest(neighbors, distances, labels)])

    def labels_at(self, level: int, block: Block) -> IntegerArray:
        """(n,) labels of one level."""
        if level == self.levels.chosen:
            return self.shares.best(block)[0]
        finest = self(block)[:, 2].astype(np.int32)
        found: IntegerArray = self.levels.clusters[level][finest].astype(np.int32)
        return found

    def _finest(self, neighbors: IntegerArray, distances: FloatArray, labels: IntegerArray) -> IntegerArray:
        """The cluster of the finest level, inside that of the chosen one, to which most of the nearest rows belong.

        If none of them is in the chosen cluster, whose shares come from farther away, it is the largest part of it.
        """
        levels, chosen = self.levels, self.levels.clusters[self.levels.chosen]
        if levels.chosen == 0:
            return labels
        n_finest = len(chosen)
        members = one_hot(levels.finest, n_finest, np.float32)
        at_least = WITHOUT_VOTES * np.bincount(levels.finest, minlength=n_finest) / len(levels.finest)

        def best(part: slice) -> IntegerArray:
            votes = vote(members, neighbors[part], distances[part]) + at_least
            found: IntegerArray = np.where(chosen == labels[part, np.newaxis], votes, -1.0).argmax(axis=1)
            return found

        return np.concatenate(run(best, self.shares.parts(len(labels), n_finest)))


def _unusable(levels: RowLevels) -> str | None:
    """What is wrong with the levels of a model file, as the end of a sentence, or None."""
    clusters = levels.levels.clusters
    counts = [len(np.unique(level)) for level in clusters]
    if any(level.max() + 1 != count for level, count in zip(clusters, counts, strict=True)):
        return "has a level with clusters without rows"
    if counts[levels.levels.chosen] != levels.shares.memberships.shape[1]:
        return "has other clusters than memberships"
    if not np.array_equal(clusters[0], np.arange(len(clusters[0]))) or counts != sorted(counts, reverse=True):
        return "has levels that are not in order"
    is_nested = all(len(np.unique(np.stack(pair), axis=1).T) == pair[0].max() + 1 for pair in pairwise(clusters))
    return None if is_nested else "has levels that are not nested"


SAVED_LEVELS = Record(
    RowLevels,
    {
        "shares": Derived(lambda shares: shares, ("_shares",)),
        "levels": Record(
            Levels,
            {
                "clusters": Integers("l f", below="f"),
                "finest": Integers("n", below="f", dtype="int32"),
                "resolutions": Floats("l", double=True),
                "persistences": Floats("l", double=True),
                "chosen": Integer(at_least=0),
                "path": Floats("s 3", double=True, empty=True),
            },
            lambda levels: None if levels.chosen < len(levels.clusters) else f"has no level {levels.chosen}",
        ),
    },
    _unusable,
)
"""Field of a model file."""
