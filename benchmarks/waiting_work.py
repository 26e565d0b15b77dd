"""Tables of very many rows in the memory of one block, and work on them that is done once and then waited for.

All blocks of such a table are the same one, so that a step or a row map returns the same for each of them. It is done
once, and every task waits for as long as that took and returns the same result. All else is real: estimators, task
graphs, the sizes of results, the sums. This works in a cluster that is one process, where nothing is copied.
"""

import time
from contextlib import contextmanager

import dask.array as da
import numpy as np

from anchorgraph.numerics.execution import as_worker
from anchorgraph.table.dask_table import DaskTable

WAITED = []
"""Seconds of all waits."""

_shared = []


class Shared:
    """What is pickled as a reference, because all workers are in this process."""

    def __init__(self):
        self._number = len(_shared)
        _shared.append(self)

    def __reduce__(self):
        return _find, (self._number,)


def _find(number):
    return _shared[number]


class RepeatedRows(Shared):
    """An array whose every block is the same one: ``n_blocks`` times the rows of ``block``."""

    ndim = 2

    def __init__(self, block, n_blocks):
        super().__init__()
        self.shape, self.dtype = (n_blocks * len(block), block.shape[1]), block.dtype
        self.block, self.n_reads = block, 0

    def __getitem__(self, index):
        rows = index[0]
        if rows.stop - rows.start != len(self.block):
            return self.block[:0]  # Dask looks at the type
        self.n_reads += 1
        return self.block

    def as_dask(self):
        return da.from_array(self, chunks=self.block.shape, name="repeated-rows", asarray=False)


class Work(Shared):
    """A step or row map with its result for a block, for which it waits when it gets one."""

    def __init__(self, work, blocks, faster):
        super().__init__()
        self._work, self._n_rows = work, blocks[0].shape[0]
        start = time.perf_counter()
        with as_worker():
            self._result = work(*blocks)
        self._seconds = (time.perf_counter() - start) / faster

    def __call__(self, *blocks):
        if blocks[0].shape[0] != self._n_rows:
            return self._work(*blocks)  # the one row that tells the type of a result
        time.sleep(self._seconds)
        WAITED.append(self._seconds)
        return self._result


@contextmanager
def waiting(block_rows, faster, in_pass):
    """Let the work of Dask's tables wait within a ``with`` block.

    Parameters
    ----------
    block_rows : int
        Number of rows of each block.
    faster : float
        Waits are so many times shorter than the work took.
    in_pass : callable
        ``in_pass(verb)`` runs a verb that goes over the blocks, and returns its result.
    """
    verbs = {
        name: getattr(DaskTable, name) for name in ("take", "sum_blocks", "keep", "keep_and_sum", "view", "checked")
    }
    take, sum_blocks, keep, view = (verbs[name] for name in ("take", "sum_blocks", "keep", "view"))

    def once(work, *tables):
        return Work(work, [take(table, np.arange(block_rows)) for table in tables], faster)

    def waiting_sum(table, step, *aligned):
        step = once(step, table, *aligned)
        return in_pass(lambda: sum_blocks(table, step, *aligned))

    def waiting_keep(table, row_map, *aligned):
        row_map = once(row_map, table, *aligned)
        return in_pass(lambda: keep(table, row_map, *aligned))

    def waiting_keep_and_sum(table, row_map, step, *aligned):
        first = take(table, np.arange(block_rows))
        row_map = Work(row_map, [first], faster)
        step = Work(step, [row_map._result, first, *(take(other, np.arange(block_rows)) for other in aligned)], faster)
        return in_pass(lambda: verbs["keep_and_sum"](table, row_map, step, *aligned))

    replaced = {
        "take": lambda table, rows: in_pass(lambda: take(table, rows)),
        "sum_blocks": waiting_sum,
        "keep": waiting_keep,
        "keep_and_sum": waiting_keep_and_sum,
        "checked": lambda table, refuse: table,  # a check is work too
        "view": lambda table, row_map, names=None: view(table, once(row_map, table), names),
    }
    try:
        for name, verb in replaced.items():
            setattr(DaskTable, name, verb)
        yield
    finally:
        for name, verb in verbs.items():
            setattr(DaskTable, name, verb)
