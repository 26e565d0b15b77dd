"""Ties between rows, from the nearest other rows of each."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import sparse

from anchorgraph.contracts import Floats, Integers
from anchorgraph.numerics.blocks import chunks
from anchorgraph.numerics.execution import run

HALVINGS = 50
"""Steps of the search for the bandwidth of a row."""

LEAST_BANDWIDTH = 1e-3
"""Of a row, relative to the mean distance to its neighbours and to itself, as in UMAP."""

ALL_FUZZY, ALL_MUTUAL = 0.65, 0.75
"""Shares of mutual ties from which on :func:`reciprocal_ties` have the weights of all ties, or mutual ones alone."""

N_KEPT = 2
"""Nearest rows that a row is tied to even if it is not among theirs."""

UNITS = 1024
"""Weights are rounded to multiples of one by this."""


def ties(neighbors: Integers, values: Floats, n_points: int) -> sparse.csr_array:
    """(n, n_points) CSR array with a value for each neighbour of each row, in the order of the neighbours."""
    n, k = neighbors.shape
    starts = np.arange(0, n * k + 1, k, dtype=np.int64 if n * k > 2**31 - 1 else np.int32)
    return sparse.csr_array((values.ravel(), neighbors.ravel().astype(np.int32, copy=False), starts), (n, n_points))


def directed(neighbors: Integers, distances: Floats) -> sparse.csr_array:
    """A tie of weight one from each row to each of its nearest rows; an infinite distance is no neighbour."""
    return ties(neighbors, np.isfinite(distances).astype(distances.dtype), len(neighbors))


def union(neighbors: Integers, distances: Floats) -> sparse.csr_array:
    """A tie of weight one where one of two rows is among the nearest of the other."""
    one_way = directed(neighbors, distances)
    return one_way.maximum(one_way.T).tocsr()


def mutual(neighbors: Integers, distances: Floats) -> sparse.csr_array:
    """A tie of weight one where both of two rows are among the nearest of the other."""
    one_way = directed(neighbors, distances)
    return one_way.minimum(one_way.T).tocsr()


def fuzzy(neighbors: Integers, distances: Floats) -> sparse.csr_array:
    """The fuzzy union ``a_ij + a_ji - a_ij a_ji`` of each row's :func:`fuzzy_weights`, as in UMAP."""
    one_way = ties(neighbors, fuzzy_weights(distances), len(neighbors))
    return (one_way + one_way.T - one_way.multiply(one_way.T)).tocsr()


KINDS: dict[str, Callable[[Integers, Floats], sparse.csr_array]] = {
    "directed": directed,
    "mutual": mutual,
    "union": union,
    "fuzzy": fuzzy,
}


def symmetric_distances(neighbors: Integers, distances: Floats, n_ways: int) -> sparse.csr_array:
    """Distances between rows of which one is (``n_ways=1``), or both are (2), among the nearest of the other.

    Parameters
    ----------
    neighbors : (n, k) integers
    distances : (n, k) floats
    n_ways : int

    Returns
    -------
    (n, n) CSR array
        Rows are sorted by distance, beginning with an explicit zero on the diagonal. Zeros are not left out.
    """
    n, tiny = len(neighbors), np.finfo(distances.dtype).smallest_subnormal
    one_way = ties(neighbors, np.maximum(distances, tiny), n)  # SciPy would drop zeros
    symmetric = one_way.maximum(one_way.T) if n_ways == 1 else one_way.minimum(one_way.T)
    graph = (symmetric - sparse.eye_array(n, dtype=distances.dtype)).tocsr()  # -1: the diagonal comes first
    order = np.lexsort((graph.data, graph.tocoo().row))
    values = graph.data[order]
    values[values <= tiny] = 0
    return sparse.csr_array((values, graph.indices[order], graph.indptr), shape=(n, n))


def ties_both_ways(neighbors: Integers) -> sparse.csr_array:
    """A tie in both directions for each neighbour of each row, so that mutual neighbours have two.

    Parameters
    ----------
    neighbors : (n, k) integers

    Returns
    -------
    (n, n) CSR array
        Symmetric, in float32.
    """
    one_way = directed(neighbors, np.ones(neighbors.shape, np.float32))
    return (one_way + one_way.T).tocsr()


def mutual_share(one_way: sparse.csr_array) -> float:
    """The share of the ties from rows to their nearest ones, all of weight one, that go both ways."""
    return float(one_way.multiply(one_way.T).sum(dtype=np.float64) / one_way.data.sum(dtype=np.float64))


