"""Tables over Dask collections: the only file that knows Dask.

A pass is one task a block and a tree of additions. A step, with all that it needs of anchors and maps, is one entry of
the task graph which every task refers to, so that it reaches a worker once and is made anew if a worker is lost.
"""

from __future__ import annotations

import itertools
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
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
from anchorgraph.numerics.finite import NotFiniteError
from anchorgraph.numerics.threads import alone, one_blas_thread
from anchorgraph.table.local import added, float_type, stacked
from anchorgraph.table.target import as_target

FAN_IN = 8
"""Sums that one task adds up."""


class DaskTable:
    """A :class:`~anchorgraph.contracts.RowTable` over the blocks of a Dask array, here or on a cluster.

    Parameters
    ----------
    array : dask.array.Array
        All columns in one block. Sizes that are not known are found out when they are needed, by a pass of their own;
        :meth:`map_rows` does without.
    like : Block
        One row of zeros, of the kind that the blocks have.
    names : list of str, optional
    """

    in_memory = False

    def __init__(self, array: Any, like: Any, names: list[str] | None = None) -> None:
        self._array, self._like, self.names = array, like, names
        self.n_cols = int(like.shape[1]) if like.ndim > 1 else 1
        self.dtype: np.dtype[Any] = like.dtype
        self.row_bytes = self.n_cols * self.dtype.itemsize

    @cached_property
    def _sized(self) -> Any:
        """The array with known sizes, none of them zero."""
        array = self._array.copy().compute_chunk_sizes() if np.isnan(self._array.chunks[0]).any() else self._array
        if 0 in array.chunks[0] and array.shape[0]:
            array = da.concatenate([array.blocks[i] for i, size in enumerate(array.chunks[0]) if size])
        return array

    @cached_property
    def _starts(self) -> Any:
        return np.cumsum([0, *self._sized.chunks[0]])

    @property
    def n_rows(self) -> int:
        return int(self._starts[-1])

    def place(self, row: int) -> str:
        return f"row {row} of the Dask collection"

    def take(self, rows: Integers) -> Block:
        order = np.argsort(rows, kind="stable")
        ascending = np.asarray(rows)[order]
        cuts = np.searchsorted(ascending, self._starts)
        keys, name = _keys(self._sized), _new_name("take")
        tasks: dict[Any, Any] = {
            (name, number): (_take, keys[number], ascending[first:last] - self._starts[number])
            for number, (first, last) in enumerate(itertools.pairwise(cuts.tolist()))
            if first < last
        }
        found: Any = stacked(list(_computed(tasks, list(tasks), [self._sized])))
        block: Block = found[np.argsort(order)]
        return block

    def sum_blocks(self, step: SumStep, *beside: Any) -> tuple[Any, ...]:
        name, arrays = _new_name("sum"), [self._sized, *(other._sized for other in beside)]
        tasks = _tasks(name, _SumTask(step), self._spans(), arrays)
        level = [key for key in tasks if isinstance(key, tuple)]
        for depth in itertools.count():
            if len(level) == 1:
                break
            groups = [level[start : start + FAN_IN] for start in range(0, len(level), FAN_IN)]
            added_up: dict[Any, Any] = {(name, "added", depth, i): (_added, keys) for i, keys in enumerate(groups)}
            tasks, level = tasks | added_up, list(added_up)
        total: tuple[Any, ...] = _computed(tasks, level, arrays)[0]
        return total

    def map_rows(self, row_map: RowMap, *beside: Any) -> Any:
        """A lazy Dask array."""
        if not beside and "_starts" not in vars(self):
            spans: Iterator[Any] = itertools.repeat(None, len(self._array.chunks[0]))
            return _mapped(row_map, spans, [self._array], [self._like])[0]
        arrays = [self._sized, *(other._sized for other in beside)]
        return _mapped(row_map, self._spans(), arrays, [self._like, *(other._like for other in beside)])[0]

    def write_rows(self, row_map: RowMap, target: Any, names: list[str]) -> Path:
        path = as_target(target).path
        raise ValueError(
            f"out={str(path)!r} is for files; what comes of a Dask collection is one too: store it with its own "
            "methods, such as to_zarr."
        )

    def keep(self, row_map: RowMap, *beside: Any) -> DaskTable:
        """In the memory of the workers."""
        arrays = [self._sized, *(other._sized for other in beside)]
        likes = [self._like, *(other._like for other in beside)]
        lazy, like = _mapped(row_map, self._spans(), arrays, likes)
        with one_blas_thread:
            return DaskTable(lazy.persist(optimize_graph=False), like)

    def beside(self, array: Any) -> DaskTable:
        """An array in this process's memory as a table of the same blocks, each of which goes where it is needed."""
        name, tail = _new_name("beside"), (0,) * (array.ndim - 1)
        blocks = {(name, number, *tail): array[span] for number, span in enumerate(self._spans())}
        chunks = (self._sized.chunks[0], *((size,) for size in array.shape[1:]))
        return DaskTable(da.Array(blocks, name, chunks, meta=array[:0]), array[:1])

    def _spans(self) -> Iterator[Span]:
        return itertools.starmap(slice, itertools.pairwise(self._starts.tolist()))


