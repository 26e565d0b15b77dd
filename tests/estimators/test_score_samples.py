"""``score_samples`` of the methods on an anchor graph."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import make_blobs
from sklearn.metrics import roc_auc_score

from anchorgraph import CSR, FSC, LSC, ONGR, OULGE, ULGE, AnchorGraph
from anchorgraph.estimators.bases import typicality
from anchorgraph.estimators.bases.typicality import Typicality
from anchorgraph.graph import AllAnchors
from anchorgraph.models import load, save
from anchorgraph.numerics.distances import CentredPoints
from anchorgraph.table import as_table
from reference import typicality as literal

SHARED = {"n_anchors": 20, "n_neighbors": 3, "random_state": 0}
METHODS = [
    AnchorGraph(**SHARED),
    ULGE(2, **SHARED),
    OULGE(2, search="tree", **SHARED),
    CSR(2, **SHARED),
    FSC(3, **SHARED),
    LSC(3, **SHARED),
    ONGR(3, max_iter=5, **SHARED),
]
EACH = pytest.mark.parametrize("method", METHODS, ids=lambda method: method.card.key)


@pytest.fixture(scope="module")
def rows():
    """Groups of unlike density."""
    return make_blobs([80, 100, 120], 4, centers=8 * np.eye(3, 4), cluster_std=[0.1, 0.5, 2], random_state=0)[0]


@EACH
@pytest.mark.parametrize("store", [np.asarray, sparse.csr_array])
def test_scores_are_the_references(method, store, rows, tmp_path):
    method = clone(method).set_params(search="exact")
    model = method.fit(store(rows[::2]))
    expected = literal.scores(rows, model.anchors_, rows[::2], 3)
    assert expected.min() < -1.5
    np.testing.assert_allclose(model.score_samples(store(rows)), expected, rtol=1e-6)
    save(model, tmp_path / "model.safetensors")
    np.testing.assert_array_equal(
        load(tmp_path / "model.safetensors").score_samples(store(rows)), model.score_samples(store(rows))
    )


@EACH
def test_scores_have_the_dtype_of_the_rows_and_no_scale(method, rows):
    model, other = clone(method).fit(rows), clone(method).fit(8 * rows.astype(np.float32))
    assert other.score_samples(8 * rows.astype(np.float32)).dtype == np.float32
    if model.card.key not in ("csr", "lsc"):  # their anchors may differ by rounding
        np.testing.assert_allclose(
            other.score_samples(8 * rows.astype(np.float32)), model.score_samples(rows), rtol=0.02
        )
    assert np.median(model.score_samples(rows)) == pytest.approx(-1, abs=0.5)


def test_scales_of_some_places_serve_all_anchors(rows, monkeypatch):
    monkeypatch.setattr(typicality, "N_PLACES", 7)
    model = AnchorGraph(20, n_neighbors=3, random_state=0).fit(rows)
    scores = model.score_samples(rows)
    monkeypatch.undo()
    expected = AnchorGraph(20, n_neighbors=3, random_state=0).fit(rows).score_samples(rows)
    assert np.corrcoef(scores, expected)[0, 1] > 0.9
    assert len(np.unique(model._typicality.scales)) <= 7


def test_a_sample_of_the_rows_will_do(rows, monkeypatch):
    model = AnchorGraph(20, n_neighbors=3, random_state=0).fit(rows)
    monkeypatch.setattr(typicality, "N_COMPARED", 100)
    other = AnchorGraph(20, n_neighbors=3, random_state=0).fit(rows)
    np.testing.assert_allclose(other._typicality.scales, model._typicality.scales, rtol=0.5)


@pytest.mark.parametrize("anchors", ["bkhk", "random", "kmeans"])
def test_outliers_are_found_beside_groups_of_unlike_density(anchors, rows):
    rng = np.random.default_rng(0)
    directions = rng.normal(size=(12, 4))
    around = 3 * directions / np.linalg.norm(directions, axis=1, keepdims=True)
    outliers = 8 * np.eye(3, 4)[np.arange(12) % 2] + around * np.array([0.4, 2])[np.arange(12) % 2, np.newaxis]
    X = np.vstack([rows, outliers])
    model = AnchorGraph(40, n_neighbors=3, anchors=anchors, random_state=0).fit(X)
    assert roc_auc_score(np.arange(312) < 300, model.score_samples(X)) > 0.9
    assert (model.score_samples(outliers + 50) < model.score_samples(X).min()).all()


@pytest.mark.parametrize("n_equal", [25, 60])
def test_equal_rows_have_finite_scores(n_equal):
    X = np.repeat(np.random.default_rng(0).normal(size=(60, 3)), [n_equal] + [1] * 59, axis=0)
    for anchors in ("random", X[:8].copy(), np.unique(X, axis=0)[:8]):
        model = AnchorGraph(None if isinstance(anchors, np.ndarray) else 20, anchors=anchors, random_state=0).fit(X)
        scores = model.score_samples(np.vstack([X, X + 1]))
        assert np.isfinite(scores).all()
        assert (scores <= 0).all()
        assert (model._typicality.scales > 0).all()


def test_rows_that_are_all_equal_to_the_anchors():
    X = np.ones((30, 2))
    model = AnchorGraph(anchors=np.ones((4, 2)), n_neighbors=2, random_state=0).fit(X)
    assert model.score_samples(X).tolist() == [0] * 30
    assert (model.score_samples(X + 1) < -1).all()


def test_a_weight_of_two_is_the_row_twice(rows):
    weights = np.arange(300) % 3
    anchors = rows[::15].copy()
    model = AnchorGraph(anchors=anchors, n_neighbors=3, random_state=0).fit(rows, sample_weight=weights)
    twice = AnchorGraph(anchors=anchors, n_neighbors=3, random_state=0).fit(np.repeat(rows, weights, axis=0))
    np.testing.assert_allclose(model.score_samples(rows), twice.score_samples(rows), rtol=1e-9)


@EACH
def test_masked_rows_are_nan_and_take_no_part(method, rows):
    X = rows.copy()
    X[[3, 40], [0, 2]] = np.nan
    present = np.setdiff1d(np.arange(300), [3, 40])
    scores = clone(method).set_params(missing="mask").fit(X).score_samples(X)
    assert np.isnan(scores[[3, 40]]).all()
    expected = clone(method).fit(rows[present]).score_samples(rows[present])
    np.testing.assert_allclose(scores[present], expected, rtol=1e-6)


def test_scores_are_lazy_or_written_to_files(rows, tmp_path):
    import dask.array as da

    model = ULGE(2, **SHARED).fit(rows)
    lazy = model.score_samples(da.from_array(rows, chunks=(70, 4)))
    assert isinstance(lazy, da.Array)
    assert lazy.shape == (300,)
    np.testing.assert_allclose(lazy.compute(), model.score_samples(rows))
    frame = pd.read_csv(model.score_samples(rows, out=tmp_path / "scores.csv"))
    np.testing.assert_allclose(frame["score"], model.score_samples(rows))


def test_scales_are_those_of_the_first_batch(rows):
    model = AnchorGraph(**SHARED).partial_fit(rows[::2])
    expected = model.score_samples(rows)
    np.testing.assert_array_equal(model.partial_fit(rows[1::2]).score_samples(rows), expected)


def test_a_graph_that_was_passed_has_no_distances(rows):
    Z = AnchorGraph(**SHARED).fit_transform(rows)
    model = FSC(3, **SHARED).fit(rows).set_params(metric="precomputed").fit(Z)
    with pytest.raises(ValueError, match=r"^score_samples needs the distances .* use score_samples of the AnchorGraph"):
        model.score_samples(Z)


def test_scores_of_any_points(rows):
    """Also for a method that keeps no graph."""
    points = rows[::20]
    scored = Typicality.of(AllAnchors(CentredPoints.of(points)), points, as_table(rows), 1, seed=0)
    np.testing.assert_allclose(scored(rows), literal.scores(rows, points, rows, 1), rtol=1e-6, atol=1e-6)
