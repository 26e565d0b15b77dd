"""Rows near the mean of their subclass: SSDA."""

from __future__ import annotations

from anchorgraph.contracts import Integers, LinearMap
from anchorgraph.numerics.progress import stage
from anchorgraph.projection.scatter import between_scatter, smallest_directions, total_whitening
from anchorgraph.projection.space import Space


@stage("projection")
def least_within(space: Space, codes: Integers, n_components: int, alpha: float) -> LinearMap:
    """``min_W tr Wᵀ(S_w + βI)W`` with ``WᵀS_tW = I`` and ``S_w = S_t - S_b`` of the given groups: LDA of subclasses.

    Parameters
    ----------
    space : Space
    codes : (n,) integers
        The group of each row; no group is empty.
    n_components : int
    alpha : float
        β as a fraction of the mean variance of the columns.

    Returns
    -------
    LinearMap
    """
    total, whitened, variance = total_whitening(space, n_components)
    within = total - between_scatter(space, codes)
    return space.linear_map(smallest_directions(within, whitened, n_components, alpha * variance)[1])
