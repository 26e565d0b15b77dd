import numpy as np
import pytest
from scipy.linalg import subspace_angles

from anchorgraph.numerics.kernels import KernelFeatures
from anchorgraph.spectrum import column_spectrum
from anchorgraph.spectrum.columns import _matrix_power
from anchorgraph.table import as_table
from reference import nystrom as literal


@pytest.mark.parametrize("block_rows", [1, 33, None])
def test_the_one_shot_method(blobs, block_rows):
    sample, sigma = np.arange(0, 200, 10), 4.0
    kernel = KernelFeatures(blobs[sample], "rbf", 1 / (2 * sigma**2), 0, 0)
    spectrum = column_spectrum(as_table(blobs, block_rows=block_rows), kernel, kernel(blobs[sample]), 4)
    V = spectrum.rows(kernel(blobs))
    assert subspace_angles(V, literal.one_shot(blobs, sample, sigma, 4)).max() < 1e-5
    np.testing.assert_allclose(V.T @ V, np.eye(4), atol=1e-6)


def test_all_rows_as_the_sample_give_the_exact_spectrum(blobs):
    X, sigma = blobs[:60], 6.0
    kernel = KernelFeatures(X, "rbf", 1 / (2 * sigma**2), 0, 0)
    V = column_spectrum(as_table(X), kernel, kernel(X), 3).rows(kernel(X))
    K = kernel(X)
    d = K.sum(axis=1) ** -0.5
    exact = np.linalg.eigh(d[:, np.newaxis] * K * d)[1][:, -3:]
    assert subspace_angles(V, exact).max() < 1e-4


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("exponent", [-1, -0.5])
def test_powers_of_a_matrix_leave_out_the_directions_that_it_lacks(scale, exponent):
    """Whatever its size: what is zero is a matter of the largest eigenvalue."""
    vectors = np.linalg.qr(np.random.default_rng(0).standard_normal((12, 12)))[0][:, :5]
    values = scale * np.array([1.0, 2, 3, 4, 1e-6])
    found = _matrix_power((vectors * values) @ vectors.T, exponent)
    expected = (vectors * values**exponent) @ vectors.T
    np.testing.assert_allclose(found, expected, atol=1e-6 * np.abs(expected).max())
