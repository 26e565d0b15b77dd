"""Data in the form of a paper."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import load_digits

from anchorgraph.bench.forms import STEPS, Rows, load_rows, select_rows
from anchorgraph.datasets import make_curves


def prepared(X, step, *argument):
    rows = STEPS[step](Rows(np.asarray(X) if not sparse.issparse(X) else X, np.arange(X.shape[0]), 1), *argument)
    assert rows.n_train == 1
    assert rows.X.dtype == np.float32
    return rows.X


def test_steps_by_hand():
    X = np.array([[3, 0], [0, 4]], dtype=np.uint8)
    np.testing.assert_allclose(prepared(X, "divide", 2), [[1.5, 0], [0, 2]])
    np.testing.assert_allclose(prepared(X, "zero_to_one"), [[0.75, 0], [0, 1]])
    np.testing.assert_allclose(prepared(X, "columns_zero_to_one"), [[1, 0], [0, 1]])
    np.testing.assert_allclose(prepared(X.astype(float), "unit_rows"), [[1, 0], [0, 1]])
    np.testing.assert_allclose(prepared(X, "unit_table"), X / 5)
    np.testing.assert_allclose(prepared(X, "standardise"), [[1, -1], [-1, 1]])
    np.testing.assert_allclose(prepared(sparse.csr_array(X), "dense"), X)
    boards = np.array([[0, 2], [1, 0]], dtype=np.uint8)
    np.testing.assert_array_equal(prepared(boards, "one_hot"), [[1, 0, 0, 0, 0, 1], [0, 1, 0, 1, 0, 0]])
    image = np.arange(16.0)[None]
    np.testing.assert_allclose(prepared(image, "halve", 4), [[2.5, 4.5, 10.5, 12.5]])


def test_principal_components_hold_the_share_of_variance():
    X = load_digits().data
    reduced = prepared(X, "pca", 0.95)
    kept = reduced.var(axis=0).sum() / X.var(axis=0).sum()
    assert 0.95 <= kept < 0.96
    wide = prepared(X[:30], "pca", 0.9)  # more columns than rows
    assert wide.shape[1] < 30


def test_images_are_extended_by_their_shifts():
    rows = load_rows({"load": "digits", "sample": 20, "prepare": ["extend"]})
    assert rows.X.shape == (180, 64)
    assert len(rows.y) == 180


def test_a_form_is_loaded_or_made_and_prepared_in_order():
    X = load_digits().data
    rows = load_rows({"load": "digits", "prepare": [{"divide": 16}, "unit_rows"]})
    np.testing.assert_allclose(rows.X, X / np.linalg.norm(X, axis=1, keepdims=True), rtol=1e-6)
    moons = load_rows({"make": "moons"})
    np.testing.assert_array_equal(moons.X, make_curves("moons", random_state=0)[0])
    with pytest.raises(ValueError, match="prepare = 'whiten' is not known; choose from extend"):
        load_rows({"load": "digits", "prepare": ["whiten"]})


def test_a_run_takes_the_first_rows_or_some_classes():
    rows = Rows(np.arange(12), np.arange(12) % 4, 8)
    assert select_rows(rows, {}, 0) is rows
    first = select_rows(rows, {"first": 5}, 0)
    assert (first.X.tolist(), first.n_train, first.n_classes) == ([0, 1, 2, 3, 4], 5, 4)
    two = select_rows(rows, {"classes": 2}, 0)
    assert (len(two.X), two.n_train, sorted(set(two.y))) == (6, 4, [0, 1])
    assert len({tuple(select_rows(rows, {"classes": 2}, seed).X) for seed in range(9)}) > 2
