"""The map of rows that are tied to their nearest rows, in two levels."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from anchorgraph.contracts import Floats, Integers
from anchorgraph.layout.attraction import Ties
from anchorgraph.layout.descent import settle
from anchorgraph.layout.groups import group_ties, grouped
from anchorgraph.layout.nodes import map_nodes
from anchorgraph.layout.strays import gather_strays
from anchorgraph.numerics.execution import set_execution
from anchorgraph.numerics.groups import sums_by_group
from anchorgraph.numerics.progress import portion, stage

ROWS_OF_GROUP = 16
"""Fewest rows of a group, on average."""

FEWEST_GROUPS, MOST_GROUPS = 256, 2048
"""If there are not more than the fewest, rows are laid out without groups."""

SCATTER = 0.3
"""Standard deviation of rows around the mean of their neighbours' groups."""

ROW_ROUNDS, ROW_STEPS = 3, 15
"""Rounds of steps of rows; after each, strays are gathered."""

EXAGGERATION = 2.0
"""That of rows, at first."""


@stage("map")
def map_rows(graph: sparse.csr_array, neighbors: Integers, start: Floats, seed: int) -> Floats:
    """Positions of rows in a map.

    Groups of near rows are laid out first. Rows begin near their neighbours' groups and are then laid out themselves,
    in few steps.

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
        positions = _near_groups(graph, start, rng)
    ties, exaggeration = Ties.of(graph), EXAGGERATION
    with portion(1, 2):
        for number in range(ROW_ROUNDS):
            with portion(number, ROW_ROUNDS):
                positions, exaggeration = settle(positions, ties, ROW_STEPS, exaggeration)
                with set_execution(progress=None):
                    positions = gather_strays(positions, neighbors)
    return positions


def _near_groups(graph: sparse.csr_array, start: Floats, rng: np.random.Generator) -> Floats:
    """Rows near the groups that their neighbours belong to; few rows are laid out without groups."""
    n_groups = min(MOST_GROUPS, len(start) // ROWS_OF_GROUP)
    if n_groups <= FEWEST_GROUPS:
        return map_nodes(graph, start, rng)
    group_of = grouped(graph, n_groups)
    sums, sizes = sums_by_group(start, group_of, int(group_of.max()) + 1)
    nodes = map_nodes(group_ties(graph, group_of), sums / sizes[:, np.newaxis], rng)
    around: Floats = (graph @ nodes[group_of]) / graph.sum(axis=1)[:, np.newaxis]
    return around + SCATTER * rng.standard_normal(around.shape, dtype=np.float32)
