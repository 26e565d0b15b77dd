"""Types of parameters that several methods have."""

from __future__ import annotations

from os import PathLike
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from anchorgraph.contracts import AnchorSelector, Rounding, Search, Weighting


class CentreClusterer(Protocol):
    """A clusterer in the style of scikit-learn that has ``cluster_centers_`` after ``fit``."""

    def fit(self, X: Any, /) -> Any:
        """Find the centres."""


AnchorsParameter: TypeAlias = Literal["bkhk", "hk", "kmeans", "random"] | AnchorSelector | ArrayLike | CentreClusterer
"""How anchors are selected, or the anchors themselves."""

WeightingParameter: TypeAlias = Literal["adaptive", "gaussian", "inverse"] | Weighting

SearchParameter: TypeAlias = Literal["auto", "exact", "tree"] | Search

RoundingParameter: TypeAlias = Literal["kmeans", "rotation", "qr"] | Rounding

Bandwidth: TypeAlias = float | Literal["mean"]
"""Of Gaussian weights between rows."""

RandomState: TypeAlias = int | np.random.RandomState | None

OutputPath: TypeAlias = str | PathLike[str] | None
"""The file or folder that results are written to; with ``None`` they are returned."""