def reciprocal_ties(neighbors: Integers, distances: Floats) -> sparse.csr_array:
    r"""Ties between near rows, whose weights follow how often rows are among the nearest of each other.

    With the share r of ties that are mutual, :math:`p = \min(1, \max(0, (0.75 - r) / 0.1))` and
    :math:`s = p (1 - r)`, and with the :func:`fuzzy_weights` a of each row's neighbours to the power p, a tie has the
    weight

    .. math:: w_{ij} = s (a_{ij} + a_{ji} - a_{ij} a_{ji}) + (1 - s) a_{ij} a_{ji}.

    In rows of few dimensions, most ties are mutual, and these alone, with equal weights, follow gaps best: p = 0. In
    rows of many dimensions some are near to many others and most are not, so that few ties are mutual; the others then
    count too, less than mutual ones, and near rows more than far ones. The first two ties of each row have a weight of
    at least :math:`(1 - p)\, a_{ij}`, and all have one of at least :math:`s\, a_{ij}`: otherwise, rows at the rim of a
    cluster would have no ties.

    Parameters
    ----------
    neighbors : (n, k) integers
        Nearest first.
    distances : (n, k) floats
        Infinite for entries that are no neighbours, in rows that have fewer.

    Returns
    -------
    (n, n) CSR array
        Symmetric, in float32. Weights are multiples of 1/1024, so that sums of them are exact in any order.
    """
    n, are_near = len(neighbors), np.isfinite(distances).astype(np.float32)
    r = mutual_share(ties(neighbors, are_near, n))
    p = float(np.clip((ALL_MUTUAL - r) / (ALL_MUTUAL - ALL_FUZZY), 0, 1))
    s = p * (1 - r)
    weights = fuzzy_weights(distances) ** distances.dtype.type(p) if p else are_near
    one_way = ties(neighbors, weights, n)
    other_way = one_way.T.tocsr()
    found = (1 - 2 * s) * one_way.multiply(other_way)
    if s:
        found = found + s * (one_way + other_way)
    nearest = ties(neighbors[:, :N_KEPT], (1 - p) * weights[:, :N_KEPT], n)
    found = found.maximum(nearest.maximum(nearest.T)).tocsr()
    found.data = (np.rint(UNITS * found.data) / UNITS).astype(np.float32)
    found.eliminate_zeros()
    return found


def fuzzy_weights(distances: Floats) -> Floats:
    r"""Weights that decrease with the distance at the scale of each row (McInnes, Healy and Melville 2018).

    .. math:: a_{ij} = \exp(-\max(0, h_{ij} - \rho_i) / \sigma_i), \qquad \sum_j a_{ij} = \log_2 (k + 1)

    with :math:`h_{ij}` the distance of a row to its j-th nearest of k others and :math:`\rho_i` that to its nearest
    different one; :math:`\sigma_i` is at least a thousandth of the mean distance. UMAP counts a row as its own
    neighbour: these are its weights for ``n_neighbors=k + 1``.

    Parameters
    ----------
    distances : (n, k) floats
        Nearest first. An infinite one is no neighbour, and has the weight zero.

    Returns
    -------
    (n, k) floats
    """
    k = distances.shape[1]

    def weights(part: slice) -> Floats:
        are_near = np.isfinite(distances[part])
        h = np.where(are_near, distances[part], 0).astype(np.float64)
        n_near = are_near.sum(axis=1, keepdims=True)
        beyond = np.maximum(h - np.where(h > 0, h, np.inf).min(axis=1, keepdims=True), 0)
        beyond[~np.isfinite(beyond)] = 0  # all neighbours are equal to the row
        low, high = np.zeros((len(h), 1)), np.maximum(beyond.max(axis=1, keepdims=True), np.finfo(h.dtype).tiny) * k
        beyond[~are_near] = np.inf
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            is_wide = np.exp(-beyond / middle).sum(axis=1, keepdims=True) > np.log2(n_near + 1)
            low, high = np.where(is_wide, low, middle), np.where(is_wide, middle, high)
        bandwidth = np.maximum(high, LEAST_BANDWIDTH * h.sum(axis=1, keepdims=True) / (n_near + 1))
        found: Floats = np.exp(-beyond / bandwidth).astype(distances.dtype)
        return found

    return np.concatenate(run(weights, chunks(len(distances), 32 * k)))
