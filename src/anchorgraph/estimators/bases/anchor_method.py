"""What all methods on an anchor graph share: their parameters, and the way from data to anchors and their graph."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from anchorgraph.anchors import SELECTORS, given
from anchorgraph.estimators.bases.choices import choice
from anchorgraph.estimators.bases.fields import Floats, Size, Text
from anchorgraph.estimators.bases.inputs import bandwidth_rng, resolve_n_anchors
from anchorgraph.estimators.bases.kept_graph import SAVED_CHOICES, weighting_field
from anchorgraph.estimators.bases.method import Method
from anchorgraph.graph import SEARCHES, WEIGHTINGS, connect
from anchorgraph.numerics.checks import check_integer
from anchorgraph.numerics.progress import stage


class AnchorMethod(Method):
    """Base of the estimators that work on an anchor graph."""

    saved: ClassVar = {
        "anchors_": Floats("m d"),
        "n_anchors_": Size("m"),
        "weighting_": weighting_field("local"),
        "search_": Text(("exact", "tree")),
    }
    saved_parameters: ClassVar = SAVED_CHOICES

    def _parameters_to_save(self):
        """A clusterer is saved as the anchors that it gave."""
        parameters = super()._parameters_to_save()
        if self._selector() is None:
            parameters["anchors"] = self.anchors_ if hasattr(self.anchors, "fit") else np.asarray(self.anchors, float)
        return parameters

    def _select_anchors(self, table, seed):
        """The anchors of a table, by a selector or as given."""
        check_integer("n_neighbors", self.n_neighbors)
        self._search()  # what is wrong with these is said before any work is done
        self._weighting()
        selector = self._selector()
        if selector is None:
            anchors = given(self.anchors, table)
            if self.n_anchors not in (None, len(anchors.points)):
                raise ValueError(
                    f"n_anchors={self.n_anchors} contradicts the {len(anchors.points)} anchors that were given; "
                    "leave it None."
                )
        else:
            if self.n_anchors is None:
                self._check_neighbors(table.n_rows, "rows")
            at_least = max(self.n_neighbors, getattr(self, "n_clusters", None) or 0) + 1
            n_anchors = resolve_n_anchors(self.n_anchors, table.n_rows, at_least=min(at_least, table.n_rows))
            self._check_neighbors(n_anchors, "anchors")
            anchors = selector.select(table, n_anchors, seed)
        self._check_neighbors(len(anchors.points), "different anchors")
        self.anchors_, self.n_anchors_ = anchors.points, len(anchors.points)
        return anchors

    def _connect(self, anchors, table, seed):
        """The graph between the rows of a table and its anchors, as a row map."""
        graph = connect(
            anchors,
            n_neighbors=self.n_neighbors,
            weighting=self._weighting().resolve(table, bandwidth_rng(seed)),
            search=self._search(),
            n_rows=table.n_rows,
        )
        self.weighting_, self.search_ = graph.weighting, graph.search.name
        return graph

    def _selector(self):
        """How anchors are found, or ``None`` where they are given."""
        if isinstance(self.anchors, str | type):
            return choice("anchors", self.anchors, SELECTORS)
        return self.anchors if hasattr(self.anchors, "select") else None

    def _weighting(self):
        return choice("weighting", self.weighting, WEIGHTINGS)

    def _search(self):
        return choice("search", self.search, SEARCHES)

    def _check_neighbors(self, n_there, what):
        if self.n_neighbors >= n_there:
            way_out = (
                f"use at most {n_there - 1}, or more {what}" if n_there > 1 else f"there must be at least 2 {what}"
            )
            raise ValueError(f"n_neighbors={self.n_neighbors} is too many for {n_there} {what}; {way_out}.")


@stage("graph")
def tie_rows(table, graph):
    """Rows of Z for the rows of a table, kept for several passes."""
    return table.keep(graph)
