"""A projection with orthonormal directions."""

from __future__ import annotations

import numpy as np

from anchorgraph.contracts import LinearMap
from anchorgraph.numerics.eigen import with_fixed_signs


def orthogonalised(linear: LinearMap) -> LinearMap:
    """Replace W by its left singular vectors (ulge Eq. 24, Lemma 5), which span the same space, with ``WᵀW = I``.

    Parameters
    ----------
    linear : LinearMap

    Returns
    -------
    LinearMap
    """
    directions, _, _ = np.linalg.svd(linear.components.T, full_matrices=False)
    return LinearMap(with_fixed_signs(directions).T, linear.mean)
