"""Shares of the clusters around a row, by a walk through the anchors."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from scipy import sparse

from anchorgraph.contracts import Floats, Integers, RowTable
from anchorgraph.labels.memberships import own_ahead
from anchorgraph.numerics.blocks import chunks, dense, weigh
from anchorgraph.numerics.execution import run_sum
from anchorgraph.numerics.groups import one_hot

ROWS_AT_ONCE = 2**14
"""Number of rows of Z that a thread adds up at once."""


@dataclass(frozen=True)
class AnchorShares:
    """Shares of the clusters around the anchors, and from these around any row.

    Attributes
    ----------
    of_anchors : (m, c) floats
        How often a walk of three steps from each anchor, to a row, an anchor and a row, ends in each cluster. Rows sum
        to one.
    """

    of_anchors: Floats

    @classmethod
    def of(cls, Z: RowTable, labels: RowTable, gram: sparse.csr_array, n_clusters: int) -> AnchorShares:
        """``(Δ⁻¹ZᵀZ)(Δ⁻¹ZᵀY)`` for the labels Y as indicators; equal shares for an anchor that no row is tied to.

        Parameters
        ----------
        Z : RowTable
            Rows of Z.
        labels : RowTable
            The cluster of each of them.
        gram : (m, m) sparse array
            ``ZᵀZ``, of the same rows or of more.
        n_clusters : int

        Returns
        -------
        AnchorShares
        """
        (sums,) = Z.sum_blocks(partial(_sum_labels, n_clusters), labels, *Z.weights)
        return cls(_normalised(gram @ _normalised(sums, otherwise=0), otherwise=1))

    def __call__(self, z: sparse.csr_array, labels: Integers) -> Floats:
        """How often a walk of four steps from each row, the first one to an anchor, ends in each cluster.

        As in :func:`~anchorgraph.labels.memberships`, a row's own cluster gets at least as large a share as any other.

        Parameters
        ----------
        z : (b, m) CSR array
        labels : (b,) integers
            The clusters of these rows.

        Returns
        -------
        (b, c) floats
            Rows sum to one.
        """
        found = own_ahead(z.astype(np.float64) @ self.of_anchors, labels)
        normalised: Floats = found / found.sum(axis=1, keepdims=True)
        return normalised


def _sum_labels(n_clusters: int, z: sparse.csr_array, labels: Integers, *weights: Floats) -> tuple[Any, ...]:
    """``ZᵀY`` of a block."""

    def chunk_sums(part: slice) -> tuple[Any, ...]:
        indicators = weigh(one_hot(labels[part], n_clusters, np.float64), *(own[part] for own in weights))
        return (dense(z[part].T.astype(np.float64) @ indicators),)

    return run_sum(chunk_sums, chunks(z.shape[0], 1, ROWS_AT_ONCE))


def _normalised(shares: Floats, otherwise: float) -> Floats:
    """Rows divided by their sums; rows of zeros get equal values that sum to ``otherwise``."""
    sums = shares.sum(axis=1, keepdims=True)
    return np.where(sums > 0, shares / np.where(sums > 0, sums, 1), otherwise / shares.shape[1])
