import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from anchorgraph.numerics.selection import largest, smallest_masks

SCORES = arrays(np.float64, (4, 7), elements=st.integers(-3, 3).map(float))


def test_largest_of_a_row_by_hand():
    columns, values = largest(np.array([[3.0, 9.0, 3.0, 5.0]]), 3)
    assert columns.tolist() == [[1, 3, 0]]
    assert values.tolist() == [[9, 5, 3]]


@given(SCORES, st.integers(1, 7))
def test_largest_is_the_head_of_a_stable_sort(scores, k):
    order = np.argsort(-scores, axis=1, kind="stable")[:, :k]
    columns, values = largest(scores.copy(), k)
    np.testing.assert_array_equal(columns, order)
    np.testing.assert_array_equal(values, np.take_along_axis(scores, order, axis=1))


@given(SCORES, st.integers(1, 6))
def test_smallest_masks_are_the_head_of_a_stable_sort(scores, n_chosen):
    order = np.argsort(scores, axis=1, kind="stable")
    expected = np.zeros(scores.shape, dtype=bool)
    np.put_along_axis(expected, order[:, :n_chosen], True, axis=1)
    masks, cuts = smallest_masks(scores, n_chosen)
    np.testing.assert_array_equal(masks, expected)
    ordered = np.sort(scores, axis=1)
    np.testing.assert_allclose(cuts, (ordered[:, n_chosen - 1] + ordered[:, n_chosen]) / 2, atol=1e-10)


def test_equal_scores_are_on_the_side_of_most_of_them():
    scores = np.array([[0.0, 1.0, 1.0, 1.0, 2.0], [0.0, 1.0, 1.0, 1.0, 2.0]])
    for n_chosen, is_left in ((2, False), (3, True)):
        masks, cuts = smallest_masks(scores, n_chosen)
        assert (masks.sum(axis=1) == n_chosen).all()
        assert ((scores[:, 1] <= cuts) == is_left).all()
        np.testing.assert_allclose(cuts, 1, rtol=1e-12)


def test_scores_that_differ_by_rounding_are_taken_by_position():
    scores = np.array([[0.3, 1 + 2e-16, 1.0, 1 + 4e-16, 2.0]])
    masks, cuts = smallest_masks(scores, 2)
    assert masks.tolist() == [[True, True, False, False, False]]
    assert 0.3 < cuts[0] < 1


def test_an_outlier_makes_no_ties_of_others():
    scores = np.array([[1e7, 0.5, 0.3, 0.4, 0.2]], dtype=np.float32)
    masks, cuts = smallest_masks(scores, 2)
    assert masks.tolist() == [[False, False, True, False, True]]
    np.testing.assert_allclose(cuts, 0.35, rtol=1e-6)


def test_most_scores_are_zero():
    scores = np.array([[0.0, 0.0, 0.0, 1.0, -1.0]])
    for n_chosen, is_left in ((2, False), (3, True)):
        masks, cuts = smallest_masks(scores, n_chosen)
        assert masks.sum() == n_chosen
        assert (scores[0, 0] <= cuts[0]) == is_left
