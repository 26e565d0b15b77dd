"""Parameters that several methods have: their types, and the choices that names stand for."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from anchorgraph.contracts import AnchorSelector, Rounding, Search, Weighting
from anchorgraph.urls import quoted


class CentreClusterer(Protocol):
    """A clusterer in the style of scikit-learn that has ``cluster_centers_`` after ``fit``."""

    def fit(self, X: Any, /) -> Any:
        """Find the centres."""


AnchorsParameter: TypeAlias = Literal["bkhk", "hk", "kmeans", "random"] | AnchorSelector | ArrayLike | CentreClusterer
"""How anchors are selected, or the anchors themselves."""

WeightingParameter: TypeAlias = Literal["adaptive", "gaussian", "inverse", "self-tuning"] | Weighting

SearchParameter: TypeAlias = Literal["auto", "exact", "tree"] | Search

RoundingParameter: TypeAlias = Literal["kmeans", "rotation", "qr"] | Rounding

MetricParameter: TypeAlias = Literal["euclidean", "cosine"]

GraphMetricParameter: TypeAlias = Literal["euclidean", "cosine", "precomputed"]
"""Of methods that need nothing but the graph: with ``"precomputed"``, X is Z."""

RowGraphMetricParameter: TypeAlias = Literal["euclidean", "cosine", "precomputed", "affinity"]
"""Of methods that need nothing but the graph of nearest rows: X can be its distances, or its ties."""

MissingParameter: TypeAlias = Literal["error", "mask"]

PartsParameter: TypeAlias = Literal["join", "literal"]
"""What is done about a graph with more unconnected parts than clusters."""

Bandwidth: TypeAlias = float | Literal["mean"]
"""Of Gaussian weights between rows."""

RandomState: TypeAlias = int | np.random.RandomState | None

OutputPath: TypeAlias = str | PathLike[str] | None
"""The file or folder that results are written to; with ``None`` they are returned."""

MEMBERS: dict[str, tuple[str, ...]] = {
    "anchors": ("select",),
    "weighting": ("n_extra", "resolve", "weights"),
    "search": ("prepare",),
    "rounding": ("round",),
}
"""What an object must have, by the parameter that it is passed as: the members of its Protocol."""


def choice(name: str, value: Any, known: Mapping[str, Any]) -> Any:
    """The object that the value of a parameter stands for.

    Parameters
    ----------
    name : str
        Name of the parameter.
    value : str or object
        One of the names, or an object with the method that this parameter requires.
    known : mapping
        Objects with default options, by name.

    Returns
    -------
    object
    """
    if isinstance(value, str) and value in known:
        return known[value]
    members = MEMBERS[name]
    if isinstance(value, str | type) or not all(hasattr(value, member) for member in members):
        names = ", ".join(map(repr, known))
        raise ValueError(
            f"{name} must be one of {names}, or an object with {' and '.join(members)}; got {quoted(value)}."
        )
    return value
