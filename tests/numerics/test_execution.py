import os
import platform
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from anchorgraph import FSC
from anchorgraph.numerics import blas
from anchorgraph.numerics.blocks import chunks
from anchorgraph.numerics.execution import as_worker, execution, resolve_n_jobs, run, run_sum
from blas_libraries import blas_libraries
from waiting import PATIENCE, wait_until


def blas_threads():
    return max(library["num_threads"] for library in blas_libraries())


@pytest.mark.parametrize("n_jobs", [1, 3])
def test_results_come_in_order(n_jobs):
    with execution(n_jobs):
        assert run(lambda i: i * i, range(20)) == [i * i for i in range(20)]


def test_sums_are_added_in_order_whatever_the_threads():
    """0.1 + 0.2 + … to the bit; the first piece takes longest."""

    def work(i):
        time.sleep(0.01 if i == 0 else 0)
        return np.array([0.1 * i]), i

    found = []
    for n_jobs in (1, 3):
        with execution(n_jobs):
            found.append(run_sum(work, range(30)))
    one, three = found
    assert one == three
    assert three[1] == sum(range(30))
    assert one[0][0] == sum(0.1 * i for i in range(30))


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_one_blas_thread_while_working_and_as_many_as_before_afterwards(n_jobs):
    before = blas_threads()
    with execution(n_jobs):
        assert run(lambda _: blas_threads(), range(4)) == [1] * 4
    assert blas_threads() == before


def test_a_thread_starts_no_threads():
    def nested(_):
        with execution(4):
            return {threading.get_ident()} == set(run(lambda _: threading.get_ident(), range(8)))

    with execution(2):
        assert all(run(nested, range(4)))


def test_an_error_reaches_the_caller_and_leaves_the_threads_as_they_were():
    before = blas_threads()
    for n_jobs in (1, 2):
        with pytest.raises(ZeroDivisionError), execution(n_jobs):
            run(lambda i: 1 / i, range(3))
    assert blas_threads() == before
    assert run(lambda i: i, [1, 2]) == [1, 2]


def test_callers_from_several_threads_leave_blas_as_it_was():
    before = blas_threads()

    def work(_):
        time.sleep(0.001)
        return blas_threads()

    with ThreadPoolExecutor(4) as callers:
        seen = list(callers.map(lambda n: run(work, range(n % 4 + 1)), range(40)))
    assert {threads for each in seen for threads in each} == {1}
    assert blas_threads() == before


def test_chunks_cover_all_rows_once():
    parts = chunks(10_000, 4096)
    assert [i for part in parts for i in range(part.start, part.stop)] == list(range(10_000))
    assert len(parts) > 1


def test_n_jobs_counts_as_in_scikit_learn():
    with threadpool_limits(1):
        assert resolve_n_jobs(None) == 1
    assert resolve_n_jobs(3) == 3
    assert resolve_n_jobs(-1) == resolve_n_jobs(None)
    assert resolve_n_jobs(-1000) == 1
    with pytest.raises(ValueError, match="n_jobs must be a non-zero integer or None; got 0"):
        resolve_n_jobs(0)


def started(monkeypatch):
    """The threads that pools start from now on."""
    threads = []
    start = threading.Thread.start

    def counted(self):
        if self.name.startswith("ThreadPoolExecutor"):
            threads.append(self.name)
        start(self)

    monkeypatch.setattr(threading.Thread, "start", counted)
    return threads


def test_threads_are_started_once_in_a_context(monkeypatch):
    threads = started(monkeypatch)
    with execution(2):
        for _ in range(10):
            run(lambda i: i, range(8))
        with execution(2):  # of as many threads: the same
            run(lambda i: i, range(8))
    assert 1 <= len(threads) <= 2
    assert not [thread for thread in threading.enumerate() if thread.name in threads]


def test_a_fit_starts_its_threads_once_and_a_later_call_obeys_new_n_jobs(digits, monkeypatch):
    threads = started(monkeypatch)
    model = FSC(10, n_jobs=2, random_state=0).fit(digits)
    assert 1 <= len(threads) <= 2
    threads.clear()
    labels = model.set_params(n_jobs=1).predict(digits)
    assert not threads
    np.testing.assert_array_equal(labels, model.labels_)


def test_a_worker_stays_alone():
    def idents(_):
        return threading.get_ident()

    with as_worker(), execution(4):
        assert set(run(idents, range(8))) == {threading.get_ident()}


def test_callers_have_contexts_of_their_own():
    def caller(n_jobs):
        with execution(n_jobs):
            return len(set(run(lambda _: time.sleep(0.01) or threading.get_ident(), range(6))))

    with ThreadPoolExecutor(2) as callers:
        assert list(callers.map(caller, [1, 3])) == [1, 3]


