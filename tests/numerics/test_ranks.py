import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from anchorgraph.numerics import ranks
from anchorgraph.numerics.ranks import as_keys, find_ranks, from_keys
from anchorgraph.table import as_table


def entries(block):
    return block[:, 0].astype(int), block[:, 1].astype(np.uint64), block[:, 2]


@given(hnp.arrays(np.float32, st.integers(1, 50), elements=st.floats(width=32, allow_nan=False)))
def test_keys_have_the_order_of_the_numbers_and_lead_back_to_them(scores):
    keys = as_keys(scores)
    np.testing.assert_array_equal(np.argsort(keys, kind="stable"), np.argsort(scores, kind="stable"))
    np.testing.assert_array_equal(from_keys(keys, np.dtype(np.float32)), scores)


def test_both_zeros_have_one_key():
    assert len(np.unique(as_keys(np.array([0.0, -0.0])))) == 1


def test_three_numbers_by_hand():
    """5 (weight 2), 9 and 9 (weights 1 and 3) in one group, nothing in the other."""
    table = as_table(np.array([[0, 9, 1], [0, 5, 2], [0, 9, 3.0]]))
    found = find_ranks(table, entries, np.array([[1.0, 1.0], [3.0, 1.0], [7.0, 1.0]]), 4)
    assert found.values[:, 0].tolist() == [5, 9, 15]
    assert found.below[:, 0].tolist() == [0, 2, 6]
    assert found.own[:2, 0].tolist() == [2, 4]
    assert found.values[:, 1].tolist() == [15, 15, 15]


@pytest.mark.parametrize("most", [2**22, 40])
def test_ranks_are_those_of_sorted_numbers(most, monkeypatch):
    monkeypatch.setattr(ranks, "MOST_COUNTS", most)
    rng = np.random.default_rng(0)
    numbers = rng.integers(0, 2**17, 500)
    groups, weights = rng.integers(0, 3, 500), rng.integers(1, 4, 500)
    table = as_table(np.column_stack([groups, numbers, weights]).astype(float), block_rows=70)
    targets = np.array([[1.0, 50.0, 100.0], [300.0, 7.0, 200.0]])
    found = find_ranks(table, entries, targets, 17)
    for i, j in np.ndindex(targets.shape):
        own = groups == j
        order = np.argsort(numbers[own])
        place = np.searchsorted(np.cumsum(weights[own][order]), targets[i, j])
        expected = numbers[own][order][place]
        assert found.values[i, j] == expected
        assert found.below[i, j] == weights[own][numbers[own] < expected].sum()
