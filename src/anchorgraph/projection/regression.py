"""Ridge regression of a target on the rows of a table: SR's, ULGE's and, on the rows of Z, CSR's."""

from __future__ import annotations

import numpy as np
from scipy.linalg import cho_factor, cho_solve, eigh
from scipy.sparse.linalg import LinearOperator, lsqr
from sklearn.utils.extmath import row_norms

from anchorgraph.contracts import LinearMap
from anchorgraph.numerics.chunks import PRODUCT_BYTES, chunks, row_bytes
from anchorgraph.numerics.dense import dense
from anchorgraph.numerics.distances import minus_centre
from anchorgraph.numerics.execution import run_sum
from anchorgraph.numerics.progress import stage
from anchorgraph.projection.smaller_space import centred_products, check_rank, rounding_of

LARGEST_SYSTEM = 2**13
"""Order of the largest matrix that is formed and factored: half a gigabyte."""

SMALLEST_SHARE = 1e-12
"""A projection whose singular values differ by more than this has directions that are rounding errors."""


@stage("projection")
def ridge(table, target, alpha):
    """``W = (XᵀHX + αI)⁻¹ XᵀHF``, which minimises ``‖HXW - F‖² + α‖W‖²`` (ulge Eq. 6 and 23).

    One pass sums the d×d scatter and XᵀHF. With more columns than rows the same W comes from the n×n products of the
    rows: ``W = XᵀH (HXXᵀH + αI)⁻¹ HF``. Where both are too large for a matrix, LSQR iterations go over the rows
    instead, two passes each.

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
        return _by_iterations(table, target, alpha)
    solve = _by_rows if table.n_cols > table.n_rows else _by_columns
    linear = solve(table, target, alpha)
    check_rank(len(linear.components), np.linalg.matrix_rank(linear.components, rtol=SMALLEST_SHARE))
    return linear


def ridge_solution(gram, cross, alpha, noise=0.0):
    """``(G + αI)⁻¹ C`` for a positive semi-definite G; the least-norm one where α is lost in the rounding of G.

    Parameters
    ----------
    gram : (d, d) floats or sparse array
    cross : (d, p) floats
    alpha : float, not negative
    noise : float
        What rounding may have left in an eigenvalue of G beyond the rounding of G itself.

    Returns
    -------
    (d, p) floats
    """
    gram = np.array(dense(gram))
    check_rank(1, int(gram.trace() > noise))
    rounding = max(rounding_of(gram), noise)
    if alpha > rounding:
        gram[np.diag_indices_from(gram)] += alpha
        return cho_solve(cho_factor(gram, overwrite_a=True), cross)
    values, vectors = eigh(gram)
    if values[0] < -rounding:
        raise np.linalg.LinAlgError("The matrix is not positive semi-definite.")
    kept = values > rounding
    return vectors[:, kept] @ ((vectors[:, kept].T @ cross) / (values[kept, np.newaxis] + alpha))


def _by_columns(table, target, alpha):
    origin = _near_the_mean(table)

    def step(block, rows_of_target):
        def sums(chunk):
            X, F = minus_centre(block[chunk].astype(np.float64), origin), rows_of_target[chunk].astype(np.float64)
            return X.T @ X, X.T @ F, X.sum(axis=0), F.sum(axis=0)

        return run_sum(sums, chunks(block.shape[0], row_bytes(block), PRODUCT_BYTES))

    scatter, cross, total, target_total = table.sum_blocks(step, target)
    shift = total / table.n_rows  # from the origin to the mean
    noise = rounding_of(scatter)  # sparse rows are summed where they are, and most of their scatter may be their mean
    scatter = dense(scatter) - table.n_rows * np.outer(shift, shift)
    cross = cross - np.outer(shift, target_total)
    return LinearMap(ridge_solution(scatter, cross, alpha, noise).T, origin + shift)


def _by_rows(table, target, alpha):
    rows = table.take(np.arange(table.n_rows)).astype(np.float64)
    F = _all_rows(target)
    mean = rows.mean(axis=0)
    rows = minus_centre(rows, mean)
    noise = len(F) * np.finfo(np.float64).eps * row_norms(rows, squared=True).sum()
    dual = ridge_solution(centred_products(rows), F - F.mean(axis=0), alpha, noise)
    return LinearMap((rows.T @ (dual - dual.mean(axis=0))).T, mean)


def _by_iterations(table, target, alpha):
    (total,) = table.sum_blocks(lambda block: (block.sum(axis=0, dtype=np.float64),))
    mean = total / table.n_rows

    def forward(w):  # HXw
        return np.asarray(table.map_rows(lambda block: block @ w)) - mean @ w

    def backward(f):  # XᵀHf
        (product,) = table.sum_blocks(lambda block, own: (block.T @ own,), table.align(f))
        return product - mean * f.sum()

    centred = LinearOperator((table.n_rows, table.n_cols), forward, backward, dtype=np.float64)
    F = _all_rows(target)
    columns = [lsqr(centred, f, damp=np.sqrt(alpha), atol=1e-10, btol=1e-10, conlim=0)[0] for f in F.T]
    return LinearMap(np.array(columns), mean)


def _all_rows(target):
    return np.asarray(target.rows(), dtype=np.float64)


def _near_the_mean(table):
    """A point about which sums of squares keep their digits; the origin for sparse rows, which cannot be moved."""
    if table.is_sparse:
        return np.zeros(table.n_cols)
    some = table.take(np.linspace(0, table.n_rows - 1, min(table.n_rows, 1000), dtype=np.intp))
    return some.mean(axis=0, dtype=np.float64)
