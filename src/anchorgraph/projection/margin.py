"""Class means far apart and rows near them: MMC."""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigh

from anchorgraph.contracts import Integers, LinearMap
from anchorgraph.numerics.progress import stage
from anchorgraph.projection.scatter import between_scatter, total_scatter
from anchorgraph.projection.smaller_space import check_rank
from anchorgraph.projection.space import Space


@stage("projection")
def largest_margin(space: Space, codes: Integers, n_components: int) -> LinearMap:
    """``max_W tr Wᵀ(S_b - S_w)W`` with ``WᵀW = I``; ``S_b - S_w = 2 S_b - S_t``.

    Parameters
    ----------
    space : Space
    codes : (n,) integers
        The class of each row; every class has a row of a positive weight.
    n_components : int

    Returns
    -------
    LinearMap
    """
    total = total_scatter(space)
    margin = 2 * between_scatter(space, codes) - total
    check_rank(n_components, len(margin) if np.trace(total) > space.noise(total) else 0)
    order = len(margin)
    _, vectors = eigh(margin, subset_by_index=(order - n_components, order - 1))
    return space.linear_map(vectors[:, ::-1])
