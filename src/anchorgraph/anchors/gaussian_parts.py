"""Count the Gaussian parts of some rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr

from anchorgraph.contracts import Floats
from anchorgraph.numerics.kmeans import fit_kmeans

CRITICAL = 1.8692
"""Value of the statistic that one in 10,000 samples of a Gaussian exceeds (Hamerly and Elkan 2003). Because the
direction is chosen by k-means and is not random, a usual significance level would split Gaussians of many columns."""

FEWEST_ROWS = 8
"""A part with fewer rows is not split: they are too few to test their distribution."""


def count_gaussian_parts(rows: Floats, counts: Floats, seed: int, most: int = 10) -> int:
    """Number of parts after repeatedly splitting those that are not Gaussian (G-means).

    A part is split by k-means with two centres. Its rows are projected onto the line through both, and the split is
    accepted if the Anderson-Darling statistic of the projections is too large for a Gaussian.

    Parameters
    ----------
    rows : (n, d) floats
    counts : (n,) floats
        How many rows each of these stands for.
    seed : int
    most : int
        Maximum number of parts.

    Returns
    -------
    int
    """
    waiting, n_whole = [(rows, counts)], 0
    while waiting and n_whole + len(waiting) < most:
        part, own = waiting.pop(0)
        is_second = _split(part, own, seed)
        if is_second is None:
            n_whole += 1
        else:
            waiting += [(part[is_second], own[is_second]), (part[~is_second], own[~is_second])]
    return n_whole + len(waiting)


def _split(rows: Floats, counts: Floats, seed: int) -> NDArray[np.bool_] | None:
    """Which rows belong to the second of two parts, or None if the rows are not split."""
    if counts.sum() < FEWEST_ROWS or not np.ptp(rows, axis=0).any():
        return None
    halves = fit_kmeans(rows, 2, n_init=1, seed=seed, weights=counts)
    axis = (halves.centres[1] - halves.centres[0]).astype(np.float64)
    along = (rows - halves.centres[0]).astype(np.float64) @ (axis / np.abs(axis).max())
    return halves.labels == 1 if _anderson_darling(along, counts) > CRITICAL else None


def _anderson_darling(values: Floats, counts: Floats) -> float:
    """The Anderson-Darling statistic for a Gaussian with the mean and variance of the values.

    Equal values have the places of ``j`` = a + 1, ..., b among n, whose factors ``2j - 1`` have the sum ``b² - a²``.
    """
    n = counts.sum()
    centred = values - np.average(values, weights=counts)
    z = centred / np.sqrt(counts @ centred**2 / (n - 1))
    order = np.argsort(z)
    z, ends = z[order], np.cumsum(counts[order])
    below, above = np.diff(ends**2, prepend=0), -np.diff((n - ends) ** 2, prepend=n**2)
    statistic = -n - (below @ log_ndtr(z) + above @ log_ndtr(-z)) / n
    corrected: float = statistic * (1 + 4 / n - 25 / n**2)
    return corrected
