"""Weights of a row's nearest anchors from the squared distances ``h`` to them.

See :class:`~anchorgraph.contracts.Weighting` for what a weighting is.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
from sklearn.metrics.pairwise import euclidean_distances

from anchorgraph.contracts import Anchors, Floats, Integers, RowTable, Weighting
from anchorgraph.graph.exact import ExactSearch
from anchorgraph.numerics.checks import as_number

NARROWEST, WIDEST = 1e-100, 1e100
"""Limits of a bandwidth; its square neither underflows nor overflows."""


@dataclass(frozen=True)
class Adaptive:
    """``z_j = (h_{k+1} - h_j) / Σ_j' (h_{k+1} - h_j')`` (ulge Eq. 18, fsc Eq. 7), without parameters.

    If all k + 1 distances are equal, the formula is 0/0, and the k weights are set to 1/k.
    """

    n_extra: ClassVar[int] = 1

    def resolve(self, table: RowTable, anchors: Anchors, n_neighbors: int, rng: np.random.Generator) -> Adaptive:
        """The weighting itself: nothing is learned from the data."""
        return self

    def weights(self, h: Floats, columns: Integers | None = None) -> Floats:
        """(n, k) weights from (n, k + 1) squared distances, nearest first."""
        return _normalised(h[:, -1:] - h[:, :-1])


@dataclass(frozen=True)
class Gaussian:
    """``z_j ∝ exp(-h_j / 2σ²)`` (csr Eq. 7, ongr Eq. 12).

    Parameters
    ----------
    sigma : float, "mean" or "local"
        The bandwidth σ: a number; "mean", the mean distance between 3,000 sampled rows (csr, footnote 3); or "local",
        for each row the mean distance to its own k nearest anchors (ongr; :class:`SelfTuning` also uses those of the
        anchors).
    """

    sigma: float | str = "mean"
    n_extra: ClassVar[int] = 0
    n_sampled: ClassVar[int] = 3000
    min_kernel: ClassVar[float] = 1e-8

    def __post_init__(self) -> None:
        if isinstance(self.sigma, str) and self.sigma in ("mean", "local"):
            return
        if not NARROWEST <= as_number(self.sigma) <= WIDEST:
            raise ValueError(
                f"sigma={self.sigma!r} is not a bandwidth; pass a positive number from 1e-100 to 1e100, 'mean' or "
                "'local'."
            )

    def resolve(self, table: RowTable, anchors: Anchors, n_neighbors: int, rng: np.random.Generator) -> Gaussian:
        """:meth:`with_number`: nothing is learned from the anchors."""
        return self.with_number(table, rng)

    def with_number(self, table: RowTable, rng: np.random.Generator) -> Gaussian:
        """The same weighting with ``sigma="mean"`` replaced by its value for a table, or a number as a Python float."""
        if self.sigma != "mean":
            return self if self.sigma == "local" else replace(self, sigma=float(self.sigma))
        size = min(self.n_sampled, table.n_counted)
        mean = euclidean_distances(table.draw(size, rng)).sum(dtype=np.float64) / (size * (size - 1))
        return replace(self, sigma=float(mean) if mean > 0 else 1.0)  # if all rows are equal, any width gives the same

    def kernel(self, h: Floats) -> Floats:
        """``exp(-h / 2σ²)``, but at least :attr:`min_kernel`, for a bandwidth that is a number.

        The minimum gives a row that is far from all others equal weights instead of zeros, and a degree that is large
        enough to divide by.
        """
        return np.maximum(_gaussian(h, float(self.sigma)), self.min_kernel)

    def weights(self, h: Floats, columns: Integers | None = None) -> Floats:
        """(n, k) weights from (n, k) squared distances, nearest first."""
        sigma: Any = self.sigma
        if sigma == "local":
            sigma = np.sqrt(h).mean(axis=1, keepdims=True)
            sigma[sigma == 0] = 1
        h = h - h.min(axis=1, keepdims=True)  # the nearest anchor gets exp(0) = 1, so that the sum is never zero
        return _normalised(_gaussian(h, sigma))


@dataclass(frozen=True)
class Inverse:
    """``z_j ∝ h_j^{1/(1-r)}`` (flrl Eq. 7).

    If a row coincides with one or more anchors, these get all the weight.

    Parameters
    ----------
    r : float
        Greater than 1.
    """

    r: float = 2.0
    n_extra: ClassVar[int] = 0

    def __post_init__(self) -> None:
        if not 1 < as_number(self.r) <= WIDEST:
            raise ValueError(f"r={self.r!r} is not an exponent of the inverse weighting; pass a number above 1.")

    def resolve(self, table: RowTable, anchors: Anchors, n_neighbors: int, rng: np.random.Generator) -> Inverse:
        """The same weighting with ``r`` as a Python float."""
        return replace(self, r=float(self.r))

    def weights(self, h: Floats, columns: Integers | None = None) -> Floats:
        """(n, k) weights from (n, k) squared distances, nearest first."""
        nearest = h.min(axis=1, keepdims=True)
        # dividing by the nearest keeps the powers between 0 and 1
        relative = np.divide(nearest, h, out=np.ones_like(h), where=h > 0)
        relative = np.where((nearest == 0) & (h > 0), 0, relative)
        return _normalised(relative ** (1 / (self.r - 1)))


@dataclass(frozen=True)
class SelfTuning:
    """``z_ij ∝ exp(-h_ij / 2σ_iσ_j)``: Gaussian weights with a bandwidth for each row and for each anchor.

    ``σ_i`` is the mean distance of a row to its k nearest anchors, ``σ_j`` that of an anchor to its k nearest other
    anchors. Chen et al. (2011), whom ongr cites, use such means and the factor 2 between the rows of a graph;
    Zelnik-Manor and Perona (2004), who proposed ``σ_iσ_j``, use the distance to the seventh neighbour and no factor.

    Attributes
    ----------
    scales : (m,) floats or None
        ``σ_j``, which ``fit`` learns from the anchors.
    """

    scales: Floats | None = field(default=None, repr=False, compare=False)  # arrays have no truth value
    n_extra: ClassVar[int] = 0

    def resolve(self, table: RowTable, anchors: Anchors, n_neighbors: int, rng: np.random.Generator) -> SelfTuning:
        """The same weighting with the scales of these anchors.

        An anchor that coincides with its k nearest ones has the mean of all scales.
        """
        points = anchors.points.astype(np.float64)
        _, h = ExactSearch().prepare(Anchors(points), n_neighbors + 1, len(points)).nearest(points, n_neighbors + 1)
        scales = np.sqrt(h[:, 1:]).mean(axis=1)  # the first one is the anchor itself
        scales[scales < NARROWEST] = max(scales.mean(), NARROWEST)
        return replace(self, scales=scales)

    def weights(self, h: Floats, columns: Integers) -> Floats:
        """(n, k) weights from (n, k) squared distances and the numbers of the anchors."""
        if self.scales is None:
            raise ValueError("SelfTuning has no scales yet; use what its method resolve returns.")
        sigma = np.sqrt(h, dtype=np.float64).mean(axis=1, keepdims=True)
        sigma[sigma == 0] = 1
        exponents = h / sigma / (2 * self.scales[columns])  # one after the other: the product could underflow
        exponents -= exponents.min(axis=1, keepdims=True)  # the largest weight is exp(0) = 1
        return _normalised(np.exp(-exponents).astype(h.dtype))


def _gaussian(h: Floats, sigma: Floats | float) -> Floats:
    """``exp(-h / 2σ²)``; σ² is computed in float64, where it neither underflows nor overflows."""
    with np.errstate(over="ignore"):  # an infinite exponent gives the weight zero
        return np.exp(-h / (2 * np.asarray(sigma, dtype=np.float64) ** 2)).astype(h.dtype)


def _normalised(weights: Floats) -> Floats:
    """Rows divided by their sums; a row of zeros becomes equal weights."""
    total = weights.sum(axis=1, keepdims=True)
    equal = np.full_like(weights, 1 / weights.shape[1])
    normalised: Floats = np.divide(weights, total, out=equal, where=total > 0)
    return normalised


WEIGHTINGS: dict[str, Weighting] = {
    "adaptive": Adaptive(),
    "gaussian": Gaussian(),
    "inverse": Inverse(),
    "self-tuning": SelfTuning(),
}
