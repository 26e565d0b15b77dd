"""Coordinates of the nodes of a graph that are nowhere yet."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from anchorgraph.contracts import Floats

N_AXES = 32
"""Number of coordinates."""

N_STEPS = 30
"""Steps in which coordinates are averaged over neighbours."""


def smooth_coordinates(graph: sparse.csr_array, seed: int) -> Floats:
    """Coordinates in which nodes with many paths between them are near: random ones, averaged over neighbours.

    In a step, a node goes half way to the mean of its neighbours, and then all are scaled to unit length about the mean
    of all nodes; otherwise they would meet in one point.

    Parameters
    ----------
    graph : (n, n) CSR array
        Symmetric weights; every node has ties.
    seed : int

    Returns
    -------
    (n, 32) floats
        In float32.
    """
    step = (sparse.diags_array(0.5 / graph.sum(axis=1)) @ graph).astype(np.float32)
    points = np.random.default_rng(seed).standard_normal((graph.shape[0], N_AXES), dtype=np.float32)
    for _ in range(N_STEPS):
        points = points / 2 + step @ points
        points -= points.mean(axis=0)
        points /= np.maximum(np.linalg.norm(points, axis=1, keepdims=True), np.finfo(np.float32).tiny)
    return points
