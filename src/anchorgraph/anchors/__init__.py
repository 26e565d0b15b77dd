"""Select a few points that represent a table. A selector is an :class:`~anchorgraph.contracts.AnchorSelector`."""

from anchorgraph.anchors.balance import balance
from anchorgraph.anchors.bkhk import BKHKAnchors, grow_bkhk
from anchorgraph.anchors.cut_tree import cut_tree, leaves_below
from anchorgraph.anchors.gaussian_parts import count_gaussian_parts
from anchorgraph.anchors.given import given
from anchorgraph.anchors.hierarchical import HKAnchors
from anchorgraph.anchors.kmeans import KMeansAnchors
from anchorgraph.anchors.per_class import select_per_class
from anchorgraph.anchors.random import RandomAnchors
from anchorgraph.anchors.route import route, unroutable
from anchorgraph.anchors.sample import grow_on_sample, leaf_step
from anchorgraph.contracts import AnchorSelector

SELECTORS: dict[str, AnchorSelector] = {
    "bkhk": BKHKAnchors(),
    "hk": HKAnchors(),
    "kmeans": KMeansAnchors(),
    "random": RandomAnchors(),
}

__all__ = [
    "SELECTORS",
    "BKHKAnchors",
    "HKAnchors",
    "KMeansAnchors",
    "RandomAnchors",
    "balance",
    "count_gaussian_parts",
    "cut_tree",
    "given",
    "grow_bkhk",
    "grow_on_sample",
    "leaf_step",
    "leaves_below",
    "route",
    "select_per_class",
    "unroutable",
]
