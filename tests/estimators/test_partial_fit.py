"""``partial_fit``: batches of rows give what one fit of all rows with the same anchors gives."""

import copy
import importlib
import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn import config_context
from sklearn.base import clone
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score
from sklearn.preprocessing import normalize

from anchorgraph import BKHK, CSR, FSC, OULGE, ULGE, AnchorGraph, Communities, as_table
from anchorgraph.labels import RowSample, numbers_as_before
from anchorgraph.labels.row_sample import _smallest
from anchorgraph.models import load, save
from fitted_models import make_rows

ROWS, _ = make_rows(420)
ANCHORS = ROWS[::15].copy()
COSINE = {"metric": "cosine", "anchors": normalize(ANCHORS)}
WEIGHTS = np.random.default_rng(1).choice([0, 0.5, 1, 2], len(ROWS))
LACKING = ROWS.copy()
LACKING[::7, 1] = np.nan
METHODS = [
    ULGE(2, random_state=0),
    OULGE(2, random_state=0),
    CSR(2, random_state=0),
    AnchorGraph(random_state=0),
    FSC(3, n_init=2, random_state=0),
    FSC(None, rounding="qr", random_state=0),
]
EACH = pytest.mark.parametrize("method", METHODS, ids=repr)
EACH_WITH_BKHK = pytest.mark.parametrize("method", [*METHODS[:-1], BKHK(16, random_state=0)], ids=repr)
ALL = pytest.mark.parametrize(
    "method", [*METHODS[:-1], BKHK(16, random_state=0), Communities(5, random_state=0)], ids=repr
)
LEARNT = ("components_", "mean_", "coefficients_", "degrees_", "singular_values_", "_anchor_map")


def given(method, **more):
    return clone(method).set_params(**{"anchors": ANCHORS} | more)


def in_batches(method, X, size, weights=None):
    method = clone(method)
    for start in range(0, X.shape[0], size):
        batch = slice(start, start + size)
        method.partial_fit(X[batch], sample_weight=None if weights is None else weights[batch])
    return method


def results(model, X):
    found = model.predict(X) if hasattr(model, "predict") else model.transform(X)
    return found.toarray() if sparse.issparse(found) else np.asarray(found)


def assert_same(found, expected, X, rtol=1e-9):
    for name in LEARNT:
        if hasattr(expected, name):
            ours, theirs = getattr(found, name), getattr(expected, name)
            assert ours.dtype == theirs.dtype
            np.testing.assert_allclose(ours, theirs, rtol=rtol, atol=rtol * np.abs(theirs).max())
    ours, theirs = results(found, X), results(expected, X)
    if hasattr(expected, "predict_proba"):  # clusters have the numbers that they had in the first batch
        present = theirs >= 0
        numbers = numbers_as_before(ours[present], theirs[present], expected.n_clusters_)
        theirs[present] = numbers[theirs[present]]
        ours_of_each = found.predict_proba(X)[:, numbers]
        np.testing.assert_allclose(ours_of_each, expected.predict_proba(X), rtol=rtol, atol=rtol)
    np.testing.assert_allclose(ours, theirs, rtol=rtol, atol=rtol * np.nanmax(np.abs(theirs)))


FORMS = {
    "dense": (ROWS, None, {}),
    "sparse": (sparse.csr_array(np.where(ROWS > 6.5, ROWS, 0)), None, {}),
    "weighted": (ROWS, WEIGHTS, {}),
    "cosine": (ROWS, None, COSINE),
    "sparse cosine, weighted": (sparse.csr_array(np.where(ROWS > 5.5, ROWS, 0)), WEIGHTS, COSINE),
    "mask": (LACKING, None, {"missing": "mask"}),
    "mask, weighted": (LACKING, WEIGHTS, {"missing": "mask"}),
    "offset": (ROWS + 1e4, None, {"anchors": ANCHORS + 1e4}),
}


@EACH
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("size", [100, 210])
def test_batches_give_what_one_fit_gives(method, form, size):
    X, weights, parameters = FORMS[form]
    model = in_batches(given(method, **parameters), X, size, weights)
    same = clone(model).set_params(weighting=model.weighting_)  # the bandwidth of the first batch
    assert_same(model, same.fit(X, sample_weight=weights), X, rtol=1e-6 if form == "offset" else 1e-9)
    assert model.n_rows_seen_ == len(ROWS)
    assert 0 <= model.drift_ < 0.05


@EACH
def test_float32(method):
    X = ROWS.astype(np.float32)
    model = in_batches(given(method), X, 100)
    assert_same(model, clone(model).set_params(weighting=model.weighting_).fit(X), X, rtol=1e-3)


