"""Columns of mean 0 and deviation 1."""

from __future__ import annotations

from typing import Any

from scipy import sparse
from sklearn.preprocessing import StandardScaler

from anchorgraph.table import unchanged


def fit_scaler(table: Any) -> StandardScaler:
    """Learn means and deviations in one pass; sparse rows keep their zeros, and so their means."""
    scaler = None
    for block in table.mapped(unchanged):
        scaler = scaler or StandardScaler(with_mean=not sparse.issparse(block))
        scaler.partial_fit(block)
    return scaler


def scaled(table: Any, scaler: StandardScaler | None) -> Any:
    """A table of scaled rows, under the same names; the table itself without a scaler."""
    if scaler is None:
        return table
    rows = table.keep(lambda block, span: scaler.transform(block).astype(block.dtype))
    rows.names = table.names
    return rows
