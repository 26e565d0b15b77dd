"""Cosine distances: rows of unit length, which are computed as they are read."""

import tracemalloc

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import make_blobs
from sklearn.neighbors import KNeighborsTransformer
from sklearn.preprocessing import normalize

from anchorgraph import BKHK, FSC, AnchorGraph, Communities, RowGraph
from anchorgraph.numerics.unit_rows import to_unit_length, unit_rows


@pytest.fixture(scope="module")
def rows():
    return make_blobs(200, 6, centers=4, cluster_std=3.0, random_state=0)[0]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("store", [np.asarray, sparse.csr_array])
def test_unit_rows(dtype, store, rows):
    found = unit_rows(store(rows.astype(dtype)))
    assert found.dtype == dtype
    assert sparse.issparse(found) == (store is sparse.csr_array)
    found = found.toarray() if sparse.issparse(found) else found
    assert_allclose(found, normalize(rows), rtol=1e-6 if dtype == np.float32 else 1e-14)


@pytest.mark.parametrize(
    ("dtype", "tiny"), [(np.float32, 1e-40), (np.float32, 1e-20), (np.float64, 1e-170), (np.float64, 1e-310)]
)
@pytest.mark.parametrize("store", [np.asarray, sparse.csr_array])
def test_very_short_rows(dtype, tiny, store):
    rows = np.array([[3.0, 4.0], [3.0, 4.0]]).astype(dtype)
    rows[1] *= dtype(tiny)
    found = unit_rows(store(rows))
    found = found.toarray() if sparse.issparse(found) else found
    assert_allclose(found, [[0.6, 0.8], [0.6, 0.8]], rtol=1e-4)


def test_the_smallest_rows_have_a_direction_too():
    rows = np.array([[5e-324, 0.0], [0.0, 1e-310], [0.0, -1.0], [0.0, 0.0]])
    assert_array_equal(unit_rows(rows[:3]), [[1, 0], [0, 1], [0, -1]])
    assert_array_equal(to_unit_length(rows), [[1, 0], [0, 1], [0, -1], [0, 0]])


def test_the_length_of_a_row_does_not_matter(rows):
    lengths = 2.0 ** np.random.default_rng(0).integers(-9, 9, (len(rows), 1))
    for estimator in (FSC(4, metric="cosine", random_state=0), Communities(4, metric="cosine", random_state=0)):
        model = clone(estimator).fit(rows)
        assert_array_equal(model.predict(lengths * rows), model.labels_)
        assert_array_equal(clone(estimator).fit(lengths * rows).labels_, model.labels_)


def test_nearest_rows_by_cosine(rows):
    found = RowGraph(5, metric="cosine").fit_transform(rows)
    expected = KNeighborsTransformer(n_neighbors=5).fit_transform(normalize(rows))
    assert_allclose(found.toarray(), expected.toarray(), atol=1e-7)


def test_given_anchors_are_points_among_unit_rows(rows):
    fitted = AnchorGraph(20, metric="cosine", n_neighbors=3, random_state=0).fit(rows)
    found = AnchorGraph(anchors=fitted.anchors_, metric="cosine", n_neighbors=3).fit_transform(rows)
    assert_allclose(found.toarray(), fitted.transform(rows).toarray(), atol=1e-12)
    plain = AnchorGraph(anchors=fitted.anchors_, n_neighbors=3).fit_transform(normalize(rows))
    assert_allclose(found.toarray(), plain.toarray(), atol=1e-12)


def test_rows_are_not_copied():
    X = np.random.default_rng(0).standard_normal((100_000, 500), dtype=np.float32)

    def most_bytes(metric):
        tracemalloc.start()
        try:
            AnchorGraph(32, anchors="random", metric=metric, n_jobs=1, random_state=0).fit(X)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    assert most_bytes("cosine") - most_bytes("euclidean") < X.nbytes / 2


@pytest.mark.parametrize("value", ["manhattan", None, 2])
def test_unknown_metrics(value, rows):
    with pytest.raises(ValueError, match="metric must be one of 'euclidean', 'cosine'"):
        BKHK(4, metric=value).fit(rows)
