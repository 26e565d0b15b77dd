"""The choice between the searches."""

from __future__ import annotations

from dataclasses import dataclass

from anchorgraph.graph.exact import ExactSearch
from anchorgraph.graph.tree_search import MOST_CELLS, TOP_PLANES, TreeSearch, n_candidates

AFFORDABLE = 2**35
"""Multiplications that an exact search may always take (about a second on two cores)."""


@dataclass(frozen=True)
class AutoSearch:
    """Exact, unless a tree takes much less (``search="auto"``).

    That is, unless the anchors come with a tree, all n·m·d multiplications together are more than :data:`AFFORDABLE`,
    and the tree takes at most a third of them.
    """

    def prepare(self, anchors, k, n_rows):
        """The search for up to ``k`` of these anchors."""
        n_anchors, n_cols = anchors.points.shape
        exact, n_axes = n_anchors * n_cols, min(TOP_PLANES, n_cols)
        tree = n_axes * n_cols + min(MOST_CELLS, n_anchors) * n_axes + n_candidates(n_anchors, 0) * n_cols
        is_tree = anchors.tree is not None and n_rows * exact > AFFORDABLE and 3 * tree <= exact
        return (TreeSearch() if is_tree else ExactSearch()).prepare(anchors, k, n_rows)


SEARCHES = {"auto": AutoSearch(), "exact": ExactSearch(), "tree": TreeSearch()}
