"""The schedule of 10⁹ rows on 100 workers, rehearsed in one process: real estimators and task graphs, but no work.

Run by ``make bench-scale``. A fit can be named: ``python benchmarks/rehearsal.py FSC 4000 100 250000`` for a method and
the numbers of blocks, workers and rows of a block. Tasks wait instead of working (waiting_work.py), for a tenth of the
time that the work takes. Scheduler, workers and client have an event loop each, so that the processor time of the
scheduler is its own. All share Python's lock: the seconds of a pass are mostly those of 100 workers on a few cores.
Sizes are Dask's own account of them; nothing is serialised.
"""

import asyncio
import json
import logging
import sys
import threading
import time
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import dask
import numpy as np
from distributed import Client, LocalCluster, Worker, futures_of, wait
from isolated import in_a_process, memory_of
from record import keep_as
from waiting_work import WAITED, RepeatedRows, waiting

import anchorgraph.table
from anchorgraph import FSC, ULGE
from anchorgraph.table.dask_table import DaskTable

N_COLS, N_CLUSTERS = 32, 10
FASTER = 10
TASKS_A_BLOCK = 14
"""Of FSC with two iterations of k-means, as docs/scale.md says."""
METHODS = {"FSC": FSC(N_CLUSTERS, random_state=0), "ULGE": ULGE(N_CLUSTERS - 1, random_state=0)}
FITS = [("FSC", 4_000, 100, 250_000), ("FSC", 1_000, 100, 1_000_000), ("ULGE", 1_000, 100, 1_000_000)]
QUIET = {
    "distributed.worker.profile.enabled": False,  # of each of 100 workers, a hundred times a second
    "distributed.admin.system-monitor.interval": "60s",
    "distributed.admin.system-monitor.disk": False,
    "distributed.admin.system-monitor.gil.enabled": False,
}


@dataclass
class Pass:
    """What a verb of a table took, from its call until all its tasks are done."""

    name: str
    tasks: int
    seconds: float
    waited: float
    """Seconds of waiting for each worker: the ideal time of the pass."""
    scheduler: float
    """Processor time of the scheduler."""
    client: float
    """Processor time of the thread that called the verb."""
    read: int
    """Bytes of the blocks that were read."""
    moved: int
    """Bytes that workers sent to each other and to the client, by Dask's account of sizes."""
    stored: int
    """Bytes of results in the memory of the fullest worker at the end."""
    memory: int
    """Growth of the process at its largest: client, scheduler and workers."""
    block: float
    """Seconds of work of a block, if all of it were done."""


class Passes:
    """Measures each pass of a fit."""

    def __init__(self, client, source, n_blocks, n_workers):
        self.found = []
        self._client, self._source, self._n_blocks, self._n_workers = client, source, n_blocks, n_workers
        self._clock = time.pthread_getcpuclockid(client.run_on_scheduler(threading.get_ident))

    def measure(self, verb):
        """What a verb returns, when its tasks are done."""

        def complete():
            start, client = time.perf_counter(), time.thread_time()
            result = verb()
            if isinstance(result, DaskTable):
                wait(futures_of(result.rows()))
            return result, time.perf_counter() - start, time.thread_time() - client

        name, before = _caller(), self._counts()
        (result, seconds, client), memory = memory_of(complete)
        tasks, waited, scheduler, n_reads, moved = (b - a for a, b in zip(before, self._counts(), strict=True))
        self.found.append(
            Pass(
                name,
                tasks,
                seconds,
                waited / self._n_workers,
                scheduler,
                client,
                n_reads * self._source.block.nbytes,
                moved,
                max(self._client.run(lambda dask_worker: dask_worker.state.nbytes).values()),
                memory["beyond"],
                waited * FASTER / self._n_blocks,
            )
        )
        show(self.found[-1])
        return result

    def _counts(self):
        moved = self._client.run(lambda dask_worker: dask_worker.transfer_outgoing_bytes_total)
        return (
            self._client.run_on_scheduler(_n_tasks),
            sum(WAITED),
            time.clock_gettime(self._clock),
            self._source.n_reads,
            sum(moved.values()),
        )


def _n_tasks(dask_scheduler):
    """How many tasks were done so far."""
    return sum(prefix.state_counts["memory"] for prefix in dask_scheduler.task_prefixes.values())


