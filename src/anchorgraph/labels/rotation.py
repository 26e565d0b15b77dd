"""Rounding by a rotation of the embedding towards indicators of clusters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import svd

from anchorgraph.contracts import Assignment
from anchorgraph.labels.sample import some_rows
from anchorgraph.numerics.checks import check_integer
from anchorgraph.numerics.progress import stage
from anchorgraph.numerics.rounds import go_round


@dataclass(frozen=True)
class QRRounding:
    """The rotation that takes the most different rows to the axes (Damle, Minden and Ying 2019; ``rounding="qr"``).

    As in a pivoted QR factorisation of Fᵀ, the next row is the one that those before explain least. The first is the
    one farthest from the mean's direction: among rows of unit length, the longest would be a matter of rounding. Of
    very many rows, they are looked for in a sample.
    """

    @stage("clusters")
    def round(self, rows, n_clusters, seed):
        """The assignment of rows of an embedding to clusters."""
        left = some_rows(rows, seed).astype(np.float64)
        some = left.copy()
        unexplained = left - _along(left, left.mean(axis=0))
        chosen = []
        for _ in range(n_clusters):
            chosen.append(int(np.argmax(np.einsum("np,np->n", unexplained, unexplained))))
            left -= _along(left, left[chosen[-1]])
            unexplained = left
        return _towards(some[chosen].T)


@dataclass(frozen=True)
class RotationRounding:
    """The rotation R nearest to indicators: ``min ‖Y - F R‖²`` over indicators Y and RᵀR = I in turn.

    (Yu and Shi 2003; ``rounding="rotation"``.) Starts from :class:`QRRounding`. A round is one pass of sums.

    Parameters
    ----------
    max_iter : int, default=100
    """

    max_iter: int = 100

    def __post_init__(self):
        check_integer("max_iter", self.max_iter)

    @stage("clusters")
    def round(self, rows, n_clusters, seed):
        """The assignment of rows of an embedding to clusters."""

        def turn(state):
            assignment, before = state
            sums, n_changed = rows.sum_blocks(_indicator_sums(assignment, before))
            if before is not None and n_changed == 0:
                return state, True
            return (_towards(sums), assignment), False

        start = QRRounding().round(rows, n_clusters, seed)
        return go_round(turn, (start, None), self.max_iter)[0][0]


def _indicator_sums(assignment, before):
    """The step that sums ``FᵀY`` for the indicators Y of an assignment, and counts rows that were elsewhere before."""
    eye = np.eye(assignment.directions.shape[1])

    def step(block):
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
