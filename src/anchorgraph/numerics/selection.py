"""Choosing the few best of many."""

from __future__ import annotations

import numpy as np


def largest(scores, k):
    """Columns and values of each row's ``k`` largest scores, largest first, equal ones by column.

    One vectorised ``argmax`` a rank is several times faster than ``argpartition`` for the few neighbours a graph
    needs, leaves them sorted, and settles ties the same way everywhere.

    Parameters
    ----------
    scores : (n, m) floats, overwritten
    k : int, at most m

    Returns
    -------
    columns : (n, k) integers
    values : (n, k) floats
    """
    n, m = scores.shape
    columns = np.empty((n, k), dtype=np.intp)
    values = np.empty((n, k), dtype=scores.dtype)
    flat = scores.reshape(-1)
    row_starts = np.arange(n) * m
    for rank in range(k):
        columns[:, rank] = scores.argmax(axis=1)
        best = row_starts + columns[:, rank]
        values[:, rank] = flat[best]
        flat[best] = -np.inf
    return columns, values


def smallest_masks(scores, n_chosen):
    """Mask of each row's ``n_chosen`` smallest scores, equal ones by position, and the value half-way to the next.

    Selection, not a sort: the solution of ulge Eq. 16.

    Parameters
    ----------
    scores : (b, n) floats
    n_chosen : int, at least one and fewer than n

    Returns
    -------
    masks : (b, n) booleans
    cuts : (b,) floats
    """
    ordered = np.partition(scores, (n_chosen - 1, n_chosen), axis=1)
    last, following = ordered[:, n_chosen - 1], ordered[:, n_chosen]
    masks = scores <= last[:, np.newaxis]
    for row in np.flatnonzero(following == last):
        ties = np.flatnonzero(scores[row] == last[row])
        surplus = np.count_nonzero(masks[row]) - n_chosen
        masks[row, ties[len(ties) - surplus :]] = False
    return masks, (last.astype(np.float64) + following) / 2
