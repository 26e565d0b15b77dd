"""k-means does not depend on the order of rows, and a row twice is the row with the weight 2."""

import numpy as np
import pytest

from anchorgraph.numerics.kmeans import fit_kmeans


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_rows_in_any_order(dtype):
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((300, 4)).astype(dtype)
    order = rng.permutation(300)
    found, other = (fit_kmeans(some, 7, n_init=2, seed=0) for some in (rows, rows[order]))
    np.testing.assert_array_equal(found.centres, other.centres)
    np.testing.assert_array_equal(found.labels[order], other.labels)


def test_equal_rows_up_to_rounding_are_one():
    rows = np.random.default_rng(0).standard_normal((50, 3))
    noise = 1 + 1e-15 * np.random.default_rng(1).standard_normal(rows.shape)
    twice = fit_kmeans(np.concatenate([rows, rows * noise]), 5, n_init=3, seed=0)
    once = fit_kmeans(rows, 5, n_init=3, seed=0)
    np.testing.assert_allclose(twice.centres, once.centres, rtol=1e-12)


def test_rows_that_hardly_differ_are_told_apart_if_they_must():
    rows = np.array([[1.0], [1.0 + 1e-12], [1.0 - 1e-12]])
    assert len(np.unique(fit_kmeans(rows, 3, n_init=1, seed=0).labels)) == 3


def test_one_heavy_row_does_not_take_all_starts():
    rng = np.random.default_rng(0)
    centres = 100 * rng.standard_normal((20, 3))
    rows = np.repeat(centres, 250, axis=0) + rng.standard_normal((5000, 3))
    weights = np.ones(5000)
    weights[0] = 1e7
    found = fit_kmeans(rows, 20, n_init=3, seed=0, weights=weights)
    assert len(np.unique(found.labels[::250])) == 20
