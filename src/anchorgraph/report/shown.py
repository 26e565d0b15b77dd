"""The rows that a page shows: all, or a sample of very many."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import normalize

from anchorgraph.contracts import Block, Integers, RowMap, RowTable
from anchorgraph.numerics.missing import are_complete

MAX_ROWS = 70_000
"""Of more rows, a uniform sample is shown."""

MAX_BYTES = 2**29
"""Of very wide rows, fewer are shown: as many as take this much memory, but at least :data:`FEW_ROWS`."""

FEW_ROWS = 1_000


@dataclass(frozen=True)
class ShownRows:
    """Rows in memory: as they were given, as the model receives them, and as it compares them.

    Attributes
    ----------
    numbers : (n,) integers
        Their numbers in the source, ascending.
    n_all : int
        Number of rows of the source.
    values : (n, d) block
        As they were given: these values are shown.
    complete : (n,) bool
        Whether the model receives a row without missing values.
    inputs : (n, p) block
        What the model receives, after the steps of a pipeline before it. Values that are still missing are replaced by
        the means of their columns.
    compared : (n, p) block
        The same, of unit length where the model compares directions.
    """

    numbers: Integers
    n_all: int
    values: Block
    complete: NDArray[np.bool_]
    inputs: Block
    compared: Block

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def are_all(self) -> bool:
        """Whether no row of the source is left out."""
        return len(self.numbers) == self.n_all


def choose_rows(table: RowTable, model: Any, before: RowMap | None, seed: int) -> ShownRows:
    """All rows of a table, or a uniform sample.

    Parameters
    ----------
    table : RowTable
    model : estimator
        Its parameter ``metric`` says how it compares rows.
    before : RowMap, optional
        What is done to rows before the model receives them.
    seed : int

    Returns
    -------
    ShownRows
    """
    size = min(MAX_ROWS, table.n_rows, max(FEW_ROWS, MAX_BYTES // max(table.row_bytes, 1)))
    numbers = np.sort(np.random.default_rng(seed).choice(table.n_rows, size, replace=False, shuffle=False))
    values = table.take(numbers)
    received = values if before is None else before(values)
    complete = are_complete(received)
    inputs = received if complete.all() else _filled(received)
    compared = normalize(inputs) if getattr(model, "metric", None) == "cosine" else inputs
    return ShownRows(numbers, table.n_rows, values, complete, inputs, compared)


def split_pipeline(model: Any) -> tuple[RowMap | None, Any]:
    """The row map of all steps of a pipeline but the last, and the last one; None and the model if it is none."""
    return (on_arrays(model[:-1].transform), model[-1]) if isinstance(model, Pipeline) else (None, model)


def on_arrays(method: Any) -> RowMap:
    """A method of an estimator, from arrays to arrays: without its warning about names, and without data frames."""

    def apply(block: Block) -> Any:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "X does not have valid feature names")  # the columns are those of the fit
            found = method(block)
        return found.to_numpy() if hasattr(found, "to_numpy") else found

    return apply


def name_rows(rows: ShownRows, ids: Any) -> list[str]:
    """The ids of the shown rows, by default their numbers."""
    if ids is None:
        return [str(number) for number in rows.numbers.tolist()]
    if len(ids) != rows.n_all:
        raise ValueError(f"ids must have one entry for each of the {rows.n_all:,} rows; got {len(ids):,}.")
    return [str(name) for name in np.asarray(ids)[rows.numbers]]


def _filled(values: Any) -> Block:
    """Means of columns in place of missing values; zeros in sparse rows, whose other values are mostly zeros."""
    if sparse.issparse(values):
        kept = (np.nan_to_num(values.data, nan=0.0), values.indices, values.indptr)
        return sparse.csr_array(kept, shape=values.shape)
    known = ~np.isnan(values)
    sums = np.where(known, values, 0).sum(axis=0, dtype=np.float64)
    return np.where(known, values, sums / np.maximum(known.sum(axis=0), 1)).astype(values.dtype)
