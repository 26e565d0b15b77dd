"""Tables over Dask collections: the only file that knows Dask.

A pass is one task a block and a tree of additions. A step, with all that it needs of anchors and maps, is one entry of
the task graph which every task refers to, so that it reaches a worker once and is made anew if a worker is lost.
"""

from __future__ import annotations

import itertools
import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import dask
import dask.array as da
import numpy as np
from dask.array.utils import meta_from_array
from dask.core import flatten
from dask.delayed import Delayed
from dask.highlevelgraph import HighLevelGraph
from scipy import sparse

from anchorgraph.contracts import Block, Integers, RowMap, Span, SumStep
from anchorgraph.numerics.threads import alone, one_blas_thread
from anchorgraph.table.local import added, float_type, stacked

FAN_IN = 8
"""Sums that one task adds up."""


class DaskTable:
    """A :class:`~anchorgraph.contracts.RowTable` over the blocks of a Dask array, here or on a cluster.

    Parameters
    ----------
    array : dask.array.Array
        Known sizes of blocks, and all columns in one.
    like : Block
        One row of zeros, of the kind that the blocks have.
    names : list of str, optional
    """

    in_memory = False

    def __init__(self, array: Any, like: Any, names: list[str] | None = None) -> None:
        self._array, self._like, self.names = array, like, names
        self._starts = np.cumsum([0, *array.chunks[0]])
        self.n_rows = int(self._starts[-1])
        self.n_cols = int(like.shape[1]) if like.ndim > 1 else 1
        self.dtype: np.dtype[Any] = like.dtype
        self.row_bytes = self.n_cols * self.dtype.itemsize

    def place(self, row: int) -> str:
        return f"row {row} (block {self._block_of(row)} of the Dask collection)"

    def take(self, rows: Integers) -> Block:
        order = np.argsort(rows, kind="stable")
        ascending = np.asarray(rows)[order]
        own = self._block_of(ascending)
        keys, name = self._keys(), _new_name("take")
        tasks: dict[Any, Any] = {
            (name, int(number)): (_take, keys[number], ascending[own == number] - self._starts[number])
            for number in np.unique(own)
        }
        found: Any = stacked(list(_computed(tasks, list(tasks), [self])))
        block: Block = found[np.argsort(order)]
        return block

    def sum_blocks(self, step: SumStep, *beside: Any) -> tuple[Any, ...]:
        name = _new_name("sum")
        tasks, level = self._tasks(name, _exact, step, beside)
        for depth in itertools.count():
            if len(level) == 1:
                break
            groups = [level[start : start + FAN_IN] for start in range(0, len(level), FAN_IN)]
            added_up: dict[Any, Any] = {(name, "added", depth, i): (_added, keys) for i, keys in enumerate(groups)}
            tasks, level = tasks | added_up, list(added_up)
        total: tuple[Any, ...] = _computed(tasks, level, [self, *beside])[0]
        return total

    def map_rows(self, row_map: RowMap, *beside: Any) -> Any:
        """A lazy Dask array."""
        return self._mapped(row_map, beside)._array

    def write_rows(self, row_map: RowMap, target: str | Path, names: list[str]) -> Path:
        raise ValueError(
            f"out={str(target)!r} is for files; what comes of a Dask collection is one too: store it with its own "
            "methods, such as to_zarr."
        )

    def keep(self, row_map: RowMap, *beside: Any) -> DaskTable:
        """In the memory of the workers."""
        lazy = self._mapped(row_map, beside)
        with one_blas_thread:
            return DaskTable(lazy._array.persist(optimize_graph=False), lazy._like)

    def beside(self, array: Any) -> DaskTable:
        """An array in this process's memory as a table of the same blocks, each of which goes where it is needed."""
        name = _new_name("beside")
        tail = (0,) * (array.ndim - 1)
        blocks = {(name, number, *tail): array[span] for number, span in enumerate(self._spans())}
        chunks = (self._array.chunks[0], *((size,) for size in array.shape[1:]))
        return DaskTable(da.Array(blocks, name, chunks, meta=array[:0]), array[:1])

    def _mapped(self, row_map: RowMap, beside: Sequence[DaskTable]) -> DaskTable:
        like = row_map(self._like, slice(0, 1), *(other._like for other in beside))
        name = _new_name("map")
        tasks, _ = self._tasks(name, _plain, row_map, beside, tail=(0,) * (like.ndim - 1))
        chunks = (self._array.chunks[0], *((size,) for size in like.shape[1:]))
        return DaskTable(da.Array(_graph(name, tasks, [self, *beside]), name, chunks, meta=like[:0]), like)

    def _tasks(
        self, name: str, kind: Any, work: Any, beside: Sequence[DaskTable], tail: tuple[int, ...] = ()
    ) -> tuple[dict[Any, Any], list[Any]]:
        """A task for each block, and one for what they share."""
        shared = f"{name}-step"
        columns = zip(self._keys(), *(other._keys() for other in beside), strict=True)
        tasks: dict[Any, Any] = {
            (name, number, *tail): (kind, shared, span, *blocks)
            for number, (span, blocks) in enumerate(zip(self._spans(), columns, strict=True))
        }
        return {shared: work} | tasks, list(tasks)

    def _keys(self) -> list[Any]:
        return list(flatten(self._array.__dask_keys__()))

    def _spans(self) -> Iterator[Span]:
        return itertools.starmap(slice, itertools.pairwise(self._starts.tolist()))

    def _block_of(self, row: Any) -> Any:
        return np.searchsorted(self._starts, row, side="right") - 1


