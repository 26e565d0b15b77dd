"""The map of rows that are tied to their nearest rows, in two levels."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from anchorgraph.contracts import Floats, Integers
from anchorgraph.layout.attraction import Ties
from anchorgraph.layout.descent import descend
from anchorgraph.layout.nodes import group_ties, grouped
from anchorgraph.layout.place import closeness_of_neighbors, place
from anchorgraph.numerics.groups import one_hot
from anchorgraph.numerics.progress import portion, stage

ROWS_OF_NODE = 16
"""Fewest rows of a node, on average."""

FEWEST_NODES, MOST_NODES = 256, 2048
"""With fewer nodes than the fewest, rows are nodes themselves."""

NODE_STEPS = ((100, 4.0), (100, 1.0))
"""Steps and exaggeration of the layout of nodes: first they come together, then they spread."""

GRID = 1 / 16
"""Starting positions are rounded to multiples of this: else, rounding errors of coordinates would grow on the way."""

SCATTER = 0.3
"""Standard deviation of rows around the place where their neighbours' nodes are."""

ROW_ROUNDS, ROW_STEPS = 3, 15
"""Rounds of steps of rows; after each, strays are gathered."""

EXAGGERATION = 2.0
"""That of rows, at first."""

CLOSENESS = 0.83
"""Mean q of ties between rows that the exaggeration is changed for."""

STRAY = 0.3
"""Rows whose mean q with their neighbours is below this are strays."""


@stage("map")
def map_rows(graph: sparse.csr_array, neighbors: Integers, start: Floats, seed: int) -> Floats:
    """Positions of rows in a map.

    Nodes, groups of near rows, are laid out first. Rows begin near their neighbours' nodes and are then laid out
    themselves, in few steps.

    Parameters
    ----------
    graph : (n, n) CSR array
        Symmetric ties of near rows, which are in the order of a tree.
    neighbors : (n, k) integers
        The nearest rows of each row.
    start : (n, p) floats
        Coordinates of the rows along principal axes. p, the dimensions of the map, is at most 3.
    seed : int

    Returns
    -------
    (n, p) floats
        In float32.
    """
    rng = np.random.default_rng(seed)
    with portion(0, 2):
        positions = _near_nodes(graph, start, rng)
    ties, exaggeration = Ties.of(graph), EXAGGERATION
    with portion(1, 2):
        for number in range(ROW_ROUNDS):
            with portion(number, ROW_ROUNDS):
                positions, exaggeration = descend(positions, ties, ROW_STEPS, exaggeration, CLOSENESS)
            positions = _with_gathered_strays(positions, neighbors)
    return positions


def map_nodes(graph: sparse.csr_array, start: Floats, rng: np.random.Generator) -> Floats:
    """Positions of the nodes of a graph in a map.

    Parameters
    ----------
    graph : (m, m) CSR array
        Symmetric weights.
    start : (m, p) floats
        Coordinates of the nodes along principal axes.
    rng : Generator
        Parts nodes with equal coordinates.

    Returns
    -------
    (m, p) floats
        In float32.
    """
    spread = float(start[:, 0].std())
    scaled = np.round(start / (spread if spread > 0 else 1) / GRID) * GRID
    positions = (scaled + GRID * rng.standard_normal(start.shape)).astype(np.float32)
    ties = Ties.of(graph)
    for number, (n_steps, exaggeration) in enumerate(NODE_STEPS):
        with portion(number, len(NODE_STEPS)):
            positions, _ = descend(positions, ties, n_steps, exaggeration)
    return positions


def _near_nodes(graph: sparse.csr_array, start: Floats, rng: np.random.Generator) -> Floats:
    """Rows near the nodes that their neighbours belong to; few rows are nodes themselves."""
    n = len(start)
    n_nodes = min(MOST_NODES, n // ROWS_OF_NODE)
    if n_nodes < FEWEST_NODES:
        return map_nodes(graph, start, rng)
    node_of = grouped(graph, n_nodes)
    members = one_hot(node_of, int(node_of.max()) + 1, graph.dtype)
    means = (members.T @ start) / members.sum(axis=0)[:, np.newaxis]
    nodes = map_nodes(group_ties(graph, members), means, rng)
    around: Floats = (graph @ nodes[node_of]) / graph.sum(axis=1)[:, np.newaxis]
    return around + SCATTER * rng.standard_normal(around.shape, dtype=np.float32)


def _with_gathered_strays(positions: Floats, neighbors: Integers) -> Floats:
    """Positions in which rows far from their neighbours lie where most of these are, not between clusters."""
    strays = np.flatnonzero(closeness_of_neighbors(positions, neighbors) < STRAY)
    if len(strays) == 0:
        return positions
    gathered = positions.copy()
    near = neighbors[strays]
    gathered[strays] = place(positions, near, np.ones(near.shape, np.float32))
    return gathered
