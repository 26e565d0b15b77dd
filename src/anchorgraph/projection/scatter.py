"""Scatter matrices of rows, and the directions that minimise or maximise one of them relative to another."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.linalg import eigh

from anchorgraph.contracts import Floats, Integers
from anchorgraph.numerics.blocks import weigh
from anchorgraph.numerics.groups import sums_by_group
from anchorgraph.projection.smaller_space import check_rank
from anchorgraph.projection.space import Space

ZERO_OBJECTIVE = 1e-10
"""Mean objective per row, in a space of unit variance, below which it is a rounding error of zero."""


def total_scatter(space: Space) -> Floats:
    """``S_t = XᵀHX / n``; of rows with weights, the mean by weight.

    Parameters
    ----------
    space : Space

    Returns
    -------
    (r, r) floats
    """
    (summed,) = space.sum_rows(lambda rows, *weights: (_squares(rows, *weights),))
    scatter: Floats = summed / space.source.total_weight
    return scatter


def _squares(rows: Floats, *weights: Floats) -> Floats:
    """``XᵀX``, or ``XᵀWX`` of rows with weights, as the product of a matrix with itself, which is symmetric."""
    scaled = weigh(rows, *(np.sqrt(own) for own in weights))
    squares: Floats = scaled.T @ scaled
    return squares


def between_scatter(space: Space, codes: Integers) -> Floats:
    """``S_b = Σ_c n_c μ_c μ_cᵀ / n`` of groups with means μ_c, where the mean of all rows is zero.

    Parameters
    ----------
    space : Space
    codes : (n,) integers
        The group of each row; every group has a row of a positive weight.

    Returns
    -------
    (r, r) floats
    """
    n_groups = codes.max() + 1

    def step(rows: Floats, groups: Integers, *weights: Floats) -> tuple[Any, ...]:
        return sums_by_group(rows, groups, n_groups, *weights)

    return _scatter_of_means(*space.sum_rows(step, space.align(codes)))


def total_and_within_scatter(space: Space, codes: Integers) -> tuple[Floats, Floats]:
    """``S_t = XᵀHX / n`` and ``S_w = S_t - S_b``, the scatter about the means of the groups, in one pass.

    Parameters
    ----------
    space : Space
    codes : (n,) integers
        The group of each row; every group has a row of a positive weight.

    Returns
    -------
    total, within : (r, r) floats
    """
    n_groups = codes.max() + 1

    def step(rows: Floats, groups: Integers, *weights: Floats) -> tuple[Any, ...]:
        return _squares(rows, *weights), *sums_by_group(rows, groups, n_groups, *weights)

    summed, sums, sizes = space.sum_rows(step, space.align(codes))
    total: Floats = summed / space.source.total_weight
    return total, total - _scatter_of_means(sums, sizes)


def _scatter_of_means(sums: Floats, sizes: Floats) -> Floats:
    """``S_b`` from the sums of the rows of each group and their numbers, or the sums of their weights."""
    scatter: Floats = (sums.T / sizes) @ sums / sizes.sum()
    return scatter


def total_whitening(space: Space, n_components: int) -> tuple[Floats, Floats, float]:
    """``S_t``, T with ``TᵀS_tT = I`` on the span of the rows, and the mean variance, which scales the ridge.

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
    return total, *whitening_of(space, total, n_components)


def whitening_of(space: Space, total: Floats, n_components: int) -> tuple[Floats, float]:
    """T with ``TᵀS_tT = I`` on the span of the rows, and the mean variance, for a known ``S_t``.

    Parameters
    ----------
    space : Space
    total : (d, d) floats
        S_t.
    n_components : int

    Returns
    -------
    whitened : (d, r) floats
    variance : float
    """
    whitened = whitening(total, n_components, space.source.n_rows, noise=space.noise(total))
    return whitened, np.trace(total) / space.n_dimensions


