"""Where rows lie on the map."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from anchorgraph.contracts import Block, Floats
from anchorgraph.estimators import AnchorMap
from anchorgraph.numerics.blocks import dense
from anchorgraph.plot.fitted import on_arrays
from anchorgraph.report.shown import ShownRows

FEWEST_ROWS = 3
"""Two rows are on a line, wherever a map would put them."""


@dataclass(frozen=True)
class Positions:
    """(n, 2) coordinates, NaN for rows without a place, and a sentence that says what they are."""

    points: Floats
    sentence: str


def positions(model: Any, rows: ShownRows, seed: int) -> Positions:
    """Places of rows on the plane: the model's own, if it makes two coordinates, otherwise a map.

    The map of an embedding of more dimensions is that of the embedded rows.

    Parameters
    ----------
    model : fitted estimator
    rows : ShownRows
    seed : int

    Returns
    -------
    Positions
    """
    compared, what, own = rows.compared, "rows", "The columns of the rows."
    if _makes_coordinates(model):
        compared, what = _embedded(model, rows), "embedded rows"
        own = f"The coordinates of {type(model).__name__}."
    if compared.shape[1] <= 2:
        return Positions(_two_columns(compared), own)
    if len(rows) < FEWEST_ROWS:
        return Positions(_two_columns(compared[:, :2]), f"The first two columns of the {what}.")
    sentence = f"A map of the {what} (AnchorMap): similar rows are close to each other; long distances say little."
    return Positions(AnchorMap(missing="mask", random_state=seed).fit(compared).embedding_.astype(np.float64), sentence)


def _makes_coordinates(model: Any) -> bool:
    """Whether a model is an embedding; the ``transform`` of a clusterer or a graph is not."""
    if hasattr(model, "card"):
        return str(model.card.task) == "embedding"
    return not hasattr(model, "labels_") and (hasattr(model, "transform") or hasattr(model, "embedding_"))


def _embedded(model: Any, rows: ShownRows) -> Floats:
    """(n, p) coordinates of the fit, if the model has kept them, or those of the same rows as new ones."""
    kept = getattr(model, "embedding_", ())
    found = kept[rows.numbers] if len(kept) == rows.n_all else on_arrays(model.transform)(rows.inputs)
    return np.asarray(found, dtype=np.float64)


def _two_columns(coordinates: Block) -> Floats:
    array = dense(coordinates).astype(np.float64)
    return np.pad(array, ((0, 0), (0, 2 - array.shape[1])))
