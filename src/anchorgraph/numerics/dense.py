"""Results of products as ndarrays, whether the factors were dense or sparse."""

from __future__ import annotations

from typing import Any

from scipy import sparse

from anchorgraph.contracts import Floats


def dense(matrix: Any) -> Floats:
    """The same matrix as an ndarray."""
    array: Floats = matrix.toarray() if sparse.issparse(matrix) else matrix
    return array
