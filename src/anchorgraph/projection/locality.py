"""Locality Preserving Projections: directions along which rows that are tied stay near."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from anchorgraph.contracts import LinearMap
from anchorgraph.numerics.chunks import PRODUCT_BYTES, chunks, row_bytes
from anchorgraph.numerics.dense import dense
from anchorgraph.numerics.distances import minus_centre
from anchorgraph.numerics.eigen import with_fixed_signs
from anchorgraph.numerics.execution import run_sum
from anchorgraph.numerics.progress import stage
from anchorgraph.projection.scatter import largest_directions, whitening
from anchorgraph.projection.smaller_space import rounding_of, row_space


@stage("projection")
def locality_preserving(rows, graph, n_components, alpha):
    """``max_W tr (Wᵀ(XᵀHDHX + αI)W)⁻¹ WᵀXᵀHAHXW`` over a graph A with degrees D, in the space that the rows span.

    Without a ridge this is LPP's minimum over ``L = D - A`` (ulge Eq. 2). The ridge of ulge Eq. 4 is on the denominator
    alone, where any direction in which the rows do not differ would reach the minimum, zero; this form, with the ridge
    on both sides of Eq. 4, is ulge's own in Eq. 22. Directions in which the rows do not differ would still beat those
    along which neighbours are far apart, and are left out.

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
    offset = dense(rows.mean(axis=0, dtype=np.float64))  # all of the mean for sparse rows, which stay in place
    if rows.shape[1] > rows.shape[0]:
        coordinates, basis = row_space(rows.astype(np.float64))
        centre = np.zeros(basis.shape[1])
        directions = basis @ _directions(coordinates, centre, graph, n_components, alpha)
    else:
        directions = _directions(rows, offset, graph, n_components, alpha)
    return LinearMap(with_fixed_signs(directions).T, mean)


def _directions(rows, offset, graph, n_components, alpha):
    degrees = graph.sum(axis=1)
    local, _ = _scatter(rows, offset, graph, degrees)  # XᵀHAHX
    total, noise = _scatter(rows, offset, sparse.diags_array(degrees).tocsr(), degrees)  # XᵀHDHX
    whitened = whitening(total, n_components, rows.shape[0], alpha, noise)
    return largest_directions(local, whitened, n_components)[1]


def _scatter(rows, offset, weights, degrees):
    """``(X - o)ᵀ S (X - o)`` for a symmetric sparse S with row sums ``degrees``, and what rounding left in it."""

    def sums(chunk):
        tied = (weights[chunk] @ rows).astype(np.float64)
        return rows[chunk].T.astype(np.float64) @ tied, degrees[chunk] @ rows[chunk]

    scatter, weighted = run_sum(sums, chunks(rows.shape[0], row_bytes(rows), PRODUCT_BYTES))
    noise = rounding_of(scatter)  # where most of it is the offset, of sparse rows
    cross = np.outer(weighted, offset)
    scatter = dense(scatter) + degrees.sum() * np.outer(offset, offset) - cross - cross.T
    return (scatter + scatter.T) / 2, noise
