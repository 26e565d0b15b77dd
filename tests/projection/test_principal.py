"""Rows along principal axes, and beyond them."""

import numpy as np
import pytest
from scipy import sparse

from anchorgraph.projection import along_and_beyond_axes, along_axes, principal_axes
from anchorgraph.table import as_table


@pytest.fixture(scope="module")
def rows():
    """500 rows that vary in few of 40 columns, far from the origin."""
    rng = np.random.default_rng(0)
    return rng.standard_normal((500, 40)) * 0.8 ** np.arange(40) + 100


@pytest.mark.parametrize("store", [np.asarray, sparse.csr_array, lambda X: X.astype(np.float32)])
@pytest.mark.parametrize("unit", [1, 1e6])
def test_squares_along_and_beyond_add_up(rows, store, unit):
    X = store(unit * rows)
    axes = principal_axes(as_table(X), 5, 0)
    found = along_and_beyond_axes(axes)(X)
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found[:, :-1], along_axes(axes)(X))
    dense = (X.toarray() if sparse.issparse(X) else X).astype(np.float64) - axes.mean
    basis = np.linalg.qr(axes.components.T)[0]
    scale = np.linalg.norm(axes.components[0])
    nearest = dense @ basis @ basis.T
    np.testing.assert_allclose(found[:, -1], scale**2 * np.square(dense - nearest).sum(axis=1), rtol=1e-5)


def test_rows_in_the_span_have_nothing_beyond_it():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((200, 3)) @ rng.standard_normal((3, 30))
    assert (along_and_beyond_axes(principal_axes(as_table(X), 5, 0))(X)[:, -1] == 0).all()


def axes_of(X, n_components=2):
    return principal_axes(as_table(X), n_components, 0).components


@pytest.mark.parametrize("scale", [2.0**-60, 2.0**60])
@pytest.mark.parametrize("offset", [0.0, 3.0])
def test_the_unit_of_rows_makes_no_difference(blobs, scale, offset):
    X = blobs + offset
    np.testing.assert_allclose(scale * axes_of(scale * X), axes_of(X), rtol=1e-6)


@pytest.mark.parametrize("offset", [1e-8, 1.0, 1e8])
def test_rows_that_are_equal_up_to_rounding_have_no_axes(offset):
    """They keep their first columns: what rounding varies most is no direction."""
    X = offset * (1 + 1e-15 * np.random.default_rng(0).standard_normal((50, 6)))
    assert (X[0] != X).any()
    np.testing.assert_array_equal(axes_of(X), np.eye(2, 6))


@pytest.mark.parametrize("shape", [(60, 40), (40, 60)])
@pytest.mark.parametrize("largest_dense", [512, 10])
def test_axes_of_sparse_rows_are_those_of_dense_ones(shape, largest_dense, monkeypatch):
    monkeypatch.setattr("anchorgraph.numerics.eigen.DENSE_ORDER", largest_dense)
    X = np.random.default_rng(0).standard_normal(shape) * 0.5 ** np.arange(shape[1]) + 1
    np.testing.assert_allclose(axes_of(sparse.csr_array(X)) ** 2, axes_of(X) ** 2, atol=1e-8)


@pytest.mark.parametrize("shape", [(60, 40), (40, 60)])
@pytest.mark.parametrize("largest_dense", [512, 10])
def test_axes_of_sparse_rows_are_the_same_each_time(shape, largest_dense, monkeypatch):
    """Rows vary in one column: what follows the first axis is up to rounding, or to ARPACK's random numbers."""
    monkeypatch.setattr("anchorgraph.numerics.eigen.DENSE_ORDER", largest_dense)
    X = np.full(shape, 5.0)
    X[:, 0] = np.random.default_rng(0).standard_normal(shape[0])
    found = [axes_of(sparse.csr_array(X), 3) for _ in range(5)]
    for again in found[1:]:
        np.testing.assert_array_equal(again, found[0])
    np.testing.assert_allclose(found[0] @ found[0].T, np.eye(3) * np.square(found[0][0]).sum(), atol=1e-8)
