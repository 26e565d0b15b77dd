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
from distributed import Client, LocalCluster
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


def test_graphs_have_a_task_a_block():
    array = da.ones((64, 2), chunks=(4, 2))
    lazy = as_table(array).map_rows(lambda block: block)
    assert len(dict(lazy.__dask_graph__())) <= 4 * len(array.chunks[0]) + 4


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
