"""Rows between clusters, alone or in small clumps, and where they belong."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from anchorgraph.contracts import Floats, Integers
from anchorgraph.layout.place import place, q_of_neighbors

CLOSE = 0.6
"""Neighbours with a larger q are in the same clump of the map."""

AWAY = 0.35
"""Clumps with a larger share of neighbours in other clumps are strays."""

STRAY_WEIGHT = 1e-3
"""Weight of neighbours that are strays themselves, beside one for all others."""


def gather_strays(positions: Floats, neighbors: Integers) -> Floats:
    """Positions in which strays lie where most of their neighbours are, not between clusters.

    A clump is what is connected by neighbours that are close in the map; a row may be one by itself. A small cluster is
    no stray, for its neighbours are within it.

    Parameters
    ----------
    positions : (n, p) floats
    neighbors : (n, k) integers

    Returns
    -------
    (n, p) floats
        The same array, if there are no strays.
    """
    clump_of = _clumps(neighbors, q_of_neighbors(positions, neighbors) > CLOSE)
    away = np.mean(clump_of[neighbors] != clump_of[:, np.newaxis], axis=1)
    is_stray = (np.bincount(clump_of, away) / np.bincount(clump_of) > AWAY)[clump_of]
    strays = np.flatnonzero(is_stray)
    if len(strays) == 0:
        return positions
    near = neighbors[strays]
    gathered = positions.copy()
    gathered[strays] = place(positions, near, np.where(is_stray[near], STRAY_WEIGHT, 1.0))
    return gathered


def _clumps(neighbors: Integers, is_close: NDArray[np.bool_]) -> Integers:
    """(n,) the clump of each row, from 0 without gaps."""
    n = len(neighbors)
    starts = np.concatenate([[0], np.cumsum(is_close.sum(axis=1))])
    close = neighbors[is_close]
    graph = sparse.csr_array((np.ones(len(close), np.int8), close, starts), shape=(n, n))
    found: Integers = connected_components(graph, directed=False)[1]
    return found
