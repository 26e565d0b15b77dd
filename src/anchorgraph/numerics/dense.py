"""Small results of products, whatever their factors were."""

from __future__ import annotations

from typing import Any

from scipy import sparse

from anchorgraph.contracts import Floats


def dense(matrix: Any) -> Floats:
    """The same matrix as an ndarray."""
    filled: Floats = matrix.toarray() if sparse.issparse(matrix) else matrix
    return filled
