"""The verbs of a table whose blocks are read one after the other by this process."""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse
from sklearn import get_config

from anchorgraph.contracts import Block, Integers, RowMap, RowTable, Span, SumStep
from anchorgraph.numerics.progress import portion
from anchorgraph.table.target import write_rows


class LocalTable(ABC):
    """Base of the tables whose rows are in memory or in files."""

    n_rows: int
    n_cols: int
    dtype: np.dtype[Any]
    row_bytes: int
    names: list[str] | None = None
    in_memory: bool = False
    _block_rows: int | None = None

    @abstractmethod
    def read(self, span: Span) -> Block:
        """Consecutive rows."""

    @abstractmethod
    def take(self, rows: Integers) -> Block:
        """Rows by number."""

    @abstractmethod
    def keep(self, row_map: RowMap, *beside: RowTable) -> RowTable:
        """A table of what a row map returns."""

    def spans(self) -> Iterator[Span]:
        """The blocks, each as the rows that it holds."""
        step = self.block_rows
        for start in range(0, self.n_rows, step):
            yield slice(start, min(start + step, self.n_rows))

    @property
    def block_rows(self) -> int:
        """Rows in a block: as given, or what a quarter of scikit-learn's ``working_memory`` holds."""
        return self._block_rows or max(1, int(get_config()["working_memory"] * 2**20 / 4 / max(self.row_bytes, 1)))

    def place(self, row: int) -> str:
        return f"row {row}"

    def sum_blocks(self, step: SumStep, *beside: RowTable) -> tuple[Any, ...]:
        total: tuple[Any, ...] = ()
        for part in self.mapped(step, *beside):
            total = added(total, part)
        return total

    def map_rows(self, row_map: RowMap, *beside: RowTable) -> Any:
        return collected(self.mapped(row_map, *beside), self.n_rows)

    def write_rows(self, row_map: RowMap, target: Any, names: list[str]) -> Path:
        return write_rows(self.mapped(row_map), self.n_rows, target, names)

    def mapped(self, work: RowMap, *beside: Any) -> Iterator[Any]:
        """What ``work`` returns for each block, as it comes."""
        spans = list(self.spans())
        for number, span in enumerate(spans):
            with portion(stage_of(work), number, len(spans)):
                result = work(self.read(span), span, *(other.read(span) for other in beside))
            yield result


STAGES = {
    "anchors": "anchors",
    "graph": "graph",
    "spectrum": "spectrum",
    "projection": "projection",
    "labels": "clusters",
    "numerics": "k-means",
}
"""What a pass is called, by the room that its work comes from."""


def stage_of(work: Any) -> str:
    """The name of the stage that some work over all rows belongs to."""
    module = getattr(work, "__module__", "") or ""
    return STAGES.get(module.split(".")[1] if "." in module else "", "rows")


def unchanged(block: Any, span: Span) -> Any:
    """The row map that returns the rows of a table."""
    return block


def added(total: tuple[Any, ...], part: tuple[Any, ...]) -> tuple[Any, ...]:
    """Sums in float64, from nothing."""
    exact = tuple(np.asarray(p, np.float64) if np.ndim(p) == 0 else p.astype(np.float64) for p in part)
    return tuple(a + b for a, b in zip(total, exact, strict=True)) if total else exact


def collected(results: Iterator[Any], n_rows: int) -> Any:
    """All results below each other, each put into its place as it comes."""
    first = next(results)
    if first.shape[0] == n_rows:
        return first
    if sparse.issparse(first):
        return sparse.vstack([first, *results], format="csr")
    rows = np.empty((n_rows, *first.shape[1:]), first.dtype)
    filled = 0
    for part in itertools.chain([first], results):
        rows[filled : filled + len(part)] = part
        filled += len(part)
    return rows


def stacked(parts: list[Any]) -> Any:
    """Blocks of rows below each other; a single one is not copied."""
    if len(parts) == 1:
        return parts[0]
    return sparse.vstack(parts, format="csr") if sparse.issparse(parts[0]) else np.concatenate(parts)


def float_type(dtype: Any) -> np.dtype[Any]:
    """What numbers are read as: float32 where that holds them all, else float64."""
    return np.dtype(np.float32 if np.result_type(dtype, np.float32) == np.float32 else np.float64)
