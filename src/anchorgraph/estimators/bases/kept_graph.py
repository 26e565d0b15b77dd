"""What a model file holds of an anchor graph, for methods that tie new rows to their anchors."""

from __future__ import annotations

from anchorgraph.anchors import BKHKAnchors, HKAnchors, KMeansAnchors, RandomAnchors
from anchorgraph.estimators.bases.fields import (
    TINY,
    Derived,
    Either,
    Floats,
    Integer,
    Integers,
    Number,
    Optional,
    Plain,
    Record,
    Size,
)
from anchorgraph.graph import (
    Adaptive,
    AllAnchors,
    AnchorGraphMap,
    AnchorsOfCells,
    AutoSearch,
    ExactSearch,
    Gaussian,
    Inverse,
    TreeSearch,
    cells_along,
)
from anchorgraph.numerics.distances import CentredPoints


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
    is_tree = isinstance(graph.search, AnchorsOfCells)
    n_seen = graph.search.candidates.shape[1] if is_tree else graph.n_anchors
    return f"ties a row to {n_wanted} of {n_seen} anchors" if n_wanted > n_seen else None


ALL_ANCHORS = {"anchors": Derived(CentredPoints.of, ("anchors_",))}
NEAR_ANCHORS = {
    "axes": Floats("d r"),
    "candidates": Integers("e k", below="m"),
    "cells": Derived(cells_along, ("anchors", "axes")),
}
SEARCH = Either(
    {
        "exact": Record(AllAnchors, ALL_ANCHORS),
        "tree": Record(AnchorsOfCells, ALL_ANCHORS | NEAR_ANCHORS, _other_cells),
    }
)
KEPT_GRAPH = {
    "_graph": Record(
        AnchorGraphMap,
        {
            "n_neighbors": Integer(),
            "search": SEARCH,
            "weighting": Derived(lambda weighting: weighting, ("weighting_",)),
            "n_anchors": Size("m"),
        },
        _too_few,
    ),
    "search_": Derived(lambda graph: graph.search.name, ("_graph",)),
}

SELECTOR = Either(
    {
        "bkhk": Record(
            BKHKAnchors,
            {"max_iter": Integer(), "tol": Number(), "max_samples": Optional(Integer(at_least=2, at_most=2**53))},
        ),
        "hk": Record(HKAnchors, {"max_iter": Integer()}),
        "kmeans": Record(KMeansAnchors, {"max_iter": Integer(), "n_init": Integer()}),
        "random": Record(RandomAnchors, {}),
    }
)
SAVED_CHOICES = {
    "anchors": Plain(array=Floats("a d"), record=SELECTOR),
    "weighting": Plain(record=weighting_field("local", "mean")),
    "search": Plain(
        record=Either(
            {"auto": Record(AutoSearch, {}), "exact": Record(ExactSearch, {}), "tree": Record(TreeSearch, {})}
        )
    ),
}
"""The choices of an anchor graph as parameters."""
