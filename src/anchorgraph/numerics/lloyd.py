"""k-means of a table: Lloyd's algorithm from given centres."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from anchorgraph.contracts import Block, Floats, Integers, RowMap, RowTable, SumStep
from anchorgraph.numerics.blocks import chunks, row_bytes, weigh
from anchorgraph.numerics.distances import CentredPoints, minus_centre
from anchorgraph.numerics.execution import run
from anchorgraph.numerics.groups import group_means, sums_of_block
from anchorgraph.numerics.progress import portion, stage
from anchorgraph.numerics.rounds import go_round


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
    nearest = nearest_centre(centres)

    def step(block: Block, *weights: Floats) -> tuple[Any, ...]:
        return sums_of_block(block, nearest(block), len(centres), *weights)

    return step


def nearest_centre(centres: Floats) -> RowMap:
    """The row map to the number of the nearest centre."""
    points = CentredPoints.of(centres)

    def nearest(block: Block) -> Integers:
        return np.concatenate(_over_chunks(points, block, lambda rows, scores: scores.argmax(axis=1)))

    return nearest


def quantisation_error(table: RowTable, centres: Floats) -> float:
    """``Σ_i w_i ‖x_i - c‖²`` over all rows, with the nearest centre and the weight of each."""
    points = CentredPoints.of(centres)

    def distances(rows: Block, scores: Floats) -> Floats:
        found: Floats = points.row_norms(rows) - 2 * scores.max(axis=1)
        return found

    def step(block: Block, *weights: Floats) -> tuple[Any, ...]:
        errors = np.concatenate(_over_chunks(points, block, distances))
        return (weigh(errors, *weights).sum(dtype=np.float64),)

    error: float = table.sum_blocks(step, *table.weights)[0]
    return error


def _over_chunks(points: CentredPoints, block: Block, work: Callable[[Block, Floats], Any]) -> list[Any]:
    """``work(centred rows, their scores)`` for the chunks of a block."""

    def on_chunk(part: slice) -> Any:
        rows = minus_centre(block[part], points.centre)
        return work(rows, points.scores(rows))

    widest = max(row_bytes(block), points.half_norms.nbytes)  # memory of a row, or of its scores
    return run(on_chunk, chunks(block.shape[0], widest))
