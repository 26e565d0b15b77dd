import numpy as np
import pytest
from scipy import sparse

from anchorgraph.anchors import count_gaussian_parts, select_per_class
from anchorgraph.table import as_table


@pytest.mark.parametrize("n_groups", [1, 2, 4])
@pytest.mark.parametrize("n_cols", [2, 20])
def test_groups_that_are_apart_are_counted(n_groups, n_cols):
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((400, n_cols))
    rows[:, :2] += 12 * np.array([[0, 0], [1, 0], [0, 1], [1, 1]])[np.arange(400) % n_groups]
    assert count_gaussian_parts(rows, 0) == n_groups


@pytest.mark.parametrize(
    ("rows", "number"), [(np.zeros((50, 3)), 1), (np.eye(3), 1), (np.random.default_rng(0).uniform(size=(9, 2)), 1)]
)
def test_what_has_no_shape_is_one_part(rows, number):
    assert count_gaussian_parts(rows, 0) == number


def test_no_more_parts_than_allowed():
    ring = np.column_stack([np.cos(np.arange(2000)), np.sin(np.arange(2000))])
    assert count_gaussian_parts(ring, 0, most=6) == 6


@pytest.mark.parametrize("store", [np.asarray, sparse.csr_array])
def test_every_class_gets_its_anchors(store):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((100, 3))
    X[:6] = X[0]  # a class of two different rows
    X[6] = 5
    codes = np.repeat([0, 1], [7, 93])
    points, owners = select_per_class(as_table(store(X)), codes, lambda rows, seed: 4, seed=0)
    assert np.bincount(owners).tolist() == [2, 4]
    np.testing.assert_allclose(sorted(points[owners == 0].sum(axis=1)), sorted([X[0].sum(), 15]))


def test_rows_of_several_classes_are_read_at_once(monkeypatch):
    rng = np.random.default_rng(0)
    codes, X = np.arange(300) % 10, rng.standard_normal((300, 4))
    table, readings = as_table(X), []
    take = table.take
    monkeypatch.setattr(table, "take", lambda rows: readings.append(len(rows)) or take(rows))
    together = select_per_class(table, codes, lambda rows, seed: 3, seed=0)
    assert readings == [300]
    monkeypatch.setattr("anchorgraph.anchors.per_class.MOST_BYTES", 2000)
    apart = select_per_class(table, codes, lambda rows, seed: 3, seed=0)
    assert len(readings) > 3
    for one, other in zip(together, apart, strict=True):
        np.testing.assert_array_equal(one, other)
