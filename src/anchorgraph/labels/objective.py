"""The objective of ONGR and its other forms (ongr Eq. 7 and 9), row by row."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from anchorgraph.contracts import Floats

SMALLEST_RESIDUAL = 1e-4
"""Residuals of a row below this fraction of ``‖a_i‖`` count as that in its weight, which is therefore finite."""

SHORTEST_ROW = 1e-10
"""Below any ``‖a_i‖`` of a fit, which is at least n^-1/2; a new row whose anchors have no rows has zero."""

PLUS = ("clip", "abs")
LOSSES = ("squared", "l21")

WEIGHT, VALUE, NORM = -3, -2, -1
"""Columns after those of G."""


@dataclass(frozen=True)
class Objective:
    """What the iterations minimise: ``Σᵢ loss(‖aᵢ - F gᵢ‖) + λ‖F - G‖² + μ‖G‖₁``.

    Rows have weights ``wᵢ``: 1 for the squared loss, which is Eq. 7 if μ = 0, and for the norm ``1 / 2‖aᵢ - F gᵢ‖`` of
    the last F and G, with which ``Σᵢ wᵢ‖aᵢ - F gᵢ‖²`` touches the sum of norms from above (up to a constant).

    Attributes
    ----------
    lam : float
        λ, not negative.
    plus : {"clip", "abs"}
        ``(·)₊`` of Eq. 9: max(·, 0), which is the minimiser, or the absolute value.
    loss : {"squared", "l21"}
        Squares or norms.
    sparsity : float
        μ, not negative.
    """

    lam: float
    plus: str = "clip"
    loss: str = "squared"
    sparsity: float = 0.0

    @property
    def follows_from_squares(self) -> bool:
        """Whether the objective is ``‖A‖² + λc - (1 + λ)‖G‖²`` after an update of G.

        Its entries are then zero or those of ``(AF + λF - μ/2)/(1 + λ)``, so that
        ``tr Gᵀ(AF + λF) = (1 + λ)‖G‖² + μ‖G‖₁/2``.
        """
        return self.loss == "squared" and self.plus == "clip"

    def memberships(self, af: Floats, f: Floats, w: Floats | float) -> Floats:
        """Eq. 9: rows ``(wᵢ(AF)ᵢ + λfᵢ - μ/2)₊ / (wᵢ + λ)`` of G."""
        g: Floats = self.lam * f
        g += af if self.loss == "squared" else w * af
        if self.plus == "abs":
            np.abs(g, out=g)
        if self.sparsity:
            g -= self.sparsity / 2
        np.maximum(g, 0, out=g)
        g /= w + self.lam
        return g

    def polar_input(self, z: sparse.csr_array, g: Floats, of_g: Floats) -> Floats:
        """Rows of ``M = A diag(w) G + λG``, whose polar factor is the next F (Eq. 10)."""
        m: Floats = z @ of_g + self.lam * g
        return m

    def weights(self, squares: Floats, norms: Floats) -> Floats:
        """(b, 1) weights from ``‖aᵢ - F gᵢ‖²`` and ``‖aᵢ‖``."""
        if self.loss == "squared":
            return np.ones_like(squares)
        weights: Floats = 0.5 / np.maximum(_root(squares), np.maximum(SMALLEST_RESIDUAL * norms, SHORTEST_ROW))
        return weights

    def values(self, squares: Floats, f: Floats, g: Floats) -> Floats:
        """(b, 1) terms of the objective; for the squared loss, without ``‖aᵢ‖²``, whose sum is known."""
        losses = squares if self.loss == "squared" else _root(squares)
        apart, size = (np.sum(entries, axis=1, keepdims=True) for entries in ((f - g) ** 2, g))
        values: Floats = losses + self.lam * apart + self.sparsity * size
        return values

    def first_rows(self, z: sparse.csr_array, f: Floats, of_f: Floats, kernel: sparse.csr_array | None) -> Floats:
        """Rows of the first G, with the columns that :meth:`next_rows` needs.

        The first weights are those of the best G without constraint, AF, so that λ means as much as in later rounds.
        """
        af = z @ of_f
        if self.follows_from_squares:
            return self.memberships(af, f, 1.0)
        norms = row_norms(z, kernel)
        return self._rows(af, f, self.weights(_squares(norms, af, af), norms), norms)

    def next_rows(self, z: sparse.csr_array, f: Floats, of_f: Floats, rows: Floats) -> Floats:
        """Rows of the next G after ``rows``.

        Unless the objective follows from G alone, a row of G is followed by its weight, its term of the objective and
        ``‖aᵢ‖`` (see :func:`row_norms`).
        """
        af = z @ of_f
        if self.follows_from_squares:
            return self.memberships(af, f, 1.0)
        return self._rows(af, f, rows[:, WEIGHT, np.newaxis], rows[:, NORM, np.newaxis])

    def _rows(self, af: Floats, f: Floats, w: Floats, norms: Floats) -> Floats:
        g = self.memberships(af, f, w)
        squares = _squares(norms, af, g)
        return np.hstack([g, self.weights(squares, norms), self.values(squares, f, g), norms])


def row_norms(z: sparse.csr_array, kernel: sparse.csr_array | None) -> Floats:
    """(b, 1) ``‖aᵢ‖``, whose square is ``zᵢ Δ⁻¹ZᵀZΔ⁻¹ zᵢᵀ``; zeros without the m×m matrix in the middle."""
    if kernel is None:
        return np.zeros((z.shape[0], 1))
    return _root((z @ kernel).multiply(z).sum(axis=1).reshape(-1, 1))


def _squares(norms: Floats, af: Floats, g: Floats) -> Floats:
    """(b, 1) ``‖aᵢ - F gᵢ‖² = ‖aᵢ‖² - 2 gᵢ·(AF)ᵢ + ‖gᵢ‖²``, because FᵀF = I."""
    squares: Floats = norms**2 + np.sum(g * (g - 2 * af), axis=1, keepdims=True)
    return squares


def _root(squares: Floats) -> Floats:
    """Roots of numbers that are negative only by rounding."""
    roots: Floats = np.sqrt(np.maximum(squares, 0))
    return roots
