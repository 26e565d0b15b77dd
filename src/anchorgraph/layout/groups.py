"""Rows in groups of near ones, which are laid out first."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from anchorgraph.contracts import Integers
from anchorgraph.numerics.groups import graph_of_groups, one_hot

N_VOTES = 4
"""Rounds of votes."""


def grouped(graph: sparse.csr_array, n_groups: int) -> Integers:
    """Groups of near rows: consecutive ones, which are near in the order of a tree, corrected by their neighbours.

    In a round, every row goes to the group that it has most ties to, divided by the root of the group's size, where a
    tie to itself counts once. Without the root, large groups would swallow small ones.

    Parameters
    ----------
    graph : (n, n) CSR array
        Of rows in the order of a tree.
    n_groups : int

    Returns
    -------
    (n,) integers
        From 0 without gaps; groups may vanish.
    """
    n = graph.shape[0]
    group_of = np.arange(n) * n_groups // n
    for _ in range(N_VOTES):
        group_of = _vote(graph, group_of, n_groups)
    found: Integers = np.unique(group_of, return_inverse=True)[1]
    return found


def _vote(graph: sparse.csr_array, group_of: Integers, n_groups: int) -> Integers:
    own = one_hot(group_of, n_groups, graph.dtype)
    votes = (graph @ own + own).tocsr()
    votes.data /= np.sqrt(np.maximum(np.bincount(group_of, minlength=n_groups), 1)).astype(votes.dtype)[votes.indices]
    row_of = np.repeat(np.arange(len(group_of)), np.diff(votes.indptr))
    most = np.maximum.reduceat(votes.data, votes.indptr[:-1])  # every row has a vote: its own
    is_most = votes.data == most[row_of]
    elected = group_of.copy()
    elected[row_of[is_most]] = votes.indices[is_most]
    return elected


def group_ties(graph: sparse.csr_array, group_of: Integers) -> sparse.csr_array:
    """(m, m) sums of the ties between groups, without those within them."""
    between = graph_of_groups(graph, group_of)
    between.setdiag(0)
    between.eliminate_zeros()
    return between
