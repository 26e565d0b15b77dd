"""A graph and graphs of halves of its rows, whose clusters are compared."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from anchorgraph.contracts import Integers, RowTable, Spectrum
from anchorgraph.labels import random_halves, stability
from anchorgraph.numerics.progress import stage
from anchorgraph.spectrum import anchor_gram, spectrum_for_numbers
from anchorgraph.table import as_table

N_HALVES = 5
"""Number of halves of the rows whose clusters are compared with those of all rows."""

N_COMPARED = 2**13
"""Stability is that of so many rows, if there are more: it should not take much longer than a fit."""


@dataclass(frozen=True)
class AnchorRows:
    """Rows of Z, and what is needed to cluster them.

    Attributes
    ----------
    Z : RowTable
        All rows of a graph, or a sample of them.
    spectrum : Spectrum
        Of the graph.
    total_weight : float
        Of all rows of the graph.
    seed : int
        Of the rounding.
    """

    Z: RowTable
    spectrum: Spectrum
    total_weight: float
    seed: int


Split = Callable[[AnchorRows, int], RowTable]
"""``split(rows, n_clusters)`` returns the labels of the rows."""


@dataclass(frozen=True)
class ResampledGraph:
    """Rows of a graph, and random halves of them, each with the Gram matrix and the spectrum of its own graph."""

    rows: AnchorRows
    halves: list[tuple[Integers, AnchorRows]]

    @classmethod
    @stage("stability")
    def of(cls, rows: AnchorRows, most: int, n_halves: int) -> ResampledGraph:
        """Of all rows, or of a sample of :data:`N_COMPARED`; for up to ``most`` clusters."""
        rng = np.random.default_rng([rows.seed, 2])
        some = as_table(rows.Z.draw(min(rows.Z.n_counted, N_COMPARED), rng))
        halves = []
        for numbers, seed in random_halves(some.n_rows, n_halves, rows.seed):
            half = as_table(some.take(numbers))
            spectrum = spectrum_for_numbers(*anchor_gram(half), most)
            halves.append((numbers, AnchorRows(half, spectrum, half.total_weight, seed)))
        return cls(replace(rows, Z=some), halves)

    @stage("stability")
    def stability(self, split: Split, n_clusters: int) -> float:
        """How alike the clusters of the halves are to those of all rows."""
        of_halves = [(numbers, split(half, n_clusters).rows()) for numbers, half in self.halves]
        return stability(split(self.rows, n_clusters).rows(), of_halves)
