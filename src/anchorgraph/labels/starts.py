"""Starting points of ONGR's iterations: rotations of the leading singular vectors, or a random one.

The rotations are equivalent as spectral solutions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse

from anchorgraph.contracts import Floats, RowTable
from anchorgraph.labels.reconstruction import polar_factor
from anchorgraph.labels.rotation import QRRounding, RotationRounding
from anchorgraph.numerics.blocks import weigh
from anchorgraph.numerics.progress import stage


@stage("clusters")
def sign_rotation(rows: RowTable, seed: int) -> Floats:
    """Give each vector the sign for which its positive part is larger: clipping would set a negative vector to zero."""

    def squares(block: Floats, *weights: Floats) -> tuple[Any, ...]:
        parts = (np.maximum(block, 0), np.maximum(-block, 0))
        return tuple(weigh(part**2, *weights).sum(axis=0) for part in parts)

    positive, negative = rows.sum_blocks(squares, *rows.weights)
    return np.diag(np.where(negative > positive, -1.0, 1.0))


def qr_rotation(rows: RowTable, seed: int) -> Floats:
    """The rotation that takes the most different rows to the axes."""
    return QRRounding().round(rows, rows.n_cols, seed).directions


def indicator_rotation(rows: RowTable, seed: int) -> Floats:
    """The rotation nearest to indicators of clusters."""
    return RotationRounding().round(rows, rows.n_cols, seed).directions


STARTS: dict[str, Callable[[RowTable, int], Floats]] = {
    "singular": sign_rotation,
    "qr": qr_rotation,
    "rotation": indicator_rotation,
}
"""Rotations by the name of the start, from the rows of the singular vectors and a seed."""


def random_start(gram: sparse.csr_array, anchor_map: Floats, seed: int) -> Floats:
    """A random matrix R with ``(ZR)ᵀZR = I``: the columns of F = ZR are orthonormal, and new rows have theirs.

    R is a Gaussian matrix times the power -1/2 of its product ``RᵀZᵀZR``, which is done twice because of rounding.
    Directions that ZR lacks, where Z has hardly more than c, are completed by the singular vectors.

    Parameters
    ----------
    gram : (m, m) sparse array
        ``ZᵀZ``.
    anchor_map : (m, c) floats
        The singular vectors are ``Z anchor_map``.
    seed : int

    Returns
    -------
    (m, c) floats
    """
    R = np.random.default_rng([seed, 2]).standard_normal(anchor_map.shape)  # 1 is for the bandwidth
    R[gram.diagonal() == 0] = 0  # anchors without rows
    for _ in range(2):
        polar, completion = polar_factor(R.T @ (gram @ R), R.T @ (gram @ anchor_map))
        R = R @ polar + anchor_map @ completion
    return R
