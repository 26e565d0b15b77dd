"""Balanced 2-means (ulge Eq. 12-16) of several nodes at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from anchorgraph.anchors.nodes import Nodes
from anchorgraph.anchors.scores import FullScores
from anchorgraph.contracts import Floats, Integers
from anchorgraph.numerics.rounds import go_round
from anchorgraph.numerics.selection import smallest_masks

START_TOL = 0.02
"""Tolerance of the iterations that find a start, which does not have to be exact."""

START_ROWS = 2**12
"""Number of rows of a node from which its first halves are found."""

POWER_STEPS = 3
"""Iterations of the power method that turn a random direction towards the first principal axis. Such a start needs
fewer iterations of 2-means and gives better halves."""

_State: TypeAlias = tuple[NDArray[np.bool_], Floats, Integers, NDArray[np.bool_]]


@dataclass(frozen=True)
class Halves:
    """The halves of each of b nodes.

    Attributes
    ----------
    is_left : (b, n) booleans
        Whether a row is in the left half.
    directions : (b, d) floats
        Normals of the hyperplanes between the halves.
    thresholds : (b,) floats
        Rows with ``(x - centre)·direction`` up to the threshold are in the left half.
    n_iter : int
        Number of iterations, of the node that took most.
    """

    is_left: NDArray[np.bool_]
    directions: Floats
    thresholds: Floats
    n_iter: int


def two_means(nodes: Nodes, n_left: int, is_left: NDArray[np.bool_], *, max_iter: int, tol: float) -> Halves:
    """Lloyd's algorithm with two centres and halves of fixed size, from given halves.

    ``min Σ_i ‖x_i - c_g(i)‖²`` over both centres and all assignments ``g`` that put ``n_left`` rows on the left
    (Eq. 12). ``e_1 - e_2 = 2 x·(c_2 - c_1) + const`` (Eq. 16), so an iteration is one projection onto the difference of
    the centres and one selection. The difference is updated from the rows that moved.

    Parameters
    ----------
    nodes : NodeRows or NodeStack
    n_left : int
        At least 1 and less than the number of rows.
    is_left : (b, n) booleans
        Halves to start from, with ``n_left`` rows on the left of each node.
    max_iter : int
        Maximum number of iterations.
    tol : float
        A node is finished when an iteration moves at most this share of its rows.

    Returns
    -------
    Halves
    """
    n, dtype = nodes.n_rows, nodes.dtype
    per_right, per_left = 1 / (n - n_left), 1 / n_left
    scores = nodes.scores(n_left)
    gaps = nodes.weighted_sum(np.where(is_left, -per_left, per_right).astype(dtype))
    found = Halves(np.empty_like(is_left), np.empty(gaps.shape, dtype), np.empty(len(gaps)), n_iter=0)

    def iterate(state: _State) -> tuple[_State, bool]:
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
        if isinstance(scores, FullScores) and running.sum() <= len(running) / 2:  # do not compute finished nodes again
            scores.keep(running)
            return (is_left[running], gaps[running], number[running], running[running]), False
        return (is_left, gaps, number, running), False

    initial: _State = (is_left, gaps, np.arange(nodes.n_nodes), np.ones(nodes.n_nodes, dtype=bool))
    return replace(found, n_iter=go_round(iterate, initial, max_iter)[1])


def cut(nodes: Nodes, n_left: int, directions: Floats) -> Halves:
    """The halves along given directions."""
    is_left, thresholds = smallest_masks(nodes.project(directions), n_left)
    return Halves(is_left, directions, thresholds, n_iter=1)


def first_halves(nodes: Nodes, n_left: int, rngs: Iterable[np.random.Generator], max_iter: int) -> NDArray[np.bool_]:
    """Halves to start from: a cut along roughly the first principal axis.

    Of a large node, the cut is along the difference of the centres of a sample, so that few iterations over all its
    rows remain.
    """
    n_sampled = min(nodes.sample_rows, START_ROWS)
    if n_sampled < nodes.n_rows:
        directions = halves_of_sample(nodes, n_left, rngs, n_sampled, max_iter, START_TOL).directions
    else:
        directions = widest_directions(nodes, rngs)
    return cut(nodes, n_left, directions).is_left


def halves_of_sample(
    nodes: Nodes, n_left: int, rngs: Iterable[np.random.Generator], size: int, max_iter: int, tol: float
) -> Halves:
    """Halves of a sample of ``size`` rows of each node, in the same proportion.

    If all sampled rows of a node are equal, its direction is roughly the first principal axis of all its rows.
    """
    rngs = list(rngs)
    positions = np.stack([np.sort(rng.choice(nodes.n_rows, size, replace=False)) for rng in rngs])
    sample = nodes.sample(positions)
    n_left = min(max(1, round(size * n_left / nodes.n_rows)), size - 1)
    is_left = cut(sample, n_left, widest_directions(sample, rngs)).is_left
    halves = two_means(sample, n_left, is_left, max_iter=max_iter, tol=tol)
    is_found = halves.directions.any(axis=1, keepdims=True)
    if is_found.all():
        return halves
    return replace(halves, directions=np.where(is_found, halves.directions, widest_directions(nodes, rngs)))


def widest_directions(nodes: Nodes, rngs: Iterable[np.random.Generator]) -> Floats:
    """Roughly the first principal axis of each node, by a few power iterations from a random direction."""
    directions = np.stack([rng.standard_normal(nodes.n_cols) for rng in rngs]).astype(nodes.dtype)
    for _ in range(POWER_STEPS):
        weights = nodes.project(directions)
        weights -= weights.mean(axis=1, keepdims=True)
        directions = unit(nodes.weighted_sum(weights)).astype(nodes.dtype)
    return directions


def unit(directions: Floats) -> Floats:
    """Rows scaled to unit length; rows of zeros are unchanged."""
    lengths = np.linalg.norm(directions, axis=1, keepdims=True)
    scaled: Floats = np.divide(directions, lengths, out=np.zeros_like(directions), where=lengths > 0)
    return scaled
