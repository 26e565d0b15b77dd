import numpy as np
import pytest
from scipy import sparse
from scipy.spatial.distance import cdist

from anchorgraph.numerics.distances import CentredPoints, minus_centre


@pytest.mark.parametrize("store", [np.asarray, sparse.csr_array])
def test_scores_and_norms_give_squared_distances(store):
    rng = np.random.default_rng(0)
    X, U = rng.standard_normal((9, 4)), rng.standard_normal((5, 4)) + 1
    points = CentredPoints.of(U)
    rows = minus_centre(store(X), points.centre)
    h = points.row_norms(rows)[:, np.newaxis] - 2 * points.scores(rows)
    np.testing.assert_allclose(h, cdist(X, U, "sqeuclidean"), atol=1e-12)
    some = points.subset(np.array([3, 1]))
    np.testing.assert_allclose(some.scores(rows), points.scores(rows)[:, [3, 1]], atol=1e-12)


def test_columns_without_entries_are_left_out():
    rng = np.random.default_rng(0)
    X, U = rng.standard_normal((9, 40)), rng.standard_normal((5, 40)) + 1
    X[:, ::3] = 0
    chosen = np.array([3, 1])
    for some, (points, rows) in (
        (U, CentredPoints.of(U).for_sparse(sparse.csr_array(X))),
        (U[chosen], CentredPoints.of(U).for_sparse(sparse.csr_array(X), chosen)),
    ):
        assert points.points.shape == (len(some), rows.shape[1]) == (len(some), 26)
        h = points.row_norms(rows)[:, np.newaxis] - 2 * points.scores(rows)
        np.testing.assert_allclose(h, cdist(X, some, "sqeuclidean"), atol=1e-12)


def test_the_order_survives_a_large_offset_in_float32():
    """Trap 3: with unit spread and offset 1,000 the plain expansion gets nearly every row's neighbours wrong."""
    rng = np.random.default_rng(0)
    X = (rng.standard_normal((300, 50)) + 1000).astype(np.float32)
    U = X[:40]
    exact = np.argsort(cdist(X, U), axis=1)[:, :5]
    points = CentredPoints.of(U)
    ours = np.argsort(-points.scores(minus_centre(X, points.centre)), axis=1)[:, :5]
    plain = np.argsort((U * U).sum(axis=1) - 2 * X @ U.T, axis=1)[:, :5]
    assert (ours == exact).all()
    assert (plain == exact).all(axis=1).mean() < 0.5


@pytest.mark.parametrize(("offset", "dtype"), [(0, np.float32), (1000, np.float64)])
def test_sparse_rows_far_from_the_origin_are_multiplied_in_float64(offset, dtype):
    rng = np.random.default_rng(0)
    X, U = (rng.standard_normal((n, 20)).astype(np.float32) + np.float32(offset) for n in (200, 50))
    points, rows = CentredPoints.of(U).for_sparse(sparse.csr_array(X))
    assert points.points.dtype == dtype
    nearest = cdist(X.astype(float), U.astype(float)).argmin(axis=1)
    np.testing.assert_array_equal(points.scores(rows).argmax(axis=1), nearest)
    np.testing.assert_array_equal(CentredPoints.of(U).scores(sparse.csr_array(X)).argmax(axis=1), nearest)
