import numpy as np
import pytest
from scipy import sparse
from scipy.special import log_ndtr

from anchorgraph.anchors import count_gaussian_parts, select_per_class
from anchorgraph.anchors.gaussian_parts import _anderson_darling
from anchorgraph.table import as_table


@pytest.mark.parametrize("n_groups", [1, 2, 4])
@pytest.mark.parametrize("n_cols", [2, 20])
def test_groups_that_are_apart_are_counted(n_groups, n_cols):
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((400, n_cols))
    rows[:, :2] += 12 * np.array([[0, 0], [1, 0], [0, 1], [1, 1]])[np.arange(400) % n_groups]
    assert count_gaussian_parts(rows, np.ones(len(rows)), 0) == n_groups


@pytest.mark.parametrize("scale", [1e-70, 1e70])
def test_the_unit_of_rows_makes_no_difference(scale):
    rows = np.random.default_rng(0).standard_normal((400, 2))
    rows[::2] += 12
    assert count_gaussian_parts(scale * rows, np.ones(400), 0) == 2


@pytest.mark.parametrize(
    ("rows", "number"), [(np.zeros((50, 3)), 1), (np.eye(3), 1), (np.random.default_rng(0).uniform(size=(9, 2)), 1)]
)
def test_what_has_no_shape_is_one_part(rows, number):
    assert count_gaussian_parts(rows, np.ones(len(rows)), 0) == number


def test_no_more_parts_than_allowed():
    ring = np.column_stack([np.cos(np.arange(2000)), np.sin(np.arange(2000))])
    assert count_gaussian_parts(ring, np.ones(2000), 0, most=6) == 6


@pytest.mark.parametrize("store", [np.asarray, sparse.csr_array])
def test_every_class_gets_its_anchors(store):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((100, 3))
    X[:6] = X[0]  # a class of two different rows
    X[6] = 5
    codes = np.repeat([0, 1], [7, 93])
    points, owners = select_per_class(as_table(store(X)), codes, lambda rows, counts, seed: 4, seed=0)
    assert np.bincount(owners).tolist() == [2, 4]
    np.testing.assert_allclose(sorted(points[owners == 0].sum(axis=1)), sorted([X[0].sum(), 15]))


def test_rows_of_several_classes_are_read_at_once(monkeypatch):
    rng = np.random.default_rng(0)
    codes, X = np.arange(300) % 10, rng.standard_normal((300, 4))
    table, readings = as_table(X), []
    take = table.take
    monkeypatch.setattr(table, "take", lambda rows: readings.append(len(rows)) or take(rows))
    together = select_per_class(table, codes, lambda rows, counts, seed: 3, seed=0)
    assert readings == [300]
    monkeypatch.setattr("anchorgraph.anchors.per_class.MOST_BYTES", 2000)
    apart = select_per_class(table, codes, lambda rows, counts, seed: 3, seed=0)
    assert len(readings) > 3
    for one, other in zip(together, apart, strict=True):
        np.testing.assert_array_equal(one, other)


def test_the_statistic_is_that_of_values_that_occur_so_often():
    rng = np.random.default_rng(0)
    values, counts = rng.exponential(size=30), rng.integers(1, 5, 30)
    often = np.sort(np.repeat(values, counts))
    n = len(often)
    z = (often - often.mean()) / often.std(ddof=1)
    terms = [(2 * j - 1) * (log_ndtr(z[j - 1]) + log_ndtr(-z[n - j])) for j in range(1, n + 1)]
    expected = (-n - sum(terms) / n) * (1 + 4 / n - 25 / n**2)
    assert _anderson_darling(values, counts.astype(float)) == pytest.approx(expected)
    assert _anderson_darling(often, np.ones(n)) == pytest.approx(expected)


def test_parts_are_those_of_rows_that_occur_so_often():
    """A few rows say little about a shape, but much if each stands for many."""
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((12, 2)) + np.repeat([[0, 0], [4, 0]], 6, axis=0)
    for count in (1, 5):
        often = np.repeat(rows, count, axis=0)
        expected = count_gaussian_parts(often, np.ones(len(often)), 0)
        assert count_gaussian_parts(rows, np.full(12, float(count)), 0) == expected
        assert (expected > 1) == (count > 1)


def weighted(X, weights):
    table = as_table(X)
    return table.weighted(table.align(np.asarray(weights, dtype=float)))


def test_anchors_are_those_of_rows_that_occur_so_often():
    rng = np.random.default_rng(0)
    X, codes, weights = rng.standard_normal((80, 3)), np.arange(80) % 2, rng.integers(0, 4, 80)
    often = rng.permutation(np.repeat(np.arange(80), weights))
    seen = []

    def number(rows, counts, seed):
        seen.append(counts.sum())
        return 4

    points, owners = select_per_class(weighted(X, weights), codes, number, seed=0)
    repeated, repeated_owners = select_per_class(as_table(X[often]), codes[often], number, seed=0)
    np.testing.assert_allclose(points, repeated, atol=1e-12)
    np.testing.assert_array_equal(owners, repeated_owners)
    np.testing.assert_allclose(seen, 2 * [np.count_nonzero(weights[::2]), np.count_nonzero(weights[1::2])])


@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        (np.full(40, 3), 20),
        (np.full(40, 1e9), 20),
        (np.full(40, 0.3), 20),
        (np.repeat([0.5, 0, 1.5], [10, 20, 10]), 10),
    ],
)
def test_the_rows_of_a_class_count_as_many_as_they_are(weights, expected):
    seen = []
    X, codes = np.random.default_rng(0).standard_normal((40, 3)), np.arange(40) % 2
    select_per_class(weighted(X, weights), codes, lambda rows, counts, seed: seen.append(counts.sum()) or 1, seed=0)
    np.testing.assert_allclose(seen, expected)


def test_rows_of_large_classes_are_drawn_in_proportion_to_their_weights(monkeypatch):
    monkeypatch.setattr("anchorgraph.anchors.per_class.MOST_ROWS", 400)
    rng = np.random.default_rng(0)
    X, weights = rng.standard_normal((2000, 2)), rng.random(2000)
    X[:1000] += 10
    weights[:1000] *= 3
    weights[500:1500] = 0
    codes = np.zeros(2000, dtype=int)
    shares = []

    def number(rows, counts, seed):
        shares.append((counts.sum(), counts[rows[:, 0] > 5].sum() / counts.sum()))
        return 1

    points, _ = select_per_class(weighted(X, weights), codes, number, seed=0)
    assert 200 < shares[0][0] < 400  # rows of a large weight are drawn several times
    assert shares[0][1] == pytest.approx(0.75, abs=0.06)
    assert points[0, 0] == pytest.approx(7.5, abs=0.6)


def test_all_rows_of_a_class_that_has_no_more_than_are_drawn(monkeypatch):
    """They are taken as they are; only of more rows some are drawn."""
    monkeypatch.setattr("anchorgraph.anchors.per_class.MOST_ROWS", 20)
    seen = []
    X, weights = np.random.default_rng(0).standard_normal((20, 3)), 1 + np.arange(20.0) % 2
    select_per_class(
        weighted(X, weights), np.zeros(20, int), lambda rows, counts, seed: seen.append((rows, counts)) or 1, seed=0
    )
    ((rows, counts),) = seen
    np.testing.assert_array_equal(rows, X)
    np.testing.assert_allclose(counts, weights * 20 / 30)
