"""Base of all methods on an anchor graph: their parameters, the selection of anchors, and the graph."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from anchorgraph.anchors import SELECTORS, given
from anchorgraph.contracts import Anchors, AnchorSelector, RowMap, RowTable, Search, SumStep, Weighting
from anchorgraph.contracts import Floats as FloatArray
from anchorgraph.estimators.bases.fields import Field, Floats, Plain, Size, Text
from anchorgraph.estimators.bases.inputs import MOST_ANCHORS, bandwidth_rng, resolve_n_anchors
from anchorgraph.estimators.bases.kept_graph import RESOLVED_WEIGHTING, SAVED_CHOICES, typicality_of
from anchorgraph.estimators.bases.parameters import (
    AnchorsParameter,
    RandomState,
    SearchParameter,
    WeightingParameter,
    choice,
)
from anchorgraph.estimators.bases.scored_method import ScoredMethod
from anchorgraph.estimators.bases.typicality import Typicality
from anchorgraph.graph import SEARCHES, WEIGHTINGS, connect
from anchorgraph.numerics.blocks import n_full_rows
from anchorgraph.numerics.checks import check_integer
from anchorgraph.numerics.progress import stage
from anchorgraph.table import count


class AnchorMethod(ScoredMethod):
    """Base of the estimators that work on an anchor graph."""

    saved: ClassVar[dict[str, Field]] = {
        "anchors_": Floats("m d"),
        "n_anchors_": Size("m"),
        "weighting_": RESOLVED_WEIGHTING,
        "search_": Text(("exact", "tree")),
        "_typicality": typicality_of("anchors_"),
    }
    saved_parameters: ClassVar[dict[str, Plain]] = SAVED_CHOICES

    n_anchors: int | None
    anchors: AnchorsParameter
    n_neighbors: int
    weighting: WeightingParameter
    search: SearchParameter
    random_state: RandomState

    anchors_: FloatArray
    n_anchors_: int
    weighting_: Weighting
    search_: str

    def _parameters_to_save(self) -> dict[str, Any]:
        """The parameters for a model file; in place of a clusterer, the anchors that it found."""
        parameters = super()._parameters_to_save()
        if self._selector() is None:
            parameters["anchors"] = self.anchors_ if hasattr(self.anchors, "fit") else np.asarray(self.anchors, float)
        return parameters

    def _check_graph(self) -> None:
        """Refuse wrong parameters of the graph, before any row is read."""
        check_integer("n_neighbors", self.n_neighbors)
        self._selector()
        self._weighting()
        self._search()

    def _select_anchors(self, table: RowTable, seed: int) -> Anchors:
        """The anchors of a table, selected or as passed by the user."""
        selector = self._selector()
        if selector is None:
            anchors = given(self.anchors, table)
            if self.n_anchors not in (None, len(anchors.points)):
                raise ValueError(
                    f"n_anchors={self.n_anchors} contradicts the {count(len(anchors.points), 'anchor')} passed as "
                    "anchors; leave n_anchors=None."
                )
        else:
            if self.n_anchors is None:
                self._check_neighbors(table.n_positive, "rows")
            at_least = max(self.n_neighbors, getattr(self, "n_clusters", None) or 0) + 1
            n_anchors = resolve_n_anchors(self.n_anchors, table, at_least=min(at_least, table.n_positive))
            self._check_neighbors(n_anchors, "anchors")
            anchors = selector.select(table, n_anchors, seed)
            if self.n_anchors is None and len(anchors.points) < at_least:
                anchors = _select_more(selector, table, anchors, at_least, seed)
        self._check_neighbors(len(anchors.points), "different anchors")
        self.anchors_, self.n_anchors_ = anchors.points, len(anchors.points)
        return anchors

    def _connect(self, anchors: Anchors, table: RowTable, seed: int) -> RowMap:
        """The graph between the rows of a table and its anchors, as a row map."""
        graph = connect(
            anchors,
            n_neighbors=self.n_neighbors,
            weighting=self._weighting().resolve(table, anchors, self.n_neighbors, bandwidth_rng(seed)),
            search=self._search(),
            n_rows=n_full_rows(table),
        )
        self.weighting_, self.search_ = graph.weighting, graph.search.name
        self._typicality = Typicality.of(graph.search, anchors.points, table, self.n_neighbors, seed)
        return graph

    def _selector(self) -> AnchorSelector | None:
        """The object that selects the anchors, or ``None`` if the anchors themselves, or a clusterer, were passed."""
        if isinstance(self.anchors, str | type):
            found: AnchorSelector = choice("anchors", self.anchors, SELECTORS)
            return found
        selector: Any = self.anchors
        is_array = hasattr(selector, "__array__")  # data frames have a method select of their own
        return selector if hasattr(selector, "select") and not is_array else None

    def _weighting(self) -> Weighting:
        found: Weighting = choice("weighting", self.weighting, WEIGHTINGS)
        return found

    def _search(self) -> Search:
        found: Search = choice("search", self.search, SEARCHES)
        return found

    def _check_neighbors(self, n_available: int, what: str) -> None:
        n_spare = max(1, self._weighting().n_extra)
        most = n_available - n_spare
        if self.n_neighbors > most:
            remedy = (
                f"use at most {most}, or more {what}" if most > 0 else f"there must be at least {1 + n_spare} {what}"
            )
            available = count(n_available, what.removesuffix("s"))
            raise ValueError(f"n_neighbors={self.n_neighbors} is too many for {available}; {remedy}.")


def _select_more(selector: AnchorSelector, table: RowTable, anchors: Anchors, at_least: int, seed: int) -> Anchors:
    """At least so many anchors, if there are: trees have fewer leaves than requested where rows are equal."""
    n_distinct, n_requested = table.n_distinct, at_least
    while len(anchors.points) < min(at_least, n_distinct) and n_requested < MOST_ANCHORS:
        n_requested = min(2 * n_requested, n_distinct if n_requested < n_distinct else MOST_ANCHORS)
        anchors = selector.select(table, n_requested, seed)
    return anchors


@stage("graph")
def tie_rows(table: RowTable, graph: RowMap, step: SumStep) -> tuple[RowTable, tuple[Any, ...]]:
    """The rows of Z for the rows of a table, stored for several passes, and sums over both, in one pass.

    ``step(z, block, *weights)`` returns what is added up.
    """
    return table.keep_and_sum(graph, step, *table.weights)


@stage("graph")
def sum_ties(table: RowTable, graph: RowMap, step: SumStep) -> tuple[Any, ...]:
    """The sums of :func:`tie_rows` alone; no row of Z is stored."""
    return table.sum_blocks(lambda block, *weights: step(graph(block), block, *weights), *table.weights)
