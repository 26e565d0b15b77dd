"""k-means over a table: Lloyd's rounds from given centres."""

from __future__ import annotations

import itertools

import numpy as np

from anchorgraph.numerics.chunks import chunks, row_bytes
from anchorgraph.numerics.distances import CentredPoints, minus_centre
from anchorgraph.numerics.execution import run_sum
from anchorgraph.numerics.groups import group_means, sums_by_group
from anchorgraph.numerics.progress import portion, stage
from anchorgraph.numerics.rounds import go_round


@stage("k-means")
def lloyd(table, centres, *, max_iter, tol):
    """Move each centre to the mean of the rows that are nearest to it, again and again: a pass of sums a round.

    Parameters
    ----------
    table : RowTable
    centres : (c, d) floats
        To begin with. One that no row is nearest to stays.
    max_iter : int
    tol : float
        A round that moves the centres by no more than this, squared and in all, is the last.

    Returns
    -------
    (c, d) floats, in float64
    """
    numbers = itertools.count()

    def move(centres):
        with portion(next(numbers), max_iter):
            sums, sizes = table.sum_blocks(nearest_sums(centres.astype(table.dtype)))
        moved = group_means(sums, sizes, centres)
        return moved, np.sum((moved - centres) ** 2) <= tol

    return go_round(move, centres.astype(np.float64), max_iter)[0]


def nearest_sums(centres):
    """The step that sums, for each centre, the rows that are nearest to it, and counts them."""

    def sums(rows, nearest, distances):
        return sums_by_group(rows, nearest, len(centres))

    return _over_nearest(centres, sums)


def quantisation_error(table, centres):
    """``Σ_i ‖x_i - c‖²`` over all rows and the nearest centre of each."""

    def errors(rows, nearest, distances):
        return (distances().sum(dtype=np.float64),)

    return table.sum_blocks(_over_nearest(centres, errors))[0]


def _over_nearest(centres, sums):
    """The step that adds up ``sums(rows, nearest, distances)``; the squared distances are computed when called."""
    points = CentredPoints.of(centres)

    def step(block):
        def part_sums(part):
            rows = block[part]
            centred = minus_centre(rows, points.centre)
            scores = points.scores(centred)
            nearest = scores.argmax(axis=1)
            return sums(rows, nearest, lambda: points.row_norms(centred) - 2 * scores.max(axis=1))

        widest = max(row_bytes(block), points.half_norms.nbytes)  # of a row, and of its scores
        return run_sum(part_sums, chunks(block.shape[0], widest))

    return step
