"""Levels of clusters, of which each cluster lies in one of the next level."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from anchorgraph.contracts import Integers, RowMap, RowTable
from anchorgraph.numerics.checks import check_integer
from anchorgraph.plot.colours import group_colour
from anchorgraph.report.groups import Groups, as_clusters
from anchorgraph.report.packing import pack_codes
from anchorgraph.report.shown import ShownRows
from anchorgraph.table import count


@dataclass(frozen=True)
class ClusterLevels:
    """Several clusterings of the same rows, the finest first.

    Attributes
    ----------
    finest : Groups
        Clusters of level 0.
    parents : tuple of integers
        For each level but the last, the cluster of the next level in which each of its clusters lies.
    persistences : list of float
    own : int
        The level of the model's labels.
    shown : int
        The level that the page is about.
    """

    finest: Groups
    parents: tuple[Integers, ...]
    persistences: list[float]
    own: int
    shown: int

    @property
    def tables(self) -> list[Integers]:
        """For each level, the cluster in which each cluster of level 0 lies."""
        tables: list[Integers] = [np.arange(len(self.finest.names))]
        for parents in self.parents:
            tables.append(parents[tables[-1]])
        return tables

    def clusters(self) -> Groups:
        """The clusters of the level that is shown."""
        table = self.tables[self.shown]
        codes = np.append(table, -1)[self.finest.codes]
        return as_clusters(codes, len(codes))

    def describe(self) -> dict[str, Any]:
        """The levels as plain data: the numbers of rows (``sizes``) and the ``parents`` of the clusters of each."""
        sizes = self.finest.sizes
        return {
            "sizes": [np.bincount(table, sizes).astype(int).tolist() for table in self.tables],
            "parents": [parents.tolist() for parents in self.parents],
            "persistences": [float(f"{value:.3g}") for value in self.persistences],
            "own": self.own,
            "shown": self.shown,
        }

    def colour(self, rows: ShownRows) -> tuple[dict[str, str], list[dict[str, Any]]]:
        """The cluster of level 0 of each shown row, and how the map is coloured by each level: names and colours.

        ``codes`` of a level are those of its clusters, for each cluster of level 0.
        """
        colourings = []
        for level, table in enumerate(self.tables):
            n_clusters = int(table.max()) + 1
            colourings.append(
                {
                    "title": f"level {level} ({count(n_clusters, 'cluster')})",
                    "section": "levels",
                    "names": [str(number) for number in range(n_clusters)],
                    "colours": [group_colour(number) for number in range(n_clusters)],
                    "codes": table.tolist(),
                }
            )
        return pack_codes(self.finest.codes[rows.numbers]), colourings


def read_levels(model: Any, table: RowTable, before: RowMap | None, level: int | None) -> ClusterLevels | None:
    """The levels of a fitted model, with the labels of the fit, or if it kept none (a file), those that it predicts.

    Parameters
    ----------
    model : fitted estimator
    table : RowTable
    before : RowMap, optional
        What is done to rows before the model receives them.
    level : int, optional
        The level that is shown; by default that of the model's labels.

    Returns
    -------
    ClusterLevels or None
        None if there is only one level.
    """
    levels: tuple[Any, ...] = getattr(model, "levels_", ())
    if level is not None:
        check_integer("level", level, at_least=0)
        if not levels:
            raise ValueError(f"level={level} is for models with levels_, and {type(model).__name__} has none.")
        if level >= len(levels):
            last = len(levels) - 1
            raise ValueError(f"level={level} is too large for {count(len(levels), 'level')}; use at most {last}.")
    if len(levels) < 2:
        return None
    if hasattr(model, "labels_"):
        finest = levels[0].labels
    else:
        finest = model.predict(table if before is None else table.view(before), level=0)
    return ClusterLevels(
        as_clusters(finest, table.n_rows, levels[0].n_clusters),
        model.tree_,
        [one.persistence for one in levels],
        model.level_,
        model.level_ if level is None else level,
    )
