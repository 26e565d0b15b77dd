"""Rows of Z: each row of the data connected to its nearest anchors. For baselines, rows connected to nearest rows."""

from anchorgraph.graph.anchor_graph import AnchorGraphMap, connect
from anchorgraph.graph.auto_search import SEARCHES, AutoSearch
from anchorgraph.graph.codes import code_graph, sparse_codes
from anchorgraph.graph.exact import AllAnchors, ExactSearch
from anchorgraph.graph.neighbors import nearest_ties, neighbor_graph, ties_of_new_rows
from anchorgraph.graph.tree_search import AnchorsOfCells, TreeSearch, cells_along
from anchorgraph.graph.weightings import WEIGHTINGS, Adaptive, Gaussian, Inverse

__all__ = [
    "SEARCHES",
    "WEIGHTINGS",
    "Adaptive",
    "AllAnchors",
    "AnchorGraphMap",
    "AnchorsOfCells",
    "AutoSearch",
    "ExactSearch",
    "Gaussian",
    "Inverse",
    "TreeSearch",
    "cells_along",
    "code_graph",
    "connect",
    "nearest_ties",
    "neighbor_graph",
    "sparse_codes",
    "ties_of_new_rows",
]
