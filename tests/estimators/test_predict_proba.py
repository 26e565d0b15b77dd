"""``predict_proba`` and ``probabilities_`` of FSC, LSC and ONGR."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import make_blobs

from anchorgraph import FSC, LSC, ONGR
from anchorgraph.labels import AnchorShares, Objective, Reconstruction, labels_of, shares_of
from anchorgraph.models import load, save
from anchorgraph.table import as_table
from reference import anchor_shares as literal

SHARED = {"n_anchors": 24, "n_neighbors": 3, "random_state": 0}
METHODS = [
    FSC(4, **SHARED),
    FSC(4, rounding="rotation", normalisation="none", **SHARED),
    LSC(4, **SHARED),
    ONGR(4, **SHARED),
    ONGR(4, plus="abs", loss="l21", max_iter=5, **SHARED),
    ONGR(6, sparsity=0.05, **SHARED),
]
EACH = pytest.mark.parametrize("method", METHODS, ids=repr)


@pytest.fixture(scope="module")
def rows():
    return make_blobs(260, 5, centers=4, cluster_std=4.0, random_state=0)[0]


def assert_shares(shares, labels, dtype=np.float64):
    assert shares.dtype == dtype
    assert (shares >= 0).all()
    np.testing.assert_allclose(shares.sum(axis=1), 1, atol=1e-6)
    np.testing.assert_array_equal(shares.argmax(axis=1), labels)


@EACH
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("store", [np.asarray, sparse.csr_array])
def test_rows_sum_to_one_and_the_largest_is_predicted(method, dtype, store, rows, tmp_path):
    X = rows.astype(dtype)
    model = clone(method).fit(store(X[:200]))
    assert_shares(model.predict_proba(store(X[:200])), model.labels_, dtype)
    new = model.predict_proba(store(X[200:]))
    assert new.shape == (60, method.n_clusters)
    assert_shares(new, model.predict(store(X[200:])), dtype)
    save(model, tmp_path / "model.safetensors")
    np.testing.assert_array_equal(load(tmp_path / "model.safetensors").predict_proba(store(X[200:])), new)


@EACH
def test_probabilities_are_the_own_shares(method, rows):
    model = clone(method).fit(rows)
    own = model.predict_proba(rows)[np.arange(len(rows)), model.labels_]
    np.testing.assert_allclose(model.probabilities_, own, rtol=1e-9)
    assert model.probabilities_.dtype == np.float64
    assert 0.5 < model.probabilities_.mean() < 1


@pytest.mark.parametrize("method", [METHODS[0], METHODS[2]], ids=repr)
@pytest.mark.parametrize("weighted", [False, True])
def test_shares_are_the_references(method, weighted, rows):
    weights = np.random.default_rng(0).choice([0, 0.5, 1, 3], 200) if weighted else None
    model = clone(method).fit(rows[:200], sample_weight=weights)
    Z = model._graph(rows).toarray()
    own = model.predict(rows)
    expected = literal.shares(Z[:200], model.labels_, own, 4, weights, new=Z)
    np.testing.assert_allclose(model.predict_proba(rows), expected, atol=1e-9)


def test_a_graph_by_hand():
    """Two anchors that share one of three rows."""
    Z = sparse.csr_array(np.array([[1, 0], [0.5, 0.5], [0, 1]]))
    shares = AnchorShares.of(as_table(Z), as_table(np.array([[0], [1], [1]])).view(lambda y: y[:, 0]), Z.T @ Z, 2)
    first, second = np.array([2, 1]) / 3, np.array([0, 1])  # clusters of the rows of each anchor
    walked = np.array([5 * first + second, first + 5 * second]) / 6  # and of the anchors that its rows have
    np.testing.assert_allclose(shares.of_anchors, walked)
    np.testing.assert_allclose(shares(Z, np.array([0, 1, 1])), Z @ walked, atol=1e-6)


def test_rows_between_clusters_have_small_shares():
    X = np.vstack([make_blobs(400, centers=[[-4, 0], [4, 0]], random_state=0)[0], [[0.0, 0.0]]])
    for method in (FSC(2, **SHARED), LSC(2, **SHARED), ONGR(2, **SHARED)):
        model = method.fit(X)
        assert model.probabilities_[-1] < np.quantile(model.probabilities_, 0.1)


def test_anchors_without_rows_have_equal_shares(rows):
    anchors = np.vstack([rows[:20], [[1e3] * 5, [1e3 + 1] * 5, [1e3 + 2] * 5, [1e3 + 3] * 5]])
    for method in (FSC, LSC):
        model = method(4, anchors=anchors, n_neighbors=3, weighting="adaptive", random_state=0).fit(rows)
        far = np.full((1, 5), 1e3 + 0.5)
        np.testing.assert_allclose(model.predict_proba(far), 0.25, atol=1e-6)
        assert_shares(model.predict_proba(far), model.predict(far))


def test_rows_without_memberships_have_the_shares_of_the_vote():
    votes = np.array([[0.1, 0.3], [0.0, 0.0]])
    empty = np.zeros((1, 2, 2))
    reconstruction = Reconstruction(np.zeros((2, 2)), empty, empty, empty, empty, votes, Objective(1e-3))
    z, g = sparse.csr_array(np.array([[1.0, 0], [1, 0], [0, 1]])), np.array([[3.0, 1], [0, 0], [0, 0]])
    found = shares_of(reconstruction, z, g)
    np.testing.assert_allclose(found, [[0.75, 0.25], [0.25, 0.75], [1, 0]], atol=1e-6)
    np.testing.assert_array_equal(labels_of(reconstruction, z, g), [0, 1, 0])
    assert g[1].tolist() == [0, 0]


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_shares_do_not_depend_on_the_size_of_memberships(scale):
    reconstruction = Reconstruction(*[np.zeros((1, 1, 1))] * 5, np.zeros((1, 2)), Objective(1e-3))
    found = shares_of(reconstruction, sparse.csr_array(np.ones((1, 1))), scale * np.array([[3.0, 1]]))
    np.testing.assert_allclose(found, [[0.75, 0.25]], atol=1e-6)


def test_nearly_equal_memberships_stay_in_order_in_float32():
    reconstruction = Reconstruction(*[np.zeros((1, 1, 1))] * 5, np.zeros((1, 2)), Objective(1e-3))
    z, g = sparse.csr_array(np.ones((1, 1))), np.array([[0.3, 0.3 * (1 + 1e-15)]])
    assert labels_of(reconstruction, z, g) == [1]
    assert shares_of(reconstruction, z, g).astype(np.float32).argmax() == 1


@pytest.mark.parametrize("method", [METHODS[0], METHODS[2], METHODS[3]], ids=repr)
def test_masked_rows_are_nan(method, rows):
    X = rows.copy()
    X[[3, 40], [0, 2]] = np.nan
    present = np.setdiff1d(np.arange(len(X)), [3, 40])
    model = clone(method).set_params(missing="mask").fit(X)
    shares = model.predict_proba(X)
    assert np.isnan(shares[[3, 40]]).all()
    assert np.isnan(model.probabilities_[[3, 40]]).all()
    assert_shares(shares[present], model.labels_[present])
    without = clone(method).fit(rows[present])
    np.testing.assert_allclose(shares[present], without.predict_proba(rows[present]), atol=1e-8)


@pytest.mark.parametrize("method", [METHODS[0], METHODS[2], METHODS[3]], ids=repr)
def test_shares_are_lazy_or_written_to_files(method, rows, tmp_path):
    import dask.array as da

    model = clone(method).fit(rows)
    lazy = model.predict_proba(da.from_array(rows, chunks=(70, 5)))
    assert isinstance(lazy, da.Array)
    assert lazy.shape == (260, 4)
    np.testing.assert_allclose(lazy.compute(), model.predict_proba(rows), atol=1e-9)
    path = model.predict_proba(rows, out=tmp_path / "shares.csv")
    frame = pd.read_csv(path)
    assert list(frame) == ["cluster0", "cluster1", "cluster2", "cluster3"]
    np.testing.assert_allclose(frame, model.predict_proba(rows), atol=1e-9)
    assert hasattr(model, "probabilities_")
    assert not hasattr(model.fit(da.from_array(rows, chunks=(70, 5))), "probabilities_")


def test_shares_after_batches(rows):
    model = FSC(4, **SHARED)
    for batch in (rows[:120], rows[120:200], rows[200:]):
        model.partial_fit(batch)
        assert_shares(model.predict_proba(rows), model.predict(rows))
        np.testing.assert_array_equal(model.probabilities_, model.predict_proba(batch).max(axis=1))
    Z = model._graph(rows).toarray()
    labels = model.predict(rows)
    np.testing.assert_allclose(model.predict_proba(rows), literal.shares(Z, labels, labels, 4), atol=1e-9)