def open_array(array: Any, names: list[str] | None = None) -> DaskTable:
    """The rows of a Dask array."""
    if array.ndim != 2 or array.dtype.kind not in "fiub":
        raise ValueError(
            f"The Dask array has shape {array.shape} and dtype {array.dtype}; pass two-dimensional real numbers."
        )
    if len(array.chunks[1]) > 1:
        array = array.rechunk({1: -1})
    dtype = float_type(array.dtype)
    like = np.zeros((1, array.shape[1]), dtype)
    if sparse.issparse(meta_from_array(array)):
        like = sparse.csr_array(like)
    blocks = array.map_blocks(_block, dtype, dtype=dtype, meta=like[:0], name=_new_name("block"))
    # once, and not in each pass: workers must find the same tasks under the same keys
    (blocks,) = dask.optimize(blocks)
    return DaskTable(blocks, like, names)


def open_frame(frame: Any) -> DaskTable:
    """The rows of a Dask data frame."""
    dtypes = [
        np.dtype(getattr(dtype, "numpy_dtype", dtype if _is_numbers(dtype) else object)) for dtype in frame.dtypes
    ]
    for name, dtype in zip(frame.columns, dtypes, strict=True):
        if dtype.kind not in "fiub":
            raise ValueError(
                f"Column {name!r} of the Dask frame holds {frame.dtypes[name]}, not numbers; leave it out."
            )
    names = [name for name in frame.columns if isinstance(name, str)]
    dtype = float_type(np.result_type(*dtypes))
    read = dask.delayed(_numbers)
    shape = (np.nan, len(dtypes))
    parts = [da.from_delayed(read(part, dtype), shape, dtype) for part in frame.to_delayed()]
    array = da.concatenate(parts, allow_unknown_chunksizes=True)
    return open_array(array, names if len(names) == len(dtypes) else None)


def _is_numbers(dtype: Any) -> bool:
    return getattr(dtype, "kind", "O") in "fiub"


def _numbers(frame: Any, dtype: np.dtype[Any]) -> Any:
    return frame.to_numpy(dtype=dtype, na_value=np.nan)


def _block(rows: Any, dtype: np.dtype[Any]) -> Any:
    rows = sparse.csr_array(rows) if sparse.issparse(rows) else np.asarray(rows)
    return rows.astype(dtype, copy=False)


def _take(block: Any, rows: Any) -> Any:
    return block[rows]


@dataclass(frozen=True)
class _MapTask:
    """A row map as one of many tasks; errors name the block, and blocks without rows need no work."""

    row_map: Any
    nothing: Any = None

    def __call__(self, number: int, span: Any, *blocks: Any) -> Any:
        if blocks[0].shape[0] == 0 and self.nothing is not None:
            return self.nothing
        rows = span or slice(0, blocks[0].shape[0])
        try:
            with alone():
                return self.row_map(blocks[0], rows, *blocks[1:])
        except NotFiniteError as error:
            raise error.at(f"row {error.row - rows.start} of block {number} of the Dask collection") from None


@dataclass(frozen=True)
class _SumTask:
    """A step as one of many tasks, with its sums in float64."""

    step: Any

    def __call__(self, number: int, span: Any, *blocks: Any) -> tuple[Any, ...]:
        return added((), _MapTask(self.step)(number, span, *blocks))


def _called(task: Any, *arguments: Any) -> Any:
    return task(*arguments)


def _added(parts: list[tuple[Any, ...]]) -> tuple[Any, ...]:
    total: tuple[Any, ...] = ()
    for part in parts:
        total = added(total, part)
    return total


def _mapped(row_map: RowMap, spans: Iterator[Any], arrays: Sequence[Any], likes: Sequence[Any]) -> tuple[Any, Any]:
    """The lazy array of what a row map makes of blocks, and one row like its rows."""
    like = row_map(likes[0], slice(0, 1), *likes[1:])
    name, tail = _new_name("map"), (0,) * (like.ndim - 1)
    tasks = _tasks(name, _MapTask(row_map, like[:0]), spans, arrays, tail)
    chunks = (arrays[0].chunks[0], *((size,) for size in like.shape[1:]))
    graph = HighLevelGraph.from_collections(name, tasks, dependencies=arrays)
    return da.Array(graph, name, chunks, meta=like[:0]), like


def _tasks(
    name: str, shared: Any, spans: Iterator[Any], arrays: Sequence[Any], tail: tuple[int, ...] = ()
) -> dict[Any, Any]:
    """A task for each block, and one entry for what they share."""
    blocks = zip(*map(_keys, arrays), strict=True)
    key = f"{name}-shared"
    return {key: shared} | {
        (name, number, *tail): (_called, key, number, span, *own)
        for number, (span, own) in enumerate(zip(spans, blocks, strict=True))
    }


def _keys(array: Any) -> list[Any]:
    return list(flatten(array.__dask_keys__()))


def _new_name(what: str) -> str:
    return f"anchorgraph-{what}-{uuid.uuid4().hex}"


def _computed(tasks: dict[Any, Any], keys: list[Any], arrays: Sequence[Any]) -> tuple[Any, ...]:
    name = _new_name("all")
    graph = HighLevelGraph.from_collections(name, tasks, dependencies=arrays)
    with one_blas_thread:  # once for all tasks of this process
        found: tuple[Any, ...] = dask.compute(*(Delayed(key, graph, layer=name) for key in keys), optimize_graph=False)
    return found
