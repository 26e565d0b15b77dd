"""Directions from classes: FLRL's rounds and those of the pair methods against their literal references."""

from functools import partial

import numpy as np
import pytest
from scipy import sparse
from scipy.linalg import eigh, subspace_angles
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from anchorgraph.baselines.allda import nearest_weights
from anchorgraph.estimators.bases.pair_method import weights_of_rows
from anchorgraph.graph import Adaptive, Gaussian, Inverse
from anchorgraph.labels import split_classes
from anchorgraph.projection import (
    SCALES,
    largest_margin,
    learn_with_anchors,
    learn_with_pairs,
    least_within,
    local_discriminant,
    row_centred,
    split_by_class,
)
from anchorgraph.projection.scatter import (
    between_scatter,
    largest_directions,
    smallest_directions,
    total_and_within_scatter,
    total_scatter,
    whitening,
    with_unit_scatter,
)
from anchorgraph.table import as_table
from reference import flrl as literal
from reference import pairs as literal_pairs


def moons_and_noise(n=60, d=4, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 3
    X = rng.standard_normal((n, d)) + 3 * np.eye(d)[y] + 2 * rng.integers(0, 2, (n, 1))
    return X, y


def anchors_of(X, y, per_class):
    points = np.concatenate([X[y == c][:per_class] + 0.1 for c in np.unique(y)])
    return points, np.repeat(np.unique(y), per_class)


@pytest.mark.parametrize("block_rows", [7, 1000])
@pytest.mark.parametrize(("k", "r"), [(1, 2.0), (2, 2.0), (3, 1.5), (4, 3.0)])
def test_every_round_of_flrl_is_the_papers(k, r, block_rows):
    """W as a subspace, A, the anchors, and the objective after every step, which never increases."""
    X, y = moons_and_noise()
    anchors, owners = anchors_of(X, y, 4)
    expected = literal.rounds(X, y, anchors, owners, 2, k, r, 6)
    space = row_centred(as_table(X, block_rows=block_rows))
    before = np.inf
    for n_rounds in range(1, 7):
        seen = []

        def weigh(h, seen=seen):
            seen.append(Inverse(r).weights(h))
            return seen[-1]

        linear, found, objectives = learn_with_anchors(
            space,
            y,
            anchors,
            owners,
            weigh=weigh,
            r=r,
            n_neighbors=k,
            n_components=2,
            alpha=0,
            max_iter=n_rounds,
            tol=-1,
        )
        W, A, Z, (after_w, after_a, after_z) = expected[n_rounds - 1]
        assert subspace_angles(linear.components.T, W).max() < 1e-6
        np.testing.assert_allclose(objectives[-1], after_w, rtol=1e-9)
        np.testing.assert_allclose(found, Z, atol=1e-7)
        weights = np.concatenate(seen)[-len(X) :]  # those of the last round, nearest first
        for c in range(3):
            np.testing.assert_allclose(weights[y == c], -np.sort(-A[c], axis=1)[:, :k], atol=1e-7)
        assert after_w <= before + 1e-9
        assert after_a <= after_w + 1e-9
        assert after_z <= after_a + 1e-9
        before = after_z


@pytest.mark.parametrize("block_rows", [7, 1000])
@pytest.mark.parametrize("scale", SCALES)
def test_every_round_of_flrl_with_weights_is_the_papers_with_rows_that_occur_so_often(block_rows, scale):
    X, y = moons_and_noise(30)
    weights = np.random.default_rng(1).integers(0, 4, 30)
    anchors, owners = anchors_of(X, y, 4)
    often, classes = np.repeat(X, weights, axis=0), np.repeat(y, weights)
    expected = literal.rounds(often, classes, anchors, owners, 2, 3, 2.0, 4)
    table = as_table(X, block_rows=block_rows)
    for divisor in (1, 10):
        space = row_centred(table.weighted(table.align(weights / divisor)))
        np.testing.assert_allclose(space.mean, often.mean(axis=0))
        total, within = total_and_within_scatter(space, y)
        np.testing.assert_allclose(total_scatter(space), literal.total_scatter(often), atol=1e-12)
        np.testing.assert_allclose(total, literal.total_scatter(often), atol=1e-12)
        np.testing.assert_allclose(within, literal.within_scatter(often, classes), atol=1e-12)
        np.testing.assert_allclose(between_scatter(space, y), total - within, atol=1e-12)
        for n_rounds, (W, _, Z, (after_w, _, _)) in enumerate(expected, start=1):
            linear, found, objectives = learn_with_anchors(
                space,
                y,
                anchors,
                owners,
                weigh=Inverse(2.0).weights,
                r=2.0,
                n_neighbors=3,
                n_components=2,
                alpha=0,
                max_iter=n_rounds,
                tol=-1,
                scale=SCALES[scale],
            )
            assert subspace_angles(linear.components.T, W).max() < 1e-6
            np.testing.assert_allclose(objectives[-1] * divisor, after_w, rtol=1e-9)
            np.testing.assert_allclose(found, Z, atol=1e-7)
            scatter = {"total": total, "within": within}[scale]
            np.testing.assert_allclose(linear.components @ scatter @ linear.components.T, np.eye(2), atol=1e-9)


def test_directions_have_unit_total_scatter():
    X, y = moons_and_noise()
    linear, _, _ = flrl(X, y, *anchors_of(X, y, 3))
    projected = (X - linear.mean) @ linear.components.T
    np.testing.assert_allclose(np.cov(projected.T, bias=True), np.eye(2), atol=1e-9)


@pytest.mark.parametrize("block_rows", [7, 1000])
def test_the_scale_within_classes_is_the_references(block_rows):
    X, y = moons_and_noise()
    anchors, owners = anchors_of(X, y, 4)
    W = literal.rounds(X, y, anchors, owners, 3, 2, 2.0, 6)[-1][0]
    S_w = literal.within_scatter(X, y)
    expected = literal.scaled_within(W, S_w)
    linear, _, _ = flrl(
        as_table(X, block_rows=block_rows), y, anchors, owners, 3, max_iter=6, tol=-1, scale=SCALES["within"]
    )
    found = linear.components.T
    np.testing.assert_allclose(np.abs(found.T @ S_w @ expected), np.eye(3), atol=1e-6)  # up to the sign of each
    np.testing.assert_allclose(found.T @ S_w @ found, np.eye(3), atol=1e-9)
    total = found.T @ literal.total_scatter(X) @ found
    np.testing.assert_allclose(total, np.diag(np.diag(total)), atol=1e-9)
    assert (np.diff(np.diag(total)) < 0).all()  # the direction that separates the classes best comes first


def test_total_and_within_scatter_are_those_over_all_pairs():
    X, y = moons_and_noise()
    total, within = total_and_within_scatter(row_centred(as_table(X, block_rows=11)), y)
    np.testing.assert_allclose(total, literal.total_scatter(X), atol=1e-12)
    np.testing.assert_allclose(within, literal.within_scatter(X, y), atol=1e-12)


def test_a_direction_without_scatter_within_classes_is_long_but_finite():
    """Variances 1 and 4 in all, 0 and 1 within classes: the ridge decides, or else the rounding error of 50 rows."""
    W = np.diag([1.0, 0.5])
    within = np.diag([0.0, 1.0])
    ridged = with_unit_scatter(W, within, 1e-4, 50)
    np.testing.assert_allclose(np.abs(ridged), np.diag([100, 1]), rtol=1e-3)
    unridged = with_unit_scatter(W, within, 0, 50)
    np.testing.assert_allclose(np.abs(unridged), np.diag([(50 * np.finfo(float).eps) ** -0.5, 1]), rtol=1e-9)


def flrl(X, y, anchors, owners, n_components=2, **options):
    given = {
        "weigh": Inverse(2.0).weights,
        "r": 2.0,
        "n_neighbors": 2,
        "alpha": 0,
        "max_iter": 10,
        "tol": 1e-6,
    }
    return learn_with_anchors(
        row_centred(as_table(X)), y, anchors, owners, n_components=n_components, **{**given, **options}
    )


def test_an_anchor_that_no_row_is_tied_to_stays_where_it_is():
    X, y = moons_and_noise()
    anchors, owners = anchors_of(X, y, 3)
    far = anchors.copy()
    far[2] += 1e4
    _, found, _ = flrl(X, y, far, owners, n_neighbors=1, max_iter=5)
    np.testing.assert_allclose(found[2], far[2], rtol=1e-9)
    assert np.isfinite(found).all()


def test_rows_of_more_columns_than_rows_are_as_good_as_in_the_space_they_span():
    X, y = moons_and_noise(30, 6)
    turned = np.linalg.qr(np.random.default_rng(1).standard_normal((80, 6)))[0]
    wide = X @ turned.T + 5
    anchors, owners = anchors_of(X, y, 3)
    narrow_map, narrow_anchors, narrow = flrl(X, y, anchors, owners)
    wide_map, wide_anchors, objectives = flrl(wide, y, anchors @ turned.T + 5, owners)
    np.testing.assert_allclose(objectives, narrow, rtol=1e-6)
    np.testing.assert_allclose(wide_anchors, narrow_anchors @ turned.T + 5, atol=1e-6)
    assert subspace_angles(wide_map.components.T, turned @ narrow_map.components.T).max() < 1e-6
    with pytest.raises(ValueError, match="n_components=7 is more than the 6 dimensions that the rows span"):
        flrl(wide, y, anchors @ turned.T, owners, n_components=7)


@pytest.mark.parametrize(
    ("weigh", "expected"),
    [
        (lambda h: len(h) * Inverse(2.0).weights(h) ** 2, literal_pairs.inverse_squared),
        (Gaussian(np.sqrt(0.35)).weights, literal_pairs.gaussian(0.7)),
        (partial(nearest_weights, n_neighbors=3), literal_pairs.nearest(3)),
    ],
    ids=["LADA", "ADA", "ALLDA"],
)
def test_every_round_of_the_pair_methods_is_the_references(weigh, expected):
    X, y = moons_and_noise(36)
    X /= np.sqrt(np.mean(X.var(axis=0)))  # the scale of the first weights
    for n_rounds, (W, objective) in enumerate(literal_pairs.rounds(X, y, expected, 2, 4), start=1):
        linear, objectives = learn_with_pairs(
            row_centred(as_table(X)),
            y,
            weights_of_rows(weigh),
            n_components=2,
            alpha=0,
            max_iter=n_rounds,
            tol=-1,
        )
        assert subspace_angles(linear.components.T, W).max() < 1e-6
        np.testing.assert_allclose(objectives[-1], objective, rtol=1e-8)


def test_weights_of_a_class_need_no_row_beyond_the_neighbours():
    h = np.array([[np.inf, 1.0, 2.0], [1.0, np.inf, 4.0], [2.0, 4.0, np.inf]])
    weights = nearest_weights(h.copy(), 5).toarray()
    np.testing.assert_allclose(weights.sum(axis=1), 1)
    np.testing.assert_array_equal(np.diag(weights), 0)
    np.testing.assert_allclose(Adaptive().weights(np.array([[1.0, 2.0, 2.0]])), weights[:1, 1:])


@pytest.mark.parametrize("store", [np.asarray, sparse.csr_array])
def test_the_largest_margin_is_that_of_the_class_means(store):
    X, y = moons_and_noise()
    linear = largest_margin(row_centred(as_table(store(X), block_rows=11)), y, 2)
    means = np.array([X[y == c].mean(axis=0) for c in range(3)])
    between = sum(np.outer(m - X.mean(axis=0), m - X.mean(axis=0)) * np.sum(y == c) for c, m in enumerate(means))
    within = sum((X[y == c] - means[c]).T @ (X[y == c] - means[c]) for c in range(3))
    _, vectors = np.linalg.eigh(between - within)
    assert subspace_angles(linear.components.T, vectors[:, -2:]).max() < 1e-7
    np.testing.assert_allclose(linear.components @ linear.components.T, np.eye(2), atol=1e-12)


def test_classes_are_split_only_where_they_are_mixed_up():
    """A class on both sides of another is cut in two; one that is far from both stays whole."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((120, 2)) * 0.3
    X[:30, 0] -= 6
    X[30:60, 0] += 6
    X[90:, 1] += 20
    y = np.repeat([0, 1, 2], [60, 30, 30])
    subclasses = split_classes(X, y, 10)
    assert len(np.unique(subclasses[:30])) == len(np.unique(subclasses[30:60])) == 1
    assert subclasses[0] != subclasses[30]
    assert len(np.unique(subclasses[90:])) == 1
    assert not set(subclasses[y == 0]) & set(subclasses[y == 1])


def test_the_least_scatter_within_groups_is_that_of_discriminant_analysis():
    X, y = moons_and_noise()
    linear = least_within(row_centred(as_table(X)), y, 2, 0)
    theirs = LinearDiscriminantAnalysis(solver="eigen", n_components=2).fit(X, y)
    assert subspace_angles(linear.components.T, theirs.scalings_[:, :2]).max() < 1e-6


def test_neighbours_of_other_classes_are_put_apart():
    """LSDA with loops over all ties."""
    X, y = moons_and_noise()
    space = row_centred(as_table(X))
    rng = np.random.default_rng(0)
    ties = np.triu(rng.random((60, 60)) < 0.1, 1)
    ties = (ties | ties.T).astype(float)
    within, between = split_by_class(sparse.csr_array(ties), y)
    same = y[:, np.newaxis] == y
    np.testing.assert_array_equal(within.toarray(), ties * same)
    np.testing.assert_array_equal(between.toarray(), ties * ~same)
    linear = local_discriminant(space, within, between, 0.3, 2)
    C = X - X.mean(axis=0)
    L_b = np.diag((ties * ~same).sum(axis=1)) - ties * ~same
    gain = C.T @ (0.3 * L_b + 0.7 * ties * same) @ C
    _, vectors = eigh(gain, C.T @ np.diag((ties * same).sum(axis=1)) @ C)
    assert subspace_angles(linear.components.T, vectors[:, -2:]).max() < 1e-6


def test_a_ridge_chooses_among_directions_that_are_all_perfect():
    """Of two directions without scatter within, the one of the larger total scatter."""
    whitened = np.diag([1.0, 0.1, 1.0])  # variances 1, 100, 1
    _, W = smallest_directions(np.diag([0.0, 0.0, 1.0]), whitened, 1, ridge=1e-6)
    np.testing.assert_allclose(np.abs(W[:, 0]), [0, 0.1, 0], atol=1e-9)


def test_the_largest_values_come_first():
    whitened = np.diag([1.0, 0.5, 1.0])
    values, W = largest_directions(np.diag([1.0, 20.0, 3.0]), whitened, 2)
    np.testing.assert_allclose(values, [5, 3])
    np.testing.assert_allclose(np.abs(W), [[0, 0], [0.5, 0], [0, 1]], atol=1e-12)


@pytest.mark.parametrize("scale", [0.01, 100.0])
def test_the_ridge_of_flrl_follows_the_unit_of_the_rows(scale):
    """It is a fraction of their variance: projections and objectives stay the same."""
    X, y = moons_and_noise()
    found = []
    for unit in (1.0, scale):
        anchors, owners = anchors_of(X, y, 4)
        options = {"weigh": Inverse(2.0).weights, "r": 2.0, "n_neighbors": 2, "n_components": 2}
        linear, _, objectives = learn_with_anchors(
            row_centred(as_table(unit * X)), y, unit * anchors, owners, **options, alpha=0.5, max_iter=5, tol=0
        )
        found.append((linear.components * unit, objectives))
    np.testing.assert_allclose(found[1][0], found[0][0], rtol=1e-8)
    np.testing.assert_allclose(found[1][1], found[0][1], rtol=1e-8)


@pytest.mark.parametrize("offset", [0.0, 5.0])
def test_rows_that_are_all_equal_have_no_margin(offset):
    space = row_centred(as_table(np.full((6, 3), offset)))
    with pytest.raises(ValueError, match="All rows of X are equal"):
        largest_margin(space, np.arange(6) % 2, 1)


def test_rounding_of_float32_is_no_dimension():
    X, _ = moons_and_noise()
    twice = (np.hstack([X, 3 * X[:, :2]]) + 100).astype(np.float32)
    space = row_centred(as_table(twice))
    total = total_scatter(space)
    assert whitening(total, 4, 60, noise=space.noise(total)).shape[1] == 4


@pytest.mark.parametrize("most", [1, 3])
def test_no_class_has_more_subclasses_than_allowed(most):
    X, y = np.random.default_rng(0).standard_normal((40, 2)), np.arange(40) % 2
    subclasses = split_classes(X, y, most)
    assert max(len(np.unique(subclasses[y == c])) for c in (0, 1)) <= most
