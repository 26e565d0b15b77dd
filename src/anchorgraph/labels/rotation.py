"""Rounding by a rotation of the embedding towards indicators of clusters."""

from __future__ import annotations

import numpy as np
from scipy.linalg import svd

from anchorgraph.contracts import Assignment

MAX_ROUNDS = 100


def by_qr(rows, n_clusters, *, seed, n_init):
    """The rotation that takes the ``n_clusters`` most different rows to the axes (Damle, Minden and Ying 2019).

    As in a pivoted QR factorisation of Fᵀ, the next row is the one that those before explain least. The first is the
    one farthest from the mean's direction: among rows of unit length, the longest would be a matter of rounding.

    Parameters
    ----------
    rows : (n, p) floats
    n_clusters : int
    seed, n_init : ignored

    Returns
    -------
    Assignment
    """
    rows = rows.astype(np.float64)
    unexplained = rows - _along(rows, rows.mean(axis=0))
    left, chosen = rows.copy(), []
    for _ in range(n_clusters):
        chosen.append(int(np.argmax(np.einsum("np,np->n", unexplained, unexplained))))
        left -= _along(left, left[chosen[-1]])
        unexplained = left
    return _towards(rows[chosen].T)


def by_rotation(rows, n_clusters, *, seed, n_init):
    """The rotation R nearest to indicators: ``min ‖Y - F R‖²`` over indicators Y and RᵀR = I in turn (Yu and Shi 2003).

    Starts from :func:`by_qr`.

    Parameters
    ----------
    rows : (n, p) floats
    n_clusters : int
    seed, n_init : ignored

    Returns
    -------
    Assignment
    """
    assignment = by_qr(rows, n_clusters, seed=seed, n_init=n_init)
    labels = None
    for _ in range(MAX_ROUNDS):
        before, labels = labels, (rows @ assignment.directions).argmax(axis=1)
        if before is not None and (labels == before).all():
            break
        indicators = np.eye(n_clusters)[labels]
        assignment = _towards(rows.T.astype(np.float64) @ indicators)
    return assignment


def _along(rows, direction):
    """The part of rows along a direction."""
    length = direction @ direction
    return np.outer(rows @ direction, direction / length) if length > 0 else np.zeros_like(rows)


def _towards(sums):
    """The orthonormal (p, c) matrix nearest to ``FᵀY``."""
    left, _, right = svd(sums, full_matrices=False)
    return Assignment(left @ right, np.zeros(sums.shape[1]))
