import numpy as np
import pytest
from scipy import sparse

from anchorgraph.numerics import eigen


@pytest.mark.parametrize("dense_order", [1000, 10])
def test_leading_pairs_without_the_known_one(monkeypatch, dense_order):
    """The whole factorisation and Lanczos agree with numpy."""
    monkeypatch.setattr(eigen, "DENSE_ORDER", dense_order)
    rng = np.random.default_rng(0)
    half = rng.standard_normal((60, 60))
    matrix = half @ half.T / 60
    values, vectors = np.linalg.eigh(matrix)
    found, pairs = eigen.leading_eigenpairs(sparse.csr_array(matrix), 4, deflate=vectors[:, -1:])
    np.testing.assert_allclose(found, values[-2:-6:-1])
    np.testing.assert_allclose(np.abs(pairs.T @ vectors[:, -2:-6:-1]), np.eye(4), atol=1e-8)


def test_no_pair_at_all():
    values, vectors = eigen.leading_eigenpairs(sparse.eye_array(3).tocsr(), 0, deflate=np.eye(3)[:, :1])
    assert values.shape == (0,)
    assert vectors.shape == (3, 0)


def test_signs_are_fixed_by_the_largest_entry():
    np.testing.assert_array_equal(
        eigen.with_fixed_signs(np.array([[1.0, 0.0], [-2.0, 0.0]])), np.array([[-1.0, 0.0], [2.0, 0.0]])
    )
