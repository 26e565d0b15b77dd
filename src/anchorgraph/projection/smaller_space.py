"""The space that n rows of d > n columns span."""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigh

from anchorgraph.numerics.dense import dense


def centred_products(rows):
    """``HXXᵀH``: the (n, n) products of rows about their mean, which sparse rows are not moved for.

    Parameters
    ----------
    rows : (n, d) Block, float64
    """
    products = dense(rows @ rows.T)
    products -= products.mean(axis=0)
    products -= products.mean(axis=1, keepdims=True)
    return products


def check_rank(n_components, rank):
    """Refuse more components than the rows have dimensions."""
    if not rank:
        raise ValueError(
            "All rows of X are equal, or differ by no more than rounding, so that there is no direction to learn; pass "
            "rows that differ."
        )
    if n_components > rank:
        raise ValueError(
            f"n_components={n_components} is more than the {rank} dimensions that the rows span; use at most {rank}."
        )


def rounding_of(gram):
    """How far rounding may move an eigenvalue of a positive semi-definite matrix."""
    return gram.shape[0] * np.finfo(np.float64).eps * gram.trace()


def row_space(rows):
    """Coordinates of the centred rows in their span, and its basis: ``HX = coordinates @ basis.T``.

    Parameters
    ----------
    rows : (n, d) Block, float64

    Returns
    -------
    coordinates : (n, r) floats
    basis : (d, r) floats, orthonormal columns
    """
    values, vectors = eigh(centred_products(rows))
    kept = values > max(rows.shape) * np.finfo(np.float64).eps * values[-1]
    check_rank(1, np.count_nonzero(kept))
    lengths = np.sqrt(values[kept])
    vectors = vectors[:, kept]
    return vectors * lengths, rows.T @ (vectors / lengths)
