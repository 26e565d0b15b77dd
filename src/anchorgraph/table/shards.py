"""Tables over parts that are read when they are needed, such as files or row groups of files."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from anchorgraph.contracts import Block, Integers
from anchorgraph.numerics.blocks import stack
from anchorgraph.table.base import float_type, take_from_parts
from anchorgraph.table.description import count
from anchorgraph.table.file_checks import explain_memory_error
from anchorgraph.table.kept import REMEDY, TemporaryFolder, memory_limit
from anchorgraph.table.local import LocalTable, collect_rows
from anchorgraph.table.memory import MemoryTable
from anchorgraph.table.npy_file import npy_part
from anchorgraph.table.npz_file import load_npz
from anchorgraph.table.packed import PackedRows, pack, packed_part
from anchorgraph.table.parts import InvalidFileError, Part
from anchorgraph.table.sparse_rows import sparse_part
from anchorgraph.table.target import as_target, check_path, count_bytes, explain_full_disk, write_shard


class ShardTable(LocalTable):
    """A :class:`~anchorgraph.contracts.RowTable` over parts; one part is open at a time.

    Parameters
    ----------
    parts : sequence of Part
    block_rows : int, optional
        Maximum number of rows in a block; a block never extends beyond the end of a part.
    names : list of str, optional
    origin : sequence of Path
        Files and folders that contain the parts.
    owner : object, optional
        An object that must live as long as the table, such as the temporary folder of its files.
    """

    names: list[str] | None
    n_cols: int
    dtype: np.dtype[Any]
    is_sparse: bool
    row_bytes: int

    def __init__(
        self,
        parts: Sequence[Part],
        *,
        block_rows: int | None = None,
        names: list[str] | None = None,
        origin: Sequence[Path] = (),
        owner: object = None,
    ) -> None:
        first = parts[0]
        for part in parts:
            if part.shape[1:] != first.shape[1:]:
                raise ValueError(
                    f"{part.name} has {count(part.shape[1], 'column')}, but {first.name} has {first.shape[1]}; all "
                    "parts of a table must have the same columns."
                )
            if (part.row_bytes is None) != (first.row_bytes is None):
                raise ValueError(
                    f"{part.name} and {first.name} are not both sparse; store all parts as sparse or all as dense."
                )
        self._parts = [part for part in parts if part.shape[0]]
        if not self._parts:
            raise ValueError(
                f"{first.name} has no rows{', and neither has any other part' * (len(parts) > 1)}; store at least one."
            )
        self._starts = np.cumsum([0, *(part.shape[0] for part in self._parts)])
        self._block_rows, self._origin, self._owner, self.names = block_rows, list(origin), owner, names
        self._opened: tuple[int, Any] = (-1, None)
        self.n_cols, self.is_sparse = int(np.prod(first.shape[1:], dtype=int)), first.row_bytes is not None
        dtype = np.result_type(*(part.dtype for part in parts))
        self.dtype = dtype if len(first.shape) == 1 else float_type(dtype)
        sparse_bytes = max((part.row_bytes or 0) for part in parts)
        self.row_bytes = sparse_bytes or self.n_cols * self.dtype.itemsize

    @property
    def n_rows(self) -> int:
        return int(self._starts[-1])

    def spans(self) -> Iterator[slice]:
        step = self.block_rows
        for start, stop in itertools.pairwise(self._starts.tolist()):
            for first in range(start, stop, step):
                yield slice(first, min(first + step, stop))

    def describe_row(self, row: int) -> str:
        number = self._part_of(row)
        part = self._parts[number]
        in_file = row - self._starts[number] + part.first_row
        return f"{part.place(in_file) if part.place else f'row {in_file}'} of {part.name}"

    def read(self, span: slice) -> Block:
        found = []
        for number in range(self._part_of(span.start), self._part_of(max(span.stop - 1, 0)) + 1):
            start, stop = self._starts[number : number + 2]
            found.append(self._rows(number, slice(max(span.start, start) - start, min(span.stop, stop) - start)))
        block: Block = stack(found)
        return block

    def take(self, rows: Integers) -> Block:
        block: Block = take_from_parts(
            rows, self._starts, lambda wanted: [self._rows(*part) for part in wanted.items()]
        )
        return block

    def store(self, results: Iterator[Any]) -> LocalTable:
        """In memory if a quarter of scikit-learn's ``working_memory`` suffices, otherwise in a temporary folder."""
        first = next(results)
        blocks = itertools.chain([first], results)
        n_bytes = int(count_bytes(first) / max(first.shape[0], 1) * self.n_rows)
        if n_bytes <= memory_limit():
            return MemoryTable(collect_rows(blocks, self.n_rows), block_rows=self.block_rows)
        owner = TemporaryFolder()
        folder = owner.path
        try:
            with explain_full_disk(folder, folder, n_bytes, REMEDY):
                parts = [_store_part(pack(rows), folder, number) for number, rows in enumerate(blocks)]
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)  # now, because the traceback keeps the owner alive
            raise
        return ShardTable(parts, block_rows=self.block_rows, owner=owner)

    def check_target(self, target: Any) -> None:
        path = as_target(target).path
        if isinstance(path, str):  # a URL
            return
        check_path(path)
        path = path.resolve()
        for source in self._origin:
            if source in (path, path.parent):
                raise ValueError(
                    f"out={str(path)!r} is the input {source} or lies in it; choose a path outside the input."
                )

    def _part_of(self, row: Any) -> Any:
        return np.minimum(np.searchsorted(self._starts, row, side="right") - 1, len(self._parts) - 1)

    def _rows(self, number: int, rows: Any) -> Any:
        is_open, opened = self._opened
        if is_open != number:
            opened = None
            self._opened = (-1, None)  # close first: two parts may not fit into memory
            opened = self._open(self._parts[number])
            self._opened = (number, opened)
        n_rows = rows.stop - rows.start if isinstance(rows, slice) else len(rows)
        with explain_memory_error(self._parts[number].name, n_rows * self.row_bytes):
            block = opened[rows]
            if sparse.issparse(block):
                block = sparse.csr_array(block)
            return block.astype(self.dtype, copy=False)

    def _open(self, part: Part) -> Any:
        with explain_memory_error(part.name, part.shape[0] * self.row_bytes):
            opened = part.open()
        if (opened.shape, opened.dtype) != (part.shape, part.dtype):
            raise InvalidFileError(
                f"{part.name} should have shape {part.shape} and dtype {part.dtype}, but has {opened.shape} and "
                f"{opened.dtype}; it may have changed while it was read: write it again."
            )
        return opened

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"_opened": (-1, None)}


def _store_part(rows: Any, folder: Path, number: int) -> Part:
    if isinstance(rows, PackedRows):
        return packed_part(rows, folder, number)
    path = write_shard(rows, folder, number)
    return sparse_part(path, rows, load_npz) if sparse.issparse(rows) else npy_part(path)
