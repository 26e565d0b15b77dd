"""Rows near the anchors of their class: FLRL's rounds of weights, anchors and directions."""

from __future__ import annotations

import numpy as np

from anchorgraph.numerics.blas import one_blas_thread
from anchorgraph.numerics.distances import CentredPoints, minus_centre
from anchorgraph.numerics.groups import group_means
from anchorgraph.numerics.progress import stage
from anchorgraph.numerics.rounds import go_round
from anchorgraph.numerics.selection import largest, sparse_rows
from anchorgraph.projection.scatter import settled, smallest_directions, total_whitening


@stage("projection")
def learn_with_anchors(space, codes, anchors, owners, *, weigh, r, n_neighbors, n_components, alpha, max_iter, tol):
    """``min Σ_i Σ_j Σ_h (A_jh)ʳ ‖Wᵀx_j - z_h‖²`` over W, A and Z with ``WᵀS_tW = I`` (flrl Eq. 3, Algorithm 1).

    With ``P = Aʳ``, row sums D and column sums Δ, and anchors ``Ẑ = Δ⁻¹PᵀX`` (Eq. 5), the matrix of Eq. 9 is
    ``X̂L_SX̂ᵀ = XᵀDX - ẐᵀΔẐ``: a round is one pass of sums, and the graph between rows and anchors is never formed.

    Parameters
    ----------
    space : Space
    codes : (n,) integers
        The class of each row.
    anchors : (m, d) floats
        To begin with.
    owners : (m,) integers
        The class of each anchor.
    weigh : callable
        (b, k) squared distances, nearest first, to (b, k) weights (Eq. 7).
    r : float
        Exponent of the weights.
    n_neighbors : int
        k; a class of fewer anchors ties its rows to all of them.
    n_components, max_iter : int
    alpha : float
        Ridge on Eq. 9 as a share of the rows' mean variance.
    tol : float
        A round that lowers the objective by no more than this share is the last.

    Returns
    -------
    linear : LinearMap
    anchors : (m, d) floats
        Those that W was found with.
    objectives : (t,) floats
        Eq. 3, and the ridge, after each update of W.
    """
    n_rows = space.table.n_rows
    _, whitened, variance = total_whitening(space, n_components)
    ridge = alpha * n_rows * variance
    nearest = min(n_neighbors, len(owners))

    def powers(projected, points, classes):
        """(b, m) CSR array of ``(A_jh)ʳ``."""
        scores = points.scores(projected)
        scores[classes[:, np.newaxis] != owners] = -np.inf  # anchors of other classes are infinitely far
        columns, values = largest(scores, nearest)
        h = np.maximum(points.row_norms(projected)[:, np.newaxis] - 2 * values, 0)
        return sparse_rows(columns, weigh(h) ** r, len(owners))

    def updated(Z, W):
        """Eq. 7 and Eq. 5 in the subspace of W, and the matrix of Eq. 9."""
        points = CentredPoints.of(Z if W is None else Z @ W)

        def step(rows, classes):
            P = powers(minus_centre(rows if W is None else rows @ W, points.centre), points, classes)
            root = np.sqrt(P.sum(axis=1))[:, np.newaxis]
            scaled = root * rows
            return scaled.T @ scaled, P.T @ rows, P.sum(axis=0)

        scatter, sums, degrees = space.sum_rows(step, codes, n_values=len(owners))
        Z = group_means(sums, degrees, Z)
        return Z, scatter - (Z.T * degrees) @ Z

    objectives = []

    def turn(state):
        Z, within = updated(*state)
        values, W = smallest_directions(within, whitened, n_components, ridge)  # Eq. 9
        objectives.append(values.sum())
        return (Z, W), settled(objectives, tol, np.sum(W * (within @ W)), n_rows)

    with one_blas_thread:  # once for all rounds: limiting BLAS takes longer than a round of few rows
        (Z, W), _ = go_round(turn, (space.coordinates(anchors), None), max_iter)
    return space.linear_map(W), space.points(Z), np.array(objectives)
