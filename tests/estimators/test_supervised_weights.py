"""Weights of rows, rows with missing values and the cosine distance in FLRL and MMC."""

import dask.array as da
import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from scipy.linalg import eigh, subspace_angles
from sklearn.base import clone
from sklearn.preprocessing import normalize

from anchorgraph import FLRL, MMC
from anchorgraph.table import as_table
from sources import frame_of, names_of

METHODS = {
    "flrl": FLRL(random_state=0),
    "few anchors": FLRL(1, anchors_per_class=2, n_neighbors=2, random_state=0),
    "auto": FLRL(anchors_per_class="auto", n_neighbors=1, random_state=0),
    "within": FLRL(scale="within", alpha=1e-3, random_state=0),
    "mmc": MMC(),
}
EACH = pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
BOTH = pytest.mark.parametrize("method", [METHODS["flrl"], METHODS["mmc"]], ids=["flrl", "mmc"])


def three_groups(n=60, d=5, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 3
    X = rng.standard_normal((n, d)) * np.linspace(1, 2, d) + 4 * np.eye(d)[y] + 5 * rng.integers(0, 2, (n, 1))
    return X, y, rng


def assert_same(one, other, rtol=1e-6):
    scale = np.abs(other.components_).max()
    np.testing.assert_allclose(one.components_, other.components_, atol=rtol * scale, rtol=rtol)
    np.testing.assert_allclose(one.mean_, other.mean_, rtol=rtol, atol=rtol)
    np.testing.assert_array_equal(one.classes_, other.classes_)
    if isinstance(one, FLRL):
        np.testing.assert_allclose(one.anchors_, other.anchors_, rtol=rtol, atol=rtol * np.abs(other.anchors_).max())
        np.testing.assert_array_equal(one.anchor_classes_, other.anchor_classes_)


@EACH
@pytest.mark.parametrize(
    ("n_rows", "n_cols", "most", "store"),
    [
        (60, 5, 3, lambda X: as_table(X, block_rows=7)),
        (30, 40, 1, np.asarray),
        (30, 40, 4, sparse.csr_array),
        (60, 40, 1, sparse.csr_array),
    ],
    ids=["tall", "wide", "wide, but tall by weight", "tall, but wide by weight"],
)
def test_a_whole_weight_is_the_row_so_many_times(method, n_rows, n_cols, most, store):
    X, y, rng = three_groups(n_rows, n_cols)
    weights = rng.integers(0, most + 1, n_rows)
    shuffled = rng.permutation(np.repeat(np.arange(n_rows), weights))
    if n_cols > 5:  # where classes can collapse to points, and directions have no rows in them, rounding errors decide
        method = MMC(1) if isinstance(method, MMC) else clone(method).set_params(alpha=0.01)
    weighted = clone(method).fit(store(X), y, sample_weight=weights)
    repeated = clone(method).fit(store(X[shuffled]), y[shuffled])
    assert_same(weighted, repeated)
    if isinstance(method, FLRL):
        np.testing.assert_allclose(weighted.history_, repeated.history_, rtol=1e-7)


@EACH
def test_equal_weights_are_no_weights(method):
    X, y, _ = three_groups()
    assert_same(clone(method).fit(X, y, sample_weight=np.ones(60)), clone(method).fit(X, y), rtol=1e-12)


@pytest.mark.parametrize("name", ["flrl", "few anchors", "within", "mmc"])
def test_weights_count_relative_to_each_other(name):
    """The ridge is relative to the sum of the weights; only the objective is a sum. "auto" is surer of more rows."""
    X, y, rng = three_groups()
    tenths = rng.integers(1, 30, 60)
    fractional = clone(METHODS[name]).fit(X, y, sample_weight=tenths / 10)
    repeated = clone(METHODS[name]).fit(np.repeat(X, tenths, axis=0), np.repeat(y, tenths))
    assert_same(fractional, repeated)
    if isinstance(fractional, FLRL):
        np.testing.assert_allclose(fractional.history_ * 10, repeated.history_, rtol=1e-7)


@BOTH
def test_weights_of_any_size_give_the_same(method):
    X, y, rng = three_groups()
    weights = rng.random(60)
    model = clone(method).fit(X, y, sample_weight=weights)
    for factor in (1e-12, 1e12):
        assert_same(clone(method).fit(X, y, sample_weight=weights * factor), model)


def test_the_largest_margin_of_rows_with_weights():
    X, y, rng = three_groups()
    weights = rng.random(60)
    model = MMC(2).fit(X, y, sample_weight=weights)
    mean = sum(w * x for w, x in zip(weights, X, strict=True)) / weights.sum()
    margin = np.zeros((5, 5))
    for c in range(3):
        own = sum(w * x for w, x in zip(weights[y == c], X[y == c], strict=True)) / weights[y == c].sum()
        margin += weights[y == c].sum() * np.outer(own - mean, own - mean)
        margin -= sum(w * np.outer(x - own, x - own) for w, x in zip(weights[y == c], X[y == c], strict=True))
    assert subspace_angles(model.components_.T, eigh(margin)[1][:, -2:]).max() < 1e-7
    np.testing.assert_allclose(model.mean_, mean)


def frame(X, y, weights, folder):
    return frame_of(X, y).assign(w=weights)


def parquet_file(X, y, weights, folder):
    frame_of(X, y).assign(w=weights).to_parquet(folder / "rows.parquet", row_group_size=13)
    return folder / "rows.parquet"


def csv_file(X, y, weights, folder):
    frame_of(X, y).assign(w=weights).to_csv(folder / "rows.csv", index=False)
    return str(folder / "rows.csv")


@BOTH
@pytest.mark.parametrize("source", [frame, parquet_file, csv_file])
def test_weights_and_labels_are_columns_of_the_source(method, source, tmp_path):
    X, y, rng = three_groups()
    weights = rng.integers(0, 4, 60) / 2
    expected = clone(method).fit(X, y, sample_weight=weights)
    X_y_w = source(X, np.array(["a", "b", "c"])[y], weights, tmp_path)
    model = clone(method).fit(X_y_w, "label", sample_weight="w")
    assert list(model.feature_names_in_) == names_of(X)
    assert model.classes_.tolist() == ["a", "b", "c"]
    np.testing.assert_allclose(model.components_, expected.components_, atol=1e-6)


def test_columns_of_a_dask_frame():
    import dask.dataframe as dd

    X, y, rng = three_groups()
    weights = rng.integers(0, 4, 60) / 2
    expected = FLRL(random_state=0).fit(X, y, sample_weight=weights)
    source = dd.from_pandas(frame_of(X, y).assign(w=weights), npartitions=4, sort=False)
    assert_same(FLRL(random_state=0).fit(source, "label", sample_weight="w"), expected)


@pytest.mark.parametrize("name", ["y", "sample_weight"])
def test_a_name_that_is_no_column(name, tmp_path):
    X, y, _ = three_groups()
    named = {"y": "label", "sample_weight": "w", name: "other"}
    with pytest.raises(ValueError, match=f"{name}='other' is not a column of X"):
        MMC().fit(frame(X, y, np.ones(60), tmp_path), **named)
    with pytest.raises(ValueError, match=r"rows.parquet has no column 'other'"):
        MMC().fit(parquet_file(X, y, np.ones(60), tmp_path), **named)


@BOTH
def test_rows_in_a_file_and_in_dask_count_as_those_in_memory(method, tmp_path):
    X, y, rng = three_groups()
    weights = rng.random(60) * (rng.random(60) < 0.8)
    np.save(tmp_path / "rows.npy", X)
    expected = clone(method).fit(X, y, sample_weight=weights)
    for source in (tmp_path / "rows.npy", as_table(tmp_path / "rows.npy", block_rows=7), da.from_array(X, (13, 2))):
        assert_same(clone(method).fit(source, y, sample_weight=weights), expected)
    assert_same(clone(method).fit(da.from_array(X, 13), y, sample_weight=da.from_array(weights, 20)), expected)


@BOTH
def test_a_class_without_weight_does_not_exist(method):
    X, y, _ = three_groups()
    labels = np.array(["a", "b", "c"], dtype=object)[y]
    labels[y == 1] = None  # labels of rows that do not count are not looked at
    weights = np.where(y == 1, 0, 2)
    model = clone(method).fit(X, labels, sample_weight=weights)
    assert model.classes_.tolist() == ["a", "c"]
    assert_same(model, clone(method).fit(np.repeat(X[y != 1], 2, axis=0), np.repeat(labels[y != 1], 2)))
    with pytest.raises(ValueError, match=r"y has only one class in the rows of a positive weight, .*0.*; a supervised"):
        clone(method).fit(X, y.tolist(), sample_weight=y == 0)
    with pytest.raises(ValueError, match=r"y has no label .* for 1 of 60 rows, first in row 1;"):
        clone(method).fit(X, labels, sample_weight=np.where((y == 1) & (np.arange(60) > 1), 0, 2))


@pytest.mark.parametrize("store", [np.asarray, lambda X: as_table(X, block_rows=7), lambda X: da.from_array(X, 13)])
def test_rows_with_missing_values_are_left_out(store):
    X, y, _ = three_groups()
    y = np.where(np.arange(60) < 3, 3, y)  # a class of rows that are all missing
    broken = X.copy()
    broken[[0, 1, 2, 20, 59], [0, 1, 2, 3, 4]] = np.nan
    kept = ~np.isnan(broken).any(axis=1)
    model = FLRL(missing="mask", random_state=0).fit(store(broken), y)
    assert model.classes_.tolist() == [0, 1, 2]
    assert_same(model, FLRL(random_state=0).fit(X[kept], y[kept]))
    embedded = np.asarray(model.transform(store(broken)))
    assert np.isnan(embedded[~kept]).all()
    np.testing.assert_allclose(embedded[kept], model.transform(X[kept]), atol=1e-12)
    weights = np.arange(60) % 3
    weighted = FLRL(missing="mask", random_state=0).fit(store(broken), y, sample_weight=weights)
    repeated = np.repeat(np.flatnonzero(kept), weights[kept])
    assert_same(weighted, FLRL(random_state=0).fit(X[repeated], y[repeated]))


@pytest.mark.parametrize("store", [np.asarray, sparse.csr_array, lambda X: as_table(X, block_rows=7)])
def test_the_cosine_distance_is_that_of_rows_of_unit_length(store):
    X, y, rng = three_groups()
    weights = rng.random(60)
    model = FLRL(metric="cosine", random_state=0).fit(store(X), y, sample_weight=weights)
    expected = FLRL(random_state=0).fit(normalize(X), y, sample_weight=weights)
    assert_same(model, expected)
    np.testing.assert_allclose(model.transform(store(X * 3)), expected.transform(normalize(X)), atol=1e-6)
    X[4] = 0
    masked = FLRL(metric="cosine", missing="mask", random_state=0).fit(store(X), y)
    rest = np.arange(60) != 4
    assert_same(masked, FLRL(random_state=0).fit(normalize(X[rest]), y[rest]))
    assert np.isnan(masked.transform(store(X))[4]).all()


def test_pandas_weights_and_labels():
    X, y, rng = three_groups()
    weights = rng.random(60)
    model = MMC().fit(X, pd.Series(y), sample_weight=pd.Series(weights))
    assert_same(model, MMC().fit(X, y, sample_weight=weights))
