"""Rows near those of their class in a graph that follows the subspace: LADA, ADA and ALLDA."""

from __future__ import annotations

import numpy as np

from anchorgraph.numerics.blas import one_blas_thread
from anchorgraph.numerics.dense import dense
from anchorgraph.numerics.execution import run_sum
from anchorgraph.numerics.progress import stage
from anchorgraph.numerics.rounds import go_round
from anchorgraph.projection.scatter import settled, smallest_directions, total_whitening


@stage("projection")
def learn_with_pairs(space, codes, weigh, *, n_components, alpha, max_iter, tol):
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
    alpha : float
        Ridge as a share of the rows' mean variance.
    tol : float
        A round that changes the objective by no more than this share is the last.

    Returns
    -------
    linear : LinearMap
    objectives : (t,) floats
        The objective, and the ridge, after each update of W.
    """
    n_rows = space.table.n_rows
    _, whitened, variance = total_whitening(space, n_components)
    X = space.table.rows()
    classes = [np.flatnonzero(codes == code) for code in range(codes.max() + 1)]
    objectives = []

    def turn(W):
        Y = X / np.sqrt(variance) if W is None else X @ W  # at first in the scale that the subspace will have
        (within,) = run_sum(lambda own: (_pair_scatter(X[own], weigh(Y[own])),), classes)
        values, W = smallest_directions(within, whitened, n_components, alpha * n_rows * variance)
        objectives.append(values.sum())
        return W, settled(objectives, tol, np.sum(W * (within @ W)), n_rows)

    with one_blas_thread:  # once for all rounds
        W, _ = go_round(turn, None, max_iter)
    return space.linear_map(W), np.array(objectives)


def _pair_scatter(rows, weights):
    """``Σ_ij P_ij (x_i - x_j)(x_i - x_j)ᵀ``."""
    pairs = weights + weights.T
    degrees = pairs.sum(axis=1)
    return rows.T @ (degrees[:, np.newaxis] * rows - dense(pairs @ rows))