def whitening(scatter: Floats, n_components: int, n_rows: int, alpha: float = 0.0, noise: float = 0.0) -> Floats:
    """T with ``Tᵀ(S + αI)T = I``, on the directions in which S is not zero.

    Parameters
    ----------
    scatter : (d, d) floats
        S, positive semi-definite.
    n_components : int
        It is an error if there are fewer such directions.
    n_rows : int
        Number of rows that S is a sum over, which determines its rounding error.
    alpha : float
    noise : float
        Error of S from the rounding of the rows themselves.

    Returns
    -------
    (d, r) floats
    """
    values, vectors = eigh(scatter)
    rounding = max(len(values), n_rows) * np.finfo(np.float64).eps * max(values[-1], 0)
    spanned = values > max(rounding, noise)
    check_rank(n_components, int(np.count_nonzero(spanned)))
    whitened: Floats = vectors[:, spanned] / np.sqrt(values[spanned] + alpha)
    return whitened


def smallest_directions(
    matrix: Floats, whitened: Floats, n_components: int, ridge: float = 0.0
) -> tuple[Floats, Floats]:
    """``min_W tr Wᵀ(M + βI)W`` with ``WᵀSW = I``, for ``whitened`` of S.

    If M is zero in more than ``n_components`` directions, as it is with more columns than rows, the ridge β prefers
    those in which the rows differ most; without it, rounding errors would decide.

    Returns
    -------
    values : (q,) floats, smallest first
    directions : (d, q) floats
    """
    ridged = matrix + ridge * np.eye(len(matrix))
    values, vectors = eigh(whitened.T @ ridged @ whitened, subset_by_index=(0, n_components - 1))
    return values, whitened @ vectors


def with_unit_scatter(directions: Floats, matrix: Floats, ridge: float, n_rows: int) -> Floats:
    """``W V Λ^-½`` with ``Wᵀ(M + βI)W = VΛVᵀ``: the subspace of W, in directions for which ``M + βI`` is the identity.

    If ``WᵀSW = I``, S stays diagonal, and the directions along which M is smallest relative to S come first.

    Parameters
    ----------
    directions : (d, q) floats
        W with ``WᵀSW = I``.
    matrix : (d, d) floats
        M, positive semi-definite and at most S.
    ridge : float
        β.
    n_rows : int
        Number of rows that M is a mean over. It determines its rounding error, below which no value of Λ is believed:
        without a ridge, a direction without scatter becomes long, but stays finite.

    Returns
    -------
    (d, q) floats
    """
    values, turned = smallest_directions(matrix, directions, directions.shape[1], ridge)
    scaled: Floats = turned / np.sqrt(np.maximum(values, max(len(matrix), n_rows) * np.finfo(np.float64).eps))
    return scaled


def has_converged(objectives: list[float], tol: float, unridged: float, n_rows: float) -> bool:
    """Whether iterations have converged: the objective is zero up to rounding, or its last change is small.

    Parameters
    ----------
    objectives : list of floats
        The objective, including the ridge, after each iteration.
    tol : float
        Relative change that is small.
    unridged : float
        The last objective without the ridge; zero up to rounding if it is at most :data:`ZERO_OBJECTIVE` per row.
    n_rows : float
        Number of rows that the objective is a sum over, or the sum of their weights.

    Returns
    -------
    bool
    """
    if unridged <= ZERO_OBJECTIVE * n_rows:
        return True
    return len(objectives) > 1 and abs(objectives[-2] - objectives[-1]) <= tol * objectives[-2]


def largest_directions(matrix: Floats, whitened: Floats, n_components: int) -> tuple[Floats, Floats]:
    """``max_W tr WᵀMW`` with ``WᵀSW = I``, for ``whitened`` of S.

    Returns
    -------
    values : (q,) floats, largest first
    directions : (d, q) floats
    """
    values, directions = smallest_directions(-matrix, whitened, n_components)
    return -values, directions
