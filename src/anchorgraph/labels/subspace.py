"""Clusters as subspaces: the class of a sample whose rows reconstruct a row best (SSSC)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_solve

from anchorgraph.contracts import Block, Floats, Integers
from anchorgraph.numerics.blocks import dense
from anchorgraph.numerics.cholesky import cholesky

ZERO_RESIDUAL = 1e-12
"""Squared residuals of a row of unit length below this are rounding errors of zero."""


def row_products(rows: Block) -> Floats:
    """``SSᵀ`` in float64."""
    exact = rows.astype(np.float64)
    return dense(exact @ exact.T)


@dataclass(frozen=True)
class SubspaceClasses:
    """Classes of a sample S. The class of a row x minimises ``‖x - S_cᵀa_c‖/‖a_c‖`` for ``a = (SSᵀ + αI)⁻¹Sx``.

    Attributes
    ----------
    rows : (l, d) Block, of unit length
        S.
    labels : (l,) integers
        The class of each row of S.
    coder : (l, l) floats
        ``(SSᵀ + αI)⁻¹``.
    products : (l, l) floats
        ``SSᵀ``.
    """

    rows: Block
    labels: Integers
    coder: Floats
    products: Floats

    @classmethod
    def of(cls, rows: Block, labels: Integers, ridge: float) -> SubspaceClasses:
        """The classes of sample rows of unit length; ``ridge`` is α."""
        exact, gram = rows.astype(np.float64), row_products(rows)
        try:
            coder = cho_solve(cholesky(gram + ridge * np.eye(len(gram))), np.eye(len(gram)))
        except np.linalg.LinAlgError:
            raise ValueError(
                f"ridge={ridge:g} is too small for anchors that are linearly dependent; use a larger value, such as "
                "0.01."
            ) from None
        return cls(exact, labels, coder, gram)

    def residuals(self, block: Block) -> Floats:
        """(b, c) ``‖x - S_cᵀa_c‖² / ‖a_c‖²`` of rows of unit length."""
        products = dense(block.astype(np.float64) @ self.rows.T)  # Sx: the coder amplifies rounding errors of float32
        codes = products @ self.coder
        residuals = np.empty((products.shape[0], self.labels.max() + 1))
        for c in range(residuals.shape[1]):
            own = self.labels == c
            a = codes[:, own]
            squared_lengths = np.einsum("bi,bi->b", a @ self.products[np.ix_(own, own)], a)  # ‖S_cᵀa_c‖²
            squares = 1 - 2 * np.einsum("bi,bi->b", a, products[:, own]) + squared_lengths  # ‖x‖ = 1
            sizes = np.einsum("bi,bi->b", a, a)
            squares[squares < ZERO_RESIDUAL] = 0
            residuals[:, c] = np.divide(squares, sizes, out=np.full(len(a), np.inf), where=sizes > 0)
        return residuals
