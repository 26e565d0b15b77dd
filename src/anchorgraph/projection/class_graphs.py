"""Rows near those of their class, by a graph that is updated with the subspace: LADA, ADA and ALLDA."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from anchorgraph.contracts import Floats, Integers, LinearMap
from anchorgraph.numerics.blas import one_blas_thread
from anchorgraph.numerics.blocks import dense
from anchorgraph.numerics.execution import run_sum
from anchorgraph.numerics.progress import stage
from anchorgraph.numerics.rounds import go_round
from anchorgraph.projection.scatter import has_converged, smallest_directions, total_whitening
from anchorgraph.projection.space import Space


@stage("projection")
def learn_with_pairs(
    space: Space,
    codes: Integers,
    weigh: Callable[[Floats], Any],
    *,
    n_components: int,
    alpha: float,
    max_iter: int,
    tol: float,
) -> tuple[LinearMap, Floats]:
    """``min Σ_c Σ_ij P_ij ‖Wᵀ(x_i - x_j)‖²`` with ``WᵀS_tW = I``, alternately over weights P and directions W.

    The matrix for given P is ``Σ_c X_cᵀ(D - S)X_c`` with ``S = P + Pᵀ`` and its row sums D, over n_c×n_c pairs of each
    class.

    Parameters
    ----------
    space : Space
    codes : (n,) integers
        The class of each row.
    weigh : callable
        Takes (b, q) rows of a class and returns the (b, b) weights P of their pairs, dense or sparse.
    n_components, max_iter : int
    alpha : float
        Ridge as a fraction of the mean variance of the columns.
    tol : float
        Iterations end when the objective changes by no more than this fraction.

    Returns
    -------
    linear : LinearMap
    objectives : (t,) floats
        The objective, including the ridge, after each update of W.
    """
    n_rows = space.source.n_rows
    _, whitened, variance = total_whitening(space, n_components)
    X = space.table.rows()
    classes = [np.flatnonzero(codes == code) for code in range(codes.max() + 1)]
    objectives: list[float] = []

    def iterate(W: Any) -> tuple[Any, bool]:
        Y = X / np.sqrt(variance) if W is None else X @ W  # at first scaled to unit variance, as the subspace will be
        (within,) = run_sum(lambda own: (_pair_scatter(X[own], weigh(Y[own])),), classes)
        values, W = smallest_directions(within, whitened, n_components, alpha * n_rows * variance)
        objectives.append(values.sum())
        return W, has_converged(objectives, tol, np.sum(W * (within @ W)), n_rows)

    first: Any = None
    with one_blas_thread:  # once for all iterations
        W, _ = go_round(iterate, first, max_iter)
    return space.linear_map(W), np.array(objectives)


def _pair_scatter(rows: Floats, weights: Any) -> Floats:
    """``Σ_ij P_ij (x_i - x_j)(x_i - x_j)ᵀ``."""
    pairs = weights + weights.T
    degrees = pairs.sum(axis=1)
    scatter: Floats = rows.T @ (degrees[:, np.newaxis] * rows - dense(pairs @ rows))
    return scatter
