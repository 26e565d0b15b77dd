"""Balanced 2-means (ulge Eq. 12-16) of several nodes at once."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from anchorgraph.numerics.rounds import go_round
from anchorgraph.numerics.selection import smallest_masks

START_TOL = 0.02
"""A start need not be exact."""

POWER_STEPS = 3
"""Steps of the power method that turn a random direction towards the widest one: fewer rounds, better halves."""


@dataclass(frozen=True)
class Halves:
    """Of each of b nodes, the rows with ``(x - centre)·direction`` below the threshold are left."""

    is_left: np.ndarray
    directions: np.ndarray
    thresholds: np.ndarray
    n_iter: int


def two_means(nodes, n_left, is_left, *, max_iter, tol):
    """Lloyd's rounds under the constraint of balance, from given halves.

    ``min Σ_i ‖x_i - c_g(i)‖²`` over both centres and all assignments ``g`` that put ``n_left`` rows on the left
    (Eq. 12). ``e_1 - e_2 = 2 x·(c_2 - c_1) + const`` (Eq. 16), so a round is one projection on the gap between the
    centres and one selection, and the gap follows from the rows that moved.

    Parameters
    ----------
    nodes : NodeRows or NodeStack
    n_left : int
        At least one and fewer than all rows.
    is_left : (b, n) booleans
        Halves to start from, ``n_left`` rows in each.
    max_iter, tol
        Rounds at most; a round that moves no more than the share ``tol`` of a node's rows is its last.

    Returns
    -------
    Halves
    """
    n, dtype = nodes.n_rows, nodes.dtype
    per_right, per_left = 1 / (n - n_left), 1 / n_left
    scores = nodes.scores(n_left)
    gaps = nodes.weighted_sum(np.where(is_left, -per_left, per_right).astype(dtype))
    found = Halves(np.empty_like(is_left), np.empty(gaps.shape, dtype), np.empty(len(gaps)), n_iter=0)

    def turn(state):
        is_left, gaps, number, running = state
        directions = unit(gaps).astype(dtype)
        was_left, (is_left, thresholds) = is_left, smallest_masks(scores.along(directions), n_left)
        found.is_left[number[running]] = is_left[running]
        found.directions[number[running]] = directions[running]
        found.thresholds[number[running]] = thresholds[running]
        moved = np.subtract(is_left, was_left, dtype=dtype)
        running = running & (np.count_nonzero(moved, axis=1) > tol * n)
        if not running.any():
            return state, True
        gaps = gaps - (per_left + per_right) * scores.nodes.weighted_sum(moved)
        if running.sum() <= len(running) / 2:  # nodes that are done cost no more
            scores.keep(running)
            return (is_left[running], gaps[running], number[running], running[running]), False
        return (is_left, gaps, number, running), False

    start = (is_left, gaps, np.arange(nodes.n_nodes), np.ones(nodes.n_nodes, dtype=bool))
    return replace(found, n_iter=go_round(turn, start, max_iter)[1])


def cut(nodes, n_left, directions):
    """The halves along given directions: one round without new centres."""
    is_left, thresholds = smallest_masks(nodes.project(directions), n_left)
    return Halves(is_left, directions, thresholds, n_iter=1)


def start(nodes, n_left, rngs, max_iter):
    """Halves to start from, found by rounds that begin along roughly the first principal axis and need not end.

    A node too large for memory begins along the gap between the centres of a sample.
    """
    if nodes.sample_rows < nodes.n_rows:
        directions = halves_of_sample(nodes, n_left, rngs, nodes.sample_rows, max_iter, START_TOL).directions
    else:
        directions = widest_directions(nodes, rngs)
    halves = cut(nodes, n_left, directions)
    return two_means(nodes, n_left, halves.is_left, max_iter=max_iter, tol=START_TOL).is_left


def halves_of_sample(nodes, n_left, rngs, size, max_iter, tol):
    """Halves of ``size`` of the rows of each node, in the same proportion.

    Where all sampled rows of a node are equal, though its rows are not, they are parted along its widest direction.
    """
    rngs = list(rngs)
    positions = np.stack([np.sort(rng.choice(nodes.n_rows, size, replace=False)) for rng in rngs])
    sample = nodes.sample(positions)
    n_left = min(max(1, round(size * n_left / nodes.n_rows)), size - 1)
    halves = two_means(sample, n_left, start(sample, n_left, rngs, max_iter), max_iter=max_iter, tol=tol)
    is_found = halves.directions.any(axis=1, keepdims=True)
    if is_found.all():
        return halves
    return replace(halves, directions=np.where(is_found, halves.directions, widest_directions(nodes, rngs)))


def widest_directions(nodes, rngs):
    """Roughly the first principal axis of each node, by a few power steps from a random direction."""
    directions = np.stack([rng.standard_normal(nodes.n_cols) for rng in rngs]).astype(nodes.dtype)
    for _ in range(POWER_STEPS):
        weights = nodes.project(directions)
        weights -= weights.mean(axis=1, keepdims=True)
        directions = unit(nodes.weighted_sum(weights)).astype(nodes.dtype)
    return directions


def unit(directions):
    """Rows of length one; rows of zeros stay."""
    lengths = np.linalg.norm(directions, axis=1, keepdims=True)
    return np.divide(directions, lengths, out=np.zeros_like(directions), where=lengths > 0)
