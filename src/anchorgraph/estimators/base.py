"""What all methods on an anchor graph share: their parameters, and the way from data to anchors and their graph."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from anchorgraph.anchors import SELECTORS, given
from anchorgraph.estimators.fields import Floats, Plain, Size, Text
from anchorgraph.estimators.inputs import check_choice, check_count, draw_seed, resolve_n_anchors
from anchorgraph.estimators.kept_graph import weighting_field
from anchorgraph.estimators.method import Method
from anchorgraph.graph import WEIGHTINGS, Adaptive, Gaussian, Inverse, choose_search, connect
from anchorgraph.numerics.threads import resolve_n_jobs


class AnchorMethod(Method):
    """Base of the estimators that work on an anchor graph."""

    saved: ClassVar = {
        "anchors_": Floats("m d"),
        "n_anchors_": Size("m"),
        "weighting_": weighting_field("local"),
        "search_": Text(("exact", "tree")),
    }
    saved_parameters: ClassVar = {
        "anchors": Plain(array=Floats("a d")),
        "weighting": Plain(record=weighting_field("local", "mean")),
    }

    def _parameters_to_save(self):
        """A clusterer is saved as the anchors that it gave."""
        parameters = super()._parameters_to_save()
        if not isinstance(self.anchors, str):
            parameters["anchors"] = self.anchors_ if hasattr(self.anchors, "fit") else np.asarray(self.anchors, float)
        return parameters

    def _fit_graph(self, table):
        """Find anchors for a table, remember them, and return the graph that ties rows to them as a row map."""
        seed = draw_seed(self.random_state)
        anchors = self._select_anchors(table, seed)
        graph = self._connect(anchors, table, seed)
        self.anchors_ = anchors.points
        self.n_anchors_ = len(anchors.points)
        self.weighting_ = graph.weighting
        self.search_ = graph.search.name
        return graph

    def _select_anchors(self, table, seed):
        """The anchors of a table, by a selector's name or as given."""
        check_count("n_neighbors", self.n_neighbors)
        check_choice("search", self.search, ("auto", "exact", "tree"))
        self._weighting()  # what is wrong with it is said before any work is done
        if isinstance(self.anchors, str):
            check_choice("anchors", self.anchors, SELECTORS)
            if self.n_anchors is None:
                self._check_neighbors(table.n_rows, "rows")
            at_least = max(self.n_neighbors, self._n_parts_wanted()) + 1
            n_anchors = resolve_n_anchors(self.n_anchors, table.n_rows, at_least=min(at_least, table.n_rows))
            self._check_neighbors(n_anchors, "anchors")
            anchors = SELECTORS[self.anchors](table, n_anchors, seed=seed, n_jobs=resolve_n_jobs(self.n_jobs))
        else:
            anchors = given(self.anchors, table)
            if self.n_anchors not in (None, len(anchors.points)):
                raise ValueError(
                    f"n_anchors={self.n_anchors} contradicts the {len(anchors.points)} anchors that were given; "
                    "leave it None."
                )
        self._check_neighbors(len(anchors.points), "different anchors")
        return anchors

    def _n_parts_wanted(self):
        """Clusters that the anchors must tell apart."""
        return getattr(self, "n_clusters", None) or 0

    def _connect(self, anchors, table, seed):
        """The graph between the rows of a table and its anchors, as a row map."""
        return connect(
            anchors,
            n_neighbors=self.n_neighbors,
            weighting=self._weighting().resolve(table, np.random.default_rng(seed)),
            search=choose_search(self.search, anchors, table.n_rows),
            n_jobs=resolve_n_jobs(self.n_jobs),
        )

    def _weighting(self):
        if isinstance(self.weighting, str):
            check_choice("weighting", self.weighting, WEIGHTINGS)
            return WEIGHTINGS[self.weighting]
        if not isinstance(self.weighting, Adaptive | Gaussian | Inverse):
            raise ValueError(
                f"weighting={self.weighting!r} is not known; pass one of {', '.join(map(repr, WEIGHTINGS))}, "
                "or an instance of Adaptive, Gaussian or Inverse."
            )
        return self.weighting

    def _check_neighbors(self, n_there, what):
        if self.n_neighbors >= n_there:
            way_out = (
                f"use at most {n_there - 1}, or more {what}" if n_there > 1 else f"there must be at least 2 {what}"
            )
            raise ValueError(f"n_neighbors={self.n_neighbors} is too many for {n_there} {what}; {way_out}.")