@EACH_WITH_BKHK
def test_the_first_batch_fixes_the_anchors(method):
    first = clone(method).fit(ROWS[:200])
    model = clone(method).partial_fit(ROWS[:200])
    points = "cluster_centers_" if isinstance(method, BKHK) else "anchors_"
    np.testing.assert_allclose(getattr(model, points), getattr(first, points), rtol=1e-12)
    np.testing.assert_allclose(results(model, ROWS), results(first, ROWS), rtol=1e-9, atol=1e-9)
    if not isinstance(method, BKHK):
        np.testing.assert_array_equal(model.partial_fit(ROWS[200:]).anchors_, first.anchors_)


@pytest.mark.parametrize("size", [100, 210])
@pytest.mark.parametrize("form", ["dense", "sparse", "weighted", "mask"])
def test_the_tree_of_the_first_batch_stays_and_its_anchors_are_the_means_of_all_rows(size, form):
    X, weights, parameters = FORMS[form]
    model = in_batches(BKHK(16, random_state=0, **parameters), X, size, weights)
    grown = clone(model).fit(X[:size], sample_weight=None if weights is None else weights[:size])
    np.testing.assert_array_equal(model.tree_.directions, grown.tree_.directions)
    leaves = model.predict(X)
    last = len(ROWS) - size * ((len(ROWS) - 1) // size)
    np.testing.assert_array_equal(model.labels_, leaves[-last:])
    rows, own = X.toarray() if sparse.issparse(X) else X, np.ones(len(ROWS)) if weights is None else weights
    for leaf in range(16):
        here = (leaves == leaf) & (own > 0)
        mean = np.average(rows[here], axis=0, weights=own[here])
        np.testing.assert_allclose(model.cluster_centers_[leaf], mean, rtol=1e-12)


@pytest.mark.parametrize("method", [ULGE(2, random_state=0), OULGE(2, random_state=0)], ids=repr)
def test_dense_and_sparse_batches_can_follow_each_other(method):
    expected = given(method).fit(ROWS)
    for first, then in ((np.asarray, sparse.csr_array), (sparse.csr_array, np.asarray)):
        model = given(method).partial_fit(first(ROWS[:200])).partial_fit(then(ROWS[200:]))
        assert_same(model, expected, ROWS)


@ALL
def test_batches_from_files_and_from_a_cluster(method, tmp_path):
    import dask.array as da

    model = clone(method).partial_fit(ROWS[:200])
    expected = pickle.loads(pickle.dumps(model)).partial_fit(ROWS[200:])
    np.save(tmp_path / "rows.npy", ROWS[200:])
    for source in (tmp_path / "rows.npy", da.from_array(ROWS[200:], chunks=(90, 4))):
        found = pickle.loads(pickle.dumps(model)).partial_fit(source)
        assert_same(found, expected, ROWS)
        if hasattr(found, "labels_"):
            np.testing.assert_array_equal(np.asarray(found.labels_), expected.labels_)
        for again in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found)):
            np.testing.assert_array_equal(results(again, ROWS), results(found, ROWS))


@pytest.mark.parametrize("method", [CSR(2), FSC(3, n_init=2, random_state=0)], ids=repr)
def test_batches_of_a_graph(method):
    Z = AnchorGraph(anchors=ANCHORS).fit_transform(ROWS)
    graph = clone(method).set_params(metric="precomputed")
    model = in_batches(graph, Z, 100)
    assert_same(model, clone(graph).fit(Z), Z)
    assert not hasattr(model, "drift_")


@pytest.mark.parametrize("form", ["dense", "sparse", "weighted", "cosine", "mask, weighted"])
@pytest.mark.parametrize("size", [100, 210])
def test_batches_are_clustered_as_all_rows_at_once(form, size):
    X, weights, parameters = FORMS[form]
    parameters = {name: value for name, value in parameters.items() if name != "anchors"}
    model = in_batches(Communities(5, random_state=0, **parameters), X, size, weights)
    whole = clone(model).fit(X, sample_weight=weights)
    assert_same(model, whole, X, rtol=1e-6)  # memberships are float32
    np.testing.assert_allclose(model.score_samples(X), whole.score_samples(X), rtol=1e-9)
    assert model.modularity_ == pytest.approx(whole.modularity_, abs=1e-12)
    assert model.n_rows_seen_ == len(ROWS)
    assert not hasattr(model, "drift_")


@pytest.mark.parametrize("method", [FSC(5, n_init=2, random_state=0), Communities(5, random_state=0)], ids=repr)
def test_clusters_keep_their_numbers_from_batch_to_batch(method):
    X, y = make_blobs(1000, 6, centers=5, random_state=0)
    model = clone(method)
    for start in range(0, 1000, 200):
        model.partial_fit(X[start : start + 200])
        if start == 0:
            number_of = {group: model.predict(X[:200])[y[:200] == group][0] for group in range(5)}
            assert sorted(number_of.values()) == list(range(5))
        np.testing.assert_array_equal(model.labels_, [number_of[group] for group in y[start : start + 200]])


