"""What makes groups of rows different: means of columns in a group and outside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.preprocessing import StandardScaler

from anchorgraph.contracts import Block, Floats, Integers
from anchorgraph.numerics.blocks import chunks, dense, row_bytes

CHUNK_BYTES = 2**24
N_BINS = 20
TAIL = 0.005
"""Share of rows at each end of a histogram that are counted in its first and last bar, so that a few far values do not
make all others one bar."""


@dataclass(frozen=True)
class Differences:
    """Means of columns by group.

    Attributes
    ----------
    inside, outside : (g, d) floats
        Means of the rows of a group, and of the rows of all other groups; NaN if there are none.
    standardised : (g, d) floats
        Their difference in standard deviations of the column; 0 for a constant column.
    explained : (d,) floats
        Share of a column's variance that lies between the groups.
    """

    inside: Floats
    outside: Floats
    standardised: Floats
    explained: Floats


def column_differences(values: Block, codes: Integers, n_groups: int) -> Differences:
    """Compare the columns of groups.

    Parameters
    ----------
    values : (n, d) block
        Dense or sparse rows.
    codes : (n,) integers
        The group of each row. Those of ``n_groups`` and more count as other rows.
    n_groups : int

    Returns
    -------
    Differences
    """
    sums = np.zeros((n_groups, values.shape[1]))
    for part in chunks(len(codes), row_bytes(values), CHUNK_BYTES):
        own = codes[part]
        members = (np.ones(len(own)), (own, np.arange(len(own))))
        height = max(n_groups, int(own.max(initial=0)) + 1)
        sums += dense(sparse.csr_array(members, shape=(height, len(own)))[:n_groups] @ values[part].astype(np.float64))
    counts = np.bincount(codes, minlength=n_groups)[:n_groups, np.newaxis]
    mean, variance = _mean_and_variance(values)
    with np.errstate(invalid="ignore", divide="ignore"):
        inside = sums / counts
        outside = (mean * len(codes) - sums) / (len(codes) - counts)
        spread = np.where(variance > 0, np.sqrt(variance), np.inf)
        between = (counts * np.nan_to_num(inside - mean) ** 2).sum(axis=0) / len(codes)
    standardised = np.nan_to_num((inside - outside) / spread)
    return Differences(inside, outside, standardised, np.where(variance > 0, between / spread**2, 0.0))


def column_variances(values: Block) -> Floats:
    """(d,) variances of the columns, without missing values."""
    return _mean_and_variance(values)[1]


def _mean_and_variance(values: Block) -> tuple[Floats, Floats]:
    scaler = StandardScaler(with_mean=False)
    for part in chunks(values.shape[0], row_bytes(values), CHUNK_BYTES):
        scaler.partial_fit(values[part])
    return np.asarray(scaler.mean_), np.asarray(scaler.var_)


def compare_histograms(column: Floats, is_inside: Any) -> dict[str, Any]:
    """Shares of rows by value, of those of a group and of all rows.

    Parameters
    ----------
    column : (n,) floats
    is_inside : (n,) bool

    Returns
    -------
    dict
        ``low`` and ``high``, the ends of the histogram, and lists of shares, ``inside`` and ``all``.
    """
    low, high = np.quantile(column, [TAIL, 1 - TAIL])
    if low == high:
        low, high = column.min(), column.max()
    ends = (low, high) if high > low else (low - 0.5, low + 0.5)
    clipped = np.clip(column, *ends)
    counts = [np.histogram(some, bins=N_BINS, range=ends)[0] for some in (clipped[is_inside], clipped)]
    shares = [(own / max(own.sum(), 1)).round(4).tolist() for own in counts]
    return {"low": float(ends[0]), "high": float(ends[1]), "inside": shares[0], "all": shares[1]}
