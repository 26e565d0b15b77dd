import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial.distance import pdist

from anchorgraph.contracts import Anchors
from anchorgraph.graph import WEIGHTINGS, Adaptive, Gaussian, Inverse, SelfTuning
from anchorgraph.table import as_table
from reference import graph as literal

PAIRS = {
    "adaptive": (Adaptive(), literal.adaptive),
    "gaussian": (Gaussian(sigma=1.5), lambda h, k: literal.gaussian(h, k, 1.5)),
    "local": (Gaussian(sigma="local"), literal.gaussian_local),
    "inverse": (Inverse(r=2.5), lambda h, k: literal.inverse(h, k, 2.5)),
}


def test_by_hand():
    h = np.array([[1.0, 2.0, 5.0]])
    np.testing.assert_allclose(Adaptive().weights(h), [[4 / 7, 3 / 7]])
    np.testing.assert_allclose(Inverse(r=2).weights(h), [[10 / 17, 5 / 17, 2 / 17]])
    e = np.exp([-0.5, -1, -2.5])
    np.testing.assert_allclose(Gaussian(sigma=1).weights(h), [e / e.sum()])


@pytest.mark.parametrize("name", PAIRS)
def test_same_as_the_reference(name):
    weighting, reference = PAIRS[name]
    h = np.sort(np.random.default_rng(0).random((20, 4 + weighting.n_extra)), axis=1)
    np.testing.assert_allclose(weighting.weights(h), [reference(row, 4) for row in h])


@pytest.mark.parametrize("name", PAIRS)
@given(h=arrays(np.float64, (3, 6), elements=st.sampled_from([0.0, 1e-30, 1.0, 2.0, 1e3, 1e30])))
def test_weights_are_a_distribution_for_any_distances(name, h):
    weights = PAIRS[name][0].weights(np.sort(h, axis=1))
    assert np.isfinite(weights).all()
    assert (weights >= 0).all()
    np.testing.assert_allclose(weights.sum(axis=1), 1)
    assert (np.diff(weights, axis=1) <= 1e-12).all()


@pytest.mark.parametrize("name", PAIRS)
def test_equal_distances_get_equal_weights(name):
    weighting = PAIRS[name][0]
    np.testing.assert_allclose(weighting.weights(np.zeros((1, 4 + weighting.n_extra))), np.full((1, 4), 0.25))
    np.testing.assert_allclose(weighting.weights(np.full((1, 4 + weighting.n_extra), 7.0)), np.full((1, 4), 0.25))


def test_inverse_puts_all_weight_on_coinciding_anchors():
    np.testing.assert_array_equal(Inverse().weights(np.array([[0.0, 0.0, 3.0]])), [[0.5, 0.5, 0]])


def test_float32_stays(blobs):
    for weighting in WEIGHTINGS.values():
        weighting = weighting.resolve(as_table(blobs), Anchors(blobs[:9]), 4, np.random.default_rng(0))
        columns = np.tile(np.arange(4), (2, 1))
        assert weighting.weights(np.ones((2, 4), dtype=np.float32), columns).dtype == np.float32


def test_mean_bandwidth_is_the_mean_distance_of_the_sampled_rows(blobs):
    resolved = Gaussian().resolve(as_table(blobs), Anchors(blobs[:9]), 4, np.random.default_rng(0))
    assert resolved.sigma == pytest.approx(pdist(blobs).mean())
    assert Gaussian().with_number(as_table(np.ones((5, 2))), np.random.default_rng(0)).sigma == 1


def self_tuned(U, k):
    return SelfTuning().resolve(None, Anchors(np.asarray(U)), k, None)


def test_self_tuning_by_hand():
    """Three anchors on a line, each row tied to two."""
    weighting = self_tuned([[0.0], [1.0], [4.0]], 1)
    np.testing.assert_allclose(weighting.scales, [1, 1, 3])
    np.testing.assert_allclose(self_tuned([[0.0], [1.0], [4.0]], 2).scales, [2.5, 2, 3.5])
    kernel = np.exp([-1 / (2 * 1.5 * 1), -4 / (2 * 1.5 * 3)])  # a row at 2, at distances 1 and 2 of the last two
    np.testing.assert_allclose(weighting.weights(np.array([[1.0, 4.0]]), np.array([[1, 2]])), [kernel / kernel.sum()])


def test_a_far_anchor_of_a_wide_region_can_weigh_more():
    weighting = SelfTuning(np.array([0.1, 10.0]))
    near, far = weighting.weights(np.array([[1.0, 2.0]]), np.array([[0, 1]]))[0]
    assert far > near


def test_anchors_that_coincide_have_the_mean_scale():
    scales = self_tuned([[0.0], [0.0], [0.0], [3.0], [6.0]], 2).scales
    np.testing.assert_allclose(scales, [1.5, 1.5, 1.5, 3, 4.5])
    assert (self_tuned(np.zeros((4, 2)), 2).scales > 0).all()


@given(h=arrays(np.float64, (3, 4), elements=st.sampled_from([0.0, 1e-200, 1e-30, 1.0, 2.0, 1e30, 1e200])))
def test_self_tuning_weights_are_a_distribution_for_any_distances(h):
    columns = np.array([[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]])
    weights = SelfTuning(np.array([1e-100, 1e-3, 1.0, 1e100])).weights(np.sort(h, axis=1), columns)
    assert (weights >= 0).all()
    np.testing.assert_allclose(weights.sum(axis=1), 1)


@pytest.mark.parametrize(
    "make",
    [lambda: Gaussian(0), lambda: Gaussian("wide"), lambda: Gaussian(None), lambda: Inverse(1), lambda: Inverse("a")],
)
def test_impossible_parameters_are_refused(make):
    with pytest.raises(ValueError, match=r"sigma=|r="):
        make()
