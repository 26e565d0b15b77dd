"""Rows near those of their class in a graph that follows the subspace: LADA, ADA and ALLDA."""

from __future__ import annotations

import numpy as np

from anchorgraph.numerics.dense import dense
from anchorgraph.numerics.threads import one_blas_thread, run_sum
from anchorgraph.projection.scatter import smallest_directions, total_scatter, whitening


def learn_with_pairs(space, codes, weigh, *, n_components, max_iter, tol, n_jobs):
    """``min Σ_c Σ_ij P_ij ‖Wᵀ(x_i - x_j)‖²`` with ``WᵀS_tW = I``, by turns of weights P and directions W.

    The matrix for given P is ``Σ_c X_cᵀ(D - S)X_c`` with ``S = P + Pᵀ`` and its row sums D, over n_c×n_c pairs of each
    class.

    Parameters
    ----------
    space : Space
    codes : (n,) integers
        The class of each row.
    weigh : callable
        (b, q) rows of a class, to the (b, b) weights P of its pairs, dense or sparse.
    n_components, max_iter : int
    tol : float
        A round that changes the objective by no more than this share is the last.
    n_jobs : int

    Returns
    -------
    linear : LinearMap
    objectives : (t,) floats
        The objective after each update of W.
    """
    whitened = whitening(total_scatter(space, n_jobs), n_components, space.table.n_rows)
    X = space.table.map_rows(lambda block, span: space.rows(block))
    classes = [np.flatnonzero(codes == code) for code in range(codes.max() + 1)]
    projected, objectives = X, []
    with one_blas_thread:  # once for all rounds
        for _ in range(max_iter):
            (within,) = run_sum(lambda own, Y=projected: (_pair_scatter(X[own], weigh(Y[own])),), classes, n_jobs)
            values, W = smallest_directions(within, whitened, n_components)
            objectives.append(values.sum())
            if len(objectives) > 1 and abs(objectives[-2] - objectives[-1]) <= tol * abs(objectives[-2]):
                break
            projected = X @ W
    return space.linear_map(W), np.array(objectives)


def _pair_scatter(rows, weights):
    """``Σ_ij P_ij (x_i - x_j)(x_i - x_j)ᵀ``."""
    pairs = weights + weights.T
    degrees = pairs.sum(axis=1)
    return rows.T @ (degrees[:, np.newaxis] * rows - dense(pairs @ rows))