def _caller():
    """The name of the function that called a verb of a table."""
    own = (str(Path(anchorgraph.table.__file__).parent), str(Path(__file__).parent))
    frame = sys._getframe(1)
    while frame.f_code.co_filename.startswith(own):
        frame = frame.f_back
    return frame.f_code.co_qualname.split(".<locals>")[0]


@contextmanager
def cluster(n_workers):
    """A client of a scheduler and workers in this process, each with an event loop of its own."""
    logging.getLogger("distributed").setLevel(logging.ERROR)  # nobody needs the results when workers close
    is_ready, is_over = threading.Event(), threading.Event()

    async def work(address):
        options = {"nthreads": 1, "memory_limit": 0, "dashboard": False}
        workers = await asyncio.gather(*(Worker(address, **options) for _ in range(n_workers)))
        is_ready.set()
        await asyncio.to_thread(is_over.wait)
        await asyncio.gather(*(worker.close() for worker in workers))

    options = {"n_workers": 0, "processes": False, "dashboard_address": None}
    with dask.config.set(QUIET), LocalCluster(**options) as scheduler:
        thread = threading.Thread(target=lambda: asyncio.run(work(scheduler.scheduler_address)), daemon=True)
        thread.start()
        is_ready.wait()
        try:
            with Client(scheduler.scheduler_address) as client:
                yield client
        finally:
            is_over.set()
            thread.join()


def rehearse(method, n_blocks, n_workers, block_rows):
    """The passes of a fit."""
    rng = np.random.default_rng(0)
    centres = rng.standard_normal((N_CLUSTERS, N_COLS), dtype=np.float32)
    noise = rng.standard_normal((block_rows, N_COLS), dtype=np.float32)
    source = RepeatedRows(centres[rng.integers(N_CLUSTERS, size=block_rows)] + noise, n_blocks)
    with cluster(n_workers) as client:
        passes = Passes(client, source, n_blocks, n_workers)
        with waiting(block_rows, FASTER, passes.measure):
            METHODS[method].fit(source.as_dask())
    return passes.found


def show(found):
    print(
        f"{found.name:<20} {found.tasks:>7,} {found.seconds:>6.1f} {found.waited:>6.1f} {found.scheduler:>6.1f} "
        f"{found.client:>6.1f} {found.read / 1e9:>7.1f} {found.moved / 1e9:>7.2f} {found.stored / 1e6:>7.0f} "
        f"{found.memory / 1e6:>7.0f} {found.block:>7.3f}",
        file=sys.stderr,
        flush=True,
    )


def measure(method, *sizes):
    """Rehearse in this process, and print the passes as JSON."""
    print(
        f"{'pass':<20} {'tasks':>7} {'s':>6} {'wait':>6} {'sched':>6} {'client':>6} {'GB read':>7} {'moved':>7} "
        f"{'MB kept':>7} {'grown':>7} {'s/block':>7}",
        file=sys.stderr,
    )
    print(json.dumps([asdict(found) for found in rehearse(method, *map(int, sizes))]))


def summary(method, n_blocks, n_workers, block_rows, passes):
    """What a fit takes beside the estimate of docs/scale.md: 14 tasks a block, 1 ms a task."""
    total = {name: sum(each[name] for each in passes) for name in ("tasks", "scheduler", "client", "read", "moved")}
    work = sum(each["block"] for each in passes) * n_blocks / n_workers
    print(f"{method}, {n_blocks:,} blocks of {block_rows:,} rows, {n_workers} workers: {len(passes)} passes")
    print(f"  tasks      {total['tasks']:>9,}   formula {TASKS_A_BLOCK * n_blocks:>9,}")
    print(f"  scheduler  {total['scheduler']:>7.1f} s   formula {TASKS_A_BLOCK * n_blocks / 1000:>7.1f} s")
    print(f"  read {total['read'] / 1e9:,.0f} GB, moved {total['moved'] / 1e9:,.1f} GB, client {total['client']:.1f} s")
    print(f"  work of a worker, extrapolated from a block on this machine: {work:.0f} s")
    return {"fit": [method, n_blocks, n_workers, block_rows], "work": work, **total, "passes": passes}


if __name__ == "__main__":
    if sys.argv[1:2] == ["measure"]:
        measure(*sys.argv[2:])
    else:
        chosen = [(sys.argv[1], *map(int, sys.argv[2:]))] if sys.argv[1:] else FITS
        keep_as("rehearsal", [summary(*fit, in_a_process(__file__, *fit)) for fit in chosen])
