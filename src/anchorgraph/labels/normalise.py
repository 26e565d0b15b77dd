"""What is done to the rows of an embedding before they are rounded.

Rows of unit length have only a direction (Ng, Jordan and Weiss 2001).
"""

from __future__ import annotations

from anchorgraph.contracts import Floats
from anchorgraph.numerics.unit_rows import to_unit_length

__all__ = ["identity", "to_unit_length"]


def identity(rows: Floats) -> Floats:
    """The rows unchanged."""
    return rows
