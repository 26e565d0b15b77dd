"""The rows of the nodes of a growing tree, with the products that splitting them requires.

Everything works on *b* nodes of *n* rows each, so that the same algorithm serves one node of millions of rows that is
read in chunks (*b* = 1) and a hundred small nodes in one array, for which a call per node would cost more than the
arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils.extmath import row_norms

from anchorgraph.anchors.scores import FullScores, LazyScores
from anchorgraph.contracts import Block, Floats, Integers, RowTable
from anchorgraph.numerics.blocks import chunks, row_bytes, take_rows
from anchorgraph.numerics.execution import run

HELD_BYTES = 2**25
"""Nodes up to this size are read into memory by the thread that splits them; larger ones are read in chunks."""

READ_BYTES = 2**22
"""Size of a chunk of a larger node."""

STACK_BYTES = 2**23
"""Small nodes are stacked up to this size: it fits into a common third-level cache, and is enough work per call for
threads."""

LAZY_BYTES = 2**23
"""In larger nodes it is faster to determine first which scores have to be computed again."""


class NodeRows:
    """One node, dense or sparse, handled in chunks of rows.

    Parameters
    ----------
    read : callable
        ``read(rows)`` returns the rows in a slice or at an array of positions, centred.
    shape : (n, d)
    dtype : dtype
    row_bytes : int
        Average memory of a row.
    sample_rows : int
        Number of rows that fit into memory.
    """

    read: Callable[[slice | Integers], Any]
    dtype: np.dtype[Any]
    row_bytes: int
    sample_rows: int
    n_nodes: ClassVar[int] = 1
    n_rows: int
    n_cols: int

    def __init__(
        self,
        read: Callable[[slice | Integers], Any],
        shape: tuple[int, int],
        dtype: np.dtype[Any],
        row_bytes: int,
        sample_rows: int,
    ) -> None:
        self.read, self.dtype, self.row_bytes, self.sample_rows = read, dtype, row_bytes, sample_rows
        self.n_rows, self.n_cols = shape

    def scores(self, n_left: int) -> LazyScores:
        """Scores for finding the ``n_left`` smallest along changing directions."""
        return LazyScores(self, n_left)

    def project(self, directions: Floats, rows: Integers | None = None) -> Floats:
        """(1, n) scores ``x·w`` of all rows, or of those at some positions."""
        if rows is None:
            return self._over_chunks(lambda part: self.read(part) @ directions[0], self.n_rows)[np.newaxis]
        return self._over_chunks(lambda part: self.read(rows[part]) @ directions[0], len(rows))[np.newaxis]

    def project_with_norms(self, directions: Floats, origin: Floats) -> tuple[Floats, Floats]:
        """(n,) scores ``x·w`` and (n,) distances ``‖x - origin‖`` of all rows, which are read once for both.

        Distances are at least the true ones, also where rounding of ``‖x‖²`` is larger than they are.
        """
        both = np.column_stack([directions[0], origin])
        rounding = 16 * np.finfo(self.dtype).eps

        def project_chunk(part: slice) -> Floats:
            rows = self.read(part)
            scores, at_origin = (rows @ both).T
            of_rows, of_origin = row_norms(rows, squared=True), origin @ origin
            squares = of_rows - 2 * at_origin + of_origin
            return np.column_stack([scores, np.sqrt(np.maximum(squares, 0) + rounding * (of_rows + of_origin))])

        columns = self._over_chunks(project_chunk, self.n_rows)
        return columns[:, 0].copy(), columns[:, 1].copy()

    def rough_mean(self) -> Floats:
        """(d,) mean of up to 256 rows."""
        some = self.read(np.linspace(0, self.n_rows - 1, min(self.n_rows, 256)).astype(np.intp))
        return np.asarray(some.mean(axis=0), dtype=self.dtype).ravel()

    def weighted_sum(self, weights: Floats) -> Floats:
        """(1, d) ``Σ weight·x`` in float64; rows of weight zero are not read."""
        rows = np.flatnonzero(weights[0])
        parts = self._over_chunks(
            lambda part: (self.read(rows[part]).T @ weights[0, rows[part]])[np.newaxis], len(rows)
        )
        total: Floats = parts.sum(axis=0, dtype=np.float64)[np.newaxis]
        return total

    def sample(self, positions: Integers) -> Nodes:
        """The rows at these (1, size) positions as a node."""
        return held(self.read(positions[0]), 1)

    def _over_chunks(self, work: Callable[[slice], Floats], n_rows: int) -> Floats:
        parts = chunks(max(n_rows, 1), self.row_bytes, READ_BYTES)
        return np.concatenate(run(work, parts))


class NodeStack:
    """Several nodes with the same number of dense rows.

    Parameters
    ----------
    rows : (b, n, d) floats
    """

    rows: Floats
    n_nodes: int
    n_rows: int
    n_cols: int
    dtype: np.dtype[Any]
    sample_rows: int

    def __init__(self, rows: Floats) -> None:
        self.rows = rows
        self.n_nodes, self.n_rows, self.n_cols = rows.shape
        self.dtype, self.sample_rows = rows.dtype, self.n_rows

    def scores(self, n_left: int) -> FullScores:
        """Scores for finding the ``n_left`` smallest along changing directions."""
        return FullScores(self)

    def project(self, directions: Floats) -> Floats:
        """(b, n) scores ``x·w`` of the rows of each node along its own direction."""
        scores: Floats = np.matmul(self.rows, directions[:, :, np.newaxis])[:, :, 0]
        return scores

    def weighted_sum(self, weights: Floats) -> Floats:
        """(b, d) ``Σ weight·x`` of each node in float64; if most weights are zero, their rows are not read."""
        chosen = np.flatnonzero(weights)
        if len(chosen) > weights.size / 4:
            dense: Floats = np.matmul(weights[:, np.newaxis, :], self.rows)[:, 0, :].astype(np.float64)
            return dense
        sums = np.zeros((self.n_nodes, self.n_cols))
        if len(chosen):
            rows = self.rows.reshape(-1, self.n_cols).take(chosen, axis=0)
            rows *= weights.reshape(-1)[chosen, np.newaxis]
            nodes, starts = np.unique(chosen // self.n_rows, return_index=True)
            sums[nodes] = np.add.reduceat(rows, starts, axis=0)
        return sums

    def sample(self, positions: Integers) -> NodeStack:
        """The rows at these (b, size) positions as nodes."""
        flat = self.n_rows * np.arange(self.n_nodes)[:, np.newaxis] + positions
        return NodeStack(self.rows.reshape(-1, self.n_cols).take(flat, axis=0))

    def keep(self, running: NDArray[np.bool_]) -> NodeStack:
        """The nodes selected by a (b,) mask."""
        return NodeStack(self.rows[running])


Nodes: TypeAlias = NodeRows | NodeStack
"""The rows of one or more nodes."""


def nodes_of(table: RowTable, index: Integers, centre: Floats | int) -> Nodes:
    """The nodes with the rows ``index`` (b, n) of a table, minus ``centre``, in the form that suits their size."""
    n_nodes, n_rows = index.shape
    is_shifted = np.any(centre)  # never for sparse rows, which are projected in float64 instead

    def read(rows: Integers) -> Any:
        block: Any = table.take(rows)
        if is_shifted:
            block -= centre
        return block.astype(np.float64) if sparse.issparse(block) else block

    if n_nodes == 1 and is_large(table, n_rows):
        shape, sample_rows = (n_rows, table.n_cols), max(2, HELD_BYTES // table.row_bytes // 4)
        dtype = read(index[0, :1]).dtype
        return NodeRows(lambda rows: read(index[0, rows]), shape, dtype, table.row_bytes, sample_rows)
    return held(read(index.ravel()), n_nodes)


def is_large(table: RowTable, n_rows: int) -> bool:
    """Whether this number of rows of a table is too large to be read into memory at once."""
    return n_rows * table.row_bytes > HELD_BYTES


def held(rows: Block, n_nodes: int) -> Nodes:
    """Nodes of equal size whose rows are in memory, one node after the other."""
    if not sparse.issparse(rows) and (n_nodes > 1 or rows.nbytes <= LAZY_BYTES):
        return NodeStack(rows.reshape(n_nodes, -1, rows.shape[1]))

    def read(part: slice | Integers) -> Any:
        return rows[part] if isinstance(part, slice) else take_rows(rows, part)

    return NodeRows(read, rows.shape, rows.dtype, row_bytes(rows), sample_rows=rows.shape[0])
