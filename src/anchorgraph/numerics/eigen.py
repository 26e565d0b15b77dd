"""A few eigenpairs of a symmetric matrix."""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigh
from scipy.sparse.linalg import LinearOperator, eigsh

DENSE_ORDER = 512
"""Up to this order all of a matrix is factored."""


def leading_eigenpairs(matrix, n_pairs, deflate):
    """The largest eigenvalues of S and their vectors, but for those along columns Q that are known already.

    Small matrices, and those of which many pairs are wanted, are factored whole; for the others Lanczos iterations
    multiply by the sparse matrix.

    Parameters
    ----------
    matrix : (m, m) sparse array, symmetric, with eigenvalues from -1 to 1
    n_pairs : int
    deflate : (m, q) sparse array
        Orthonormal eigenvectors to the eigenvalue 1, which is moved to -2.

    Returns
    -------
    values : (n_pairs,) floats, largest first
    vectors : (m, n_pairs) floats
    """
    order = matrix.shape[0]
    if n_pairs == 0:
        return np.empty(0), np.empty((order, 0))
    if order <= DENSE_ORDER or n_pairs > order // 10:
        rest = (matrix - 3 * deflate @ deflate.T).toarray()
        values, vectors = eigh(rest, subset_by_index=(order - n_pairs, order - 1))
    else:
        rest = LinearOperator(matrix.shape, lambda x: matrix @ x - 3 * (deflate @ (deflate.T @ x)), dtype=np.float64)
        start = np.random.default_rng(0).standard_normal(order)  # the same start every time, the same digits
        values, vectors = eigsh(rest, n_pairs, which="LA", v0=start)
    descending = np.argsort(values)[::-1]
    return values[descending], vectors[:, descending]


def with_fixed_signs(vectors):
    """The same vectors with the entry of largest size positive: singular vectors have no sign of their own."""
    largest = np.abs(vectors).argmax(axis=0)
    signs = np.sign(vectors[largest, np.arange(vectors.shape[1])])
    return vectors * np.where(signs == 0, 1, signs)
