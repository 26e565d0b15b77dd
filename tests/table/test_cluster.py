"""A real cluster of two processes: the same results, one thread a task, anchors sent once, lost workers."""

import contextlib
import os
import pickle
import signal
import time
from uuid import uuid4

import dask.array as da
import numpy as np
import pytest
from distributed import Client, LocalCluster, futures_of, wait
from scipy import sparse
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score
from threadpoolctl import threadpool_info

from anchorgraph import FSC, ONGR, ULGE
from anchorgraph.table import as_table
from waiting import PATIENCE

pytestmark = pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")  # sockets of distributed's own


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": ":0"}
    folder = str(tmp_path_factory.mktemp("workers"))
    with LocalCluster(**options, local_directory=folder) as cluster, Client(cluster, timeout=PATIENCE) as client:
        yield client


@pytest.fixture(scope="module")
def blobs():
    X, y = make_blobs(3000, 8, centers=4, cluster_std=4, random_state=0)
    return X, y


@pytest.mark.parametrize(
    "method", [FSC(4, random_state=0), ONGR(4, random_state=0), ULGE(2, random_state=0)], ids=lambda m: m.card.key
)
def test_a_cluster_gives_the_same_fit(client, blobs, method):
    X, _ = blobs
    expected, source = method.fit(X), da.from_array(X, chunks=(700, 8))
    found = pickle.loads(pickle.dumps(method)).fit(source)
    np.testing.assert_allclose(found.anchors_, expected.anchors_, atol=1e-10)
    lazy = found.transform(source)
    assert isinstance(lazy, da.Array)
    assert lazy.chunks[0] == source.chunks[0]
    np.testing.assert_allclose(lazy.compute(), expected.transform(X), atol=1e-8)
    if hasattr(expected, "labels_"):
        assert adjusted_rand_score(found.labels_.compute(), expected.labels_) == 1


def test_a_task_has_one_thread(client):
    def threads(block):
        return (np.array([max(library["num_threads"] for library in threadpool_info())]),)

    (found,) = as_table(da.ones((8, 2), chunks=(2, 2))).sum_blocks(threads)
    assert found.tolist() == [4]  # one in each of four blocks


class Counted:
    """A step that leaves a file whenever it is unpacked."""

    def __init__(self, folder):
        self.folder = folder

    def __setstate__(self, state):
        self.__dict__ = state
        (self.folder / f"{os.getpid()}-{time.monotonic_ns()}").touch()

    def __call__(self, block):
        return (block.sum(axis=0),)


def test_workers_get_what_tasks_share_once(client, tmp_path):
    (total,) = as_table(da.ones((64, 2), chunks=(1, 2))).sum_blocks(Counted(tmp_path))
    assert total.tolist() == [64, 64]
    assert 1 <= len(list(tmp_path.iterdir())) <= 6  # the scheduler and both workers, but not 64 tasks


def test_workers_know_the_size_of_the_rows_that_they_keep(client):
    """Weights of eight bytes and columns of two; rows of unequal length with all their indices, of four bytes."""
    table = as_table(da.ones((64, 3), chunks=(16, 3)))
    for row_map, n_bytes in ((sparse.csr_array, 64 * 3 * 10), (unequal, (64 * 3 - 4) * 12 + 4 * 17 * 4)):
        kept = table.keep(row_map)._array
        wait(kept)
        sizes = client.nbytes([future.key for future in futures_of(kept)], summary=False)
        assert sum(sizes.values()) == n_bytes


def unequal(block):
    rows = sparse.csr_array(block)
    rows.data[0] = 0
    rows.eliminate_zeros()
    return rows


def test_a_pass_has_a_task_a_block(client):
    """Reading a block and working on it are one task: otherwise the scheduler has twice as many, and may move rows."""
    table, done = as_table(da.ones((64, 2), chunks=(4, 2))), client.run_on_scheduler(_n_done)
    table.sum_blocks(lambda block: (block.sum(axis=0),))
    n_additions = 2 + 1
    assert client.run_on_scheduler(_n_done) - done <= 16 + n_additions + 1  # and the step


def test_rows_that_are_kept_and_summed_are_made_once(client, tmp_path):
    table = as_table(da.ones((64, 2), chunks=(4, 2)))

    def row_map(block):
        if len(block) == 4:
            (tmp_path / uuid4().hex).touch()
        return 2 * block

    kept, (total,) = table.keep_and_sum(row_map, lambda rows, block: (rows.sum(axis=0) + block.sum(axis=0),))
    assert total.tolist() == [192, 192]
    assert (kept.rows().compute() == 2).all()
    assert len(list(tmp_path.iterdir())) == 16


def _n_done(dask_scheduler):
    return sum(prefix.state_counts["memory"] for prefix in dask_scheduler.task_prefixes.values())


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
@pytest.mark.parametrize("method", [FSC(4, random_state=0), ONGR(4, random_state=0)], ids=lambda m: m.card.key)
def test_a_lost_worker_changes_nothing(client, blobs, method, tmp_path):
    """One of both workers dies in its second pass over the rows: its part is done again by others."""
    X, _ = blobs
    expected = method.fit(X).labels_
    read, dead = tmp_path / "read", tmp_path / "dead"
    read.mkdir()

    def deadly(block):
        (read / uuid4().hex).touch()
        if len(list(read.iterdir())) > 22:  # of 15 blocks each time
            with contextlib.suppress(FileExistsError):
                dead.touch(exist_ok=False)
                os.kill(os.getpid(), signal.SIGKILL)
        return block

    source = da.from_array(X, chunks=(200, 8)).map_blocks(deadly, meta=X[:0])
    labels = pickle.loads(pickle.dumps(method)).fit(source).labels_.compute()
    assert dead.exists()
    assert adjusted_rand_score(labels, expected) == 1
    client.wait_for_workers(2, timeout=PATIENCE)
