import numpy as np
import pytest
from scipy import sparse
from scipy.linalg import subspace_angles

from anchorgraph.numerics.execution import execution
from anchorgraph.projection import orthogonalised, project, ridge, ridge_solution
from anchorgraph.projection.regression import LARGEST_SYSTEM, check_summable
from anchorgraph.table import as_table
from reference import ulge as literal


def data(n=60, d=8, p=3, seed=0):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, d)) + 2, rng.standard_normal((n, p))


def fitted(X, F, alpha, block_rows=None, n_jobs=1):
    with execution(n_jobs):
        return ridge(as_table(X, block_rows=block_rows), as_table(F), alpha)


def test_one_column_by_hand():
    """x = 0, 2, 4 about its mean 2; y = 1, 2, 6: xy = 10, xx = 8, so w = 10 / (8 + 2)."""
    linear = fitted(np.array([[0.0], [2.0], [4.0]]), np.array([[1.0], [2.0], [6.0]]), alpha=2)
    np.testing.assert_allclose(linear.components, [[1.0]])
    np.testing.assert_allclose(linear.mean, [2.0])


@pytest.mark.parametrize("shape", [(60, 8), (12, 40)], ids=["n > d", "d > n"])
def test_the_reference(form, shape):
    X, F = data(*shape)
    linear = fitted(form(X), F, 0.5)
    tight = form(X).dtype == np.float64
    np.testing.assert_allclose(
        linear.components.T,
        literal.ridge_regression(X, F, 0.5),
        atol=1e-9 if tight else 1e-5,
        rtol=1e-7 if tight else 1e-4,
    )
    np.testing.assert_allclose(linear.mean, X.mean(axis=0), rtol=1e-6)


@pytest.mark.parametrize("block_rows", [1, 33, None])
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_blocks_and_threads_change_nothing(block_rows, n_jobs, monkeypatch):
    monkeypatch.setattr("anchorgraph.projection.regression.PRODUCT_BYTES", 1000)
    X, F = data(500)
    linear = fitted(X, F, 0.01, block_rows, n_jobs)
    np.testing.assert_allclose(linear.components.T, literal.ridge_regression(X, F, 0.01), atol=1e-12)
    if block_rows is None:
        np.testing.assert_array_equal(linear.components, fitted(X, F, 0.01).components)


def test_both_ways_to_solve_agree():
    """A table as wide as long is solved by columns; with one column of zeros more it is solved by rows."""
    X, F = data(20, 20)
    by_columns = fitted(X, F, 0.1)
    by_rows = fitted(np.hstack([X, np.zeros((20, 1))]), F, 0.1)
    np.testing.assert_allclose(by_rows.components[:, :20], by_columns.components, atol=1e-10)
    np.testing.assert_array_equal(by_rows.components[:, 20], 0)


@pytest.mark.parametrize("shape", [(60, 8), (12, 40)], ids=["n > d", "d > n"])
@pytest.mark.parametrize("block_rows", [5, None])
def test_iterations_where_a_matrix_would_be_too_large(form, shape, block_rows, monkeypatch):
    monkeypatch.setattr("anchorgraph.projection.regression.LARGEST_SYSTEM", 4)
    X, F = data(*shape)
    linear = fitted(form(X), F, 0.5, block_rows)
    np.testing.assert_allclose(linear.components.T, literal.ridge_regression(X, F, 0.5), atol=1e-5)
    np.testing.assert_allclose(linear.mean, X.mean(axis=0), rtol=1e-6)


def test_sums_are_about_a_point_near_the_mean():
    """With an offset of 10⁷, squares about the origin would leave two digits for a unit spread."""
    X, F = data(300)
    linear = fitted(X + 1e7, F, 0.01)
    np.testing.assert_allclose(linear.components.T, literal.ridge_regression(X, F, 0.01), atol=1e-7)


