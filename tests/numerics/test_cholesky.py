"""Cholesky factors, and the threads that large ones may use."""

import numpy as np
import pytest
from scipy.linalg import cho_solve

from anchorgraph.numerics import cholesky as module
from anchorgraph.numerics.cholesky import cholesky
from blas_libraries import blas_libraries


@pytest.mark.parametrize("lower", [False, True])
def test_a_factor_solves_from_one_half_of_the_matrix(lower):
    rows = np.random.default_rng(0).standard_normal((8, 5))
    matrix, other = rows.T @ rows, np.arange(5.0)
    half = np.tril(matrix) if lower else np.triu(matrix)
    np.testing.assert_allclose(matrix @ cho_solve(cholesky(half, lower=lower), other), other, atol=1e-10)


def test_a_large_matrix_is_factored_by_one_thread(monkeypatch):
    seen = []

    def watched(matrix, **_):
        seen.append({library["num_threads"] for library in blas_libraries()})
        return matrix, False

    monkeypatch.setattr(module, "cho_factor", watched)
    monkeypatch.setattr(module, "LARGEST_IN_THREADS", 3)
    cholesky(np.eye(4))
    assert seen == [{1}]
