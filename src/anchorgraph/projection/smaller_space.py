"""The space spanned by n rows with d > n columns, and checks of its dimension."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.linalg import eigh

from anchorgraph.contracts import Block, Floats
from anchorgraph.numerics.blocks import dense
from anchorgraph.table import count


def centred_products(rows: Block, weights: Floats | None = None) -> Floats:
    """``HXXᵀH``: the products of centred rows, computed without centring the rows, so that sparse rows stay sparse.

    Parameters
    ----------
    rows : (n, d) Block, float64
    weights : (n,) floats, optional
        The rows are centred about their weighted mean.

    Returns
    -------
    (n, n) floats
    """
    products = dense(rows @ rows.T)
    products -= np.average(products, axis=0, weights=weights)
    products -= np.average(products, axis=1, weights=weights)[:, np.newaxis]
    return products


def check_rank(n_components: int, rank: int) -> None:
    """Raise an error for more components than the dimension of the space that the rows span."""
    if not rank:
        raise ValueError(
            "All rows of X are equal, or differ only by rounding errors, so that no direction can be learned; pass "
            "rows that differ."
        )
    if n_components > rank:
        raise ValueError(
            f"n_components={n_components} is more than the {count(rank, 'dimension')} that the rows span; use at most "
            f"{rank}."
        )


def rounding_error(gram: Any) -> float:
    """Bound on the rounding error of the eigenvalues of a positive semi-definite matrix, dense or sparse."""
    bound: float = gram.shape[0] * np.finfo(np.float64).eps * gram.trace()
    return bound


def row_space(rows: Block, weights: Floats | None = None) -> tuple[Floats, Floats]:
    """Coordinates of the centred rows in their span, and a basis of it: ``HX = coordinates @ basis.T``.

    Parameters
    ----------
    rows : (n, d) Block, float64
    weights : (n,) floats, optional
        The rows are centred about their weighted mean.

    Returns
    -------
    coordinates : (n, r) floats
    basis : (d, r) floats, orthonormal columns
    """
    values, vectors = eigh(centred_products(rows, weights))
    kept = values > max(rows.shape) * np.finfo(np.float64).eps * values[-1]
    check_rank(1, int(np.count_nonzero(kept)))
    lengths = np.sqrt(values[kept])
    vectors = vectors[:, kept]
    factors = vectors / lengths
    if weights is not None:
        factors -= np.outer(weights / weights.sum(), factors.sum(axis=0))  # centres sparse rows; is 0 without weights
    return vectors * lengths, rows.T @ factors
