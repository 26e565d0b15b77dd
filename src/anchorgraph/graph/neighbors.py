"""The n×n graph of the baselines: every row tied to its nearest other rows."""

from __future__ import annotations

import itertools

import numpy as np
from scipy import sparse

from anchorgraph.numerics.threads import chunks, row_bytes, take_rows


def neighbor_graph(neighbors, weighting):
    """Symmetric weights ``w_ij = exp(-‖x_i - x_j‖² / 2σ²)`` where one of two rows is among the nearest of the other.

    Parameters
    ----------
    neighbors : sklearn.neighbors.NearestNeighbors
        Fitted to the rows.
    weighting : Gaussian
        Resolved.

    Returns
    -------
    (n, n) CSR array
    """
    graph = sparse.csr_array(neighbors.kneighbors_graph(mode="distance"), dtype=np.float64)
    graph.data = weighting.kernel(graph.data**2)
    return graph.maximum(graph.T).tocsr()


def first_equal(rows):
    """For each row, the number of the first one that equals it.

    Parameters
    ----------
    rows : (n, d) Block

    Returns
    -------
    (n,) integers
    """
    seen = {}
    return np.array([seen.setdefault(key, number) for number, key in enumerate(_keys(rows))])


def _keys(rows):
    """Bytes that are the same for equal rows."""
    if not sparse.issparse(rows):
        return ((row + 0.0).tobytes() for row in rows)  # -0.0 equals 0.0
    rows = sparse.csr_array(rows, copy=True)
    rows.sum_duplicates()
    rows.eliminate_zeros()
    spans = itertools.starmap(slice, itertools.pairwise(rows.indptr.tolist()))
    return (rows.indices[own].tobytes() + rows.data[own].tobytes() for own in spans)


def ties_of_new_rows(neighbors, fitted_rows, first, weighting, rows):
    """The nearest rows of a graph to any rows, with their weights.

    Parameters
    ----------
    neighbors : sklearn.neighbors.NearestNeighbors
        Fitted to the rows of the graph.
    fitted_rows : (n, d) Block
    first : (n,) integers
        :func:`first_equal` of these.
    weighting : Gaussian
    rows : (b, d) Block

    Returns
    -------
    columns : (b, k) integers
    weights : (b, k) floats, which sum to one
    own : (b,) integers
        The first row of the graph that a row is equal to, or -1: such a row has its ties in the graph already.
    """
    distances, columns = neighbors.kneighbors(rows)
    own = np.full(len(columns), -1)
    for part in chunks(len(columns), row_bytes(rows)):
        for near in columns[part].T[::-1]:  # rounding may put an equal row behind a very near one
            equal = abs(rows[part] - take_rows(fitted_rows, near)).sum(axis=1) == 0
            own[part] = np.where(equal, first[near], own[part])
    weights = weighting.kernel(distances**2)
    return columns, weights / weights.sum(axis=1, keepdims=True), own
