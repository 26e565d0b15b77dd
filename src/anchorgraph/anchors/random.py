"""Anchors that are rows of the data, chosen at random (LSC-R, ONGR-R, Nyström)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from anchorgraph.contracts import Anchors, RowTable
from anchorgraph.numerics.blocks import dense
from anchorgraph.numerics.progress import stage


@dataclass(frozen=True)
class RandomAnchors:
    """Rows of the data, chosen at random without replacement (``anchors="random"``)."""

    @stage("anchors")
    def select(self, table: RowTable, n_anchors: int, seed: int) -> Anchors:
        """The anchors of a table."""
        return Anchors(dense(table.sample(n_anchors, np.random.default_rng(seed))))
