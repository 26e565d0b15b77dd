"""Rows by group: as a matrix, their sums and means, and where sorted ones begin."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
from scipy import sparse

from anchorgraph.contracts import Block, Floats, Integers
from anchorgraph.numerics.blocks import CHUNK_BYTES, chunks, dense, row_bytes
from anchorgraph.numerics.execution import run_sum


def one_hot(labels: Integers, n_labels: int, dtype: Any) -> sparse.csr_array:
    """(n, n_labels) CSR array with a one in the column of each label."""
    n = len(labels)
    return sparse.csr_array(
        (np.ones(n, dtype), labels.astype(np.int32, copy=False), np.arange(n + 1, dtype=np.int32)), shape=(n, n_labels)
    )


def graph_of_groups(graph: sparse.csr_array, groups: Integers) -> sparse.csr_array:
    """(m, m) sums of the weights between the groups of nodes, in float64; those within a group are on the diagonal."""
    n_groups = int(groups.max()) + 1
    ties = (graph @ one_hot(groups, n_groups, graph.dtype)).astype(np.float64)
    return (one_hot(groups, n_groups, np.float64).T @ ties).tocsr()


def sums_by_group(
    rows: Block, groups: Integers, n_groups: int, weights: Floats | None = None
) -> tuple[Floats, Floats | Integers]:
    """The sums and the numbers of the rows of each group; with weights, the weighted sums and the sums of weights.

    Parameters
    ----------
    rows : (n, d) Block
    groups : (n,) integers
        The group of each row.
    n_groups : int
    weights : (n,) floats, optional

    Returns
    -------
    sums : (n_groups, d) floats
        In float64.
    sizes : (n_groups,) integers or floats
    """
    n = len(groups)
    values = np.ones(n) if weights is None else weights
    members = sparse.csr_array((values, groups, np.arange(n + 1)), shape=(n, n_groups))
    return dense(members.T @ rows.astype(np.float64)), np.bincount(groups, weights, minlength=n_groups)


def sums_of_block(
    block: Block, groups: Integers, n_groups: int, weights: Floats | None = None
) -> tuple[Floats, Floats | Integers]:
    """:func:`sums_by_group` on the threads of the context; the sums of a chunk are smaller than the chunk."""

    def chunk_sums(part: slice) -> tuple[Floats, Floats | Integers]:
        return sums_by_group(block[part], groups[part], n_groups, None if weights is None else weights[part])

    sums_bytes = 8 * n_groups * block.shape[1]
    sums, sizes = run_sum(chunk_sums, chunks(block.shape[0], row_bytes(block), max(CHUNK_BYTES, 2 * sums_bytes)))
    return sums, sizes


def group_means(sums: Floats, sizes: Floats | Integers, otherwise: Floats) -> Floats:
    """The mean of each group; for an empty group, its row of ``otherwise``.

    Parameters
    ----------
    sums : (n_groups, d) floats
    sizes : (n_groups,) floats or integers
        Numbers of rows, or the sums of their weights.
    otherwise : (n_groups, d) floats

    Returns
    -------
    (n_groups, d) floats
    """
    filled = sizes > 0
    return np.where(filled[:, np.newaxis], sums / np.where(filled, sizes, 1)[:, np.newaxis], otherwise)


def equal_runs(numbers: Integers) -> Iterator[tuple[int, slice]]:
    """The different ones of some sorted numbers, and where each of them stands."""
    starts = np.flatnonzero(np.diff(numbers, prepend=numbers[:1] + 1))
    for start, stop in pairwise([*starts.tolist(), len(numbers)]):
        yield int(numbers[start]), slice(start, stop)
