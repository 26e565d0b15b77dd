"""Where a row lies in a map, given the points that it is tied to."""

from __future__ import annotations

import numpy as np

from anchorgraph.contracts import Floats, Integers
from anchorgraph.numerics.blocks import chunks
from anchorgraph.numerics.execution import run

N_STEPS = 5
"""Steps to the place where the attraction is in balance."""

N_CANDIDATES = 32
"""Nearest points of which the densest is found."""


def place(positions: Floats, neighbors: Integers, weights: Floats) -> Floats:
    r"""The place of rows among the points that they are tied to.

    .. math:: y \leftarrow \frac{\sum_j w_j q_j y_j}{\sum_j w_j q_j}, \qquad q_j = 1 / (1 + |y - y_j|^2)

    a few times, from the densest of the points. It is the place where the attraction of t-SNE is in balance; unlike a
    mean, it is not between two clusters if there are ties to both.

    Parameters
    ----------
    positions : (m, p) floats
        Of the points.
    neighbors : (n, k) integers
        The points that each row is tied to.
    weights : (n, k) floats

    Returns
    -------
    (n, p) floats
    """
    n, k = neighbors.shape
    p = positions.shape[1]

    def of_rows(part: slice) -> Floats:
        near, w = positions.take(neighbors[part], axis=0), weights[part].astype(positions.dtype)
        y = _densest(near, w)
        for _ in range(N_STEPS):
            pull = w * _closeness(near, y[:, np.newaxis])
            y = np.einsum("nk,nkp->np", pull, near) / pull.sum(axis=1, keepdims=True)
        return y

    return np.concatenate(run(of_rows, chunks(n, 16 * k * p)))


def q_of_neighbors(positions: Floats, neighbors: Integers) -> Floats:
    """(n, k) the q between each point and its neighbours."""
    n, k = neighbors.shape

    def of_rows(part: slice) -> Floats:
        return _closeness(positions.take(neighbors[part], axis=0), positions[part, np.newaxis])

    return np.concatenate(run(of_rows, chunks(n, 16 * k)))


def _closeness(near: Floats, y: Floats) -> Floats:
    """The q between points and others, whose coordinates are the last axis."""
    squares = near - y
    squares *= squares
    q: Floats = 1 / (1 + squares.sum(axis=-1))
    return q


def _densest(near: Floats, weights: Floats) -> Floats:
    """(n, p) of each row's points, the one that is closest to all of them."""
    n_candidates = min(near.shape[1], N_CANDIDATES)
    density = np.stack(
        [(weights * _closeness(near, near[:, number, np.newaxis])).sum(axis=1) for number in range(n_candidates)]
    )
    found: Floats = near[np.arange(len(near)), density.argmax(axis=0)]
    return found
