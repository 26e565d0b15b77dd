"""Select the smallest or largest entries of each row."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from anchorgraph.contracts import Floats, Integers

ROUNDING = 32
"""Scores that differ by up to this number of units in the last place of the largest one are equal up to rounding."""

FEW = 64
"""Number up to which the largest scores are found one by one."""


def largest(scores: Floats, k: int) -> tuple[Integers, Floats]:
    """Columns and values of the ``k`` largest scores of each row, largest first; ties are ordered by column.

    For the few neighbours that a graph needs, calling ``argmax`` once for each is several times faster than
    ``argpartition``. It also returns them sorted, and always resolves ties in the same way; of more than :data:`FEW`,
    any of the scores that are equal to the last one can be returned.

    Parameters
    ----------
    scores : (n, m) floats
        Overwritten.
    k : int
        At most m.

    Returns
    -------
    columns : (n, k) integers
    values : (n, k) floats
    """
    n, m = scores.shape
    if k > FEW:
        columns = np.sort(np.argpartition(scores, m - k, axis=1)[:, m - k :], axis=1)
        values = np.take_along_axis(scores, columns, axis=1)
        order = np.argsort(-values, axis=1, kind="stable")
        return np.take_along_axis(columns, order, axis=1), np.take_along_axis(values, order, axis=1)
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


def smallest_masks(scores: Floats, n_chosen: int) -> tuple[NDArray[np.bool_], Floats]:
    """Masks of the ``n_chosen`` smallest scores of each row, and the values halfway to the next larger score.

    Scores that are equal up to rounding are ties, which are resolved by position, because the last digit depends on the
    CPU; the value is then just above or below them, so that they are on the side of most of them. This solves ulge
    Eq. 16 by a partition, which is cheaper than sorting.

    Parameters
    ----------
    scores : (b, n) floats
    n_chosen : int
        At least 1 and less than n.

    Returns
    -------
    masks : (b, n) booleans
    cuts : (b,) floats
    """
    ordered = np.partition(scores, (n_chosen - 1, n_chosen), axis=1)
    last, following = ordered[:, n_chosen - 1], ordered[:, n_chosen]
    masks = scores <= last[:, np.newaxis]
    cuts = (last.astype(np.float64) + following) / 2
    unit = ROUNDING * np.finfo(scores.dtype).eps
    for row in np.flatnonzero(following - last <= unit * np.maximum(ordered.max(axis=1), -ordered.min(axis=1))):
        sizes = np.abs(scores[row])
        rounding = unit * (np.median(sizes) or sizes.mean())  # not of the largest score, which may be an outlier's
        if following[row] - last[row] > rounding:
            continue
        near = np.abs(scores[row] - last[row]) <= rounding
        ties = np.flatnonzero(near)
        masks[row] &= ~near
        n_left = n_chosen - np.count_nonzero(masks[row])
        masks[row, ties[:n_left]] = True
        cuts[row] = last[row] + (2 if n_left > len(ties) / 2 else -2) * rounding
    return masks, cuts


def sparse_rows(columns: Integers, values: Floats, n_cols: int) -> sparse.csr_array:
    """A sparse array whose rows all have the same number of entries, sorted by column.

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
