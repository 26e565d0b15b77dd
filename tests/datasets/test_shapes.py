import numpy as np
import pytest

from anchorgraph.datasets import SHAPES, make_shape
from anchorgraph.datasets.shape_table import TABLE


@pytest.mark.parametrize("name", SHAPES)
def test_rows_are_points_with_clusters(name):
    X, y = make_shape(name)
    assert X.dtype == np.float64
    assert X.shape in ((len(y), 2), (len(y), 3))
    assert np.isfinite(X).all()
    assert 200 <= len(y) <= 4000
    assert np.issubdtype(y.dtype, np.integer)
    assert (y == -1).sum() == TABLE[name].noise
    sizes = np.bincount(y[y >= 0])
    assert sizes.tolist() == [cluster.rows for cluster in TABLE[name].clusters]
    assert len(sizes) >= 2
    assert sizes.min() >= 5
    assert (np.diff(y) != 0).mean() > 0.1  # shuffled


@pytest.mark.parametrize("name", SHAPES)
def test_rows_follow_from_the_seed(name):
    X, y = make_shape(name, random_state=3)
    again, their_y = make_shape(name, random_state=3)
    np.testing.assert_array_equal(X, again)
    np.testing.assert_array_equal(y, their_y)
    assert not np.isin(X, make_shape(name, random_state=4)[0]).any()


@pytest.mark.parametrize("name", SHAPES)
def test_any_number_of_rows_keeps_the_proportions(name):
    own = np.bincount(make_shape(name)[1] + 1)
    for n_samples in (own.sum() - 1, 2 * own.sum() + 7):
        X, y = make_shape(name, n_samples)
        assert len(X) == len(y) == n_samples
        np.testing.assert_allclose(np.bincount(y + 1), own * n_samples / own.sum(), atol=1)


def test_there_are_shapes_of_every_kind():
    columns = [make_shape(name)[0].shape[1] for name in SHAPES]
    assert columns.count(2) >= 20
    assert columns.count(3) >= 10
    for kind in ("ring", "spiral", "stripes", "line", "cross", "smile", "unequal", "beside", "noise", "touching"):
        assert any(kind in name for name in SHAPES), kind


def test_noise_lies_within_the_box_around_the_clusters():
    X, y = make_shape("moons_noise", random_state=1)
    assert (X[y == -1] >= X[y >= 0].min(axis=0)).all()
    assert (X[y == -1] <= X[y >= 0].max(axis=0)).all()


def test_a_ring_is_as_dense_inside_as_outside():
    X, y = make_shape("nested_discs_narrow_gaps", 20_000)
    radius = np.linalg.norm(X[y == 2], axis=1)
    assert 2.8 <= radius.min() <= radius.max() <= 3.8
    assert (radius < 3.3).mean() == pytest.approx((3.3**2 - 2.8**2) / (3.8**2 - 2.8**2), abs=0.02)


def test_the_fewest_rows_leave_none_of_the_clusters_alone():
    with pytest.raises(ValueError, match="n_samples must be at least 465 for name='target'; got 464"):
        make_shape("target", 464)
    assert np.bincount(make_shape("target", 465)[1]).min() >= 2


def test_shapes_that_are_not_there():
    with pytest.raises(ValueError, match=r"name must be one of 'ring_and_blob', .*; got 'stars'"):
        make_shape("stars")
