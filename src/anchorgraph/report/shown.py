"""The rows that a page shows: all, or a sample of very many."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.impute import SimpleImputer
from sklearn.preprocessing import normalize

from anchorgraph.contracts import Block, Integers, RowMap, RowTable
from anchorgraph.numerics.missing import are_complete
from anchorgraph.table import shorten

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
    inputs = received if complete.all() else SimpleImputer(keep_empty_features=True).fit_transform(received)
    compared = normalize(inputs) if getattr(model, "metric", None) == "cosine" else inputs
    return ShownRows(numbers, table.n_rows, values, complete, inputs, compared)


def name_rows(rows: ShownRows, ids: Any) -> list[str]:
    """The ids of the shown rows, by default their numbers."""
    if ids is None:
        return [str(number) for number in rows.numbers.tolist()]
    if len(ids) != rows.n_all:
        raise ValueError(f"ids must have one entry for each of the {rows.n_all:,} rows; got {len(ids):,}.")
    return [shorten(str(name)) for name in np.asarray(ids)[rows.numbers]]
