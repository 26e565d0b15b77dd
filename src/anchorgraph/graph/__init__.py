"""Rows connected to their nearest anchors (the rows of Z), or to their nearest other rows."""

from anchorgraph.graph.anchor_graph import AnchorGraphMap, connect
from anchorgraph.graph.auto_search import SEARCHES, AutoSearch
from anchorgraph.graph.cells import MOST_CELLS
from anchorgraph.graph.codes import code_graph, sparse_codes
from anchorgraph.graph.compare import nearest_of_all
from anchorgraph.graph.exact import AllAnchors, ExactSearch
from anchorgraph.graph.given_graph import GivenGraph
from anchorgraph.graph.given_neighbors import GIVEN_METRICS, GivenIndex, nearest_first, ties_of_near, up_to_farthest
from anchorgraph.graph.leaves import Leaves
from anchorgraph.graph.nearest_rows import leaf_rows, nearest_rows
from anchorgraph.graph.neighbors import nearest_ties, neighbor_graph, ties_of_new_rows
from anchorgraph.graph.row_index import RowIndex, unsearchable
from anchorgraph.graph.row_ties import (
    KINDS,
    fuzzy_weights,
    mutual_share,
    reciprocal_ties,
    symmetric_distances,
    ties,
    ties_both_ways,
)
from anchorgraph.graph.tree_search import AnchorsOfCells, TreeSearch, cells_along
from anchorgraph.graph.weightings import WEIGHTINGS, Adaptive, Gaussian, Inverse, SelfTuning

__all__ = [
    "GIVEN_METRICS",
    "KINDS",
    "MOST_CELLS",
    "SEARCHES",
    "WEIGHTINGS",
    "Adaptive",
    "AllAnchors",
    "AnchorGraphMap",
    "AnchorsOfCells",
    "AutoSearch",
    "ExactSearch",
    "Gaussian",
    "GivenGraph",
    "GivenIndex",
    "Inverse",
    "Leaves",
    "RowIndex",
    "SelfTuning",
    "TreeSearch",
    "cells_along",
    "code_graph",
    "connect",
    "fuzzy_weights",
    "leaf_rows",
    "mutual_share",
    "nearest_first",
    "nearest_of_all",
    "nearest_rows",
    "nearest_ties",
    "neighbor_graph",
    "reciprocal_ties",
    "sparse_codes",
    "symmetric_distances",
    "ties",
    "ties_both_ways",
    "ties_of_near",
    "ties_of_new_rows",
    "unsearchable",
    "up_to_farthest",
]
