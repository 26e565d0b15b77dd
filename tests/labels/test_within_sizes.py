import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anchorgraph.labels import Bounds, assign_within, within_sizes
from anchorgraph.table import as_table
from reference.within_sizes import best_assignment


def candidates(X, centres, labels, k):
    h = ((X[:, np.newaxis] - centres) ** 2).sum(axis=2)
    columns = np.argsort(h, axis=1, kind="stable")[:, :k]
    own = h[np.arange(len(X)), labels]
    return as_table(np.column_stack([columns, np.take_along_axis(h, columns, axis=1), own]))


def assign(X, centres, labels, bounds, weights=None, k=None):
    sizes = np.bincount(labels, weights, len(centres))
    table = candidates(X, centres, labels, k or len(centres))
    return assign_within(table, labels, sizes, Bounds(*bounds), weights)


def error(X, centres, labels):
    return ((X - centres[labels]) ** 2).sum()


@pytest.fixture(scope="module")
def case():
    rng = np.random.default_rng(0)
    return rng.standard_normal((120, 2)), rng.standard_normal((8, 2)), np.arange(120) % 8


def test_four_rows_by_hand():
    """0 and 9 are in each other's place; 1 has no room at 0, and 8 none at 9, unless bounds allow it."""
    X, centres = np.array([[0.0], [1], [8], [9]]), np.array([[0.0], [9.0]])
    labels = np.array([1, 0, 1, 0])
    assert assign(X, centres, labels, (2, 2)).tolist() == [0, 0, 1, 1]
    labels = np.array([0, 0, 0, 1])
    assert assign(X, centres, labels, (1, 3)).tolist() == [0, 0, 1, 1]
    assert assign(X, centres, labels, (0, 1)).tolist() == [0, 0, 0, 1]  # no move could help the bounds


def test_without_bounds_rows_go_to_the_nearest_centre(case):
    X, centres, labels = case
    nearest = ((X[:, np.newaxis] - centres) ** 2).sum(axis=2).argmin(axis=1)
    np.testing.assert_array_equal(assign(X, centres, labels, (0, 120)), nearest)


def test_equal_sizes_are_nearly_the_best_possible(case):
    X, centres, labels = case
    found = assign(X, centres, labels, (15, 15))
    best = best_assignment(X, centres, np.full(8, 15))
    assert np.bincount(found).tolist() == [15] * 8
    assert error(X, centres, best) <= error(X, centres, found) <= 1.1 * error(X, centres, best)
    assert error(X, centres, found) < 0.5 * error(X, centres, labels)


@settings(max_examples=40)
@given(st.integers(0, 2**32 - 1), st.integers(0, 15), st.integers(15, 120))
def test_sizes_stay_within_the_bounds_and_the_error_falls(seed, smallest, largest):
    rng = np.random.default_rng(seed)
    X, centres = rng.standard_normal((120, 2)), rng.standard_normal((8, 2))
    labels = rng.permutation(np.arange(120) % 8)
    found = assign(X, centres, labels, (smallest, largest), k=4)
    sizes = np.bincount(found, minlength=8)
    assert sizes.min() >= smallest
    assert sizes.max() <= largest
    assert error(X, centres, found) <= error(X, centres, labels)


def test_weights_count_and_rows_without_weight_go_to_the_nearest(case):
    X, centres, labels = case
    weights = np.random.default_rng(1).integers(0, 4, 120).astype(float)
    sizes = np.bincount(labels, weights)
    found = assign(X, centres, labels, (sizes.min(), sizes.max()), weights)
    after = np.bincount(found, weights, 8)
    assert after.min() >= sizes.min()
    assert after.max() <= sizes.max()
    nearest = ((X[:, np.newaxis] - centres) ** 2).sum(axis=2).argmin(axis=1)
    np.testing.assert_array_equal(found[weights == 0], nearest[weights == 0])
    assert weights @ ((X - centres[found]) ** 2).sum(axis=1) < weights @ ((X - centres[labels]) ** 2).sum(axis=1)


def test_groups_of_rows_share_the_sizes(case, monkeypatch):
    X, centres, labels = case
    monkeypatch.setattr(within_sizes, "GROUP_ROWS", 50)
    found = assign(X, centres, labels, (14, 16))
    sizes = np.bincount(found, minlength=8)
    assert sizes.min() >= 14
    assert sizes.max() <= 16
    assert error(X, centres, found) < 0.7 * error(X, centres, labels)


def test_the_best_ones_change_places_first():
    """Two rows of each of two clusters would gain from the other: only the order of gains makes both swaps gain."""
    X = np.array([[6.0], [4.4], [4.0], [5.5]])
    centres = np.array([[0.0], [10.0]])
    labels = np.array([0, 0, 1, 1])
    assert assign(X, centres, labels, (2, 2)).tolist() == [1, 0, 0, 1]


def test_no_swap_is_left_that_would_gain(case):
    X, centres, labels = case
    found = assign(X, centres, labels, (15, 15))
    h = ((X[:, np.newaxis] - centres) ** 2).sum(axis=2)
    own = h[np.arange(120), found]
    swapped = h[:, found] + h[:, found].T - own[:, np.newaxis] - own  # of rows i and j, if both go to the other's place
    assert swapped.min() > -1e-4 * own.sum()


def test_running_totals_by_hand():
    groups, values = np.array([2, 0, 2, 2, 0, 1]), np.array([1.0, 5, 2, 4, 0.5, 3])
    assert within_sizes._running_totals(groups, values).tolist() == [1, 5, 3, 7, 5.5, 3]


def test_a_cluster_is_filled_up_to_its_bound():
    """Of three rows that are nearer to 9 only the two that gain most have room there, and one place is left empty."""
    X, centres = np.array([[0.0], [6], [7], [8], [9]]), np.array([[0.0], [9.0]])
    labels = np.array([0, 0, 0, 0, 1])
    assert assign(X, centres, labels, (0, 3)).tolist() == [0, 0, 1, 1, 1]
    assert assign(X, centres, labels, (0, 2)).tolist() == [0, 0, 0, 1, 1]
    assert assign(X, centres, labels, (3, 5)).tolist() == [0, 0, 0, 1, 1]
