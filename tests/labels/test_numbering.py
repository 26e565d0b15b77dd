"""Numbers of clusters that stay."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from anchorgraph.contracts import Assignment
from anchorgraph.labels import assign, numbers_as_before, renumbered


def test_by_hand():
    before = np.array([0, 0, 0, 1, 1, 2, 2, 2, 2])
    now = np.array([1, 1, 1, 1, 0, 2, 2, 3, 2])
    # 2 and 2 share three rows, 1 and 0 share three; then 0 and 1; then 3 gets what is left
    assert numbers_as_before(before, now, 4).tolist() == [1, 0, 2, 3]


def test_numbers_beyond_those_of_fewer_clusters_are_not_kept():
    assert numbers_as_before(np.array([3, 3, 1, 0]), np.array([0, 0, 1, 1]), 2).tolist() == [1, 0]
    assert numbers_as_before(np.array([2, 2, 2]), np.array([0, 1, 1]), 2).tolist() == [0, 1]


@given(st.integers(1, 6), st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_numbers_are_a_permutation_and_equal_partitions_keep_all(n_before, n_now, seed):
    rng = np.random.default_rng(seed)
    before, now = rng.integers(n_before, size=30), rng.integers(n_now, size=30)
    assert sorted(numbers_as_before(before, now, n_now).tolist()) == list(range(n_now))
    other_names = rng.permutation(n_now)
    numbers = numbers_as_before(now, other_names[now], n_now)
    np.testing.assert_array_equal(numbers[other_names[now]], now)


def test_an_assignment_is_renumbered():
    rng = np.random.default_rng(0)
    assignment, rows = Assignment(rng.standard_normal((3, 4)), rng.standard_normal(4)), rng.standard_normal((50, 3))
    numbers = np.array([2, 0, 3, 1])
    np.testing.assert_array_equal(assign(renumbered(assignment, numbers), rows), numbers[assign(assignment, rows)])
