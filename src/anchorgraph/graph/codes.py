"""Rows of a sample as sparse combinations of each other, and the graph of these combinations (SSSC)."""

from __future__ import annotations

import warnings

import numpy as np
from scipy import sparse
from scipy.linalg import eigh
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import lars_path

from anchorgraph.contracts import Block, Floats, Integers
from anchorgraph.numerics.blocks import dense
from anchorgraph.numerics.equal_rows import first_equal
from anchorgraph.numerics.execution import run

MIN_WEIGHT = 1e-8
"""Weight of the edge that is added for a row without edges."""

PATH_LENGTHS = (10, 30, 100)
"""Steps of the lasso path that are computed: more of them if the path does not end within the first ones. The last
number is the bound that the method's authors set for their solver."""


def sparse_codes(rows: Block, penalty: float, tol: float) -> sparse.csr_array:
    """Each row as a sparse combination of the others: ``min ½‖x_i - Σ_j c_ij x_j‖² + λ‖c_i‖₁`` with ``c_ii = 0``.

    The lasso path is followed from the largest penalty downwards. It ends at the penalty λ, after a step that lowers
    the objective by no more than the share ``tol`` of it, or after 100 steps.

    Parameters
    ----------
    rows : (l, d) Block
        Rows of unit length.
    penalty : float
        λ.
    tol : float, not negative

    Returns
    -------
    (l, l) CSR array
    """
    coordinates, equals = _coordinates(rows), first_equal(rows)

    def code(i: int) -> tuple[Integers, Floats]:
        others = np.delete(np.arange(len(coordinates)), i)
        others = others[np.unique(equals[others], return_index=True)[1]]  # one of several equal rows is enough
        found = _end_of_path(coordinates[others], coordinates[i], penalty, tol)
        chosen = np.flatnonzero(found)
        return others[chosen], found[chosen]

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # of rows that are nearly equal one is left out
        codes = run(code, range(len(coordinates)))
    columns, values = zip(*codes, strict=True)
    starts = np.cumsum([0, *map(len, columns)])
    order = len(coordinates)
    return sparse.csr_array((np.concatenate(values), np.concatenate(columns), starts), shape=(order, order))


def _coordinates(rows: Block) -> Floats:
    """Dense rows of at most l columns with the same products: each step of a path reads all columns of all rows."""
    exact = rows.astype(np.float64)
    if rows.shape[1] <= rows.shape[0]:
        return dense(exact)
    values, vectors = eigh(dense(exact @ exact.T))
    coordinates: Floats = vectors * np.sqrt(np.maximum(values, 0))
    return coordinates


def _end_of_path(others: Floats, row: Floats, penalty: float, tol: float) -> Floats:
    """The code of a row where its path ends."""
    unit = penalty / len(row)  # in units of λ the solver ends at 1, far above its tolerance; it divides by the columns
    for n_steps in PATH_LENGTHS:
        penalties, _, scaled = lars_path(others.T, row / unit, alpha_min=1, method="lasso", max_iter=n_steps)
        path = unit * scaled
        small = _small_steps(penalties, _objectives(others, row, path, penalty), tol)
        if len(small) or len(penalties) <= n_steps:
            break
    end: Floats = path[:, small[0] + 1 if len(small) else -1]
    return end


def _objectives(others: Floats, row: Floats, path: Floats, penalty: float) -> Floats:
    """``½‖x - Sᵀc‖² + λ‖c‖₁`` for each column c of a path; λ is where the path leads to, for all of them."""
    used = path.any(axis=1)
    residuals = row[:, np.newaxis] - others[used].T @ path[used]
    objectives: Floats = np.square(residuals).sum(axis=0) / 2 + penalty * np.abs(path).sum(axis=0)
    return objectives


def _small_steps(penalties: Floats, objectives: Floats, tol: float) -> Integers:
    """Steps of a path that lower the objective by no more than the share ``tol``; steps of no length do not count."""
    is_small = objectives[:-1] - objectives[1:] <= tol * objectives[:-1]
    return np.flatnonzero(is_small & (penalties[1:] < penalties[:-1]))


def code_graph(codes: sparse.csr_array) -> sparse.csr_array:
    """The weights ``|C| + |C|ᵀ`` of a graph; a row without edges gets one of very small weight to the first other row.

    Parameters
    ----------
    codes : (l, l) CSR array
        C.

    Returns
    -------
    (l, l) CSR array
    """
    graph = (abs(codes) + abs(codes).T).tocsr()
    isolated = np.flatnonzero(graph.sum(axis=1) == 0)
    if len(isolated):
        others = np.where(isolated == 0, 1, 0)
        added = sparse.csr_array((np.full(len(isolated), MIN_WEIGHT), (isolated, others)), shape=graph.shape)
        graph = graph.maximum(added.maximum(added.T)).tocsr()
    return graph
