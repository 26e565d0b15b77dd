"""Shares of the clusters around a row."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from anchorgraph.contracts import Floats, Integers
from anchorgraph.labels.modularity import degrees
from anchorgraph.numerics.blocks import dense
from anchorgraph.numerics.groups import one_hot

N_STEPS = 4
"""Steps of the random walk."""

LEAST = 1e-3
"""Smaller shares are left out."""

AHEAD = 1 + 1e-6
"""By how much a row's own cluster is ahead where the walk ends at another one as often."""


EQUAL = 1e-6
"""A row is equal to a neighbour whose distance is no more than this share of that of the last one, up to rounding."""


def memberships(graph: sparse.csr_array, labels: Integers, n_clusters: int) -> sparse.csr_array:
    """How often a random walk of four steps from each node ends in each cluster.

    A node's own cluster gets at least as large a share as any other.

    Parameters
    ----------
    graph : (n, n) CSR array
        Symmetric weights; every node has ties.
    labels : (n,) integers
    n_clusters : int

    Returns
    -------
    (n, n_clusters) CSR array
        Rows sum to one.
    """
    step = sparse.diags_array((1 / degrees(graph)).astype(graph.dtype)) @ graph
    shares = one_hot(labels, n_clusters, graph.dtype)
    for _ in range(N_STEPS):
        shares = _without_small(step @ shares, LEAST / 10)  # or many clusters would make it dense
    shares = _without_small(own_ahead(shares, labels).tocsr(), LEAST)
    return (sparse.diags_array(1 / shares.sum(axis=1)) @ shares).tocsr().astype(np.float32)


def own_ahead(shares: Any, labels: Integers) -> Any:
    """The same shares, with each row's own cluster a hair ahead of all others; rows no longer sum to one.

    Parameters
    ----------
    shares : (n, c) floats or CSR array
    labels : (n,) integers

    Returns
    -------
    (n, c) floats or sparse array
    """
    own = one_hot(labels, shares.shape[1], shares.dtype)
    own.data = dense(shares.max(axis=1)).ravel() * shares.dtype.type(AHEAD)
    return own.maximum(shares)


def _without_small(shares: sparse.csr_array, least: float) -> sparse.csr_array:
    """The same without shares below ``least``, which are changed in place."""
    shares.data[shares.data < least] = 0
    shares.eliminate_zeros()
    return shares


def are_equal(distances: Floats) -> Any:
    """(b, k) whether rows are equal to their k nearest ones, up to rounding; distances are in ascending order.

    A row that is exactly equal to one of them, as those of the fit are, is equal to no others.
    """
    return distances <= np.where(distances[:, :1] > 0, EQUAL * distances[:, -1:], 0)


def vote(shares: sparse.csr_array, neighbors: Integers, distances: Floats) -> Floats:
    """The mean memberships of each row's neighbours, the nearer ones counting more: the r-th nearest 1/√r.

    A row that is equal to neighbours, up to rounding, has the memberships of these alone.

    Parameters
    ----------
    shares : (n, c) CSR array
        Memberships of the rows that neighbours are numbers of.
    neighbors : (b, k) integers
        Nearest first.
    distances : (b, k) floats

    Returns
    -------
    (b, c) floats
        Rows sum to one.
    """
    b, k = neighbors.shape
    weights = np.broadcast_to(1 / np.sqrt(np.arange(1, k + 1)), (b, k))
    is_equal = are_equal(distances)
    weights = np.where(is_equal.any(axis=1, keepdims=True), is_equal, weights)
    weights = weights / weights.sum(axis=1, keepdims=True)
    voters = sparse.csr_array(
        (weights.ravel(), neighbors.ravel(), np.arange(0, b * k + 1, k)), shape=(b, shares.shape[0])
    )
    found = dense(voters @ shares)
    normalised: Floats = found / found.sum(axis=1, keepdims=True)
    return normalised
