"""Choosing the few best of many."""

from __future__ import annotations

import numpy as np
from scipy import sparse


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


def sparse_rows(columns, values, n_cols):
    """Rows with the same number of entries each, sorted by column.

    Parameters
    ----------
    columns : (n, k) integers
    values : (n, k) floats
    n_cols : int

    Returns
    -------
    (n, n_cols) CSR array
    """
    n, k = columns.shape
    by_column = np.argsort(columns, axis=1)
    return sparse.csr_array(
        (
            np.take_along_axis(values, by_column, axis=1).ravel(),
            np.take_along_axis(columns, by_column, axis=1).ravel().astype(np.int32),
            np.arange(0, n * k + 1, k, dtype=np.int64 if n * k > 2**31 - 1 else np.int32),
        ),
        shape=(n, n_cols),
    )
