"""The automatic choice between the searches."""

from __future__ import annotations

from dataclasses import dataclass

from anchorgraph.contracts import Anchors, NearestAnchors, Search
from anchorgraph.graph.exact import ExactSearch
from anchorgraph.graph.tree_search import MOST_CELLS, TOP_PLANES, TreeSearch, n_candidates

AFFORDABLE = 2**35
"""Number of multiplications up to which the search is always exact (about a second on two cores; a few seconds if the
rows are sparse, of which only stored entries are multiplied)."""


@dataclass(frozen=True)
class AutoSearch:
    """Exact search, unless a tree search is much cheaper (``search="auto"``).

    The tree is used if the anchors come with a tree, an exact search would take more than :data:`AFFORDABLE`
    multiplications (n·m·d in total), and the tree takes at most a third of them.
    """

    def prepare(self, anchors: Anchors, k: int, n_rows: int) -> NearestAnchors:
        """Prepare the search for up to ``k`` of these anchors, for about ``n_rows`` rows without zeros."""
        n_anchors, n_cols = anchors.points.shape
        exact, n_axes = n_anchors * n_cols, min(TOP_PLANES, n_cols)
        tree = n_axes * n_cols + min(MOST_CELLS, n_anchors) * n_axes + n_candidates(n_anchors, 0) * n_cols
        is_tree = anchors.tree is not None and n_rows * exact > AFFORDABLE and 3 * tree <= exact
        search: Search = TreeSearch() if is_tree else ExactSearch()
        return search.prepare(anchors, k, n_rows)


SEARCHES: dict[str, Search] = {"auto": AutoSearch(), "exact": ExactSearch(), "tree": TreeSearch()}
