import numpy as np
import pytest
from scipy import sparse
from scipy.sparse.linalg import aslinearoperator

from anchorgraph.numerics import eigen


@pytest.mark.parametrize("dense_order", [1000, 10])
def test_leading_pairs_without_the_known_one(monkeypatch, dense_order):
    """The whole factorisation and Lanczos agree with numpy."""
    monkeypatch.setattr(eigen, "DENSE_ORDER", dense_order)
    rng = np.random.default_rng(0)
    half = rng.standard_normal((60, 60))
    matrix = half @ half.T
    matrix /= np.linalg.eigvalsh(matrix)[-1]
    values, vectors = np.linalg.eigh(matrix)
    found, pairs = eigen.leading_eigenpairs(sparse.csr_array(matrix), 4, deflate=sparse.csr_array(vectors[:, -1:]))
    np.testing.assert_allclose(found, values[-2:-6:-1])
    np.testing.assert_allclose(np.abs(pairs.T @ vectors[:, -2:-6:-1]), np.eye(4), atol=1e-8)


@pytest.mark.parametrize("dense_order", [1000, 1])
def test_a_known_vector_does_not_come_back_among_negative_eigenvalues(monkeypatch, dense_order):
    monkeypatch.setattr(eigen, "DENSE_ORDER", dense_order)
    matrix = sparse.diags_array(np.r_[1.0, -np.linspace(0.1, 0.9, 40)]).tocsr()
    values, _ = eigen.leading_eigenpairs(matrix, 3, deflate=sparse.eye_array(41).tocsr()[:, :1])
    np.testing.assert_allclose(values, -np.linspace(0.1, 0.9, 40)[:3])


@pytest.mark.parametrize("has_seed", [False, eigen.HAS_SEED])
def test_the_same_pairs_each_time_if_iterations_end_early(monkeypatch, has_seed):
    """ARPACK goes on from a random vector when it finds an invariant subspace: at once, if eigenvalues are equal."""
    monkeypatch.setattr(eigen, "HAS_SEED", has_seed)
    for eigenvalues in (np.ones(60), 1e6 * np.repeat([1.0, 0.0], 30), np.repeat([1.0, 0.5, 0.0], [2, 28, 30])):
        operator = aslinearoperator(sparse.diags_array(eigenvalues).tocsr())
        pairs = [eigen.lanczos(operator, 3) for _ in range(3)]
        for values, vectors in pairs:
            np.testing.assert_array_equal(values, pairs[0][0])
            np.testing.assert_array_equal(vectors, pairs[0][1])
            np.testing.assert_allclose(np.sort(values)[::-1], eigenvalues[:3])
            np.testing.assert_allclose(vectors.T @ vectors, np.eye(3), atol=1e-10)


def test_no_pair_at_all():
    values, vectors = eigen.leading_eigenpairs(
        sparse.eye_array(3).tocsr(), 0, deflate=sparse.eye_array(3).tocsr()[:, :1]
    )
    assert values.shape == (0,)
    assert vectors.shape == (3, 0)


def test_signs_are_fixed_by_the_largest_entry():
    np.testing.assert_array_equal(
        eigen.with_fixed_signs(np.array([[1.0, 0.0], [-2.0, 0.0]])), np.array([[-1.0, 0.0], [2.0, 0.0]])
    )