def open_array(array: Any, names: list[str] | None = None) -> DaskTable:
    """The rows of a Dask array."""
    if array.ndim != 2 or array.dtype.kind not in "fiub":
        raise ValueError(
            f"The Dask array has shape {array.shape} and dtype {array.dtype}; pass two-dimensional real numbers."
        )
    if np.isnan(array.shape).any():
        array = array.copy().compute_chunk_sizes()
    if 0 in array.chunks[0]:
        array = da.concatenate([array.blocks[i] for i, size in enumerate(array.chunks[0]) if size] or [array])
    array = array.rechunk({1: -1})
    dtype = float_type(array.dtype)
    like = np.zeros((1, array.shape[1]), dtype)
    if sparse.issparse(meta_from_array(array)):
        like = sparse.csr_array(like)
    blocks = array.map_blocks(_block, dtype, dtype=dtype, meta=like[:0], name=_new_name("block"))
    (blocks,) = dask.optimize(
        blocks
    )  # once, and not in each pass: workers must find the same tasks under the same keys
    return DaskTable(blocks, like, names)


def open_frame(frame: Any) -> DaskTable:
    """The rows of a Dask data frame."""
    for name, dtype in frame.dtypes.items():
        if getattr(dtype, "kind", "O") not in "fiub":
            raise ValueError(f"Column {name!r} of the Dask frame holds {dtype}, not numbers; leave it out.")
    names = [name for name in frame.columns if isinstance(name, str)]
    array = frame.to_dask_array(lengths=True)
    return open_array(array, names if len(names) == len(frame.columns) else None)


def _block(rows: Any, dtype: np.dtype[Any]) -> Any:
    rows = sparse.csr_array(rows) if sparse.issparse(rows) else np.asarray(rows)
    return rows.astype(dtype, copy=False)


def _take(block: Any, rows: Any) -> Any:
    return block[rows]


def _plain(work: Any, span: Span, *blocks: Any) -> Any:
    with alone():
        return work(blocks[0], span, *blocks[1:])


def _exact(step: Any, span: Span, *blocks: Any) -> tuple[Any, ...]:
    return added((), _plain(step, span, *blocks))


def _added(parts: list[tuple[Any, ...]]) -> tuple[Any, ...]:
    total: tuple[Any, ...] = ()
    for part in parts:
        total = added(total, part)
    return total


def _new_name(what: str) -> str:
    return f"anchorgraph-{what}-{uuid.uuid4().hex}"


def _graph(name: str, tasks: dict[Any, Any], tables: Sequence[DaskTable]) -> HighLevelGraph:
    return HighLevelGraph.from_collections(name, tasks, dependencies=[table._array for table in tables])


def _computed(tasks: dict[Any, Any], keys: list[Any], tables: Sequence[DaskTable]) -> tuple[Any, ...]:
    name = _new_name("all")
    graph = _graph(name, tasks, tables)
    with one_blas_thread:  # once for all tasks of this process
        found: tuple[Any, ...] = dask.compute(*(Delayed(key, graph, layer=name) for key in keys), optimize_graph=False)
    return found
