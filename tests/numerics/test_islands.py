import numpy as np
import pytest
from scipy.stats import ortho_group

from anchorgraph.numerics.islands import join_nearest
from reference import islands as literal


def some_parts(seed, n_parts=9, n_points=60, q=3):
    """Points around a few places, the part of each, and weights, of which some make specks."""
    rng = np.random.default_rng(seed)
    part_of = np.concatenate([np.arange(n_parts), rng.integers(n_parts, size=n_points - n_parts)])
    points = 4 * rng.standard_normal((n_parts, q))[part_of] + rng.standard_normal((n_points, q))
    return points, part_of, rng.gamma(0.3, size=n_points) * rng.gamma(0.5, size=n_parts)[part_of] + 1e-6


def same_groups(one, other):
    pairs = set(zip(one.tolist(), other.tolist(), strict=True))
    return len(pairs) == len(set(one.tolist())) == len(set(other.tolist()))


def test_by_hand():
    """Parts at 0, 1, 5, 7 and 20: the first two are joined, then the next two."""
    points, parts = np.array([[0.0], [1.0], [5.0], [7.0], [20.0]]), np.arange(5)
    assert join_nearest(points, parts, 4).tolist() == [0, 0, 1, 2, 3]
    assert join_nearest(points, parts, 3).tolist() == [0, 0, 1, 1, 2]
    assert join_nearest(points, parts, 2).tolist() == [0, 0, 0, 0, 1]
    assert join_nearest(points, parts, 1).tolist() == [0] * 5


@pytest.mark.parametrize("n_groups", [5, 6])
def test_as_many_parts_as_groups_or_fewer_stay(n_groups):
    assert join_nearest(np.zeros((5, 2)), np.array([4, 3, 2, 1, 0]), n_groups).tolist() == [0, 1, 2, 3, 4]


def test_a_speck_is_joined_first_although_others_are_nearer():
    points, sizes = np.array([[0.0], [1.0], [3.0], [30.0]]), np.array([10, 10, 10, 0.1])
    assert join_nearest(points, np.arange(4), 3).tolist() == [0, 0, 1, 2]
    assert join_nearest(points, np.arange(4), 3, sizes).tolist() == [0, 1, 2, 2]


def test_specks_are_joined_even_if_fewer_groups_are_left():
    points, sizes = np.array([[0.0], [1.0], [3.0], [30.0]]), np.array([10, 0.1, 10, 0.1])
    assert join_nearest(points, np.arange(4), 3, sizes).tolist() == [0, 0, 1, 1]
    assert join_nearest(points[:2], np.arange(2), 5, sizes[:2]).tolist() == [0, 0]


def test_specks_that_have_grown_are_none():
    """Four specks at 100 to 103 become one part, which is far; then the two others are the nearest."""
    points = np.array([[0.0], [40.0], [100], [101], [102], [103]])
    assert join_nearest(points, np.arange(6), 2, np.array([10, 10, 0.4, 0.4, 0.4, 0.4])).tolist() == [0, 0, 1, 1, 1, 1]


def test_as_many_parts_as_groups_are_the_groups_of_whatever_sizes():
    points, sizes = np.array([[0.0], [1.0], [3.0], [30.0]]), np.array([2000, 2000, 2000, 20])
    assert join_nearest(points, np.arange(4), 4, sizes).tolist() == [0, 1, 2, 3]
    assert join_nearest(points, np.arange(4), 3, sizes).tolist() == [0, 1, 2, 2]  # specks first, as there are too many
    assert join_nearest(points, np.arange(4), 4, sizes - 5).tolist() == [0, 1, 2, 2]  # 15 rows are a few


def test_if_parts_have_to_be_divided_rare_ones_are_joined():
    """Of two parts for ten groups, one of 24 rows is no group beside 10,968, and one of 60 is."""
    points = np.array([[0.0], [9.0]])
    assert join_nearest(points, np.arange(2), 10, np.array([10_968, 24])).tolist() == [0, 0]
    assert join_nearest(points, np.arange(2), 10, np.array([10_968, 60])).tolist() == [0, 1]
    assert join_nearest(points, np.arange(2), 2, np.array([10_968, 24])).tolist() == [0, 1]


