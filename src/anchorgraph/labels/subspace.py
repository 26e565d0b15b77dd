"""Clusters as subspaces: the class of a sample whose rows rebuild a row best (SSSC)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from anchorgraph.contracts import Floats, Integers
from anchorgraph.numerics.dense import dense


@dataclass(frozen=True)
class SubspaceClasses:
    """Classes of a sample S, of which any row x takes that of least ``‖x - S_cᵀa_c‖/‖a_c‖`` for ``a = (SSᵀ + δI)⁻¹Sx``.

    Attributes
    ----------
    rows : (l, d) Block, of unit length
        S.
    labels : (l,) integers
    coder : (l, l) floats
        ``(SSᵀ + δI)⁻¹``.
    products : (l, l) floats
        ``SSᵀ``.
    """

    rows: Floats
    labels: Integers
    coder: Floats
    products: Floats

    @classmethod
    def of(cls, rows, labels, ridge):
        products = dense(rows @ rows.T).astype(np.float64)
        coder = cho_solve(cho_factor(products + ridge * np.eye(len(products))), np.eye(len(products)))
        return cls(rows, labels, coder, products)

    def residuals(self, block):
        """(b, c) ``‖x - S_cᵀa_c‖² / ‖a_c‖²`` of rows of unit length."""
        along = dense(block @ self.rows.T).astype(np.float64)  # Sx
        codes = along @ self.coder
        found = np.empty((along.shape[0], self.labels.max() + 1))
        for c in range(found.shape[1]):
            own = self.labels == c
            a = codes[:, own]
            rebuilt = np.einsum("bi,bi->b", a @ self.products[np.ix_(own, own)], a)
            left = 1 - 2 * np.einsum("bi,bi->b", a, along[:, own]) + rebuilt  # ‖x‖ = 1
            size = np.einsum("bi,bi->b", a, a)
            found[:, c] = np.divide(np.maximum(left, 0), size, out=np.full(len(a), np.inf), where=size > 0)
        return found
