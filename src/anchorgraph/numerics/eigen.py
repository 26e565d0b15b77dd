"""The leading eigenpairs of a symmetric matrix."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from scipy.linalg import eigh
from scipy.sparse.linalg import LinearOperator, eigsh

from anchorgraph.contracts import Floats

DENSE_ORDER = 512
"""Matrices up to this order are always decomposed as dense matrices."""


def leading_eigenpairs(matrix: sparse.sparray, n_pairs: int, deflate: sparse.sparray) -> tuple[Floats, Floats]:
    """The largest eigenvalues of a matrix and their eigenvectors, leaving out eigenvectors that are known already.

    If the matrix is small or many pairs are wanted, a dense decomposition is used, otherwise Lanczos iterations.

    Parameters
    ----------
    matrix : (m, m) sparse array
        Symmetric, with eigenvalues in [-1, 1].
    n_pairs : int
    deflate : (m, q) sparse array
        Orthonormal eigenvectors with eigenvalue 1 to leave out: their eigenvalue is moved to -2.

    Returns
    -------
    values : (n_pairs,) floats
        Largest first.
    vectors : (m, n_pairs) floats
    """
    order = matrix.shape[0]
    if n_pairs == 0:
        return np.empty(0), np.empty((order, 0))
    rest: Any
    if order <= DENSE_ORDER or n_pairs > order // 10:
        rest = (matrix - 3 * deflate @ deflate.T).toarray()
        values, vectors = eigh(rest, subset_by_index=(order - n_pairs, order - 1))
    else:
        rest = LinearOperator(matrix.shape, lambda x: matrix @ x - 3 * (deflate @ (deflate.T @ x)), dtype=np.float64)
        start = np.random.default_rng(0).standard_normal(order)  # a fixed start makes the result reproducible
        values, vectors = eigsh(rest, n_pairs, which="LA", v0=start)
    descending = np.argsort(values)[::-1]
    return values[descending], vectors[:, descending]


def with_fixed_signs(vectors: Floats) -> Floats:
    """The same column vectors, each with a sign that makes its entry of largest absolute value positive.

    The sign of an eigenvector or singular vector is arbitrary; fixing it makes results reproducible.
    """
    largest = np.abs(vectors).argmax(axis=0)
    signs = np.sign(vectors[largest, np.arange(vectors.shape[1])])
    return vectors * np.where(signs == 0, 1, signs)