def test_a_new_cluster_gets_a_new_number():
    X, y = make_blobs(600, 6, centers=4, random_state=0)
    model = Communities(resolution=0.3, random_state=0).partial_fit(X[y < 3])
    first = model.predict(X)
    model.partial_fit(X[y == 3])
    assert model.n_clusters_ == 4
    np.testing.assert_array_equal(model.predict(X[y < 3]), first[y < 3])
    assert (model.labels_ == 3).all()


def test_communities_of_batches_are_found_in_a_sample_of_them():
    X, y = make_blobs(900, 6, centers=3, random_state=0)
    model = in_batches(Communities(3, max_samples=300, random_state=0), X, 200)
    assert len(model._seen.sample.rows) == 300
    assert adjusted_rand_score(model.predict(X), y) == 1
    assert model.partial_fit(X[:50]).labels_.shape == model.probabilities_.shape == (50,)
    with pytest.raises(ValueError, match=r"^max_samples was 300 in the first batch and is 10 now"):
        model.set_params(max_samples=10).partial_fit(X)


def test_wide_batches_keep_the_axes_of_the_first():
    X, y = make_blobs(400, 50, centers=3, random_state=0)
    model = in_batches(Communities(3, n_components=4, random_state=0), X, 200)
    axes = Communities(3, n_components=4, random_state=0).fit(X[:200])._shares.coordinates.axes
    np.testing.assert_array_equal(model._shares.coordinates.axes.components, axes.components)
    assert adjusted_rand_score(model.predict(X), y) == 1


def test_labels_are_those_of_the_last_batch():
    model = in_batches(given(METHODS[4]), ROWS, 100)
    assert model.labels_.shape == (20,)
    np.testing.assert_array_equal(model.labels_, model.predict(ROWS[-20:]))
    np.testing.assert_allclose(model.embedding_, model.transform(ROWS[-20:]))
    lacking = given(METHODS[4], missing="mask").partial_fit(ROWS).partial_fit(LACKING[:3])
    assert (lacking.labels_ < 0).tolist() == [True, False, False]


def test_more_rows_than_are_kept(monkeypatch):
    monkeypatch.setattr(importlib.import_module("anchorgraph.estimators.fsc"), "N_SAMPLED", 100)
    model = in_batches(given(METHODS[4]), ROWS, 130)
    other = in_batches(given(METHODS[4]), ROWS, 70)
    assert model._seen.sample.rows.shape[0] == 100
    assert abs(model._seen.sample.rows - other._seen.sample.rows).max() < 1e-12
    labels = given(METHODS[4]).fit(ROWS).labels_
    pairs = np.unique(np.c_[labels, model.predict(ROWS)], axis=0)
    assert len(pairs) == 3  # the same clusters, perhaps with other numbers


@pytest.mark.parametrize("n", [1, 3, 8, 9])
def test_the_rows_with_the_smallest_keys_are_kept(n):
    keys = np.array([0.5, 0.9, 0.1, 0.7, 0.3, 0.8, 0.2, 0.6, 0.4])
    assert _smallest(keys, n).tolist() == np.flatnonzero(keys < n / 10 + 0.05).tolist()


def test_a_sample_is_uniform():
    table, counts = as_table(np.arange(200.0)[:, np.newaxis]), np.zeros(200)
    for seed in range(400):
        rows = RowSample(seed, 50).plus(table).rows[:, 0]
        assert (np.diff(rows) > 0).all()
        counts[rows.astype(int)] += 1
    assert counts.sum() == 50 * 400
    assert np.abs(counts / 400 - 0.25).max() < 0.1  # 4.6 standard errors


@EACH_WITH_BKHK
def test_drift(method):
    rng = np.random.default_rng(3)
    X, more = rng.standard_normal((600, 4)), rng.standard_normal((500, 4))
    model = clone(method).partial_fit(X)
    assert model.drift_ == 0
    assert model.partial_fit(more).drift_ < 0.02
    assert 0.1 < model.partial_fit(np.vstack([more, more[:125] + 6])).drift_ < 0.25
    assert model.partial_fit(more + 6).drift_ > 0.9
    assert model.partial_fit(more, sample_weight=np.arange(500) == 3).drift_ in (0, 1)


