"""The leading eigenpairs of a symmetric matrix."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import Any

import numpy as np
from scipy import sparse
from scipy.linalg import eigh
from scipy.sparse.linalg import LinearOperator, eigsh

from anchorgraph.contracts import Floats

DENSE_ORDER = 512
"""Matrices up to this order are always decomposed as dense matrices."""

NUDGE = 2.0**-40
"""Diagonal added to an operator, relative to its size, where ARPACK's own random numbers cannot be seeded."""

HAS_SEED = "rng" in signature(eigsh).parameters
"""Whether ARPACK's random numbers can be seeded, as from SciPy 1.17 on."""


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
    if n_pairs == 0:
        return np.empty(0), np.empty((matrix.shape[0], 0))
    return largest_eigenpairs(lambda x: matrix @ x - 3 * (deflate @ (deflate.T @ x)), matrix.shape[0], n_pairs)


def largest_eigenpairs(product: Callable[[Floats], Floats], order: int, n_pairs: int) -> tuple[Floats, Floats]:
    """The largest eigenvalues of a symmetric matrix that is known by its products, and their eigenvectors.

    Parameters
    ----------
    product : callable
        From (order,) or (order, q) floats to the product of the matrix with them.
    order : int
    n_pairs : int, less than order

    Returns
    -------
    values : (n_pairs,) floats
        Largest first.
    vectors : (order, n_pairs) floats
    """
    if order <= DENSE_ORDER or n_pairs > order // 10:
        values, vectors = eigh(product(np.eye(order)), subset_by_index=(order - n_pairs, order - 1))
    else:
        values, vectors = lanczos(LinearOperator((order, order), product, dtype=np.float64), n_pairs)
    descending = np.argsort(values)[::-1]
    return values[descending], vectors[:, descending]


def lanczos(operator: LinearOperator, n_pairs: int) -> tuple[Floats, Floats]:
    """The largest eigenvalues of a symmetric operator and their eigenvectors, in no order, by Lanczos iterations.

    All iterative solvers of the package are called here, so that the same operator always has the same result: if the
    iterations end in an invariant subspace, ARPACK goes on from a random vector. Before SciPy 1.17 that vector depends
    on what was computed before, so the operator gets a diagonal of some thousand rounding errors, with which
    iterations do not end.

    Parameters
    ----------
    operator : (m, m) LinearOperator
    n_pairs : int, less than m

    Returns
    -------
    values : (n_pairs,) floats
    vectors : (m, n_pairs) floats
    """
    rng = np.random.default_rng(0)
    start = rng.standard_normal(operator.shape[0])
    options: dict[str, Any] = {"rng": rng}
    if not HAS_SEED:
        operator, options = _nudged(operator, start, rng), {}
    values, vectors = eigsh(operator, n_pairs, which="LA", v0=start, **options)
    return values, vectors


def _nudged(operator: LinearOperator, start: Floats, rng: np.random.Generator) -> LinearOperator:
    """The operator plus a random diagonal, small compared with what the operator makes of ``start``."""
    size = np.linalg.norm(operator @ start) / np.linalg.norm(start)
    nudge = NUDGE * size * rng.random(len(start))
    return LinearOperator(operator.shape, lambda x: operator @ x + nudge * x, dtype=operator.dtype)


def with_fixed_signs(vectors: Floats) -> Floats:
    """The same column vectors, each with a sign that makes its entry of largest absolute value positive.

    The sign of an eigenvector or singular vector is arbitrary; fixing it makes results reproducible.
    """
    largest = np.abs(vectors).argmax(axis=0)
    signs = np.sign(vectors[largest, np.arange(vectors.shape[1])])
    return vectors * np.where(signs == 0, 1, signs)
