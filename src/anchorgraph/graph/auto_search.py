"""The automatic choice between the searches."""

from __future__ import annotations

from dataclasses import dataclass

from anchorgraph.contracts import Anchors, NearestAnchors, Search
from anchorgraph.graph.cells import n_cells, n_groups, n_near
from anchorgraph.graph.exact import ExactSearch
from anchorgraph.graph.tree_search import TOP_PLANES, TreeSearch, n_candidates

AFFORDABLE = 2**35
"""Number of operations up to which the search is always exact (about a second on two cores; a few seconds if the rows
are sparse, of which only stored entries are multiplied)."""

SCORE_COST = 32
"""Writing a score and selecting the largest ones takes about as long as this number of multiplications."""


@dataclass(frozen=True)
class AutoSearch:
    """Exact search, unless a tree search is much cheaper (``search="auto"``).

    The tree is used if the anchors come with a tree, an exact search would take more than :data:`AFFORDABLE`
    operations in total, and the tree takes at most half of them. To compare a row with a point in d coordinates takes
    d + :data:`SCORE_COST` operations.
    """

    def prepare(self, anchors: Anchors, k: int, n_rows: int) -> NearestAnchors:
        """Prepare the search for up to ``k`` of these anchors, for about ``n_rows`` rows without zeros."""
        n_anchors, n_cols = anchors.points.shape
        exact = exact_cost(n_anchors, n_cols)
        is_dear = n_rows * exact > AFFORDABLE and 2 * tree_cost(n_anchors, n_cols, k) <= exact
        search: Search = TreeSearch() if anchors.tree is not None and is_dear else ExactSearch()
        return search.prepare(anchors, k, n_rows)


def exact_cost(n_anchors: int, n_cols: int) -> int:
    """About how many operations an exact search takes for each row."""
    return n_anchors * (n_cols + SCORE_COST)


def tree_cost(n_anchors: int, n_cols: int, k: int) -> int:
    """About how many operations a tree search takes for each row."""
    n_axes, cells = min(TOP_PLANES, n_cols), n_cells(n_anchors, n_cols)
    in_few_coordinates = (n_groups(cells) + n_near(cells)) * (n_axes + SCORE_COST)
    return n_axes * n_cols + in_few_coordinates + n_candidates(n_anchors, n_cols, k) * (n_cols + SCORE_COST)


SEARCHES: dict[str, Search] = {"auto": AutoSearch(), "exact": ExactSearch(), "tree": TreeSearch()}