FORKED = """
import os
from anchorgraph.numerics.execution import execution, run
with execution(2):
    run(lambda i: i, range(4))
    child = os.fork()
    if child == 0:
        os._exit(0 if run(lambda i: i, range(4)) == list(range(4)) else 1)
    raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_fork_within_a_context_has_threads_of_its_own():
    """Those of the parent are not in the child: waiting for them would never end."""
    subprocess.run([sys.executable, "-c", FORKED], check=True, timeout=PATIENCE)


def test_nothing_said_means_the_threads_that_are_there(monkeypatch):
    threads = started(monkeypatch)
    with execution(3):
        run(lambda i: i, range(8))
        n_started = len(threads)
        with execution():
            run(lambda i: i, range(8))
        assert len(threads) <= 3
        assert n_started >= 1


def test_what_a_lone_piece_runs_has_the_threads():
    def nested(_):
        return len(set(run(lambda _: time.sleep(0.02) or threading.get_ident(), range(6))))

    with execution(3):
        assert run(nested, [0]) == [3]


def test_results_that_wait_for_an_earlier_one_are_few():
    """All of them at once would need the memory of all sums."""
    begun, slow = [], threading.Event()

    def work(i):
        begun.append(i)
        if i == 0:
            slow.wait(PATIENCE)
        return (i,)

    def release():
        wait_until(lambda: len(begun) >= 8, "the first pieces")
        time.sleep(0.05)
        slow.set()
        return len(begun)

    with ThreadPoolExecutor(1) as other, execution(2):
        n_begun = other.submit(release)
        assert run_sum(work, range(200)) == (sum(range(200)),)
        assert n_begun.result() <= 8


def test_after_an_error_nothing_is_at_work():
    ended = []

    def work(i):
        if i == 0:
            raise ZeroDivisionError
        time.sleep(0.05)
        ended.append(blas_threads())

    with execution(2):
        with pytest.raises(ZeroDivisionError):
            run(work, range(20))
        n_ended = len(ended)
        time.sleep(0.1)
        assert len(ended) == n_ended
    assert set(ended) <= {1}


def test_an_interrupt_while_blas_is_limited_leaves_it_as_it_was(monkeypatch):
    before, in_thread = blas_threads(), blas._run_in_new_thread

    def interrupted(work):
        in_thread(work)
        monkeypatch.setattr(blas, "_run_in_new_thread", in_thread)
        raise KeyboardInterrupt

    monkeypatch.setattr(blas, "_run_in_new_thread", interrupted)
    with pytest.raises(KeyboardInterrupt), blas.one_blas_thread:
        pass
    assert blas_threads() == before == blas.one_blas_thread.n_allowed()


MANY_THREADS = """
import numpy as np
from anchorgraph.numerics.kmeans import fit_kmeans
rows = np.random.default_rng(0).standard_normal((20_000, 6))
print(len({fit_kmeans(rows, 5, n_init=1, seed=0, max_iter=5).centres.tobytes() for _ in range(8)}))
"""


def test_k_means_is_the_same_each_time_with_many_threads():
    """scikit-learn adds the sums of its threads in the order in which they end."""
    environment = os.environ | {"OMP_NUM_THREADS": "8"}
    command = [sys.executable, "-c", MANY_THREADS]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=PATIENCE)
    assert done.stdout.split() == ["1"]


PAGE_FAULTS = """
import resource, numpy as np
from anchorgraph.numerics.allocation import reuse_freed_memory

def page_faults():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(100):
        np.ones(2**17) + np.ones(2**17)
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

before = page_faults()
reuse_freed_memory()
print(before, page_faults())
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="settings of glibc")
@pytest.mark.parametrize(
    ("settings", "is_changed"),
    [
        ({"MALLOC_TRIM_THRESHOLD_": "65536"}, True),
        ({"MALLOC_TRIM_THRESHOLD_": "65536", "MALLOC_MMAP_THRESHOLD_": "131072"}, False),
        ({"MALLOC_TRIM_THRESHOLD_": "65535"}, False),
    ],
    ids=["default of Dask", "with another setting", "other than Dask's"],
)
def test_temporary_arrays_reuse_memory_in_workers_of_dask(settings, is_changed):
    environment = {**os.environ, **settings}
    done = subprocess.run([sys.executable, "-c", PAGE_FAULTS], env=environment, capture_output=True, check=True)
    before, after = map(int, done.stdout.split())
    assert before > 20_000
    assert (after < before / 10) == is_changed
