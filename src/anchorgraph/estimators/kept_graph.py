"""What a model file holds of an anchor graph, for methods that tie new rows to their anchors."""

from __future__ import annotations

from anchorgraph.estimators.fields import TINY, Derived, Either, Floats, Integer, Integers, Number, Record
from anchorgraph.graph import Adaptive, AnchorGraphMap, ExactSearch, Gaussian, Inverse, TreeSearch, cells_along
from anchorgraph.numerics.distances import CentredPoints
from anchorgraph.numerics.threads import resolve_n_jobs


def weighting_field(*words):
    """A weighting whose bandwidth is a number or one of these words."""
    return Either(
        {
            "adaptive": Record(Adaptive, {}),
            "gaussian": Record(Gaussian, {"sigma": Number(above=TINY, words=words)}),
            "inverse": Record(Inverse, {"r": Number(above=1)}),
        }
    )


def _other_cells(search):
    return None if len(search.candidates) == search.cells.shape[1] else "has another number of cells than its anchors"


def _too_few(graph):
    n_wanted = graph.n_neighbors + graph.weighting.n_extra
    is_tree = isinstance(graph.search, TreeSearch)
    n_seen = graph.search.candidates.shape[1] if is_tree else len(graph.search.anchors.points)
    return f"ties a row to {n_wanted} of {n_seen} anchors" if n_wanted > n_seen else None


ALL_ANCHORS = {
    "anchors": Derived(CentredPoints.of, ("anchors_",)),
    "n_jobs": Derived(lambda: resolve_n_jobs(None)),  # of the machine that reads the file
}
NEAR_ANCHORS = {
    "axes": Floats("d r"),
    "candidates": Integers("e k", below="m"),
    "cells": Derived(cells_along, ("anchors", "axes")),
}
SEARCH = Either(
    {"exact": Record(ExactSearch, ALL_ANCHORS), "tree": Record(TreeSearch, ALL_ANCHORS | NEAR_ANCHORS, _other_cells)}
)
KEPT_GRAPH = {
    "_graph": Record(
        AnchorGraphMap,
        {
            "n_neighbors": Integer(),
            "search": SEARCH,
            "weighting": Derived(lambda weighting: weighting, ("weighting_",)),
        },
        _too_few,
    ),
    "search_": Derived(lambda graph: graph.search.name, ("_graph",)),
}
