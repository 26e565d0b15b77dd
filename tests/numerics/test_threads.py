import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from anchorgraph.numerics.threads import chunks, resolve_n_jobs, run, run_sum


def blas_threads():
    return max(library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas")


@pytest.mark.parametrize("n_jobs", [1, 3])
def test_results_come_in_order(n_jobs):
    assert run(lambda i: i * i, range(20), n_jobs) == [i * i for i in range(20)]


def test_sums_are_added_in_order_whatever_the_threads():
    """0.1 + 0.2 + … to the bit; the first piece takes longest."""

    def work(i):
        time.sleep(0.01 if i == 0 else 0)
        return np.array([0.1 * i]), i

    one, three = (run_sum(work, range(30), n_jobs) for n_jobs in (1, 3))
    assert one == three
    assert three[1] == sum(range(30))
    assert one[0][0] == sum(0.1 * i for i in range(30))


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_one_blas_thread_while_working_and_as_many_as_before_afterwards(n_jobs):
    before = blas_threads()
    assert run(lambda _: blas_threads(), range(4), n_jobs) == [1] * 4
    assert blas_threads() == before


def test_a_thread_starts_no_threads():
    def nested(_):
        return {threading.get_ident()} == set(run(lambda _: threading.get_ident(), range(8), 4))

    assert all(run(nested, range(4), 2))


def test_an_error_reaches_the_caller_and_leaves_the_threads_as_they_were():
    before = blas_threads()
    for n_jobs in (1, 2):
        with pytest.raises(ZeroDivisionError):
            run(lambda i: 1 / i, range(3), n_jobs)
    assert blas_threads() == before
    assert run(lambda i: i, [1, 2], 2) == [1, 2]


def test_callers_from_several_threads_leave_blas_as_it_was():
    before = blas_threads()

    def work(_):
        time.sleep(0.001)
        return blas_threads()

    with ThreadPoolExecutor(4) as callers:
        seen = list(callers.map(lambda n: run(work, range(n % 4 + 1), 1), range(40)))
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
    with pytest.raises(ValueError, match="n_jobs=0"):
        resolve_n_jobs(0)
