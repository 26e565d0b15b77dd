"""``score_samples`` of Communities, which compares rows with rows."""

import importlib
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.datasets import make_blobs
from sklearn.metrics import roc_auc_score

from anchorgraph import Communities, load, save
from anchorgraph.estimators.bases.row_shares import SAVED_TYPICALITY
from reference import row_typicality as literal


@pytest.fixture(scope="module")
def rows():
    """Groups of unlike density and size."""
    return make_blobs([60, 100, 140], 4, centers=8 * np.eye(3, 4), cluster_std=[0.1, 0.5, 2], random_state=0)[0]


@pytest.fixture(scope="module")
def wide():
    """Four groups that vary in few of 60 columns, half of whose entries are zero."""
    rng = np.random.default_rng(0)
    return (rng.random(60) < 0.5) * (rng.standard_normal((300, 6)) @ rng.standard_normal((6, 60)) + 3)


@pytest.mark.parametrize("store", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("parameters", [{"n_clusters": 3}, {}, {"n_clusters": 3, "n_neighbors": 2}], ids=repr)
def test_scores_are_the_references(rows, store, parameters, tmp_path):
    model = Communities(random_state=0, **parameters).fit(store(rows[::2]))
    expected = literal.scores(rows, model.predict(rows), rows[::2], model.labels_, model.n_neighbors_)
    assert expected.min() < -1.5
    np.testing.assert_allclose(model.score_samples(store(rows)), expected, rtol=1e-6)
    save(model, tmp_path / "model.safetensors")
    loaded = load(tmp_path / "model.safetensors")
    np.testing.assert_array_equal(loaded.score_samples(store(rows)), model.score_samples(store(rows)))


def test_many_rows_have_the_scores_of_few(monkeypatch):
    rows, _ = make_blobs(1500, 6, centers=3, random_state=0)
    few = Communities(3, random_state=0).fit(rows)
    monkeypatch.setattr(importlib.import_module("anchorgraph.graph.nearest_rows"), "FEW_ROWS", 256)
    many = Communities(3, random_state=0).fit(rows)
    assert len(many._shares.index.means) > 1
    np.testing.assert_allclose(many.score_samples(rows), few.score_samples(rows), rtol=0.05)


@pytest.mark.parametrize("store", [np.asarray, sparse.csr_array])
def test_distances_beyond_the_axes_count(wide, store):
    model = Communities(3, n_components=4, random_state=0).fit(store(wide))
    axes = model._shares.coordinates.axes
    scale = np.linalg.norm(axes.components[0])
    coordinates = (wide - axes.mean) @ axes.components.T
    beyond = scale * (wide - axes.mean) - coordinates @ axes.components / scale
    k = model.n_neighbors_
    among = np.linalg.norm(coordinates[:, np.newaxis] - coordinates, axis=2)
    lengths = np.sort(among + np.diag(np.full(len(wide), np.inf)), axis=1)[:, :k]
    d = np.sqrt(lengths**2 + np.square(beyond).sum(axis=1, keepdims=True)).mean(axis=1)
    scales = model._typicality.scales
    np.testing.assert_allclose(model.score_samples(store(wide)), -d / scales[model.labels_], rtol=1e-4)
    # a row that is ordinary in the coordinates, and nowhere near the others
    normal = np.linalg.svd(axes.components)[2][-1]
    far = wide[:1] + 10 * np.linalg.norm(wide.std(axis=0)) * normal
    np.testing.assert_allclose(model.predict_proba(far), model.predict_proba(wide[:1]), atol=0.05)
    assert model.score_samples(store(far))[0] < 3 * model.score_samples(store(wide)).min()


def test_outliers_have_the_smallest_scores(rows):
    rng = np.random.default_rng(0)
    directions = rng.standard_normal((12, 4))
    around = 8 * np.eye(3, 4)[np.arange(12) % 3] + 6 * np.array([0.1, 0.5, 2])[np.arange(12) % 3, np.newaxis] * (
        directions / np.linalg.norm(directions, axis=1, keepdims=True)
    )
    X = np.vstack([rows, around])
    scores = Communities(3, random_state=0).fit(X).score_samples(X)
    assert roc_auc_score(np.arange(len(X)) < len(rows), scores) > 0.95
    assert np.median(scores) == pytest.approx(-1, abs=0.2)


def test_weights_and_repeated_rows_change_nothing(rows):
    model = Communities(3, random_state=0).fit(rows)
    weights = np.random.default_rng(0).integers(1, 4, len(rows))
    for other in (
        Communities(3, random_state=0).fit(np.repeat(rows, weights, axis=0)),
        Communities(3, random_state=0).fit(rows, sample_weight=weights),
    ):
        np.testing.assert_allclose(other.score_samples(rows), model.score_samples(rows), rtol=1e-9)


def test_equal_rows():
    X = np.ones((30, 3))
    model = Communities(random_state=0).fit(X)
    assert model.score_samples(X).tolist() == [0] * 30
    assert (model.score_samples(X + 1) < -1).all()


def test_scores_have_the_dtype_of_the_rows_and_no_scale(rows):
    model = Communities(3, random_state=0).fit(rows)
    other = Communities(3, random_state=0).fit(8 * rows.astype(np.float32))
    found = other.score_samples(8 * rows.astype(np.float32))
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, model.score_samples(rows), rtol=1e-3)


def test_missing_rows_have_no_score(rows):
    X = rows.copy()
    X[::5, 1] = np.nan
    present = ~np.isnan(X).any(axis=1)
    scores = Communities(3, missing="mask", random_state=0).fit(X).score_samples(X)
    assert (np.isnan(scores) == ~present).all()
    expected = Communities(3, random_state=0).fit(rows[present]).score_samples(rows[present])
    np.testing.assert_allclose(scores[present], expected, rtol=1e-9)


def test_lazy_rows_and_files(rows, tmp_path):
    import dask.array as da

    model = Communities(3, random_state=0).fit(rows)
    lazy = model.score_samples(da.from_array(rows, chunks=(70, 4)))
    assert isinstance(lazy, da.Array)
    np.testing.assert_allclose(lazy.compute(), model.score_samples(rows))
    frame = pd.read_csv(model.score_samples(rows, out=tmp_path / "scores.csv"))
    np.testing.assert_allclose(frame["score"], model.score_samples(rows))


def test_scales_of_a_model_file_are_checked(rows):
    typicality = Communities(3, random_state=0).fit(rows)._typicality
    assert SAVED_TYPICALITY.check(typicality) is None
    assert "scale of 0" in SAVED_TYPICALITY.check(replace(typicality, scales=np.zeros(3)))
    assert "300 others of 300" in SAVED_TYPICALITY.check(replace(typicality, n_neighbors=300))
