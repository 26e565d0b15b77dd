import numpy as np
import pytest
from scipy import sparse
from sklearn.neighbors import NearestNeighbors

from anchorgraph.graph import Gaussian, neighbor_graph, ties_of_new_rows
from anchorgraph.numerics.equal_rows import first_equal
from reference import neighbors as literal


def nearest(X, k=4):
    return NearestNeighbors(n_neighbors=k).fit(X)


def test_the_reference(blobs, form):
    X = blobs[:80]
    W = neighbor_graph(nearest(form(X)), form(X), Gaussian(3.0))
    np.testing.assert_allclose(W.toarray(), literal.neighbor_graph(X, 4, 3.0), rtol=1e-5, atol=1e-9)
    assert abs(W - W.T).max() == 0
    assert W.diagonal().max() == 0


def test_a_row_so_far_that_its_weights_underflow_keeps_its_ties(blobs):
    X = np.vstack([blobs[:40], np.full((1, 8), 1e6)])
    W = neighbor_graph(nearest(X), X, Gaussian(1.0))
    assert W[[40]].data.tolist() == [1e-8] * 4
    assert W[:40, :40].max() > 1e-3


def test_ties_of_new_rows_by_hand():
    fitted = np.array([[0.0], [1.0], [4.0]])
    columns, weights, own = ties_of_new_rows(
        nearest(fitted, 2), fitted, np.arange(len(fitted)), Gaussian(1.0), np.array([[0.25], [4.0]])
    )
    assert columns.tolist() == [[0, 1], [2, 1]]
    kernel = np.exp(-(np.array([0.25, 0.75]) ** 2) / 2)
    np.testing.assert_allclose(weights[0], kernel / kernel.sum())
    assert own.tolist() == [-1, 2]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("store", [np.asarray, sparse.csr_array])
def test_all_rows_of_the_graph_are_recognised_and_no_others(blobs, dtype, store):
    """Far from the origin a row's distance to itself is not zero to rounding."""
    X = (blobs + 1e4).astype(dtype)
    assert len(np.unique(X, axis=0)) == len(X)
    *_, own = ties_of_new_rows(nearest(store(X)), store(X), first_equal(store(X)), Gaussian(1.0), store(X))
    np.testing.assert_array_equal(own, np.arange(len(X)))
    moved = store(X + np.asarray(1e-2, dtype))
    *_, own = ties_of_new_rows(nearest(store(X)), store(X), first_equal(store(X)), Gaussian(1.0), moved)
    assert (own == -1).all()


@pytest.mark.parametrize("store", [np.asarray, sparse.csr_array])
def test_the_first_of_equal_rows(store):
    X = np.array([[0.0, 1], [2, 3], [-0.0, 1], [2, 3], [0, 0], [1, 0]])
    assert first_equal(store(X)).tolist() == [0, 1, 0, 1, 4, 5]


def test_stored_zeros_and_the_order_of_entries_make_no_difference():
    rows = sparse.csr_array((np.array([1.0, 2, 2, 1, 0, 5, -5]), [0, 2, 2, 0, 1, 1, 1], [0, 2, 7]), shape=(2, 3))
    assert first_equal(rows).tolist() == [0, 0]
