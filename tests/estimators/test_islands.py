"""Clusterers of a graph whose connected parts are more than the clusters that are wanted."""

import warnings

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from anchorgraph import FSC, LSC, ONGR, AnchorGraph, Communities
from islands import ISLANDS, far_pairs, hundredfold

METHODS = [FSC, LSC, ONGR]


def n_groups(y):
    return len(np.unique(y))


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("case", ISLANDS.values(), ids=ISLANDS)
@pytest.mark.parametrize("method", [*METHODS, Communities])
def test_the_nearest_parts_are_joined(method, case, seed):
    X, y = case(seed)
    model = method(n_groups(y), random_state=seed).fit(X)  # a warning would be an error
    assert adjusted_rand_score(y, model.labels_) >= 0.95
    np.testing.assert_array_equal(model.predict(X[::7]), model.labels_[::7])


@pytest.mark.parametrize("n_stray", [0, 1, 4])
@pytest.mark.parametrize("method", [*METHODS, Communities])
def test_islands_of_any_size_are_the_clusters_but_stray_rows_are_none(method, n_stray):
    X, y = hundredfold(0)
    stray = 0.1 * np.random.default_rng(0).standard_normal((n_stray, 5)) - 700
    labels = method(5, random_state=0).fit(np.vstack([X, stray])).labels_[: len(X)]
    assert adjusted_rand_score(y, labels) == 1


@pytest.mark.parametrize("method", [*METHODS, Communities])
def test_small_islands_are_clusters_without_rows_of_weight_zero(method):
    X, y = hundredfold(1)
    weights = np.ones(len(X))
    weights[:2000:2] = 0
    assert adjusted_rand_score(y, method(5, random_state=0).fit(X, sample_weight=weights).labels_) == 1


@pytest.mark.parametrize("normalisation", ["rows", "none"])
@pytest.mark.parametrize(
    ("rounding", "trivial"),
    [("kmeans", "drop"), ("kmeans", "keep"), ("rotation", "drop"), ("rotation", "keep"), ("qr", "keep")],
)  # "qr" needs the trivial vector
def test_every_rounding_finds_the_groups(rounding, normalisation, trivial):
    X, y = far_pairs(0)
    options = {"rounding": rounding, "normalisation": normalisation, "trivial": trivial, "random_state": 0}
    for n_clusters, groups in ((3, y), (2, y), (5, None), (6, None), (1, 0 * y)):
        model = FSC(n_clusters, **options).fit(X)
        np.testing.assert_allclose(model.singular_values_, np.ones(n_clusters - 1))
        assert n_groups(model.labels_) == n_clusters
        if groups is y:  # whole pairs
            pairs = set(zip(y.tolist(), model.labels_.tolist(), strict=True))
            assert len(pairs) == 3


@pytest.mark.parametrize("init", ["best", "singular", "qr", "rotation"])
def test_iterations_of_ongr_keep_the_groups(init):
    X, y = far_pairs(1)
    model = ONGR(3, init=init, random_state=0).fit(X)
    assert adjusted_rand_score(y, model.labels_) == 1


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("method", METHODS)
def test_weights_count_and_the_place_does_not(method, dtype):
    X, y = far_pairs(2)
    weights = np.where(y == 0, 1e-3, 2.0)
    weights[:200] = 2.0  # the other half of the first pair is a speck
    model = method(3, random_state=0).fit((X + 1000).astype(dtype), sample_weight=weights)
    assert adjusted_rand_score(y, model.labels_) == 1


def test_cosine_distances():
    X, y = far_pairs(0)
    directions = np.column_stack([np.full(len(X), 150.0), X])
    model = FSC(3, metric="cosine", random_state=0).fit(directions)
    assert adjusted_rand_score(y, model.labels_) == 1


def test_batches():
    X, y = far_pairs(0)
    order = np.random.default_rng(0).permutation(len(X))
    model = FSC(3, n_anchors=128, random_state=0)
    for batch in np.array_split(order, 3):
        model.partial_fit(X[batch])
        assert adjusted_rand_score(y[batch], model.labels_) == 1
    assert adjusted_rand_score(y, model.predict(X)) == 1


def test_batches_of_communities():
    X, y = far_pairs(0)
    order = np.random.default_rng(0).permutation(len(X))
    model = Communities(3, random_state=0)
    for batch in np.array_split(order, 3):
        model.partial_fit(X[batch])
        assert adjusted_rand_score(y[batch], model.labels_) == 1


@pytest.mark.parametrize("method", METHODS)
def test_literally_as_in_the_papers_and_as_for_a_graph_that_is_passed(method):
    """A graph without coordinates knows nothing of distances, so that its parts come together as they do literally."""
    X, y = far_pairs(0)
    literal = method(3, parts="literal", random_state=0)
    with pytest.warns(UserWarning, match="6 unconnected parts"):
        literal.fit(X)
    Z = literal._graph(X)
    with pytest.warns(UserWarning, match="6 unconnected parts"):
        given = method(3, metric="precomputed", random_state=0).fit(Z)
    np.testing.assert_array_equal(given.labels_, literal.labels_)
    assert adjusted_rand_score(y, literal.labels_) < 0.9


def test_a_random_start_of_ongr_does_not_join():
    X, _ = far_pairs(0)
    with pytest.warns(UserWarning, match="6 unconnected parts"):
        joined = ONGR(3, init="random", random_state=0).fit(X)
    with pytest.warns(UserWarning, match="6 unconnected parts"):
        literal = ONGR(3, init="random", parts="literal", random_state=0).fit(X)
    np.testing.assert_array_equal(joined.memberships_, literal.memberships_)


@pytest.mark.parametrize("n_clusters", [7, 8, None])
@pytest.mark.parametrize("method", METHODS)
def test_nothing_changes_with_more_clusters_than_parts(method, n_clusters):
    if method is ONGR and n_clusters is None:
        return
    X, _ = far_pairs(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about clusters without rows
        joined, literal = (method(n_clusters, parts=parts, random_state=0).fit(X) for parts in ("join", "literal"))
    np.testing.assert_array_equal(joined.transform(X), literal.transform(X))
    np.testing.assert_array_equal(joined.labels_, literal.labels_)


@pytest.mark.parametrize("metric", ["euclidean", "precomputed"])
@pytest.mark.parametrize("method", METHODS)
def test_another_choice_is_refused(method, metric):
    Z = AnchorGraph(n_anchors=16, random_state=0).fit_transform(np.random.default_rng(0).standard_normal((60, 4)))
    with pytest.raises(ValueError, match="parts must be one of 'join', 'literal'; got 'merge'"):
        method(3, parts="merge", metric=metric).fit(Z)
