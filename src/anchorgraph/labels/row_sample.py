"""A uniform sample of rows that come in batches."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from anchorgraph.contracts import Floats, Integers, RowTable
from anchorgraph.numerics.blocks import stack
from anchorgraph.table import as_table


@dataclass(frozen=True)
class RowSample:
    """All rows that were seen, with their weights, or a uniform sample of them.

    Every row gets a random key, which depends on the seed and on the number of the row alone, and the rows with the
    smallest keys are kept: the sample does not depend on how the rows were divided into batches.

    Attributes
    ----------
    seed : int
    size : int or None
        Maximum number of rows that are kept; None keeps all.
    n_seen : int
        Number of rows of all batches.
    rows : (s, p) Block or None
        In the order in which they came; None before the first batch.
    weights : (s,) floats
    keys : (s,) floats
    """

    seed: int
    size: int | None
    n_seen: int = 0
    rows: Any = None
    weights: Floats = field(default_factory=lambda: np.empty(0))
    keys: Floats = field(default_factory=lambda: np.empty(0))

    def plus(self, table: RowTable) -> RowSample:
        """The sample of the rows seen and those of a further batch; rows of weight zero are left out."""
        weights = table.weight_of_each()
        counted = np.flatnonzero(weights)
        keys = np.concatenate([self.keys, self._next_keys(table.n_rows)[counted]])
        kept = _smallest(keys, len(keys) if self.size is None else self.size)
        old, new = kept[kept < len(self.keys)], counted[kept[kept >= len(self.keys)] - len(self.keys)]
        parts = ([] if self.rows is None else [self.rows[old]]) + [table.take(new)]
        return replace(
            self,
            n_seen=self.n_seen + table.n_rows,
            rows=stack(parts),
            weights=np.concatenate([self.weights[old], weights[new]]),
            keys=keys[kept],
        )

    def table(self) -> RowTable:
        """The rows as a table with their weights."""
        return as_table(self.rows).weighted(as_table(self.rows).align(self.weights))

    def _next_keys(self, n: int) -> Floats:
        generator = np.random.PCG64([self.seed, 2])
        return np.random.Generator(generator.advance(self.n_seen)).random(n)


def _smallest(keys: Floats, n: int) -> Integers:
    """Positions of the ``n`` smallest keys, in ascending order; all if there are no more."""
    return np.arange(len(keys)) if len(keys) <= n else np.sort(np.argpartition(keys, n - 1)[:n])
