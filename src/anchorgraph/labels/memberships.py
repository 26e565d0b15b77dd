"""Shares of the clusters around a row."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from scipy import sparse

from anchorgraph.contracts import Floats, Integers
from anchorgraph.labels.modularity import degrees
from anchorgraph.numerics.blocks import chunks, dense
from anchorgraph.numerics.execution import run
from anchorgraph.numerics.groups import one_hot

N_STEPS = 4
"""Steps of the random walk."""

WALKED_ROWS = 2**14
"""Number of rows whose walks a thread follows at once."""

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
    shares = _without_small(own_ahead(_walk(graph, labels, n_clusters), labels).tocsr(), LEAST)
    return (sparse.diags_array(1 / shares.sum(axis=1)) @ shares).tocsr().astype(np.float32)


def settle(graph: sparse.csr_array, labels: Integers, n_clusters: int) -> Integers:
    """Move each node to the cluster in which a random walk of four steps from it ends most often.

    Where clusters overlap, this follows more of the graph than a node's own ties. A node stays where shares are equal,
    and in a cluster that all its nodes would leave.

    Parameters
    ----------
    graph, labels, n_clusters
        As for :func:`memberships`.

    Returns
    -------
    (n,) integers
    """
    shares = _walk(graph, labels, n_clusters)
    row, starts = np.repeat(np.arange(len(labels)), np.diff(shares.indptr)), shares.indptr[:-1]
    largest = np.maximum.reduceat(shares.data, starts)
    of_own = np.zeros_like(largest)
    is_own = shares.indices == labels[row]
    of_own[row[is_own]] = shares.data[is_own]
    first = np.minimum.reduceat(np.where(shares.data == largest[row], shares.indices, n_clusters), starts)
    settled: Integers = np.where(largest > AHEAD * of_own, first, labels)
    while (is_left := np.bincount(settled, minlength=n_clusters) == 0).any():
        settled = np.where(is_left[labels], labels, settled)
    return settled


def _walk(graph: sparse.csr_array, labels: Integers, n_clusters: int) -> sparse.csr_array:
    """(n, n_clusters) how often a walk from each node ends in each cluster."""
    step = sparse.diags_array((1 / degrees(graph)).astype(graph.dtype)) @ graph
    shares = one_hot(labels, n_clusters, graph.dtype)
    parts = chunks(graph.shape[0], 1, WALKED_ROWS)
    for _ in range(N_STEPS):
        shares = sparse.vstack(run(partial(_step, step, shares), parts), format="csr")
    return shares


def _step(step: sparse.csr_array, shares: sparse.csr_array, part: slice) -> sparse.csr_array:
    """Some rows after one more step, without small shares: with many clusters they would not stay sparse."""
    return _without_small(step[part] @ shares, LEAST / 10)


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
