"""Scatter matrices of rows, and the directions that make one of them small or large against another."""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigh

from anchorgraph.numerics.groups import sums_by_group
from anchorgraph.projection.smaller_space import check_rank

NOTHING = 1e-10
"""Squared distance of a row from its anchors, in a space of unit variance, that is no more than rounding."""


def total_scatter(space):
    """``S_t = XᵀHX / n``.

    Parameters
    ----------
    space : Space

    Returns
    -------
    (r, r) floats
    """
    (scatter,) = space.sum_rows(lambda rows: (rows.T @ rows,))
    return scatter / space.table.n_rows


def group_sums(space, codes, n_groups):
    """Sums of the rows of each group.

    Parameters
    ----------
    space : Space
    codes : (n,) integers
    n_groups : int

    Returns
    -------
    (n_groups, r) floats
    """

    def step(rows, groups):
        return (sums_by_group(rows, groups, n_groups)[0],)

    return space.sum_rows(step, codes)[0]


def between_scatter(space, codes):
    """``S_b = Σ_c n_c μ_c μ_cᵀ / n`` of groups with the means μ_c about the mean of all rows.

    Parameters
    ----------
    space : Space
    codes : (n,) integers
        The group of each row; none is empty.

    Returns
    -------
    (r, r) floats
    """
    sizes = np.bincount(codes)
    sums = group_sums(space, codes, len(sizes))
    return (sums.T / sizes) @ sums / len(codes)


def total_whitening(space, n_components):
    """``S_t``, T with ``TᵀS_tT = I`` on the space of the rows, and the mean variance, which a ridge is a share of.

    Parameters
    ----------
    space : Space
    n_components : int

    Returns
    -------
    total : (d, d) floats
    whitened : (d, r) floats
    variance : float
    """
    total = total_scatter(space)
    whitened = whitening(total, n_components, space.table.n_rows, noise=space.noise(total))
    return total, whitened, np.trace(total) / len(total)


def whitening(scatter, n_components, n_rows, alpha=0.0, noise=0.0):
    """T with ``Tᵀ(S + αI)T = I``, on the directions in which S is not zero.

    Parameters
    ----------
    scatter : (d, d) floats
        S, positive semi-definite.
    n_components : int
        Refused where there are fewer such directions.
    n_rows : int
        Rows that S is a sum over, for its rounding errors.
    alpha : float
    noise : float
        What the rounding of the rows themselves adds to S.

    Returns
    -------
    (d, r) floats
    """
    values, vectors = eigh(scatter)
    rounding = max(len(values), n_rows) * np.finfo(np.float64).eps * max(values[-1], 0)
    spanned = values > max(rounding, noise)
    check_rank(n_components, np.count_nonzero(spanned))
    return vectors[:, spanned] / np.sqrt(values[spanned] + alpha)


def smallest_directions(matrix, whitened, n_components, ridge=0.0):
    """``min_W tr Wᵀ(M + βI)W`` with ``WᵀSW = I``, for ``whitened`` of S.

    Where M is zero in more directions than are wanted, as it is with more columns than rows, the ridge β prefers those
    in which the rows differ most; without it, rounding would choose.

    Returns
    -------
    values : (q,) floats, smallest first
    directions : (d, q) floats
    """
    ridged = matrix + ridge * np.eye(len(matrix))
    values, vectors = eigh(whitened.T @ ridged @ whitened, subset_by_index=(0, n_components - 1))
    return values, whitened @ vectors


def settled(objectives, tol, left, n_rows):
    """Whether rounds are at their end: the last one changed little, or there is nothing left to make smaller.

    Parameters
    ----------
    objectives : list of floats
    tol : float
    left : float
        The objective without its ridge: below :data:`NOTHING` a row it is rounding, and so would be what follows.
    n_rows : int
    """
    if left <= NOTHING * n_rows:
        return True
    return len(objectives) > 1 and abs(objectives[-2] - objectives[-1]) <= tol * objectives[-2]


def largest_directions(matrix, whitened, n_components):
    """``max_W tr WᵀMW`` with ``WᵀSW = I``, for ``whitened`` of S.

    Returns
    -------
    values : (q,) floats, largest first
    directions : (d, q) floats
    """
    values, directions = smallest_directions(-matrix, whitened, n_components)
    return -values, directions
