"""Locality Preserving Projections: directions along which neighbours in a graph stay near each other."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from anchorgraph.contracts import Block, Floats, LinearMap
from anchorgraph.numerics.blocks import PRODUCT_BYTES, chunks, dense, row_bytes
from anchorgraph.numerics.distances import minus_centre
from anchorgraph.numerics.eigen import with_fixed_signs
from anchorgraph.numerics.execution import run_sum
from anchorgraph.numerics.progress import stage
from anchorgraph.projection.scatter import largest_directions, whitening
from anchorgraph.projection.smaller_space import rounding_error, row_space


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
    degrees = graph.sum(axis=1)
    local, _ = _scatter(rows, offset, graph, degrees)  # XᵀHAHX
    total, noise = _scatter(rows, offset, sparse.diags_array(degrees).tocsr(), degrees)  # XᵀHDHX
    whitened = whitening(total, n_components, rows.shape[0], alpha, noise)
    return largest_directions(local, whitened, n_components)[1]


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
