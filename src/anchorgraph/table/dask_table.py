"""Tables over Dask collections: the only module that imports Dask.

A pass over the rows is one task for each block and a tree of additions. A step, with the anchors and maps that it uses,
is one entry of the task graph that every task refers to, so that it is sent to a worker once and recomputed if a worker
is lost. Blocks have two dimensions even if a row is a single number, so that blocks of several arrays can be combined.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import dask
import dask.array as da
import numpy as np
from dask.array.utils import meta_from_array
from dask.sizeof import sizeof
from scipy import sparse

from anchorgraph.contracts import Block, Integers, RowMap, SumStep
from anchorgraph.numerics.allocation import reuse_freed_memory
from anchorgraph.numerics.blas import one_blas_thread
from anchorgraph.numerics.execution import as_worker
from anchorgraph.numerics.finite import UNUSABLE, RowError, largest_number
from anchorgraph.table.base import RowsAndSums, Table, add_sums, float_type, take_from_parts
from anchorgraph.table.packed import PackedRows, pack, unpack
from anchorgraph.table.target import as_target
from anchorgraph.table.values import refuse_columns
from anchorgraph.urls import shown

FAN_IN = 8
"""Number of partial sums that one task adds."""


class DaskTable(Table):
    """A :class:`~anchorgraph.contracts.RowTable` over the blocks of a Dask array, local or on a cluster.

    Parameters
    ----------
    array : dask.array.Array
        Two-dimensional, with all columns in one block. Unknown chunk sizes are computed by a separate pass when they
        are needed; :meth:`map_rows` does not need them.
    like : Block
        One row of the same type as the blocks, which every row map accepts: the first unit vector has a direction and
        sums to one. One-dimensional if a row is a single number.
    names : list of str, optional
    """

    names: list[str] | None
    n_cols: int
    dtype: np.dtype[Any]
    is_sparse: bool
    row_bytes: int
    in_memory: bool = False
    _refuse: Callable[[], None] | None = None
    _is_checked: bool = True
    _is_kept: bool = False
    """Whether blocks are results of tasks that are done: there is nothing to optimise."""

    def __init__(self, array: Any, like: Any, names: list[str] | None = None) -> None:
        self._array, self._like, self.names = array, like, names
        self.n_cols = int(like.shape[1]) if like.ndim > 1 else 1
        self.dtype = like.dtype
        self.is_sparse = sparse.issparse(like)
        self.row_bytes = self.n_cols * self.dtype.itemsize

    @cached_property
    def _sized(self) -> Any:
        """The array with known chunk sizes and without empty chunks."""
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

    def take(self, rows: Integers) -> Block:
        def read(wanted: dict[int, Any]) -> list[Any]:
            blocks = self._sized.to_delayed(optimize_graph=not self._is_kept)[:, 0]
            part = dask.delayed(_rows_at, pure=False)
            return self._compute([part(blocks[number], own) for number, own in wanted.items()])

        found: Any = take_from_parts(rows, self._starts, read)
        block: Block = found[:, 0] if self._like.ndim == 1 else found
        if not self._is_checked:
            self._or_refuse(lambda: largest_number(block))
        return block

    def sum_blocks(self, step: SumStep, *aligned: Any) -> tuple[Any, ...]:
        sums = _map_blocks(_SumTask(step), [self._sized, *(other._sized for other in aligned)], [self, *aligned], 1)
        (found,) = self._compute(_total(sums).to_delayed().ravel().tolist())  # a block is read and summed in one task
        self._is_checked = True
        return tuple(found)

    def map_rows(self, row_map: RowMap, *aligned: Any) -> Any:
        """The results as a lazy Dask array."""
        mapped = self._map(row_map, *aligned)
        return mapped._array[:, 0] if mapped._like.ndim == 1 else mapped._array

    def write_rows(self, row_map: RowMap, target: Any, names: list[str]) -> Path:
        path = as_target(target).path
        raise ValueError(
            f"out={shown(path)!r} cannot be written: the result is a Dask array; write it with its own methods, such "
            "as to_zarr."
        )

    def keep(self, row_map: RowMap, *aligned: Any) -> DaskTable:
        """The results, kept in the memory of the workers; sparse rows are packed where this is possible."""
        mapped = self._map(row_map, *aligned, task=_KeepTask)
        with one_blas_thread:
            array = self._or_refuse(lambda: mapped._array.persist())
        return self._kept(array, mapped._like)

    def keep_and_sum(self, row_map: RowMap, step: SumStep, *aligned: Any) -> tuple[DaskTable, tuple[Any, ...]]:
        """The same with sums; a task makes the rows of a block and their sums, which then go separate ways."""
        like = _example(row_map, self)
        arrays, tables = [self._sized, *(other._sized for other in aligned)], [self, *aligned]
        both = _map_blocks(RowsAndSums(row_map, step), arrays, tables, like.shape[1] if like.ndim > 1 else 1)
        (both,) = dask.optimize(both)  # once: each of the two ways would get a task of its own for the same work
        rows = both.map_blocks(_rows_of, meta=_two_dimensional(like[:0]), name=_new_name("rows"))
        sums = both.map_blocks(_sums_of, meta=np.empty((0, 0)), name=_new_name("sums"))
        (total,) = _total(sums).to_delayed(optimize_graph=False).ravel().tolist()
        with one_blas_thread:
            rows, total = self._or_refuse(lambda: dask.persist(rows, total, optimize_graph=False))
        (found,) = self._compute([total])
        self._is_checked = True
        return self._kept(rows, like), tuple(found)

    def view(self, row_map: RowMap, names: list[str] | None = None) -> DaskTable:
        mapped = self._map(row_map)
        mapped.names = names
        return mapped.with_weights_of(self)

    def checked(self, refuse: Callable[[], None]) -> DaskTable:
        """The same table; a task checks its block before it works on it, until a pass over all blocks is complete."""
        table = copy(self)
        table._refuse, table._is_checked = refuse, False
        return table

    def align(self, array: Any) -> DaskTable:
        """An array in the memory of this process; each block is sent to the worker that needs it."""
        columns = array.reshape(len(array), -1)
        chunks = (self._sized.chunks[0], (columns.shape[1],))
        return DaskTable(da.from_array(columns, chunks=chunks, name=_new_name("aligned")), array[:1])

    def numbers(self) -> DaskTable:
        """Made by the workers, so that none are sent."""
        return DaskTable(da.arange(self.n_rows, chunks=(self._sized.chunks[0],))[:, np.newaxis], np.zeros(1, np.int64))

    def _map(self, row_map: RowMap, *aligned: Any, task: type[_MapTask] | None = None) -> DaskTable:
        """The lazy table of the results of a row map. Chunk sizes are needed only if there are aligned tables."""
        has_sizes = bool(aligned) or "_sized" in vars(self)
        arrays = [self._sized, *(other._sized for other in aligned)] if has_sizes else [self._array]
        like = _example(row_map, self, *aligned)
        width = like.shape[1] if like.ndim > 1 else 1
        on_blocks = (task or _MapTask)(row_map, like[:0])
        array = _map_blocks(on_blocks, arrays, [self, *aligned], width, like[:0])
        return self._made_of(DaskTable(array, like))

    def _kept(self, array: Any, like: Any) -> DaskTable:
        """A table of rows that workers keep."""
        table = self._made_of(DaskTable(array, like)).with_weights_of(self)
        table._is_kept = True
        return table

    def _made_of(self, table: DaskTable) -> DaskTable:
        """A table that is made of these rows, whose tasks may be those that check them."""
        table._refuse = self._refuse
        return table

    def _compute(self, tasks: list[Any]) -> list[Any]:
        def compute() -> list[Any]:
            with one_blas_thread:  # one limit for all tasks of this process
                return list(dask.compute(*tasks, optimize_graph=False))

        results: list[Any] = self._or_refuse(compute)
        return results

    def _or_refuse(self, work: Callable[[], Any]) -> Any:
        try:
            return work()
        except UNUSABLE:
            if self._refuse is not None:
                self._refuse()
            raise


def open_array(array: Any, names: list[str] | None = None) -> DaskTable:
    """The table of a Dask array."""
    if array.ndim != 2 or array.dtype.kind not in "fiub":
        raise ValueError(
            f"The Dask array has shape {array.shape} and dtype {array.dtype}; pass two-dimensional real numbers."
        )
    if len(array.chunks[1]) > 1:
        array = array.rechunk({1: -1})
    dtype = float_type(array.dtype)
    like = np.eye(1, array.shape[1], dtype=dtype)
    if sparse.issparse(meta_from_array(array)):
        like = sparse.csr_array(like)
    blocks = array.map_blocks(_as_block, dtype, dtype=dtype, meta=like[:0], name=_new_name("block"))
    return DaskTable(blocks, like, names)


def open_frame(frame: Any) -> DaskTable:
    """The table of a Dask data frame."""
    dtypes = [
        np.dtype(getattr(dtype, "numpy_dtype", dtype if _is_numeric(dtype) else object)) for dtype in frame.dtypes
    ]
    kinds = zip(frame.columns, dtypes, strict=True)
    if others := {name: frame.dtypes[name] for name, dtype in kinds if dtype.kind not in "fiub"}:
        raise refuse_columns("the Dask data frame", others)
    names = [name for name in frame.columns if isinstance(name, str)]
    dtype = float_type(np.result_type(*dtypes))
    read = dask.delayed(_frame_to_array)
    shape = (np.nan, len(dtypes))
    parts = [da.from_delayed(read(part, dtype), shape, dtype) for part in frame.to_delayed()]
    array = da.concatenate(parts, allow_unknown_chunksizes=True)
    return open_array(array, names if len(names) == len(dtypes) else None)


def _is_numeric(dtype: Any) -> bool:
    return getattr(dtype, "kind", "O") in "fiub"


def _frame_to_array(frame: Any, dtype: np.dtype[Any]) -> Any:
    return frame.to_numpy(dtype=dtype, na_value=np.nan)


def _as_block(rows: Any, dtype: np.dtype[Any]) -> Any:
    rows = sparse.csr_array(rows) if sparse.issparse(rows) else np.asarray(rows)
    return rows.astype(dtype, copy=False)


def _rows_at(block: Any, rows: Any) -> Any:
    return block[rows]


@dataclass(frozen=True)
class _MapTask:
    """A row map as a task; blocks without rows give ``empty``."""

    row_map: Any
    empty: Any

    def __call__(self, *blocks: Any) -> Any:
        if blocks[0].shape[0] == 0:
            return _two_dimensional(self.empty)
        return _two_dimensional(self.row_map(*blocks))


class _KeepTask(_MapTask):
    """A row map as a task whose results are kept."""

    def __call__(self, *blocks: Any) -> Any:
        return pack(super().__call__(*blocks))


@dataclass(frozen=True)
class _SumTask:
    """A step as a task, with its sums in float64."""

    step: Any

    def __call__(self, *blocks: Any) -> tuple[Any, ...]:
        return add_sums((), self.step(*blocks))


@dataclass(frozen=True)
class _CheckedTask:
    """A task that checks the numbers of its block first."""

    task: Any

    def __call__(self, *blocks: Any) -> Any:
        if blocks[0].shape[0]:
            largest_number(blocks[0])
        return self.task(*blocks)


def _two_dimensional(rows: Any) -> Any:
    return rows.reshape(-1, 1) if rows.ndim == 1 else rows


def _example(row_map: RowMap, *tables: DaskTable) -> Any:
    """What a row map makes of made-up rows, for its shape and dtype: they may be far from all rows, and overflow."""
    with np.errstate(all="ignore"):
        return row_map(*(table._like for table in tables))


def _map_blocks(task: Any, arrays: list[Any], tables: list[DaskTable], width: int, meta: Any = None) -> Any:
    """The lazy array of the results of a task on the blocks of some arrays; all tasks share one copy of ``task``."""
    task = task if tables[0]._is_checked else _CheckedTask(task)
    return da.map_blocks(
        _run_task,
        *arrays,
        task=dask.delayed(task, name=_new_name("task"), traverse=False),
        are_flat=tuple(table._like.ndim == 1 for table in tables),
        chunks=(arrays[0].chunks[0], (width,)),
        meta=np.empty((0, 0)) if meta is None else _two_dimensional(meta),
        name=_new_name("map"),
    )


def _run_task(*blocks: Any, task: Any, are_flat: tuple[bool, ...], block_id: tuple[int, int]) -> Any:
    """Run a task on some blocks with one thread; errors name the block."""
    reuse_freed_memory()
    try:
        with as_worker():
            return task(*(b[:, 0] if flat else unpack(b) for b, flat in zip(blocks, are_flat, strict=True)))
    except RowError as error:
        raise error.at(f"row {error.row} of block {block_id[0]} of the Dask collection") from None


def _packed_bytes(rows: PackedRows) -> int:
    """Size of kept rows, which Dask does not know of objects of others: what has no size is never spilled to disk."""
    return int(rows.columns.nbytes + rows.weights.nbytes)


def _csr_bytes(rows: Any) -> int:
    return int(rows.data.nbytes + rows.indices.nbytes + rows.indptr.nbytes)


sizeof.register(PackedRows, _packed_bytes)
sizeof.register(sparse.csr_array, _csr_bytes)


def _rows_of(both: Any) -> Any:
    return pack(_two_dimensional(both[0]))


def _sums_of(both: Any) -> Any:
    return both[1]


def _total(sums: Any) -> Any:
    """The sum of the blocks of an array of sums, as a lazy array."""
    options = {"dtype": np.float64, "meta": np.empty(0), "split_every": FAN_IN, "concatenate": False}
    return da.reduction(sums, _identity, _add_parts, combine=_add_parts, axis=0, **options)


def _identity(part: Any, axis: Any, keepdims: bool) -> Any:
    return part


def _add_parts(parts: Any, axis: Any, keepdims: bool) -> tuple[Any, ...]:
    total: tuple[Any, ...] = ()
    for part in parts if isinstance(parts, list) else [parts]:
        total = add_sums(total, part)
    return total


def _new_name(what: str) -> str:
    return f"anchorgraph-{what}-{uuid.uuid4().hex}"
