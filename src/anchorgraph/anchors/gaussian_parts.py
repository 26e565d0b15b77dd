"""How many Gaussian parts some rows fall into."""

from __future__ import annotations

import numpy as np
from scipy.special import log_ndtr
from sklearn.cluster import KMeans

CRITICAL = 1.8692
"""Statistic that one in 10,000 samples of a Gaussian exceeds (Hamerly and Elkan 2003); a cut is found, not drawn, so a
usual level would split Gaussians of many columns."""

FEWEST_ROWS = 8
"""A part of fewer rows is not cut: there is too little to see a shape in."""


def count_gaussian_parts(rows, seed, most=10):
    """Parts after cutting in two, again and again, what is not Gaussian along the cut (G-means).

    A part is cut by k-means with two centres. Its rows are projected on the line through both, and the cut is kept
    where the Anderson-Darling statistic of what is seen there is too large for a Gaussian.

    Parameters
    ----------
    rows : (n, d) floats
    seed : int
    most : int

    Returns
    -------
    int
    """
    waiting, n_whole = [rows], 0
    while waiting and n_whole + len(waiting) < most:
        part = waiting.pop(0)
        sides = _cut(part, seed)
        if sides is None:
            n_whole += 1
        else:
            waiting += [part[sides], part[~sides]]
    return n_whole + len(waiting)


def _cut(rows, seed):
    """Which rows are on one side of a cut, or ``None`` where the rows are Gaussian along it."""
    if len(rows) < FEWEST_ROWS or not np.ptp(rows, axis=0).any():
        return None
    model = KMeans(2, n_init=1, random_state=seed).fit(rows)
    axis = (model.cluster_centers_[1] - model.cluster_centers_[0]).astype(np.float64)
    along = (rows - model.cluster_centers_[0]).astype(np.float64) @ (axis / np.abs(axis).max())
    return model.labels_ == 1 if _anderson_darling(along) > CRITICAL else None


def _anderson_darling(values):
    """The statistic for a Gaussian whose mean and variance are those of the values."""
    n = len(values)
    z = np.sort((values - values.mean()) / values.std(ddof=1))
    odd = 2 * np.arange(1, n + 1) - 1
    statistic = -n - np.mean(odd * (log_ndtr(z) + log_ndtr(-z[::-1])))
    return statistic * (1 + 4 / n - 25 / n**2)
