"""The map of a graph of few nodes: groups of rows, or anchors."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from anchorgraph.contracts import Floats
from anchorgraph.layout.attraction import Ties
from anchorgraph.layout.descent import descend
from anchorgraph.numerics.progress import portion

STEPS = ((100, 4.0), (100, 1.0))
"""Steps and exaggeration: first nodes of a cluster come together, then all spread."""

GRID = 1 / 16
"""Starting positions are rounded to multiples of this, so that rounding errors of coordinates do not grow on the way;
noise of the same size separates nodes that start at the same place."""


def map_nodes(graph: sparse.csr_array, start: Floats, rng: np.random.Generator) -> Floats:
    """Positions of the nodes of a graph in a map.

    Parameters
    ----------
    graph : (m, m) CSR array
        Symmetric weights.
    start : (m, p) floats
        Coordinates of the nodes along principal axes.
    rng : Generator

    Returns
    -------
    (m, p) floats
        In float32.
    """
    centred = start - start.mean(axis=0)
    largest = float(np.abs(centred).max())
    centred /= largest if largest > 0 else 1
    spread = float(centred.std(axis=0).max())
    rounded = np.round(centred / (spread if spread > 0 else 1) / GRID)
    positions: Floats = (GRID * (rounded + rng.standard_normal(start.shape))).astype(np.float32)
    ties = Ties.of(graph)
    for number, (n_steps, exaggeration) in enumerate(STEPS):
        with portion(number, len(STEPS)):
            positions = descend(positions, ties, n_steps, exaggeration)
    return positions
