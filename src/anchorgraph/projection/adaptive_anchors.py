"""Rows near the anchors of their class: FLRL's iterations of weights, anchors and directions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse

from anchorgraph.contracts import Block, Floats, Integers, LinearMap
from anchorgraph.numerics.blas import one_blas_thread
from anchorgraph.numerics.blocks import weigh as weigh_rows
from anchorgraph.numerics.distances import CentredPoints, minus_centre
from anchorgraph.numerics.groups import group_means
from anchorgraph.numerics.progress import stage
from anchorgraph.numerics.rounds import go_round
from anchorgraph.numerics.selection import largest, sparse_rows
from anchorgraph.projection.scatter import (
    has_converged,
    smallest_directions,
    total_and_within_scatter,
    whitening_of,
    with_unit_scatter,
)
from anchorgraph.projection.space import Space

Scale = Callable[[Floats, Floats, float, int], Floats]
"""``scale(W, S_w, ridge, n_rows)`` returns directions of the subspace of W, given with ``WᵀS_tW = I``."""

SCALES: dict[str, Scale] = {"total": lambda W, within, ridge, n_rows: W, "within": with_unit_scatter}
"""Scales of the subspace, by the scatter that is the identity in it: S_t as in flrl, or S_w as in LDA."""


@stage("projection")
def learn_with_anchors(
    space: Space,
    codes: Integers,
    anchors: Floats,
    owners: Integers,
    *,
    weigh: Callable[[Floats], Floats],
    r: float,
    n_neighbors: int,
    n_components: int,
    alpha: float,
    max_iter: int,
    tol: float,
    scale: Scale = SCALES["total"],
) -> tuple[LinearMap, Floats, Floats]:
    """``min Σ_i Σ_j Σ_h (A_jh)ʳ ‖Wᵀx_j - z_h‖²`` over W, A and Z with ``WᵀS_tW = I`` (flrl Eq. 3, Algorithm 1).

    With ``P = Aʳ``, row sums D and column sums Δ, and anchors ``Ẑ = Δ⁻¹PᵀX`` (Eq. 5), the matrix of Eq. 9 is
    ``X̂L_SX̂ᵀ = XᵀDX - ẐᵀΔẐ``: each iteration reads the rows once, and the graph of all rows and anchors is never formed.
    Weights of rows multiply the rows of P.

    Parameters
    ----------
    space : Space
    codes : (n,) integers
        The class of each row.
    anchors : (m, d) floats
        Initial anchors.
    owners : (m,) integers
        The class of each anchor.
    weigh : callable
        Takes (b, k) squared distances, nearest first, and returns (b, k) weights (Eq. 7).
    r : float
        Exponent of the weights.
    n_neighbors : int
        k. Rows of a class with fewer anchors have all of them as neighbours.
    n_components, max_iter : int
    alpha : float
        Ridge on Eq. 9 as a fraction of the mean variance of the columns.
    tol : float
        Iterations end when the objective changes by no more than this fraction.
    scale : callable
        One of :data:`SCALES`, applied to the final W.

    Returns
    -------
    linear : LinearMap
    anchors : (m, d) floats
        The anchors for which W was computed.
    objectives : (t,) floats
        Eq. 3, including the ridge, after each update of W.
    """
    n_rows, total_weight = space.source.n_rows, space.source.total_weight
    total, about_means = total_and_within_scatter(space, codes)
    whitened, variance = whitening_of(space, total, n_components)
    ridge = alpha * total_weight * variance
    k = min(n_neighbors, len(owners))
    classes_of_rows = space.align(codes)

    def powers(projected: Block, points: CentredPoints, classes: Integers) -> sparse.csr_array:
        """(b, m) CSR array of ``(A_jh)ʳ``."""
        scores = points.scores(projected)
        scores[classes[:, np.newaxis] != owners] = -np.inf  # anchors of other classes are infinitely far
        columns, values = largest(scores, k)
        h = np.maximum(points.row_norms(projected)[:, np.newaxis] - 2 * values, 0)
        return sparse_rows(columns, weigh(h) ** r, len(owners))

    def updated(Z: Floats, W: Floats | None) -> tuple[Floats, Floats]:
        """Eq. 7 and Eq. 5 in the subspace of W, or in the whole space without one, and the matrix of Eq. 9."""
        points = CentredPoints.of(Z if W is None else Z @ W)

        def step(rows: Floats, classes: Integers, *weights: Floats) -> tuple[Any, ...]:
            P = powers(minus_centre(rows if W is None else rows @ W, points.centre), points, classes)
            P = weigh_rows(P, *weights)
            root = np.sqrt(P.sum(axis=1))[:, np.newaxis]
            scaled = root * rows
            return scaled.T @ scaled, P.T @ rows, P.sum(axis=0)

        scatter, sums, degrees = space.sum_rows(step, classes_of_rows, n_values=len(owners))
        Z = group_means(sums, degrees, Z)
        return Z, scatter - (Z.T * degrees) @ Z

    objectives: list[float] = []

    def iterate(state: tuple[Floats, Any]) -> tuple[tuple[Floats, Any], bool]:
        Z, within = updated(*state)
        values, W = smallest_directions(within, whitened, n_components, ridge)  # Eq. 9
        objectives.append(values.sum())
        return (Z, W), has_converged(objectives, tol, np.sum(W * (within @ W)), total_weight)

    first: tuple[Floats, Any] = (space.coordinates(anchors), None)
    with one_blas_thread:  # once for all iterations: setting the limit takes longer than an iteration over few rows
        (Z, W), _ = go_round(iterate, first, max_iter)
    W = scale(W, about_means, alpha * variance, n_rows)
    return space.linear_map(W), space.points(Z), np.array(objectives)
