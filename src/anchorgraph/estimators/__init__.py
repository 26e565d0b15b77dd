"""One file a method. ``fit`` is the only place where two stages meet, and reads like the paper's algorithm."""

from anchorgraph.estimators.anchor_graph import AnchorGraph
from anchorgraph.estimators.bkhk import BKHK

__all__ = ["BKHK", "AnchorGraph"]
