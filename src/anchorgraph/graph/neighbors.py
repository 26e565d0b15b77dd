"""The n×n graph of the baselines: every row connected to its nearest other rows."""

from __future__ import annotations

import numpy as np
from joblib import parallel_config
from scipy import sparse
from sklearn.neighbors import NearestNeighbors

from anchorgraph.contracts import Block, Floats, Integers
from anchorgraph.graph.weightings import Gaussian
from anchorgraph.numerics.blocks import chunks, row_bytes, take_rows
from anchorgraph.numerics.execution import current_n_threads
from anchorgraph.numerics.recall import recall


def nearest_ties(rows: Block, n_neighbors: int) -> sparse.csr_array:
    """Edges of weight one between two rows if at least one is among the nearest of the other.

    Parameters
    ----------
    rows : (n, d) Block
    n_neighbors : int

    Returns
    -------
    (n, n) CSR array
    """
    with parallel_config("threading", n_jobs=current_n_threads()):
        edges = sparse.csr_array(NearestNeighbors(n_neighbors=n_neighbors).fit(rows).kneighbors_graph())
    return edges.maximum(edges.T)


def neighbor_graph(neighbors: NearestNeighbors, rows: Block, weighting: Gaussian) -> sparse.csr_array:
    """Symmetric weights ``w_ij = exp(-‖x_i - x_j‖² / 2σ²)`` if at least one of two rows is among the other's nearest.

    Parameters
    ----------
    neighbors : sklearn.neighbors.NearestNeighbors
        Fitted to the rows.
    rows : (n, d) Block
    weighting : Gaussian
        Resolved.

    Returns
    -------
    (n, n) CSR array
    """
    with parallel_config("threading", n_jobs=current_n_threads()):
        distances, columns = recall("nearest rows", (rows, neighbors.n_neighbors), neighbors.kneighbors)
    n, k = columns.shape
    weights = weighting.kernel(distances.astype(np.float64) ** 2)
    graph = sparse.csr_array((weights.ravel(), columns.ravel(), np.arange(0, n * k + 1, k)), shape=(n, n))
    return graph.maximum(graph.T).tocsr()


def ties_of_new_rows(
    neighbors: NearestNeighbors, fitted_rows: Block, first: Integers, weighting: Gaussian, rows: Block
) -> tuple[Integers, Floats, Integers]:
    """The nearest rows of a graph for any rows, and their weights.

    Parameters
    ----------
    neighbors : sklearn.neighbors.NearestNeighbors
        Fitted to the rows of the graph.
    fitted_rows : (n, d) Block
        The rows of the graph.
    first : (n,) integers
        :func:`~anchorgraph.numerics.equal_rows.first_equal` of these.
    weighting : Gaussian
        Resolved.
    rows : (b, d) Block

    Returns
    -------
    columns : (b, k) integers
    weights : (b, k) floats
        They sum to one in each row.
    own : (b,) integers
        The first row of the graph that is equal to the row, or -1; an equal row has its edges in the graph already.
    """
    with parallel_config("threading", n_jobs=current_n_threads()):
        distances, columns = neighbors.kneighbors(rows)
    own = np.full(len(columns), -1)
    for part in chunks(len(columns), row_bytes(rows)):
        for near in columns[part].T[::-1]:  # because of rounding, an equal row may come after a very near one
            equal = abs(rows[part] - take_rows(fitted_rows, near)).sum(axis=1) == 0
            own[part] = np.where(equal, first[near], own[part])
    weights = weighting.kernel(distances**2)
    return columns, weights / weights.sum(axis=1, keepdims=True), own
