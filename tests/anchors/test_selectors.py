import numpy as np
import pytest
from scipy import sparse
from sklearn.cluster import DBSCAN, KMeans

from anchorgraph.anchors import SELECTORS, KMeansAnchors, RandomAnchors, given
from anchorgraph.numerics.execution import execution
from anchorgraph.table import as_table


@pytest.mark.parametrize("name", SELECTORS)
def test_every_selector_gives_as_many_points_and_the_same_for_the_same_seed(digits, form, name):
    table = as_table(form(digits))
    with execution(2):
        anchors = SELECTORS[name].select(table, 40, 3)
    with execution(1):
        again = SELECTORS[name].select(table, 40, 3)
    assert anchors.points.shape == (40, 64)
    assert anchors.points.dtype == table.dtype
    np.testing.assert_array_equal(anchors.points, again.points)
    assert (anchors.tree is not None) == (name in ("bkhk", "hk"))


def test_random_anchors_are_different_rows(blobs):
    points = RandomAnchors().select(as_table(blobs), 200, 0).points
    np.testing.assert_array_equal(np.unique(points, axis=0), np.unique(blobs, axis=0))


@pytest.mark.parametrize("block_rows", [None, 33])
def test_kmeans_takes_five_rounds_of_lloyds_from_random_rows(blobs, block_rows):
    points = KMeansAnchors().select(as_table(blobs, block_rows=block_rows), 5, 1).points
    start = RandomAnchors().select(as_table(blobs), 5, 1).points
    expected = KMeans(5, init=start, n_init=1, max_iter=5, tol=0).fit(blobs).cluster_centers_
    np.testing.assert_allclose(points, expected, atol=1e-12)


def test_an_array_is_taken_as_it_is(blobs):
    np.testing.assert_array_equal(given(blobs[:9].tolist(), as_table(blobs)).points, blobs[:9])


def test_a_clusterer_is_fitted_on_a_copy(blobs):
    model = KMeans(6, n_init=1, random_state=0)
    points = given(model, as_table(blobs)).points
    assert not hasattr(model, "cluster_centers_")
    np.testing.assert_array_equal(points, given(model.fit(blobs), as_table(blobs)).points)


def test_given_anchors_must_fit(blobs):
    with pytest.raises(ValueError, match="anchors has 3 columns, but X has 8"):
        given(np.zeros((5, 3)), as_table(blobs))
    with pytest.raises(TypeError, match="cluster_centers_"):
        given(DBSCAN(), as_table(blobs))
    with pytest.raises(ValueError, match="anchors contains NaN"):
        given(np.full((5, 8), np.nan), as_table(sparse.csr_array(blobs)))


def test_of_several_starts_the_one_of_least_error_is_taken(digits):
    table = as_table(digits)

    def error(centres):
        return KMeans(20, init=centres, n_init=1, max_iter=1).fit(digits).inertia_

    one, five = (KMeansAnchors(max_iter=20, n_init=n).select(table, 20, 0).points for n in (1, 5))
    assert error(five) < error(one)
