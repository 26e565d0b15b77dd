import numpy as np
import pytest
from scipy import sparse
from sklearn.cluster import KMeans

from anchorgraph.numerics.groups import sums_by_group
from anchorgraph.numerics.lloyd import lloyd
from anchorgraph.table import as_table


@pytest.mark.parametrize("store", [np.asarray, sparse.csr_array, lambda X: (X + 1e4).astype(np.float32)])
@pytest.mark.parametrize("n_rounds", [1, 4])
def test_rounds_are_scikit_learns(blobs, store, n_rounds):
    X = store(blobs)
    start = as_table(X).take(np.arange(5))
    start = start.toarray() if sparse.issparse(start) else start
    expected = KMeans(5, init=start, n_init=1, max_iter=n_rounds, tol=0).fit(X).cluster_centers_
    for block_rows in (None, 33):
        found = lloyd(as_table(X, block_rows=block_rows), start, max_iter=n_rounds, tol=-1)
        np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-9)


def test_it_ends_when_centres_stay(blobs, monkeypatch):
    table = as_table(blobs)
    passes = []
    monkeypatch.setattr(table, "sum_blocks", lambda step: passes.append(1) or type(table).sum_blocks(table, step))
    lloyd(table, blobs[:5], max_iter=300, tol=0)
    assert 1 < len(passes) < 50


def test_a_centre_without_rows_stays():
    rows = np.array([[0.0], [1.0]])
    np.testing.assert_array_equal(lloyd(as_table(rows), np.array([[0.0], [50.0]]), max_iter=3, tol=0), [[0.5], [50.0]])


def test_sums_of_groups():
    sums, sizes = sums_by_group(np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), np.array([2, 0, 2]), 3)
    np.testing.assert_array_equal(sums, [[3, 4], [0, 0], [6, 8]])
    np.testing.assert_array_equal(sizes, [1, 0, 2])
