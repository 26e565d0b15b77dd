"""What is done to the rows of an embedding before they are rounded."""

from __future__ import annotations

from sklearn.preprocessing import normalize

from anchorgraph.contracts import Floats


def to_unit_length(rows: Floats) -> Floats:
    """Rows scaled to unit length, so that only their directions matter (Ng, Jordan and Weiss 2001). Zero rows stay."""
    scaled: Floats = normalize(rows)
    return scaled


def identity(rows: Floats) -> Floats:
    """The rows unchanged."""
    return rows
