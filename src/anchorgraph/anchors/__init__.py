"""A few points that stand for a table. A selector is a function ``(table, n_anchors, *, seed, n_jobs) -> Anchors``."""

from anchorgraph.anchors.bkhk import grow_bkhk, select_bkhk
from anchorgraph.anchors.gaussian_parts import count_gaussian_parts
from anchorgraph.anchors.given import given
from anchorgraph.anchors.hierarchical import select_hk
from anchorgraph.anchors.kmeans import select_kmeans
from anchorgraph.anchors.per_class import select_per_class
from anchorgraph.anchors.random import select_random
from anchorgraph.anchors.route import route, unroutable
from anchorgraph.anchors.sample import grow_on_sample

SELECTORS = {"bkhk": select_bkhk, "hk": select_hk, "kmeans": select_kmeans, "random": select_random}

__all__ = [
    "SELECTORS",
    "count_gaussian_parts",
    "given",
    "grow_bkhk",
    "grow_on_sample",
    "route",
    "select_per_class",
    "unroutable",
]
