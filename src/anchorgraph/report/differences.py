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
        Means of the rows of a group, and of the rows of all other groups, without missing values; NaN if there are
        none.
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
        Dense or sparse rows; NaN is a missing value.
    codes : (n,) integers
        The group of each row. Those of ``n_groups`` and more count as other rows.
    n_groups : int

    Returns
    -------
    Differences
    """
    sums = np.zeros((n_groups, values.shape[1]))
    n_missing = np.zeros((n_groups, values.shape[1]))
    for part in chunks(len(codes), row_bytes(values), CHUNK_BYTES):
        own = codes[part]
        members = (np.ones(len(own)), (own, np.arange(len(own))))
        height = max(n_groups, int(own.max(initial=0)) + 1)
        by_group = sparse.csr_array(members, shape=(height, len(own)))[:n_groups]
        known, is_missing = _split_missing(values[part].astype(np.float64))
        sums += dense(by_group @ known)
        n_missing += dense(by_group @ is_missing)
    counts = np.bincount(codes, minlength=n_groups)[:n_groups, np.newaxis] - n_missing
    mean, variance, n_known = _moments(values)
    with np.errstate(invalid="ignore", divide="ignore"):
        inside = sums / counts
        # a group of all rows leaves no others; rounding would make their mean infinite
        outside = np.where(n_known > counts, (mean * n_known - sums) / (n_known - counts), np.nan)
        spread = np.where(variance > 0, np.sqrt(variance), np.inf)
        between = (counts * np.nan_to_num(inside - mean) ** 2).sum(axis=0) / n_known
    standardised = np.nan_to_num((inside - outside) / spread)
    return Differences(inside, outside, standardised, np.where(variance > 0, between / spread**2, 0.0))


def column_variances(values: Block) -> Floats:
    """(d,) variances of the columns, without missing values."""
    return _moments(values)[1]


def _moments(values: Block) -> tuple[Floats, Floats, Floats]:
    """Means, variances and numbers of the known values of each column."""
    parts = list(chunks(values.shape[0], row_bytes(values), CHUNK_BYTES))
    sums, n_known = np.zeros(values.shape[1]), np.full(values.shape[1], float(values.shape[0]))
    for part in parts:
        known, is_missing = _split_missing(values[part].astype(np.float64))
        sums += known.sum(axis=0)
        n_known -= is_missing.sum(axis=0)
    fill = sums / np.maximum(n_known, 1)
    scaler = StandardScaler(with_mean=False)  # by itself, it takes no part of the rows in which a column is all missing
    for part in parts:
        scaler.partial_fit(_filled(values[part], fill))
    return np.asarray(scaler.mean_), scaler.var_ * (values.shape[0] / np.maximum(n_known, 1)), n_known


def _split_missing(block: Any) -> tuple[Any, Any]:
    """A block with zeros in place of missing values, and ones where these were."""
    if not sparse.issparse(block):
        return _filled(block, np.zeros(block.shape[1])), np.isnan(block).astype(np.float64)
    ones = sparse.csr_array((np.isnan(block.data).astype(np.float64), block.indices, block.indptr), shape=block.shape)
    return _filled(block, np.zeros(block.shape[1])), ones


def _filled(block: Any, fill: Floats) -> Any:
    """A block with a number for each column in place of missing values."""
    if not sparse.issparse(block):
        return np.where(np.isnan(block), fill, block)
    data = np.where(np.isnan(block.data), fill[block.indices], block.data)
    return sparse.csr_array((data, block.indices, block.indptr), shape=block.shape)


def compare_histograms(column: Floats, is_inside: Any) -> dict[str, Any]:
    """Shares of rows by value, of those of a group and of all rows.

    Parameters
    ----------
    column : (n,) floats
        NaN is a missing value, which is not counted.
    is_inside : (n,) bool

    Returns
    -------
    dict
        ``low`` and ``high``, the ends of the histogram, and lists of shares, ``inside`` and ``all``.
    """
    known = ~np.isnan(column)
    column, is_inside = column[known], is_inside[known]
    low, high = np.quantile(column, [TAIL, 1 - TAIL])
    if low == high:
        low, high = column.min(), column.max()
    ends = (low, high) if high > low else (low - 0.5, low + 0.5)
    clipped = np.clip(column, *ends)
    counts = [np.histogram(some, bins=N_BINS, range=ends)[0] for some in (clipped[is_inside], clipped)]
    shares = [(own / max(own.sum(), 1)).round(4).tolist() for own in counts]
    return {"low": float(ends[0]), "high": float(ends[1]), "inside": shares[0], "all": shares[1]}
