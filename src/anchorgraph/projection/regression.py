"""Ridge regression of a target on the rows of a table: for SR and ULGE and, on the rows of Z, for CSR."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.linalg import cho_solve, eigh
from scipy.sparse.linalg import LinearOperator, lsqr
from sklearn.utils.extmath import row_norms

from anchorgraph.contracts import Block, Floats, LinearMap, RowTable, SumStep
from anchorgraph.numerics.blocks import PRODUCT_BYTES, chunks, dense, row_bytes, weigh
from anchorgraph.numerics.cholesky import cholesky
from anchorgraph.numerics.distances import minus_centre
from anchorgraph.numerics.execution import run_sum
from anchorgraph.numerics.progress import stage
from anchorgraph.projection.smaller_space import centred_products, check_rank, rounding_error

LARGEST_SYSTEM = 2**13
"""Order of the largest matrix that is formed and factored, which takes half a gigabyte."""

SMALLEST_SHARE = 1e-12
"""Singular values of a projection below this fraction of the largest are rounding errors."""


@stage("projection")
def ridge(table: RowTable, target: RowTable, alpha: float) -> LinearMap:
    """``W = (XᵀHX + αI)⁻¹ XᵀHF``, which minimises ``‖HXW - F‖² + α‖W‖²`` (ulge Eq. 6 and 23).

    Rows with weights count in these sums and in the mean as often as their weights say.

    One pass sums the d×d scatter matrix and XᵀHF. With more columns than rows, the same W is computed from the n×n
    products of the rows: ``W = XᵀH (HXXᵀH + αI)⁻¹ HF``. If both matrices are too large, W is computed by LSQR, each
    iteration of which reads the rows twice.

    Parameters
    ----------
    table : RowTable
        X.
    target : RowTable
        F.
    alpha : float, not negative

    Returns
    -------
    LinearMap
    """
    if min(table.n_rows, table.n_cols) > LARGEST_SYSTEM:
        return _solve_iteratively(table, target, alpha)
    if not follows_from_sums(table):
        return _of_full_rank(_solve_dual(table, target, alpha))
    origin = approximate_mean(table)
    sums = table.sum_blocks(regression_step(table, origin), target, *table.weights)
    return ridge_of_sums(*sums, origin=origin, total_weight=table.total_weight, alpha=alpha)


def follows_from_sums(table: RowTable) -> bool:
    """Whether :func:`ridge` uses the sums of :func:`regression_step`: with few columns, and no more than rows."""
    return table.n_cols <= min(table.n_rows, LARGEST_SYSTEM)


def regression_step(table: RowTable, origin: Floats) -> SumStep:
    """What a regression sums over the rows, as a step of the rows of a block, those of the target, and weights.

    The sums can be added to those of further rows.

    Parameters
    ----------
    table : RowTable
        X. Rows of the target, F, are dense or sparse.
    origin : (d,) floats
        A point o near the rows, so that sums of squares lose no digits; zero for sparse rows, which are not centred.

    Returns
    -------
    SumStep
        It returns:
    scatter : (d, d) floats or sparse array
        ``(X - 1oᵀ)ᵀ(X - 1oᵀ)``.
    cross : (d, p) floats or sparse array
        ``(X - 1oᵀ)ᵀF``.
    total : (d,) floats
        ``(X - 1oᵀ)ᵀ1``.
    target_total : (p,) floats
        ``Fᵀ1``.
    """
    # sparse rows after dense ones, which have an origin
    fills = table.is_sparse and origin.any()
    width = 8 * table.n_cols if fills else 0

    def moved(rows: Block) -> Block:
        return minus_centre(dense(rows) if fills else rows, origin)

    def step(block: Block, rows_of_target: Block, *weights: Floats) -> tuple[Any, ...]:
        def sums(chunk: slice) -> tuple[Any, ...]:
            X, F = moved(block[chunk].astype(np.float64)), rows_of_target[chunk].astype(np.float64)
            own = [each[chunk] for each in weights]
            weighed, halfway = weigh(X, *own), weigh(X, *(np.sqrt(each) for each in own))
            # a matrix with itself: BLAS computes one half only
            return halfway.T @ halfway, weighed.T @ F, weighed.sum(axis=0), weigh(F, *own).sum(axis=0)

        return run_sum(sums, chunks(block.shape[0], max(width, row_bytes(block)), PRODUCT_BYTES))

    return step


def ridge_of_sums(
    scatter: Any, cross: Any, total: Floats, target_total: Floats, *, origin: Floats, total_weight: float, alpha: float
) -> LinearMap:
    """:func:`ridge` from the sums of :func:`regression_step`.

    Parameters
    ----------
    scatter, cross, total, target_total : arrays
    origin : (d,) floats
    total_weight : float
        The number of rows, or the sum of their weights.
    alpha : float, not negative

    Returns
    -------
    LinearMap
    """
    shift = total / total_weight  # from the origin to the mean
    noise = rounding_error(scatter)  # before the mean is subtracted, which may be most of it for sparse rows
    scatter = dense(scatter) - total_weight * np.outer(shift, shift)
    cross = dense(cross) - np.outer(shift, target_total)
    return _of_full_rank(LinearMap(ridge_solution(scatter, cross, alpha, noise).T, origin + shift))


def check_summable(n_cols: int) -> None:
    """Refuse more columns than a regression can be learnt from in batches."""
    if n_cols > LARGEST_SYSTEM:
        raise ValueError(
            f"X has {n_cols:,} columns, while partial_fit, which adds up the products of all columns, takes at most "
            f"{LARGEST_SYSTEM:,}; use fit, or reduce the columns first, for example with "
            "sklearn.decomposition.IncrementalPCA."
        )


def ridge_solution(gram: Any, cross: Floats, alpha: float, noise: float = 0.0) -> Floats:
    """``(G + αI)⁻¹ C`` for a positive semi-definite G; of least norm if α is below the rounding error of G.

    Parameters
    ----------
    gram : (d, d) floats or sparse array
    cross : (d, p) floats
    alpha : float, not negative
    noise : float
        Rounding error of the eigenvalues of G from the computation of G, if larger than that of G itself.

    Returns
    -------
    (d, p) floats
    """
    gram = np.array(dense(gram))
    check_rank(1, int(gram.trace() > noise))
    rounding = max(rounding_error(gram), noise)
    solution: Floats
    if alpha > rounding:
        gram[np.diag_indices_from(gram)] += alpha
        solution = cho_solve(cholesky(gram), cross)
        return solution
    values, vectors = eigh(gram)
    if values[0] < -rounding:
        raise np.linalg.LinAlgError("The matrix is not positive semi-definite.")
    kept = values > rounding
    solution = vectors[:, kept] @ ((vectors[:, kept].T @ cross) / (values[kept, np.newaxis] + alpha))
    return solution


def _of_full_rank(linear: LinearMap) -> LinearMap:
    """The same map; refuses one whose directions depend on each other."""
    check_rank(len(linear.components), np.linalg.matrix_rank(linear.components, rtol=SMALLEST_SHARE))
    return linear


def _solve_dual(table: RowTable, target: RowTable, alpha: float) -> LinearMap:
    """From the (n, n) products of the rows."""
    rows = table.take(np.arange(table.n_rows)).astype(np.float64)
    F, weights = _all_rows(target), table.weight_of_each()
    mean = weights @ rows / table.total_weight
    rows = minus_centre(rows, mean)
    root = np.sqrt(weights)[:, np.newaxis]
    noise = len(F) * np.finfo(np.float64).eps * (weights * row_norms(rows, squared=True)).sum()
    products = root * centred_products(rows, weights) * root.T
    dual = root * ridge_solution(products, root * (F - np.average(F, axis=0, weights=weights)), alpha, noise)
    dual -= np.outer(weights, dual.sum(axis=0)) / table.total_weight  # centres sparse rows
    return LinearMap((rows.T @ dual).T, mean)


def _solve_iteratively(table: RowTable, target: RowTable, alpha: float) -> LinearMap:
    """By LSQR, without a (d, d) or (n, n) matrix."""

    def sums(block: Block, *weights: Floats) -> tuple[Any, ...]:
        return (weigh(block.astype(np.float64), *weights).sum(axis=0),)

    (total,) = table.sum_blocks(sums, *table.weights)
    mean, root = total / table.total_weight, np.sqrt(table.weight_of_each())

    def forward(w: Floats) -> Floats:  # W^½HXw
        product: Floats = root * (np.asarray(table.map_rows(lambda block: block @ w)) - mean @ w)
        return product

    def backward(f: Floats) -> Floats:  # XᵀHW^½f
        f = root * f
        (summed,) = table.sum_blocks(lambda block, own: (block.T @ own,), table.align(f))
        product: Floats = summed - mean * f.sum()
        return product

    centred = LinearOperator((table.n_rows, table.n_cols), forward, backward, dtype=np.float64)
    F = root[:, np.newaxis] * _all_rows(target)
    columns = [lsqr(centred, f, damp=np.sqrt(alpha), atol=1e-10, btol=1e-10, conlim=0)[0] for f in F.T]
    return LinearMap(np.array(columns), mean)


def _all_rows(target: RowTable) -> Floats:
    return np.asarray(target.rows(), dtype=np.float64)


def approximate_mean(table: RowTable) -> Floats:
    """The mean of some rows; zero for sparse rows, which are not centred.

    Rows are centred by it so that sums of squares lose no digits.
    """
    if table.is_sparse:
        return np.zeros(table.n_cols)
    sample = table.take(np.linspace(0, table.n_rows - 1, min(table.n_rows, 1000), dtype=np.intp))
    mean: Floats = sample.mean(axis=0, dtype=np.float64)
    return mean
