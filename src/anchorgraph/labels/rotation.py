"""Rounding by a rotation of the embedding towards indicators of clusters."""

from __future__ import annotations

import numpy as np
from scipy.linalg import svd

from anchorgraph.contracts import Assignment
from anchorgraph.labels.sample import some_rows

MAX_ROUNDS = 100


def by_qr(rows, n_clusters, *, seed, n_init, n_jobs):
    """The rotation that takes the ``n_clusters`` most different rows to the axes (Damle, Minden and Ying 2019).

    As in a pivoted QR factorisation of Fᵀ, the next row is the one that those before explain least. The first is the
    one farthest from the mean's direction: among rows of unit length, the longest would be a matter of rounding. Of
    very many rows, they are looked for in a sample.

    Parameters
    ----------
    rows : RowTable
    n_clusters : int
    seed : int
    n_init, n_jobs : ignored

    Returns
    -------
    Assignment
    """
    left = some_rows(rows, seed).astype(np.float64)
    some = left.copy()
    unexplained = left - _along(left, left.mean(axis=0))
    chosen = []
    for _ in range(n_clusters):
        chosen.append(int(np.argmax(np.einsum("np,np->n", unexplained, unexplained))))
        left -= _along(left, left[chosen[-1]])
        unexplained = left
    return _towards(some[chosen].T)


def by_rotation(rows, n_clusters, *, seed, n_init, n_jobs):
    """The rotation R nearest to indicators: ``min ‖Y - F R‖²`` over indicators Y and RᵀR = I in turn (Yu and Shi 2003).

    Starts from :func:`by_qr`. A round is one pass of sums.

    Parameters
    ----------
    rows : RowTable
    n_clusters : int
    seed : int
    n_init, n_jobs : ignored

    Returns
    -------
    Assignment
    """
    assignment, before = by_qr(rows, n_clusters, seed=seed, n_init=n_init, n_jobs=n_jobs), None
    for _ in range(MAX_ROUNDS):
        sums, n_changed = rows.sum_blocks(_indicator_sums(assignment, before))
        if before is not None and n_changed == 0:
            break
        before, assignment = assignment, _towards(sums)
    return assignment


def _indicator_sums(assignment, before):
    """The step that sums ``FᵀY`` for the indicators Y of an assignment, and counts rows that were elsewhere before."""
    eye = np.eye(assignment.directions.shape[1])

    def step(block, span):
        labels = (block @ assignment.directions).argmax(axis=1)
        was = labels if before is None else (block @ before.directions).argmax(axis=1)
        return block.T.astype(np.float64) @ eye[labels], np.count_nonzero(labels != was)

    return step


def _along(rows, direction):
    """The part of rows along a direction."""
    length = direction @ direction
    return np.outer(rows @ direction, direction / length) if length > 0 else np.zeros_like(rows)


def _towards(sums):
    """The orthonormal (p, c) matrix nearest to ``FᵀY``."""
    left, _, right = svd(sums, full_matrices=False)
    return Assignment(left @ right, np.zeros(sums.shape[1]))