@pytest.mark.parametrize("shape", [(60, 8), (12, 40)], ids=["n > d", "d > n"])
def test_a_constant_added_to_the_target_changes_nothing(shape):
    X, F = data(*shape)
    np.testing.assert_allclose(fitted(X, F + 1e4, 1e-5).components, fitted(X, F, 1e-5).components, atol=1e-9)


def test_as_many_columns_as_a_matrix_may_have_can_be_learnt_in_batches():
    check_summable(LARGEST_SYSTEM)
    with pytest.raises(ValueError, match="X has 8,193 columns, while partial_fit"):
        check_summable(LARGEST_SYSTEM + 1)


def test_more_directions_than_the_rows_span():
    X, F = data(60, 3, 4)
    with pytest.raises(ValueError, match=r"n_components=4 is more than the 3 dimensions .*; use at most 3"):
        fitted(np.hstack([X, np.ones((60, 1))]), F, 0.01)


@pytest.mark.parametrize("alpha", [0, 1e-15, 0.5])
def test_a_matrix_that_is_not_positive_semi_definite(alpha):
    with pytest.raises(np.linalg.LinAlgError):
        ridge_solution(np.diag([2.0, 1.0, -1.0]), np.ones((3, 1)), alpha)


@pytest.mark.parametrize("store", [np.asarray, sparse.csr_array])
def test_float32_with_a_large_offset(store):
    X, F = data(300)
    X = (X + 1000).astype(np.float32)
    linear = fitted(store(X), F, 0.01)
    np.testing.assert_allclose(linear.components.T, literal.ridge_regression(X.astype(np.float64), F, 0.01), atol=1e-6)


def test_a_ridge_of_zero_gives_the_least_norm_solution():
    X, F = data()
    X = np.hstack([X, X[:, :2]])  # two columns twice: the normal equations are singular
    centred = X - X.mean(axis=0)
    np.testing.assert_allclose(fitted(X, F, 0).components.T, np.linalg.pinv(centred) @ F, atol=1e-9)


def test_the_solution_of_a_sparse_gram():
    half = np.random.default_rng(0).standard_normal((30, 6))
    gram, cross = half.T @ half, half.T[:, :2]
    expected = np.linalg.solve(gram + 3 * np.eye(6), cross)
    np.testing.assert_allclose(ridge_solution(sparse.csr_array(gram), cross, 3), expected)


def test_a_gram_is_not_changed():
    gram = np.eye(3)
    ridge_solution(gram, np.ones((3, 1)), 1.0)
    np.testing.assert_array_equal(gram, np.eye(3))


def test_orthogonal_directions_of_the_same_space():
    X, F = data()
    linear = fitted(X, F, 0.5)
    orthogonal = orthogonalised(linear)
    np.testing.assert_allclose(orthogonal.components @ orthogonal.components.T, np.eye(3), atol=1e-12)
    assert subspace_angles(orthogonal.components.T, literal.orthogonal(linear.components.T)).max() < 1e-7


def test_rows_are_projected_in_their_own_precision(form):
    X, F = data()
    linear = fitted(X, F, 0.5)
    rows = project(linear)(form(X) if not sparse.issparse(form(X)) else sparse.csr_array(form(X)))
    assert rows.dtype == form(X).dtype
    np.testing.assert_allclose(rows, (X - X.mean(axis=0)) @ linear.components.T, atol=1e-5)


@pytest.mark.parametrize("store", [np.asarray, sparse.csr_array])
def test_float32_rows_far_from_the_origin_are_projected_exactly(store):
    """A millionth of the spread is lost, not of the offset."""
    X, F = data()
    far = (X.astype(np.float32) + np.float32(2**20)).astype(np.float32)
    linear = fitted(far.astype(np.float64), F, 0.5)
    expected = (far.astype(np.float64) - linear.mean) @ linear.components.T
    found = project(linear)(store(far))
    np.testing.assert_allclose(found, expected, atol=1e-6 * np.abs(expected).max())
