import numpy as np
import pytest
from scipy import sparse
from scipy.linalg import subspace_angles

from anchorgraph.numerics.execution import execution
from anchorgraph.projection import locality_preserving
from anchorgraph.table import as_table
from reference import neighbors as literal
from sparse_rows import random_rows


def block_of(X):
    return as_table(X).map_rows(lambda block: block)


def data(n=50, d=6):
    return np.random.default_rng(0).standard_normal((n, d)) * np.arange(1, d + 1) + 5


@pytest.mark.parametrize("alpha", [0.01, 10])
def test_the_reference(form, alpha):
    X = data()
    W = literal.neighbor_graph(X, 5, 3.0)
    linear = locality_preserving(block_of(form(X)), sparse.csr_array(W), 3, alpha)
    expected = literal.locality_preserving(X, W, alpha, 3)
    assert subspace_angles(linear.components.T, expected).max() < (1e-6 if form(X).dtype == np.float64 else 1e-3)
    # one by one as well: their order is that of the eigenvalues
    for column in range(3):
        assert subspace_angles(linear.components[[column]].T, expected[:, [column]]).max() < 1e-3
    np.testing.assert_allclose(linear.mean, X.mean(axis=0), rtol=1e-6)


def test_more_columns_than_rows(form):
    X = np.random.default_rng(1).standard_normal((15, 40))
    W = literal.neighbor_graph(X, 4, 5.0)
    linear = locality_preserving(block_of(form(X)), sparse.csr_array(W), 2, 0.5)
    expected = literal.locality_preserving(X, W, 0.5, 2)
    assert subspace_angles(linear.components.T, expected).max() < (1e-6 if form(X).dtype == np.float64 else 1e-3)


def test_directions_in_which_rows_do_not_differ_are_not_chosen():
    """They would reach the minimum of ulge Eq. 4, whose ridge is on the denominator alone."""
    X = np.hstack([data(), np.full((50, 3), 7.0)])
    W = sparse.csr_array(literal.neighbor_graph(X, 5, 3.0))
    linear = locality_preserving(X, W, 3, 0.01)
    np.testing.assert_allclose(linear.components[:, 6:], 0, atol=1e-12)
    assert (np.ptp((X - linear.mean) @ linear.components.T, axis=0) > 0.1).all()


def test_not_even_where_neighbours_are_far_apart_along_all_others(form):
    """Directions in which nothing differs score zero, those along which neighbours differ most score less."""
    rng = np.random.default_rng(0)
    X = np.hstack([rng.standard_normal((100, 2)), 1e-3 * rng.standard_normal((100, 1)), np.full((100, 1), 7.0)])
    W = sparse.csr_array(literal.neighbor_graph(X, 5, 1.0))
    linear = locality_preserving(block_of(form(X)), W, 3, 1e-6)
    assert (np.ptp((X - linear.mean) @ linear.components.T, axis=0) > 1e-3).all()
    with pytest.raises(ValueError, match=r"n_components=4 is more than the 3 dimensions .*; use at most 3"):
        locality_preserving(block_of(form(X)), W, 4, 1e-6)


def test_threads_change_nothing(monkeypatch):
    monkeypatch.setattr("anchorgraph.projection.locality.PRODUCT_BYTES", 500)
    X = data(400)
    W = random_rows((400, 400), 0.02, np.random.default_rng(0))
    found = []
    for n_jobs in (1, 2):
        with execution(n_jobs):
            found.append(locality_preserving(X, (W + W.T).tocsr(), 3, 0.01))
    one, two = found
    np.testing.assert_array_equal(one.components, two.components)


@pytest.fixture
def few(monkeypatch):
    """Lanczos iterations for small matrices too."""
    monkeypatch.setattr("anchorgraph.projection.locality.DENSE_ORDER", 10)
    monkeypatch.setattr("anchorgraph.projection.locality.COLUMNS", 16)


def kernels(n=90):
    X = data(n)
    return X, literal.gaussian_kernels(X, X, 5.0), literal.neighbor_graph(X, 5, 3.0)


@pytest.mark.parametrize("alpha", [0.01, 10])
def test_a_few_directions_are_the_references(few, form, alpha):
    _, K, W = kernels()
    linear = locality_preserving(block_of(form(K)), sparse.csr_array(W), 3, alpha)
    expected = literal.locality_preserving(K, W, alpha, 3)
    assert subspace_angles(linear.components.T, expected).max() < (1e-6 if form(K).dtype == np.float64 else 1e-2)
    for column in range(3):
        assert subspace_angles(linear.components[[column]].T, expected[:, [column]]).max() < 1e-2


@pytest.mark.parametrize("shape", [(200, 90), (60, 90)])
def test_a_few_directions_are_the_best_of_all(form, shape, monkeypatch):
    """With the same scale and the same signs."""
    X = np.random.default_rng(2).standard_normal(shape) + 3
    W = sparse.csr_array(literal.neighbor_graph(X, 5, 8.0))
    whole = locality_preserving(block_of(form(X)), W, 3, 0.5)
    monkeypatch.setattr("anchorgraph.projection.locality.DENSE_ORDER", 10)
    monkeypatch.setattr("anchorgraph.projection.locality._all_directions", None)
    some = locality_preserving(block_of(form(X)), W, 3, 0.5)
    rounding = 1e-8 if form(X).dtype == np.float64 else 1e-4
    np.testing.assert_allclose(some.components, whole.components, atol=rounding * np.abs(whole.components).max())


@pytest.mark.parametrize("alpha", [0, 1e-14])
def test_a_ridge_that_is_too_small_for_a_factorisation(few, alpha):
    X = np.random.default_rng(2).standard_normal((100, 40))
    doubled = np.hstack([X, X])  # of half the rank
    W = sparse.csr_array(literal.neighbor_graph(X, 5, 8.0))
    linear = locality_preserving(doubled, W, 2, alpha)
    expected = literal.locality_preserving(X, W, 0, 2)
    assert subspace_angles(doubled @ linear.components.T, X @ expected).max() < 1e-5


def test_a_few_directions_are_not_more_than_the_rows_span(few):
    X = np.random.default_rng(2).standard_normal((100, 3)) @ np.random.default_rng(3).standard_normal((3, 60))
    W = sparse.csr_array(literal.neighbor_graph(X, 5, 8.0))
    assert np.linalg.matrix_rank(locality_preserving(X, W, 3, 0.1).components) == 3
    with pytest.raises(ValueError, match=r"n_components=4 is more than the 3 dimensions .*; use at most 3"):
        locality_preserving(X, W, 4, 0.1)


def test_threads_change_nothing_of_a_few_directions(few):
    _, K, W = kernels()
    found = []
    for n_jobs in (1, 2):
        with execution(n_jobs):
            found.append(locality_preserving(K, sparse.csr_array(W), 3, 0.01).components)
    np.testing.assert_array_equal(*found)


def test_more_components_than_the_rows_span():
    X = np.random.default_rng(1).standard_normal((5, 40))
    W = sparse.csr_array(np.ones((5, 5)) - np.eye(5))
    with pytest.raises(ValueError, match=r"n_components=5 is more than the 4 dimensions .*; use at most 4"):
        locality_preserving(X, W, 5, 0.01)
