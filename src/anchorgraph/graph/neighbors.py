"""The n×n graph of the baselines: every row tied to its nearest other rows."""

from __future__ import annotations

import numpy as np
from joblib import parallel_config
from scipy import sparse
from sklearn.neighbors import NearestNeighbors

from anchorgraph.numerics.chunks import chunks, row_bytes, take_rows
from anchorgraph.numerics.execution import present_threads


def nearest_ties(rows, n_neighbors):
    """Ties of weight one where one of two rows is among the nearest of the other.

    Parameters
    ----------
    rows : (n, d) Block
    n_neighbors : int

    Returns
    -------
    (n, n) CSR array
    """
    with parallel_config("threading", n_jobs=present_threads()):
        ties = sparse.csr_array(NearestNeighbors(n_neighbors=n_neighbors).fit(rows).kneighbors_graph())
    return ties.maximum(ties.T)


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
    with parallel_config("threading", n_jobs=present_threads()):
        graph = sparse.csr_array(neighbors.kneighbors_graph(mode="distance"), dtype=np.float64)
    graph.data = weighting.kernel(graph.data**2)
    return graph.maximum(graph.T).tocsr()


def ties_of_new_rows(neighbors, fitted_rows, first, weighting, rows):
    """The nearest rows of a graph to any rows, with their weights.

    Parameters
    ----------
    neighbors : sklearn.neighbors.NearestNeighbors
        Fitted to the rows of the graph.
    fitted_rows : (n, d) Block
    first : (n,) integers
        :func:`~anchorgraph.numerics.equal_rows.first_equal` of these.
    weighting : Gaussian
    rows : (b, d) Block

    Returns
    -------
    columns : (b, k) integers
    weights : (b, k) floats, which sum to one
    own : (b,) integers
        The first row of the graph that a row is equal to, or -1: such a row has its ties in the graph already.
    """
    with parallel_config("threading", n_jobs=present_threads()):
        distances, columns = neighbors.kneighbors(rows)
    own = np.full(len(columns), -1)
    for part in chunks(len(columns), row_bytes(rows)):
        for near in columns[part].T[::-1]:  # rounding may put an equal row behind a very near one
            equal = abs(rows[part] - take_rows(fitted_rows, near)).sum(axis=1) == 0
            own[part] = np.where(equal, first[near], own[part])
    weights = weighting.kernel(distances**2)
    return columns, weights / weights.sum(axis=1, keepdims=True), own
