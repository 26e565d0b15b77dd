"""Tables over Dask collections: the only file that knows Dask.

A pass is one task a block and a tree of additions. A step, with all that it needs of anchors and maps, is one entry of
the task graph which every task refers to, so that it reaches a worker once and is made anew if a worker is lost. Blocks
have two dimensions, also where a row is a single number, so that blocks of several arrays go together.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import dask
import dask.array as da
import numpy as np
from dask.array.utils import meta_from_array
from scipy import sparse

from anchorgraph.contracts import Block, Integers, RowMap, SumStep
from anchorgraph.numerics.blas import one_blas_thread
from anchorgraph.numerics.execution import as_worker
from anchorgraph.numerics.finite import NotFiniteError
from anchorgraph.table.base import Table, added, float_type, taken
from anchorgraph.table.target import as_target

FAN_IN = 8
"""Sums that one task adds up."""


class DaskTable(Table):
    """A :class:`~anchorgraph.contracts.RowTable` over the blocks of a Dask array, here or on a cluster.

    Parameters
    ----------
    array : dask.array.Array
        Of two dimensions, with all columns in one block. Sizes that are not known are found out when they are needed,
        by a pass of their own; :meth:`map_rows` does without.
    like : Block
        One row of zeros, of the kind that the blocks have; of one dimension where a row is a single number.
    names : list of str, optional
    """

    in_memory = False

    def __init__(self, array: Any, like: Any, names: list[str] | None = None) -> None:
        self._array, self._like, self.names = array, like, names
        self.n_cols = int(like.shape[1]) if like.ndim > 1 else 1
        self.dtype: np.dtype[Any] = like.dtype
        self.is_sparse = sparse.issparse(like)
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

    def take(self, rows: Integers) -> Block:
        def read(wanted: dict[int, Any]) -> list[Any]:
            blocks, part = self._sized.to_delayed(optimize_graph=False)[:, 0], dask.delayed(_rows_at, pure=False)
            return _computed([part(blocks[number], own) for number, own in wanted.items()])

        found: Any = taken(rows, self._starts, read)
        block: Block = found[:, 0] if self._like.ndim == 1 else found
        return block

    def sum_blocks(self, step: SumStep, *aligned: Any) -> tuple[Any, ...]:
        sums = _mapped(_SumTask(step), [self._sized, *(other._sized for other in aligned)], [self, *aligned], 1)
        options = {"dtype": np.float64, "meta": np.empty(0), "split_every": FAN_IN, "concatenate": False}
        total = da.reduction(sums, _only, _added, combine=_added, axis=0, **options)
        (found,) = _computed(total.to_delayed(optimize_graph=False).ravel().tolist())
        return tuple(found)

    def map_rows(self, row_map: RowMap, *aligned: Any) -> Any:
        """A lazy Dask array."""
        mapped = self._map(row_map, *aligned)
        return mapped._array[:, 0] if mapped._like.ndim == 1 else mapped._array

    def write_rows(self, row_map: RowMap, target: Any, names: list[str]) -> Path:
        path = as_target(target).path
        raise ValueError(
            f"out={str(path)!r} is for files, but the result is a Dask array; write it with its own methods, such as "
            "to_zarr."
        )

    def keep(self, row_map: RowMap, *aligned: Any) -> DaskTable:
        """In the memory of the workers."""
        mapped = self._map(row_map, *aligned)
        with one_blas_thread:
            return DaskTable(mapped._array.persist(optimize_graph=False), mapped._like)

    def view(self, row_map: RowMap, names: list[str] | None = None) -> DaskTable:
        mapped = self._map(row_map)
        mapped.names = names
        return mapped

    def align(self, array: Any) -> DaskTable:
        """An array in this process's memory, of which each block goes where it is needed."""
        columns = array.reshape(len(array), -1)
        chunks = (self._sized.chunks[0], (columns.shape[1],))
        return DaskTable(da.from_array(columns, chunks=chunks, name=_new_name("aligned")), array[:1])

    def _map(self, row_map: RowMap, *aligned: Any) -> DaskTable:
        """The lazy table of what a row map makes of blocks. Alone, they need not be counted."""
        is_counted = bool(aligned) or "_sized" in vars(self)
        arrays = [self._sized, *(other._sized for other in aligned)] if is_counted else [self._array]
        like = row_map(self._like, *(other._like for other in aligned))
        width = like.shape[1] if like.ndim > 1 else 1
        return DaskTable(_mapped(_MapTask(row_map, like[:0]), arrays, [self, *aligned], width, like[:0]), like)


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


def _rows_at(block: Any, rows: Any) -> Any:
    return block[rows]


@dataclass(frozen=True)
class _MapTask:
    """A row map as one of many tasks; blocks without rows need no work."""

    row_map: Any
    nothing: Any

    def __call__(self, *blocks: Any) -> Any:
        if blocks[0].shape[0] == 0:
            return _two_dimensional(self.nothing)
        return _two_dimensional(self.row_map(*blocks))


@dataclass(frozen=True)
class _SumTask:
    """A step as one of many tasks, with its sums in float64."""

    step: Any

    def __call__(self, *blocks: Any) -> tuple[Any, ...]:
        return added((), self.step(*blocks))


def _two_dimensional(rows: Any) -> Any:
    return rows.reshape(-1, 1) if rows.ndim == 1 else rows


def _mapped(task: Any, arrays: list[Any], tables: list[DaskTable], width: int, meta: Any = None) -> Any:
    """The lazy array of what a task makes of the blocks of some arrays, which all tasks share."""
    return da.map_blocks(
        _called,
        *arrays,
        task=dask.delayed(task, name=_new_name("task"), traverse=False),
        are_flat=tuple(table._like.ndim == 1 for table in tables),
        chunks=(arrays[0].chunks[0], (width,)),
        meta=np.empty((0, 0)) if meta is None else _two_dimensional(meta),
        name=_new_name("map"),
    )


def _called(*blocks: Any, task: Any, are_flat: tuple[bool, ...], block_id: tuple[int, int]) -> Any:
    """What a task makes of blocks, on one thread; errors name the block."""
    try:
        with as_worker():
            return task(*(b[:, 0] if flat else b for b, flat in zip(blocks, are_flat, strict=True)))
    except NotFiniteError as error:
        raise error.at(f"row {error.row} of block {block_id[0]} of the Dask collection") from None


def _only(part: Any, axis: Any, keepdims: bool) -> Any:
    return part


def _added(parts: Any, axis: Any, keepdims: bool) -> tuple[Any, ...]:
    total: tuple[Any, ...] = ()
    for part in parts if isinstance(parts, list) else [parts]:
        total = added(total, part)
    return total


def _new_name(what: str) -> str:
    return f"anchorgraph-{what}-{uuid.uuid4().hex}"


def _computed(tasks: list[Any]) -> list[Any]:
    with one_blas_thread:  # once for all tasks of this process
        return list(dask.compute(*tasks, optimize_graph=False))
