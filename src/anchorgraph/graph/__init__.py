"""Rows of Z: each row of the data tied to its nearest anchors."""

from anchorgraph.graph.anchor_graph import AnchorGraphMap, choose_search, connect
from anchorgraph.graph.weightings import WEIGHTINGS, Adaptive, Gaussian, Inverse

__all__ = ["WEIGHTINGS", "Adaptive", "AnchorGraphMap", "Gaussian", "Inverse", "choose_search", "connect"]
