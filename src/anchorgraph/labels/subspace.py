"""Clusters as subspaces: the class of a sample whose rows rebuild a row best (SSSC)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from anchorgraph.contracts import Floats, Integers
from anchorgraph.numerics.dense import dense

NOTHING = 1e-12
"""Squared residual of a row of unit length that is no more than rounding."""


def row_products(rows):
    """``SSᵀ`` in float64."""
    exact = rows.astype(np.float64)
    return dense(exact @ exact.T)


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
        exact, gram = rows.astype(np.float64), row_products(rows)
        try:
            coder = cho_solve(cho_factor(gram + ridge * np.eye(len(gram))), np.eye(len(gram)))
        except np.linalg.LinAlgError:
            raise ValueError(
                f"ridge={ridge:g} is too small for anchors that depend on each other; use a larger one, such as 0.01."
            ) from None
        return cls(exact, labels, coder, gram)

    def residuals(self, block):
        """(b, c) ``‖x - S_cᵀa_c‖² / ‖a_c‖²`` of rows of unit length."""
        along = dense(block.astype(np.float64) @ self.rows.T)  # Sx: the coder would multiply float32's rounding
        codes = along @ self.coder
        found = np.empty((along.shape[0], self.labels.max() + 1))
        for c in range(found.shape[1]):
            own = self.labels == c
            a = codes[:, own]
            rebuilt = np.einsum("bi,bi->b", a @ self.products[np.ix_(own, own)], a)
            left = 1 - 2 * np.einsum("bi,bi->b", a, along[:, own]) + rebuilt  # ‖x‖ = 1
            size = np.einsum("bi,bi->b", a, a)
            left[left < NOTHING] = 0
            found[:, c] = np.divide(left, size, out=np.full(len(a), np.inf), where=size > 0)
        return found
