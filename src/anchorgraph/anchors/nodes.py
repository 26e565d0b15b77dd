"""The rows that nodes of a growing tree own, with the products that splitting them takes.

Everything works on *b* nodes of *n* rows at once, so that one algorithm serves a node with millions of rows that is
read by chunks (*b* = 1) and a hundred small nodes in one array, for which a call a node would cost more than its
arithmetic.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse
from sklearn.utils.extmath import row_norms

from anchorgraph.anchors.scores import FullScores, LazyScores
from anchorgraph.numerics.chunks import chunks, row_bytes, take_rows
from anchorgraph.numerics.execution import run

HELD_BYTES = 2**25
"""Nodes of up to this size are read into memory by the thread that splits them; a larger one is read by chunks."""

READ_BYTES = 2**22
"""A chunk of a larger node."""

STACK_BYTES = 2**24
"""Small nodes are stacked up to this size: half of a common third-level cache, and calls long enough for threads."""

LAZY_BYTES = 2**23
"""In a node that is larger it pays to find out first which of its rows have to be looked at again."""


class NodeRows:
    """One node, dense or sparse, handled in chunks of rows.

    Parameters
    ----------
    read : callable
        ``read(rows)`` returns those rows, centred, for a slice or an array of positions.
    shape : (n, d)
    dtype : dtype
    row_bytes : int
    sample_rows : int
        How many rows fit into memory.
    """

    n_nodes = 1

    def __init__(self, read, shape, dtype, row_bytes, sample_rows):
        self.read, self.dtype, self.row_bytes, self.sample_rows = read, dtype, row_bytes, sample_rows
        self.n_rows, self.n_cols = shape

    def scores(self, n_left):
        return LazyScores(self, n_left)

    def project(self, directions, rows=None):
        """(1, n) scores ``x·w`` of all rows, or of those at some positions."""
        if rows is None:
            return self._over_chunks(lambda part: self.read(part) @ directions[0], self.n_rows)[np.newaxis]
        return self._over_chunks(lambda part: self.read(rows[part]) @ directions[0], len(rows))[np.newaxis]

    def project_with_norms(self, directions, origin):
        """(n,) scores ``x·w`` and distances ``‖x - origin‖`` of all rows from one reading."""
        both = np.column_stack([directions[0], origin])

        def look(part):
            rows = self.read(part)
            scores, at_origin = (rows @ both).T
            squares = row_norms(rows, squared=True) - 2 * at_origin + origin @ origin
            return np.column_stack([scores, np.sqrt(np.maximum(squares, 0))])

        columns = self._over_chunks(look, self.n_rows)
        return columns[:, 0].copy(), columns[:, 1].copy()

    def rough_mean(self):
        """(d,) mean of some rows."""
        some = self.read(np.linspace(0, self.n_rows - 1, min(self.n_rows, 256)).astype(np.intp))
        return np.asarray(some.mean(axis=0), dtype=self.dtype).ravel()

    def weighted_sum(self, weights):
        """(1, d) ``Σ weight·x`` in float64; only rows with a weight are read."""
        rows = np.flatnonzero(weights[0])
        parts = self._over_chunks(
            lambda part: (self.read(rows[part]).T @ weights[0, rows[part]])[np.newaxis], len(rows)
        )
        return parts.sum(axis=0, dtype=np.float64)[np.newaxis]

    def sample(self, positions):
        """The rows at these (1, size) positions as a node of its own."""
        return held(self.read(positions[0]), 1)

    def _over_chunks(self, work, n_rows):
        parts = chunks(max(n_rows, 1), self.row_bytes, READ_BYTES)
        return np.concatenate(run(work, parts))


class NodeStack:
    """Several nodes of as many dense rows each: a (b, n, d) array."""

    def __init__(self, rows):
        self.rows = rows
        self.n_nodes, self.n_rows, self.n_cols = rows.shape
        self.dtype, self.sample_rows = rows.dtype, self.n_rows

    def scores(self, n_left):
        return FullScores(self)

    def project(self, directions):
        """(b, n) scores ``x·w`` of the rows of each node along its own direction."""
        return np.matmul(self.rows, directions[:, :, np.newaxis])[:, :, 0]

    def weighted_sum(self, weights):
        """(b, d) ``Σ weight·x`` of each node in float64; where weights are few, only rows with one are read."""
        chosen = np.flatnonzero(weights)
        if len(chosen) > weights.size / 4:
            return np.matmul(weights[:, np.newaxis, :], self.rows)[:, 0, :].astype(np.float64)
        sums = np.zeros((self.n_nodes, self.n_cols))
        if len(chosen):
            rows = self.rows.reshape(-1, self.n_cols).take(chosen, axis=0)
            rows *= weights.reshape(-1)[chosen, np.newaxis]
            nodes, starts = np.unique(chosen // self.n_rows, return_index=True)
            sums[nodes] = np.add.reduceat(rows, starts, axis=0)
        return sums

    def sample(self, positions):
        """The rows at these (b, size) positions as nodes of their own."""
        flat = self.n_rows * np.arange(self.n_nodes)[:, np.newaxis] + positions
        return NodeStack(self.rows.reshape(-1, self.n_cols).take(flat, axis=0))

    def keep(self, running):
        """Some of the nodes."""
        return NodeStack(self.rows[running])


def nodes_of(table, index, centre):
    """The nodes with the rows ``index`` (b, n) of a table, less ``centre``, in whichever form suits their size."""
    n_nodes, n_rows = index.shape
    is_shifted = np.any(centre)  # never for sparse rows, which are projected in float64 instead

    def read(rows):
        block = table.take(rows)
        if is_shifted:
            block -= centre
        return block.astype(np.float64) if sparse.issparse(block) else block

    if n_nodes == 1 and is_large(table, n_rows):
        shape, sample_rows = (n_rows, table.n_cols), max(2, HELD_BYTES // table.row_bytes // 4)
        dtype = read(index[0, :1]).dtype
        return NodeRows(lambda rows: read(index[0, rows]), shape, dtype, table.row_bytes, sample_rows)
    return held(read(index.ravel()), n_nodes)


def is_large(table, n_rows):
    """Whether so many rows of a table are too many to be read into memory at once."""
    return n_rows * table.row_bytes > HELD_BYTES


def held(rows, n_nodes):
    """Nodes whose rows are in memory, one after the other."""
    if not sparse.issparse(rows) and (n_nodes > 1 or rows.nbytes <= LAZY_BYTES):
        return NodeStack(rows.reshape(n_nodes, -1, rows.shape[1]))

    def read(part):
        return rows[part] if isinstance(part, slice) else take_rows(rows, part)

    return NodeRows(read, rows.shape, rows.dtype, row_bytes(rows), sample_rows=rows.shape[0])
