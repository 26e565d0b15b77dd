"""A few points that stand for a table. A selector is a function ``(table, n_anchors, *, seed, n_jobs) -> Anchors``."""

from anchorgraph.anchors.bkhk import grow_bkhk, select_bkhk
from anchorgraph.anchors.given import given
from anchorgraph.anchors.hierarchical import select_hk
from anchorgraph.anchors.kmeans import select_kmeans
from anchorgraph.anchors.random import select_random
from anchorgraph.anchors.route import route

SELECTORS = {"bkhk": select_bkhk, "hk": select_hk, "kmeans": select_kmeans, "random": select_random}

__all__ = ["SELECTORS", "given", "grow_bkhk", "route"]
