"""k-means of a table: Lloyd's algorithm from given centres."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from anchorgraph.contracts import Block, Floats, Integers, RowTable, SumStep
from anchorgraph.numerics.blocks import chunks, row_bytes, weigh
from anchorgraph.numerics.distances import CentredPoints, minus_centre
from anchorgraph.numerics.execution import run_sum
from anchorgraph.numerics.groups import group_means, sums_by_group
from anchorgraph.numerics.progress import portion, stage
from anchorgraph.numerics.rounds import go_round

NearestSums = Callable[..., tuple[Any, ...]]
"""``sums(rows, nearest, distances, *weights)`` returns arrays to add up. ``nearest`` is the nearest centre of each row,
``distances()`` computes the squared distances to these, and the weights of the rows follow where they have weights."""


@stage("k-means")
def lloyd(table: RowTable, centres: Floats, *, max_iter: int, tol: float) -> Floats:
    """Move each centre to the mean of the rows that are nearest to it, repeatedly; each iteration reads all rows once.

    Parameters
    ----------
    table : RowTable
    centres : (c, d) floats
        Initial centres. A centre that is not nearest to any row is not moved.
    max_iter : int
        Maximum number of iterations.
    tol : float
        Stop when an iteration moves the centres by at most this: the sum of their squared displacements.

    Returns
    -------
    (c, d) floats
        In float64.
    """
    numbers = itertools.count()

    def move(centres: Floats) -> tuple[Floats, bool]:
        with portion(next(numbers), max_iter):
            sums, sizes = table.sum_blocks(nearest_sums(centres.astype(table.dtype)), *table.weights)
        moved = group_means(sums, sizes, centres)
        return moved, bool(np.sum((moved - centres) ** 2) <= tol)

    start: Floats = centres.astype(np.float64)
    return go_round(move, start, max_iter)[0]


def nearest_sums(centres: Floats) -> SumStep:
    """The step that returns, for each centre, the sum and the number of the rows that are nearest to it."""

    def sums(rows: Block, nearest: Integers, distances: Callable[[], Floats], *weights: Floats) -> tuple[Any, ...]:
        return sums_by_group(rows, nearest, len(centres), *weights)

    return _over_nearest(centres, sums)


def quantisation_error(table: RowTable, centres: Floats) -> float:
    """``Σ_i w_i ‖x_i - c‖²`` over all rows, with the nearest centre and the weight of each."""

    def errors(rows: Block, nearest: Integers, distances: Callable[[], Floats], *weights: Floats) -> tuple[Any]:
        return (weigh(distances(), *weights).sum(dtype=np.float64),)

    error: float = table.sum_blocks(_over_nearest(centres, errors), *table.weights)[0]
    return error


def _over_nearest(centres: Floats, sums: NearestSums) -> SumStep:
    """The step that adds up what ``sums`` returns for the chunks of a block."""
    points = CentredPoints.of(centres)

    def step(block: Block, *weights: Floats) -> tuple[Any, ...]:
        def chunk_sums(part: slice) -> tuple[Any, ...]:
            rows = block[part]
            centred = minus_centre(rows, points.centre)
            scores = points.scores(centred)
            nearest = scores.argmax(axis=1)
            own = (each[part] for each in weights)
            return sums(rows, nearest, lambda: points.row_norms(centred) - 2 * scores.max(axis=1), *own)

        widest = max(row_bytes(block), points.half_norms.nbytes)  # memory of a row, or of its scores
        return run_sum(chunk_sums, chunks(block.shape[0], widest))

    return step