@ALL
def test_a_pickled_estimator_goes_on_and_a_clone_starts_anew(method):
    model = clone(method).partial_fit(ROWS[:200])
    again = pickle.loads(pickle.dumps(model)).partial_fit(ROWS[200:])
    assert_same(again, model.partial_fit(ROWS[200:]), ROWS, rtol=1e-14)
    assert not hasattr(clone(model), "_seen")
    assert model.n_rows_seen_ == again.n_rows_seen_ == len(ROWS)


@ALL
def test_fit_starts_anew(method):
    model = clone(method).partial_fit(ROWS[:200]).fit(ROWS[200:])
    assert not hasattr(model, "n_rows_seen_")
    assert not hasattr(model, "drift_")
    assert_same(model, clone(method).fit(ROWS[200:]), ROWS)
    with pytest.warns(UserWarning, match=r"partial_fit starts anew with this batch, because fit keeps no sums"):
        model.partial_fit(ROWS[:200])
    assert_same(model, clone(method).partial_fit(ROWS[:200]), ROWS)
    assert model.partial_fit(ROWS[200:]).n_rows_seen_ == len(ROWS)


@ALL
def test_a_loaded_model_cannot_go_on(method, tmp_path):
    model = clone(method).partial_fit(ROWS)
    save(model, tmp_path / "model.safetensors")
    loaded = load(tmp_path / "model.safetensors")
    np.testing.assert_array_equal(results(loaded, ROWS), results(model, ROWS))
    with pytest.raises(ValueError, match=r"^This \w+ was loaded from a file, which has no sums"):
        loaded.partial_fit(ROWS)
    clone(loaded).partial_fit(ROWS)


@ALL
def test_a_batch_that_is_refused_leaves_all_as_it_was(method):
    model = clone(method).partial_fit(ROWS[:200])
    before = pickle.dumps(model)
    with pytest.raises(ValueError, match="X contains NaN in row 0, column 1"):
        model.partial_fit(LACKING[:50])
    with pytest.raises(ValueError, match="X has 3 features"):
        model.partial_fit(ROWS[200:, 1:])
    with pytest.raises(ValueError, match="sample_weight has shape"):
        model.partial_fit(ROWS[200:], sample_weight=np.ones(3))
    assert pickle.dumps(model) == before
    too_few = clone(method)
    with pytest.raises(ValueError, match=r"too many|more than"):
        too_few.partial_fit(ROWS[:4])
    assert too_few.partial_fit(ROWS[:200]).n_rows_seen_ == 200


def test_batches_of_one_row_and_of_none_that_counts():
    model = given(ULGE(2, missing="mask")).partial_fit(ROWS[:-1]).partial_fit(ROWS[-1:])
    assert_same(model, given(ULGE(2)).fit(ROWS), ROWS)
    components = model.components_
    np.testing.assert_allclose(model.partial_fit(LACKING[:1]).components_, components, rtol=1e-12)
    assert model.n_rows_seen_ == len(ROWS) + 1
    assert model.drift_ == 0


def test_too_many_columns():
    X = sparse.csr_array(sparse.eye_array(40, 9000))
    with pytest.raises(ValueError, match=r"^X has 9,000 columns, while partial_fit, .* takes at most 8,192; use fit"):
        ULGE().partial_fit(X)


@ALL
def test_threads_and_metadata(method):
    models = [clone(method).set_params(n_jobs=n).partial_fit(ROWS[:300]).partial_fit(ROWS[300:]) for n in (1, 2)]
    np.testing.assert_array_equal(*(results(model, ROWS) for model in models))
    with config_context(enable_metadata_routing=True):
        requests = clone(method).set_partial_fit_request(sample_weight=True).get_metadata_routing()
    assert requests.partial_fit.requests == {"sample_weight": True}
    with pytest.raises(ValueError, match="n_jobs must be a non-zero integer or None"):
        clone(method).set_params(n_jobs=0).partial_fit(ROWS)


@pytest.mark.parametrize(("name", "value"), [("metric", "cosine"), ("n_neighbors", 3), ("n_anchors", 17)])
def test_the_graph_stays_that_of_the_first_batch(name, value):
    model = ULGE(2, random_state=0).partial_fit(ROWS[:100])
    first = getattr(model, name)
    with pytest.raises(ValueError, match=rf"{name} was {first!r} in the first batch and is {value!r} now"):
        model.set_params(**{name: value}).partial_fit(ROWS[100:])
    model.set_params(**{name: first}).partial_fit(ROWS[100:])


def test_a_batch_by_cosine_equals_one_fit_with_its_anchors():
    batches = in_batches(ULGE(2, metric="cosine", random_state=0), ROWS, 100)
    whole = ULGE(2, metric="cosine", anchors=batches.anchors_).fit(ROWS)
    np.testing.assert_allclose(batches.transform(ROWS), whole.transform(ROWS), rtol=1e-8, atol=1e-10)
