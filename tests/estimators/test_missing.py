"""Rows with missing values are refused by place, or left out and marked in the results."""

import pickle

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import make_blobs

from anchorgraph import BKHK, CSR, FSC, LSC, ONGR, OULGE, SSSC, ULGE, AnchorGraph, Communities, NystromSC, RowGraph
from anchorgraph.numerics.unit_rows import ZeroRowError
from sources import SOURCES

SHARED = {"n_anchors": 16, "n_neighbors": 3, "random_state": 0}
CLUSTERERS = [
    BKHK(8, random_state=0),
    FSC(3, **SHARED),
    LSC(3, **SHARED),
    ONGR(3, **SHARED),
    Communities(3, random_state=0),
    NystromSC(3, n_anchors=16, random_state=0),
    SSSC(3, n_anchors=16, random_state=0),
]
TRANSFORMERS = [ULGE(2, **SHARED), OULGE(2, **SHARED), CSR(2, **SHARED), AnchorGraph(**SHARED), FSC(3, **SHARED)]
ABSENT = [3, 17, 40]


def name_of(value):
    return type(value).__name__


@pytest.fixture(scope="module")
def rows():
    return make_blobs(90, 5, centers=3, cluster_std=4.0, random_state=0)[0]


@pytest.fixture(scope="module")
def lacking(rows):
    X = rows.copy()
    X[ABSENT, [0, 2, 4]] = np.nan
    return X


@pytest.mark.parametrize("estimator", CLUSTERERS, ids=name_of)
@pytest.mark.parametrize("store", [np.asarray, sparse.csr_array])
def test_masked_rows_have_no_label_and_take_no_part(estimator, store, rows, lacking):
    present = np.setdiff1d(np.arange(90), ABSENT)
    model = clone(estimator).set_params(missing="mask").fit(store(lacking))
    without = clone(estimator).fit(store(rows[present]))
    for labels in (model.labels_, model.predict(store(lacking))):
        assert_array_equal(labels[ABSENT], -1)
        assert_array_equal(labels[present], without.predict(store(rows[present])))


@pytest.mark.parametrize("estimator", TRANSFORMERS, ids=name_of)
@pytest.mark.parametrize("store", [np.asarray, sparse.csr_array])
def test_masked_rows_are_nan_in_what_transform_returns(estimator, store, rows, lacking):
    present = np.setdiff1d(np.arange(90), ABSENT)
    model = clone(estimator).set_params(missing="mask").fit(store(lacking))
    without = clone(estimator).fit(store(rows[present]))
    found, expected = model.transform(store(lacking)), without.transform(store(rows[present]))
    if sparse.issparse(found):
        assert np.isnan(found[ABSENT].data).all()
        assert found[ABSENT].nnz
        found, expected = found.toarray(), expected.toarray()
    else:
        assert np.isnan(found[ABSENT]).all()
    assert_allclose(found[present], expected, atol=1e-8)


def test_the_embedding_of_a_fit_has_nan_rows(lacking):
    model = FSC(3, missing="mask", **SHARED).fit(lacking)
    assert_array_equal(np.flatnonzero(np.isnan(model.embedding_).all(axis=1)), ABSENT)
    assert_array_equal(np.flatnonzero(np.isnan(model.fit_transform(lacking)).any(axis=1)), ABSENT)


@pytest.mark.parametrize("name", ["npy_shards", "sparse_shards", "parquet", "dask_array", "zarr_array"])
def test_every_source_masks_the_same_rows(name, lacking, tmp_path):
    expected = FSC(3, missing="mask", **SHARED).fit(lacking)
    source = SOURCES[name](lacking, 33, tmp_path)
    model = FSC(3, missing="mask", **SHARED).fit(source)
    labels, predicted = np.asarray(model.labels_), np.asarray(model.predict(source))
    assert_array_equal(labels, expected.labels_)
    assert_array_equal(predicted, expected.labels_)


def test_rows_of_zeros_have_no_direction(rows):
    X = rows.copy()
    X[ABSENT] = 0
    with pytest.raises(ValueError, match=r"X has only zeros in row 3, which metric='cosine' cannot compare; .*mask"):
        FSC(3, metric="cosine").fit(X)
    model = FSC(3, metric="cosine", missing="mask", **SHARED).fit(X)
    assert_array_equal(np.flatnonzero(model.labels_ == -1), ABSENT)
    with pytest.raises(ValueError, match=r"X has only zeros in row 1.*mask"):
        model.set_params(missing="error").predict(X[[0, 3]])


def test_rows_of_zeros_cannot_be_masked_without_the_parameter(rows):
    X = rows.copy()
    X[ABSENT] = 0
    told = r"X has only zeros in row {}, which metric='cosine' cannot compare; remove such rows\.$"
    with pytest.raises(ValueError, match=told.format(3)):
        RowGraph(5, metric="cosine").fit(X)
    with pytest.raises(ValueError, match=told.format(1)):
        RowGraph(5, metric="cosine").fit(rows).transform(X[[0, 3]])


def test_an_error_about_a_row_of_zeros_survives_the_way_from_a_worker():
    error = ZeroRowError(3, can_mask=True).at("row 7 of a.npy")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_weights_and_masks_together(rows, lacking):
    weights = np.random.default_rng(0).integers(0, 3, 90)
    model = FSC(3, missing="mask", **SHARED).fit(lacking, sample_weight=weights)
    counted = weights.copy()
    counted[ABSENT] = 0
    expected = FSC(3, **SHARED).fit(rows, sample_weight=counted)
    present = np.setdiff1d(np.arange(90), ABSENT)
    assert_array_equal(model.labels_[present], expected.labels_[present])
    assert_array_equal(model.labels_[ABSENT], -1)


def test_the_error_names_the_column_and_counts_the_rows(lacking, tmp_path):
    frame = pd.DataFrame(lacking, columns=["a", "b, c", "d", "e", "f"])
    with pytest.raises(ValueError, match=r"NaN in row 3, column 'a' \(3 rows in all\).*or use missing='mask'"):
        FSC(3).fit(frame)
    frame.to_parquet(tmp_path / "x.parquet", row_group_size=20)
    with pytest.raises(ValueError, match=r"NaN in row 3 of .*x.parquet.*, column 'a' \(3 rows in all\)"):
        FSC(3).fit(tmp_path / "x.parquet")


@pytest.mark.parametrize("estimator", [FSC(3), ULGE(), BKHK(4), Communities(3)], ids=name_of)
def test_infinity_is_no_missing_value(estimator, rows):
    X = rows.copy()
    X[5, 1] = np.inf
    with pytest.raises(ValueError, match="X contains infinity"):
        clone(estimator).set_params(missing="mask").fit(X)


def test_nothing_but_missing_rows(rows):
    with pytest.raises(ValueError, match="X has 0 rows that can be used, while a minimum of 2"):
        FSC(3, missing="mask").fit(np.full_like(rows, np.nan))


@pytest.mark.parametrize("value", ["drop", None, True])
def test_unknown_values_of_missing(value, rows):
    with pytest.raises(ValueError, match="missing must be one of 'error', 'mask'"):
        FSC(3, missing=value).fit(rows)
