"""Weights of a row's nearest anchors from the squared distances ``h`` to them.

A weighting says how many neighbours beyond the k kept it needs to see, learns from the data what it must
(:meth:`resolve`), and turns (n, k + extra) distances, nearest first, into (n, k) weights that sum to one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from sklearn.metrics.pairwise import euclidean_distances

from anchorgraph.numerics.checks import as_number

NARROWEST, WIDEST = 1e-100, 1e100
"""Bandwidths whose squares are numbers."""


@dataclass(frozen=True)
class Adaptive:
    """``z_j = (h_{k+1} - h_j) / Σ_j' (h_{k+1} - h_j')`` (ulge Eq. 18, fsc Eq. 7), free of parameters.

    Where all k + 1 distances are equal the formula is 0/0, and the k weights are equal.
    """

    n_extra: ClassVar[int] = 1

    def resolve(self, table, rng):
        return self

    def weights(self, h):
        return _normalised(h[:, -1:] - h[:, :-1])


@dataclass(frozen=True)
class Gaussian:
    """``z_j ∝ exp(-h_j / 2σ²)`` (csr Eq. 7, ongr Eq. 12).

    Parameters
    ----------
    sigma : float, "mean" or "local"
        A number; the mean distance between 3,000 sampled rows (csr, footnote 3); or for each row the mean distance to
        its own k nearest anchors (self-tuning, ongr).
    """

    sigma: float | str = "mean"
    n_extra: ClassVar[int] = 0
    n_sampled: ClassVar[int] = 3000
    faintest: ClassVar[float] = 1e-8

    def __post_init__(self):
        if isinstance(self.sigma, str) and self.sigma in ("mean", "local"):
            return
        if not NARROWEST <= as_number(self.sigma) <= WIDEST:
            raise ValueError(
                f"sigma={self.sigma!r} is not a bandwidth; pass a positive number from 1e-100 to 1e100, 'mean' or "
                "'local'."
            )

    def resolve(self, table, rng):
        """The same with ``sigma="mean"`` replaced by its value for a table, and any number by Python's own."""
        if self.sigma != "mean":
            return self if self.sigma == "local" else replace(self, sigma=float(self.sigma))
        size = min(self.n_sampled, table.n_rows)
        mean = euclidean_distances(table.sample(size, rng)).sum(dtype=np.float64) / (size * (size - 1))
        return replace(self, sigma=float(mean) if mean > 0 else 1.0)  # all rows equal: any width gives equal weights

    def kernel(self, h):
        """``exp(-h / 2σ²)``, but at least :attr:`faintest`, for a bandwidth that is a number.

        A row far from all others keeps ties of equal weight, and its degree stays within the reach of rounding.
        """
        return np.maximum(_bell(h, self.sigma), self.faintest)

    def weights(self, h):
        if self.sigma == "local":
            sigma = np.sqrt(h).mean(axis=1, keepdims=True)
            sigma[sigma == 0] = 1
        else:
            sigma = self.sigma
        h = h - h.min(axis=1, keepdims=True)  # the nearest has weight one at first: nothing underflows to 0/0
        return _normalised(_bell(h, sigma))


@dataclass(frozen=True)
class Inverse:
    """``z_j ∝ h_j^{1/(1-r)}`` (flrl Eq. 7); all weight on anchors that coincide with the row where there are any.

    Parameters
    ----------
    r : float, above 1
    """

    r: float = 2.0
    n_extra: ClassVar[int] = 0

    def __post_init__(self):
        if not 1 < as_number(self.r) <= WIDEST:
            raise ValueError(f"r={self.r!r} is not an exponent of the inverse weighting; pass a number above 1.")

    def resolve(self, table, rng):
        return replace(self, r=float(self.r))

    def weights(self, h):
        nearest = h.min(axis=1, keepdims=True)
        # relative to the nearest: the powers stay between 0 and 1
        relative = np.divide(nearest, h, out=np.ones_like(h), where=h > 0)
        relative = np.where((nearest == 0) & (h > 0), 0, relative)
        return _normalised(relative ** (1 / (self.r - 1)))


def _bell(h, sigma):
    """``exp(-h / 2σ²)``; σ² is taken in float64, where it is never zero or infinite."""
    with np.errstate(over="ignore"):  # infinitely many widths away: no weight
        return np.exp(-h / (2 * np.asarray(sigma, dtype=np.float64) ** 2)).astype(h.dtype)


def _normalised(weights):
    total = weights.sum(axis=1, keepdims=True)
    equal = np.full_like(weights, 1 / weights.shape[1])
    return np.divide(weights, total, out=equal, where=total > 0)


WEIGHTINGS = {"adaptive": Adaptive(), "gaussian": Gaussian(), "inverse": Inverse()}
