"""Rows of Z: each row of the data tied to its nearest anchors; and for baselines, rows tied to their nearest rows."""

from anchorgraph.graph.anchor_graph import AnchorGraphMap, choose_search, connect
from anchorgraph.graph.exact import ExactSearch
from anchorgraph.graph.neighbors import first_equal, neighbor_graph, ties_of_new_rows
from anchorgraph.graph.tree_search import TreeSearch, cells_along
from anchorgraph.graph.weightings import WEIGHTINGS, Adaptive, Gaussian, Inverse

__all__ = [
    "WEIGHTINGS",
    "Adaptive",
    "AnchorGraphMap",
    "ExactSearch",
    "Gaussian",
    "Inverse",
    "TreeSearch",
    "cells_along",
    "choose_search",
    "connect",
    "first_equal",
    "neighbor_graph",
    "ties_of_new_rows",
]
