import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score

from anchorgraph import BKHK, AnchorGraph


def test_four_corners(form):
    """Ten rows around each corner of a square: the only balanced clustering that a person would call right."""
    rng = np.random.default_rng(0)
    truth = np.repeat(np.arange(4), 10)
    X = np.array([[1, 1], [1, 99], [99, 1], [99, 99]])[truth] + rng.random((40, 2))
    assert adjusted_rand_score(truth, BKHK(n_anchors=4, random_state=0).fit_predict(form(X))) == 1


def test_labels_are_predicted_again(digits, form):
    X = form(digits)
    model = BKHK(n_anchors=77, random_state=0).fit(X)
    np.testing.assert_array_equal(model.predict(X), model.labels_)
    assert model.anchors_.dtype == X.dtype
    np.testing.assert_array_equal(model.cluster_centers_, model.anchors_)


def test_small_integers_are_read_as_float32(digits):
    model = BKHK(n_anchors=20, random_state=0).fit(digits.astype(np.uint8))
    assert model.anchors_.dtype == np.float32
    np.testing.assert_array_equal(model.labels_, BKHK(n_anchors=20, random_state=0).fit(digits).labels_)


def test_new_rows_go_to_a_leaf_near_them(digits):
    model = BKHK(n_anchors=64, random_state=0).fit(digits[:1500])
    rows = digits[1500:]
    h = ((rows[:, np.newaxis] - model.anchors_) ** 2).sum(axis=2)
    rank = (h < np.take_along_axis(h, model.predict(rows)[:, np.newaxis], axis=1)).sum(axis=1)
    assert np.median(rank) <= 2


def test_quantisation_is_not_much_worse_than_that_of_kmeans(digits):
    labels = BKHK(n_anchors=64, random_state=0).fit_predict(digits)
    ours = sum(((digits[labels == leaf] - digits[labels == leaf].mean(axis=0)) ** 2).sum() for leaf in range(64))
    assert ours < 1.35 * KMeans(64, n_init=1, random_state=0).fit(digits).inertia_


def test_it_serves_as_the_anchors_of_a_graph(digits):
    Z = AnchorGraph(anchors=BKHK(n_anchors=40, random_state=0)).fit_transform(digits)
    assert Z.shape == (1797, 40)


@pytest.mark.parametrize(
    "parameters", [{"max_iter": 0}, {"max_iter": 1.5}, {"tol": -0.1}, {"tol": 1}, {"tol": "no"}, {"max_samples": 1}]
)
def test_impossible_parameters(blobs, parameters):
    ((name, value),) = parameters.items()
    with pytest.raises(ValueError, match=rf"{name} must be .*; got {value!r}\."):
        BKHK(**parameters).fit(blobs)
