"""What is done to the rows of an embedding before they are rounded."""

from __future__ import annotations

from sklearn.preprocessing import normalize


def to_unit_length(rows):
    """Rows on the unit sphere (Ng, Jordan and Weiss 2001): only directions tell clusters apart. Zero rows stay."""
    return normalize(rows)


def as_they_are(rows):
    """The rows of F themselves."""
    return rows
