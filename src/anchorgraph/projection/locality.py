"""Locality Preserving Projections: directions along which neighbours in a graph stay near each other."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from scipy.linalg import solve_triangular
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator

from anchorgraph.contracts import Block, Floats, LinearMap
from anchorgraph.numerics.blocks import PRODUCT_BYTES, chunks, dense, row_bytes
from anchorgraph.numerics.cholesky import cholesky
from anchorgraph.numerics.distances import minus_centre
from anchorgraph.numerics.eigen import lanczos, with_fixed_signs
from anchorgraph.numerics.execution import run, run_sum
from anchorgraph.numerics.progress import stage
from anchorgraph.projection.scatter import largest_directions, whitening
from anchorgraph.projection.smaller_space import rounding_error, row_space

DENSE_ORDER = 2**10
"""Scatter matrices up to this order are decomposed whole."""

COLUMNS = 2**9
"""Columns of a scatter matrix that are computed at once."""

LEAST_SCORE = 1e-6
"""Scores below this are not told from those of directions in which the rows do not differ, which are zero."""


@stage("projection")
def locality_preserving(rows: Block, graph: sparse.csr_array, n_components: int, alpha: float) -> LinearMap:
    """``max_W tr (Wᵀ(XᵀHDHX + αI)W)⁻¹ WᵀXᵀHAHXW`` over a graph A with degrees D, in the space that the rows span.

    Without a ridge this is LPP's minimum over ``L = D - A`` (ulge Eq. 2). The ridge of ulge Eq. 4 is in the denominator
    only, so that any direction in which the rows do not differ would reach the minimum, zero. This form, with the ridge
    on both sides of Eq. 4, is that of ulge Eq. 22. Directions in which the rows do not differ are left out: their
    objective would still be better than that of directions along which neighbours are far apart.

    Parameters
    ----------
    rows : (n, d) Block
    graph : (n, n) sparse array
        Symmetric weights A.
    n_components : int
    alpha : float, not negative

    Returns
    -------
    LinearMap
    """
    mean = dense(rows.mean(axis=0, dtype=np.float64))
    rows = minus_centre(rows, mean.astype(rows.dtype))
    offset = dense(rows.mean(axis=0, dtype=np.float64))  # the whole mean for sparse rows, which are not centred
    if rows.shape[1] > rows.shape[0]:
        coordinates, basis = row_space(rows.astype(np.float64))
        centre = np.zeros(basis.shape[1])
        directions: Floats = basis @ _directions(coordinates, centre, graph, n_components, alpha)
    else:
        directions = _directions(rows, offset, graph, n_components, alpha)
    return LinearMap(with_fixed_signs(directions).T, mean)


def _directions(rows: Block, offset: Floats, graph: sparse.csr_array, n_components: int, alpha: float) -> Floats:
    order, directions = rows.shape[1], None
    if order > DENSE_ORDER and n_components <= order // 10:
        directions = _few_directions(rows, offset, graph, n_components, alpha)
    return _all_directions(rows, offset, graph, n_components, alpha) if directions is None else directions


def _all_directions(rows: Block, offset: Floats, graph: sparse.csr_array, n_components: int, alpha: float) -> Floats:
    """The best of all directions in which the rows differ: for any α and any number of components."""
    degrees = graph.sum(axis=1)
    local, _ = _scatter(rows, offset, graph, degrees)  # XᵀHAHX
    total, noise = _scatter(rows, offset, sparse.diags_array(degrees).tocsr(), degrees)  # XᵀHDHX
    whitened = whitening(total, n_components, rows.shape[0], alpha, noise)
    return largest_directions(local, whitened, n_components)[1]


def _few_directions(
    rows: Block, offset: Floats, graph: sparse.csr_array, n_components: int, alpha: float
) -> Floats | None:
    """The smallest ``(XᵀLX + αI) w = λ (XᵀHDHX + αI) w``, the maximum for ``λ = 1 - μ``, by Lanczos iterations.

    They find the largest 1/λ of ``C⁻¹(XᵀHDHX + αI)C⁻ᵀ``, where C is the Cholesky factor of the left side: the wanted λ
    are small and close to each other, so that 1/λ are far apart and few iterations are enough. ``HLH = L``.

    Directions in which the rows do not differ have λ = 1. The result is None if it would not be told from them, or if
    α is too small for a factorisation.
    """
    degrees = graph.sum(axis=1)
    exact = rows.astype(np.float64, copy=False)  # a kernel matrix is large
    within = _half_scatter(exact, (sparse.diags_array(degrees) - graph).tocsr())
    if alpha <= rounding_error(within):
        return None
    within[np.diag_indices_from(within)] += alpha
    try:
        factor, _ = cholesky(within, lower=True)
    except np.linalg.LinAlgError:  # a kernel that is not positive semi-definite
        return None

    def total(w: Floats) -> Floats:  # (XᵀHDHX + αI) w
        weighted = degrees * (exact @ w - offset @ w)
        product: Floats = exact.T @ weighted - offset * weighted.sum() + alpha * w
        return product

    def solve(w: Floats, trans: str) -> Floats:
        solution: Floats = solve_triangular(factor, w, trans=trans, lower=True, check_finite=False)
        return solution

    whitened = LinearOperator(within.shape, lambda y: solve(total(solve(y, "T")), "N"), dtype=np.float64)
    try:
        inverses, vectors = lanczos(whitened, n_components)
    except ArpackNoConvergence:
        return None
    descending = np.argsort(inverses)[::-1]
    found = solve(vectors, "T")[:, descending] / np.sqrt(inverses[descending])
    return found if 1 / inverses[descending[-1]] < 1 - LEAST_SCORE else None


def _half_scatter(rows: Block, weights: sparse.csr_array) -> Floats:
    """The lower half of ``XᵀSX`` for a symmetric sparse S; the upper half is not computed."""
    order = rows.shape[1]
    scatter = np.zeros((order, order), order="F")  # columns are written, and factored in place

    def fill(start: int) -> None:
        columns = slice(start, start + COLUMNS)
        scatter[start:, columns] = dense(rows[:, start:].T @ (weights @ rows[:, columns]))

    run(fill, range(0, order, COLUMNS))
    return scatter


def _scatter(rows: Block, offset: Floats, weights: sparse.csr_array, degrees: Floats) -> tuple[Floats, float]:
    """``(X - o)ᵀ S (X - o)`` for a symmetric sparse S with row sums ``degrees``, and its rounding error."""

    def sums(chunk: slice) -> tuple[Any, ...]:
        neighbors = (weights[chunk] @ rows).astype(np.float64)
        return rows[chunk].T.astype(np.float64) @ neighbors, degrees[chunk] @ rows[chunk]

    scatter, weighted = run_sum(sums, chunks(rows.shape[0], row_bytes(rows), PRODUCT_BYTES))
    noise = rounding_error(scatter)  # before the offset is subtracted, which may be most of it for sparse rows
    cross = np.outer(weighted, offset)
    scatter = dense(scatter) + degrees.sum() * np.outer(offset, offset) - cross - cross.T
    return (scatter + scatter.T) / 2, noise
