"""The space that n rows of d > n columns span."""

from __future__ import annotations

import numpy as np
from scipy import sparse
from scipy.linalg import eigh


def centred_products(rows):
    """``HXXᵀH``: the (n, n) products of rows about their mean, which sparse rows are not moved for.

    Parameters
    ----------
    rows : (n, d) Block, float64
    """
    products = rows @ rows.T
    products = products.toarray() if sparse.issparse(products) else products
    products -= products.mean(axis=0)
    products -= products.mean(axis=1, keepdims=True)
    return products


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
    lengths = np.sqrt(values[kept])
    vectors = vectors[:, kept]
    return vectors * lengths, rows.T @ (vectors / lengths)
