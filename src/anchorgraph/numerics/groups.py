"""Sums and means of the rows of each group."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from anchorgraph.contracts import Block, Floats, Integers
from anchorgraph.numerics.blocks import dense


def sums_by_group(
    rows: Block, groups: Integers, n_groups: int, weights: Floats | None = None
) -> tuple[Floats, Floats | Integers]:
    """The sums and the numbers of the rows of each group; with weights, the weighted sums and the sums of weights.

    Parameters
    ----------
    rows : (n, d) Block
    groups : (n,) integers
        The group of each row.
    n_groups : int
    weights : (n,) floats, optional

    Returns
    -------
    sums : (n_groups, d) floats
        In float64.
    sizes : (n_groups,) integers or floats
    """
    n = len(groups)
    values = np.ones(n) if weights is None else weights
    members = sparse.csr_array((values, groups, np.arange(n + 1)), shape=(n, n_groups))
    return dense(members.T @ rows.astype(np.float64)), np.bincount(groups, weights, minlength=n_groups)


def group_means(sums: Floats, sizes: Floats | Integers, otherwise: Floats) -> Floats:
    """The mean of each group; for an empty group, its row of ``otherwise``.

    Parameters
    ----------
    sums : (n_groups, d) floats
    sizes : (n_groups,) floats or integers
        Numbers of rows, or the sums of their weights.
    otherwise : (n_groups, d) floats

    Returns
    -------
    (n_groups, d) floats
    """
    filled = sizes > 0
    return np.where(filled[:, np.newaxis], sums / np.where(filled, sizes, 1)[:, np.newaxis], otherwise)