def test_a_few_points_do_not_cost_a_small_group_its_place():
    """Of five parts for four groups, the three points at 100 are joined, and not the forty at 30."""
    points, sizes = np.array([[0.0], [1.0], [3.0], [30.0], [100.0]]), np.array([2000, 2000, 2000, 40, 3])
    assert join_nearest(points, np.arange(5), 4, sizes).tolist() == [0, 1, 2, 3, 3]


def test_rings_inside_rings():
    angles = np.linspace(0, 2 * np.pi, 120, endpoint=False)
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    points = np.vstack([radius * circle for radius in (1, 2, 6, 7)])
    assert join_nearest(points, np.repeat(range(4), 120), 2).tolist() == [0, 0, 1, 1]


def test_one_point_between_two_parts_does_not_make_them_near():
    """The first part has a point at 9, next to the second at 10; the third is nearer to it as a whole."""
    P = np.column_stack([[0.0, 0.1, 0.2, 9.0], np.zeros(4)])
    Q, R = P[:3] + np.array([10, 0]), P[:3] + np.array([0, 5])
    points = np.vstack([P, Q, R])
    assert join_nearest(points, np.repeat([0, 1, 2], [4, 3, 3]), 2).tolist() == [0, 1, 0]


def test_points_between_two_parts_count_by_their_weight():
    P = np.column_stack([[0.0, 0.1, 0.2, 9.0, 9.1, 9.2], np.zeros(6)])
    Q, R = P[:3] + np.array([10, 0]), P[:3] + np.array([0, 5])
    points, parts = np.vstack([P, Q, R]), np.repeat([0, 1, 2], [6, 3, 3])
    assert join_nearest(points, parts, 2).tolist() == [0, 0, 1]
    assert join_nearest(points, parts, 2, np.where(np.isin(points[:, 0], P[3:, 0]), 0.01, 1)).tolist() == [0, 1, 0]


def test_between_equal_distances_the_smallest_numbers_decide():
    points = 0.1 * np.arange(6.0)[:, np.newaxis]  # differences of 0.1 up to rounding
    assert join_nearest(points, np.arange(6), 4).tolist() == [0, 0, 0, 1, 2, 3]
    assert join_nearest(np.zeros((5, 2)), np.arange(5), 3).tolist() == [0, 0, 0, 1, 2]


@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("weight", [None, 1, 100])
def test_same_groups_as_the_reference(seed, weight):
    points, part_of, sizes = some_parts(seed)
    for n_groups in (1, 2, 3, 5, 8, 9):
        own = None if weight is None else weight * sizes
        expected = literal.join_nearest(points, part_of, n_groups, own)
        np.testing.assert_array_equal(join_nearest(points, part_of, n_groups, own), expected)


@pytest.mark.parametrize("seed", range(10))
def test_neither_order_nor_numbers_nor_scale_nor_place_matters(seed):
    points, part_of, sizes = some_parts(seed, n_parts=12, n_points=90)
    rng = np.random.default_rng(seed)
    order, numbers = rng.permutation(90), rng.permutation(12)
    turn = ortho_group.rvs(3, random_state=seed)
    for n_groups in (2, 4, 7):
        found = join_nearest(points, part_of, n_groups, sizes)
        assert set(found.tolist()) == set(range(found.max() + 1))
        assert found.max() < n_groups
        np.testing.assert_array_equal(join_nearest(points[order], part_of[order], n_groups, sizes[order]), found)
        assert same_groups(join_nearest(points, numbers[part_of], n_groups, sizes)[numbers], found)
        for other in (1e-8 * points, 1e60 * points, points + 1e6, points @ turn, np.asfortranarray(points)):
            np.testing.assert_array_equal(join_nearest(other, part_of, n_groups, sizes), found)
        np.testing.assert_array_equal(join_nearest(points, part_of, n_groups, 1e-9 * sizes), found)


def test_points_in_pieces_have_the_same_groups(monkeypatch):
    rng = np.random.default_rng(0)
    points, part_of = rng.standard_normal((3000, 2)), np.arange(3000) % 7
    points += 8 * rng.standard_normal((7, 2))[part_of]
    found = join_nearest(points, part_of, 3)
    monkeypatch.setattr("anchorgraph.numerics.islands.chunks", lambda n_rows, row_bytes: [slice(0, n_rows)])
    np.testing.assert_array_equal(join_nearest(points, part_of, 3), found)
