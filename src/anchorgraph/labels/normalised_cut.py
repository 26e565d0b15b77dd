"""Normalised cut of clusterings in an anchor graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse

from anchorgraph.contracts import Floats, RowTable, SumStep
from anchorgraph.numerics.blocks import chunks, weigh
from anchorgraph.numerics.execution import run_sum
from anchorgraph.numerics.groups import one_hot
from anchorgraph.numerics.progress import stage

CUT_ROWS = 2**14
"""Number of rows whose sums are computed at once: adding these sums must not cost more than computing them."""


@stage("cuts")
def normalised_cuts(Z: RowTable, labels: Sequence[RowTable], n_clusters: Sequence[int], degrees: Floats) -> Floats:
    r"""The normalised cuts of several clusterings of the same rows, in one pass.

    Every row of :math:`A = Z \Delta^{-1} Z^\top` sums to one, so that the cut of cluster c with the indicator y is

    .. math:: \frac{y^\top (I - A)\, y}{y^\top y} = 1 - \frac{\lVert \Delta^{-1/2} Z^\top y \rVert^2}{y^\top 1}

    and the normalised cut is the sum over the clusters. With weights W of the rows, it is
    :math:`1 - \lVert \Delta^{-1/2} Z^\top W y \rVert^2 / (y^\top W 1)`. The cut of a cluster without rows
    is 1.

    Parameters
    ----------
    Z : RowTable
        Rows of Z.
    labels : sequence of RowTable
        The labels of these rows in each clustering.
    n_clusters : sequence of int
        Number of clusters of each clustering.
    degrees : (m,) floats
        ``δ = ZᵀW1``.

    Returns
    -------
    (q,) floats
    """
    sums, sizes = Z.sum_blocks(_cluster_sums(n_clusters), *labels, *Z.weights)
    squares = sums.power(2) @ np.divide(1, degrees, out=np.zeros_like(degrees), where=degrees > 0)
    within = np.divide(squares, sizes, out=np.zeros_like(squares), where=sizes > 0)
    starts = np.cumsum([0, *n_clusters[:-1]])
    return np.asarray(n_clusters) - np.add.reduceat(within, starts)


def _cluster_sums(n_clusters: Sequence[int]) -> SumStep:
    """The step that sums ``YᵀWZ`` and ``YᵀW1`` for the indicators Y of all clusterings side by side."""
    counts = list(n_clusters)

    def step(z: sparse.csr_array, *aligned: Any) -> tuple[Any, ...]:
        def chunk_sums(part: slice) -> tuple[Any, ...]:
            labels, weights = aligned[: len(counts)], [own[part] for own in aligned[len(counts) :]]
            indicators = [one_hot(own[part], count, np.float64) for own, count in zip(labels, counts, strict=True)]
            weighed = weigh(sparse.hstack(indicators, format="csr"), *weights)
            return (weighed.T @ z[part].astype(np.float64)).tocsr(), weighed.sum(axis=0)

        return run_sum(chunk_sums, chunks(z.shape[0], 1, CUT_ROWS))

    return step
