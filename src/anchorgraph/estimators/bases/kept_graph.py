"""Fields of an anchor graph in a model file, for methods that connect new rows to their anchors."""

from __future__ import annotations

import numpy as np

from anchorgraph.anchors import BKHKAnchors, HKAnchors, KMeansAnchors, RandomAnchors
from anchorgraph.estimators.bases.fields import (
    TINY,
    Derived,
    Either,
    Field,
    Floats,
    Integer,
    Integers,
    Number,
    Optional,
    Plain,
    Record,
    Size,
)
from anchorgraph.estimators.bases.typicality import Typicality
from anchorgraph.graph import (
    MOST_CELLS,
    Adaptive,
    AllAnchors,
    AnchorGraphMap,
    AnchorsOfCells,
    AutoSearch,
    ExactSearch,
    Gaussian,
    Inverse,
    SelfTuning,
    TreeSearch,
    cells_along,
)
from anchorgraph.numerics.distances import CentredPoints


def _too_narrow(weighting: SelfTuning) -> str | None:
    narrowest = np.min(np.asarray(weighting.scales))
    return None if narrowest > TINY else f"has a scale of {narrowest:.2g}"


def _weightings(*words: str, self_tuning: Record) -> Either:
    """The field of a weighting whose bandwidth is a number or one of these words."""
    return Either(
        {
            "adaptive": Record(Adaptive, {}),
            "gaussian": Record(Gaussian, {"sigma": Number(above=TINY, words=words)}),
            "inverse": Record(Inverse, {"r": Number(above=1)}),
            "self-tuning": self_tuning,
        }
    )


WEIGHTING = _weightings("local", "mean", self_tuning=Record(SelfTuning, {}))
"""A weighting as a parameter; scales are learnt in ``fit``."""

RESOLVED_WEIGHTING = _weightings(
    "local", self_tuning=Record(SelfTuning, {"scales": Floats("m", double=True)}, _too_narrow)
)


def _other_cells(search: AnchorsOfCells) -> str | None:
    n_lists, n_most = len(search.candidates), min(len(search.anchors.points), MOST_CELLS)
    return None if n_lists <= n_most else f"has candidates for {n_lists} cells, but at most {n_most} cells"


def too_few(graph: AnchorGraphMap) -> str | None:
    """What is wrong with a graph from a model file, as the end of a sentence, or None."""
    n_wanted, search = graph.n_neighbors + graph.weighting.n_extra, graph.search
    n_seen = search.candidates.shape[1] if isinstance(search, AnchorsOfCells) else graph.n_anchors
    return f"connects a row to {n_wanted} of {n_seen} anchors" if n_wanted > n_seen else None


def search_among(points: str, columns: str = "d") -> Either:
    """The field of a search among the anchors that the field ``points`` has, in so many columns."""
    all_anchors: dict[str, Field] = {"anchors": Derived(CentredPoints.of, (points,))}
    near_anchors: dict[str, Field] = {
        "axes": Floats(f"{columns} r"),
        "candidates": Integers("e k", below="m"),
        "cells": Derived(cells_along, ("anchors", "axes", "candidates")),
    }
    return Either(
        {
            "exact": Record(AllAnchors, all_anchors),
            "tree": Record(AnchorsOfCells, all_anchors | near_anchors, _other_cells),
        }
    )


def _unusable(typicality: Typicality) -> str | None:
    search = typicality.search
    n_seen = search.candidates.shape[1] if isinstance(search, AnchorsOfCells) else len(typicality.scales)
    if typicality.n_neighbors > n_seen:
        return f"compares a row with {typicality.n_neighbors} of {n_seen} anchors"
    least = typicality.scales.min()
    return None if least > TINY else f"has a scale of {least:.2g}"


SCALES = Floats("m", double=True)


def typicality_of(points: str) -> Record:
    """The field of scores by the distances to the anchors that the field ``points`` has, if no graph is kept."""
    return Record(Typicality, {"search": search_among(points), "n_neighbors": Integer(), "scales": SCALES}, _unusable)


KEPT_GRAPH: dict[str, Field] = {
    "_graph": Record(
        AnchorGraphMap,
        {
            "n_neighbors": Integer(),
            "search": search_among("anchors_"),
            "weighting": Derived(lambda weighting: weighting, ("weighting_",)),
            "n_anchors": Size("m"),
        },
        too_few,
    ),
    "search_": Derived(lambda graph: graph.search.name, ("_graph",)),
    "_typicality": Record(
        Typicality,
        {
            "search": Derived(lambda graph: graph.search, ("_graph",)),
            "n_neighbors": Derived(lambda graph: graph.n_neighbors, ("_graph",)),
            "scales": SCALES,
        },
        _unusable,
    ),
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
SAVED_CHOICES: dict[str, Plain] = {
    "anchors": Plain(array=Floats("a d"), record=SELECTOR),
    "weighting": Plain(record=WEIGHTING),
    "search": Plain(
        record=Either(
            {"auto": Record(AutoSearch, {}), "exact": Record(ExactSearch, {}), "tree": Record(TreeSearch, {})}
        )
    ),
}
"""The parameters of an anchor graph that can be objects."""
