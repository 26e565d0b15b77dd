"""Weights of rows in a table: what they stand for, and rows drawn by them."""

import dask.array as da
import numpy as np
import pytest
from scipy import sparse

from anchorgraph.table import as_table
from anchorgraph.table.weights import RowWeights


def weighted(weights, rows=None):
    rows = np.arange(len(weights), dtype=float)[:, np.newaxis] if rows is None else rows
    table = as_table(rows, block_rows=3)
    return table.weighted(table.align(np.asarray(weights, dtype=float)))


def test_facts():
    table = weighted([2, 0, 3])
    assert (table.total_weight, table.n_counted, table.n_positive) == (5, 5, 2)
    table = weighted([0.5, 0, 2.25])
    assert (table.total_weight, table.n_counted, table.n_positive) == (2.75, 2, 2)
    plain = as_table(np.zeros((3, 2)))
    assert (plain.total_weight, plain.n_counted, plain.n_positive, plain.weights) == (3, 3, 3, ())


@pytest.mark.parametrize("store", [np.asarray, sparse.csr_array, lambda rows: da.from_array(rows, chunks=(2, 2))])
def test_equal_rows_count_as_one_row_of_any_weight(store, monkeypatch):
    table = as_table(store(np.array([[1.0, 0.0], [2.0, 3.0], [1.0, -0.0], [4.0, 4.0], [2.0, 3.0]])))
    assert table.n_distinct == 3
    assert table.weighted(table.align(np.array([7.0, 0.5, 1, 0, 1]))).n_distinct == 2
    monkeypatch.setattr("anchorgraph.table.base.FEW_ROWS", 4)
    assert table.n_distinct == 3  # in a sample of four


def test_what_is_made_of_a_table_has_its_weights():
    table = weighted([2, 0, 3])
    for made in (table.view(lambda rows: 2 * rows), table.keep(lambda rows: rows + 1)):
        assert made.weights == table.weights
        assert made.n_counted == 5


def test_whole_weights_are_their_own_counts():
    weights = np.random.default_rng(0).integers(0, 5, 100)
    np.testing.assert_array_equal(weighted(weights).row_counts(8), weights)
    rows = weighted(weights).draw(weights.sum(), np.random.default_rng(0))
    np.testing.assert_array_equal(rows[:, 0], np.repeat(np.arange(100), weights))


@pytest.mark.parametrize("scale", [1e-8, 0.3, 1e8])
def test_other_counts_are_in_proportion(scale):
    weights = scale * np.random.default_rng(0).integers(0, 5, 100)
    counts = weighted(weights).row_counts(8)
    assert counts.sum() == 8 * np.count_nonzero(weights)
    assert np.abs(counts - weights * counts.sum() / weights.sum()).max() < 1
    assert not counts[weights == 0].any()


@pytest.mark.parametrize("offset", [0.0, 0.5, 0.999])
@pytest.mark.parametrize("n", [1, 3, 50])
def test_as_many_rows_as_asked_for(n, offset):
    table = as_table(np.random.default_rng(0).random((20, 1)))
    weights = RowWeights.of(table.align(np.random.default_rng(1).random(20)))
    assert weights.counts(n, offset).sum() == n


def test_samples_of_few_rows_do_not_depend_on_their_order_or_storage():
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((40, 3)).round(1).astype(np.float32)
    counts = rng.integers(0, 4, 40)
    order = rng.permutation(40)

    def sample(table):
        return np.asarray(sparse.csr_array(table.sample(9, np.random.default_rng(5))).toarray(), np.float64)

    expected = sample(as_table(np.repeat(rows, counts, axis=0)))
    np.testing.assert_array_equal(sample(weighted(counts[order], rows[order])), expected)
    np.testing.assert_array_equal(sample(weighted(counts, rows.astype(np.float64))), expected)
    np.testing.assert_array_equal(sample(weighted(counts, sparse.csr_array(rows))), expected)


def test_samples_follow_the_weights():
    weights = np.ones(5000)
    weights[:50], weights[50:100] = 0, 1000
    numbers = weighted(weights).sample(100, np.random.default_rng(0))[:, 0]
    assert len(np.unique(numbers)) == 100
    assert not (numbers < 50).any()
    assert ((numbers >= 50) & (numbers < 100)).sum() > 45


def test_fewer_rows_of_a_positive_weight_than_asked_for():
    assert sorted(weighted([0, 2, 0, 1]).sample(4, np.random.default_rng(0))[:, 0]) == [1, 1, 3, 3]
