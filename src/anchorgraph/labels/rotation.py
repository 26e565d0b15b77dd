"""Rounding by a rotation of the embedding towards indicators of clusters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import svd
from scipy.spatial.distance import cdist

from anchorgraph.contracts import Assignment, Floats, RowTable, SumStep
from anchorgraph.labels.sample import sample_rows
from anchorgraph.numerics.blocks import chunks, row_bytes, weigh
from anchorgraph.numerics.checks import check_integer
from anchorgraph.numerics.execution import run_sum
from anchorgraph.numerics.progress import stage
from anchorgraph.numerics.rounds import go_round

Assignments = tuple[Assignment, Assignment | None]
"""An assignment and the one of the iteration before, if there is one."""


@dataclass(frozen=True)
class QRRounding:
    """The rotation that takes the most different rows to the axes (Damle, Minden and Ying 2019; ``rounding="qr"``).

    As in a pivoted QR factorisation of Fᵀ, the next row is the one with the largest residual after projection onto the
    rows chosen before. The first row is the one farthest from the direction of the mean: among rows of unit length,
    rounding errors would decide which is the longest. With more clusters than columns, no residuals are left in the
    end, and the next row is the one farthest from those chosen. For large tables, the rows are chosen from a sample.
    """

    @stage("clusters")
    def round(self, rows: RowTable, n_clusters: int, seed: int) -> Assignment:
        """The assignment of rows of an embedding to clusters."""
        remainder = sample_rows(rows, seed).astype(np.float64)
        sample = remainder.copy()
        residuals = remainder - _projected(remainder, remainder.mean(axis=0))
        chosen: list[int] = []
        for _ in range(min(n_clusters, sample.shape[1])):
            chosen.append(int(np.argmax(np.einsum("np,np->n", residuals, residuals))))
            remainder -= _projected(remainder, remainder[chosen[-1]])
            residuals = remainder
        while len(chosen) < n_clusters:
            chosen.append(int(cdist(sample, sample[chosen]).min(axis=1).argmax()))
        return _nearest_rotation(sample[chosen].T)


@dataclass(frozen=True)
class RotationRounding:
    """The rotation R for which F R is nearest to indicators Y: ``min ‖Y - F R‖²`` over Y and RᵀR = I alternately.

    (Yu and Shi 2003; ``rounding="rotation"``.) Starts from :class:`QRRounding`. Each iteration reads the rows once.

    Parameters
    ----------
    max_iter : int, default=100
        Maximum number of iterations.
    """

    max_iter: int = 100

    def __post_init__(self) -> None:
        check_integer("max_iter", self.max_iter)

    @stage("clusters")
    def round(self, rows: RowTable, n_clusters: int, seed: int) -> Assignment:
        """The assignment of rows of an embedding to clusters."""

        def iterate(state: Assignments) -> tuple[Assignments, bool]:
            assignment, before = state
            sums, n_changed = rows.sum_blocks(_indicator_sums(assignment, before), *rows.weights)
            if before is not None and n_changed == 0:
                return state, True
            return (_nearest_rotation(sums), assignment), False

        start: Assignments = (QRRounding().round(rows, n_clusters, seed), None)
        return go_round(iterate, start, self.max_iter)[0][0]


def _indicator_sums(assignment: Assignment, before: Assignment | None) -> SumStep:
    """The step that sums ``FᵀY`` for the indicators Y of an assignment, and counts rows whose cluster has changed."""
    eye = np.eye(assignment.directions.shape[1])

    def sums(rows: Floats, *weights: Floats) -> tuple[Any, ...]:
        labels = (rows @ assignment.directions).argmax(axis=1)
        old = labels if before is None else (rows @ before.directions).argmax(axis=1)
        return rows.T.astype(np.float64) @ weigh(eye[labels], *weights), weigh(labels != old, *weights).sum()

    def step(block: Floats, *weights: Floats) -> tuple[Any, ...]:
        def chunk_sums(part: slice) -> tuple[Any, ...]:
            return sums(block[part], *(own[part] for own in weights))

        return run_sum(chunk_sums, chunks(len(block), row_bytes(block)))

    return step


def _projected(rows: Floats, direction: Floats) -> Floats:
    """The orthogonal projection of rows onto a direction."""
    squared_length = direction @ direction
    if squared_length > 0:
        return np.outer(rows @ direction, direction / squared_length)
    return np.zeros_like(rows)


def _nearest_rotation(sums: Floats) -> Assignment:
    """The assignment by the (p, c) matrix with orthonormal columns nearest to ``FᵀY``."""
    left, _, right = svd(sums, full_matrices=False)
    return Assignment(left @ right, np.zeros(sums.shape[1]))
