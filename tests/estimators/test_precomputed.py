"""``metric="precomputed"``: the rows of an anchor graph in place of the data."""

import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn.cluster import KMeans

from anchorgraph import BKHK, CSR, FSC, LSC, ONGR, OULGE, ULGE, AnchorGraph, RowGraph
from anchorgraph.models import load, save
from fitted_models import make_rows
from sources import pieces

ROWS, _ = make_rows(300)
WEIGHTS = np.random.default_rng(0).integers(0, 4, len(ROWS)).astype(float)
CHOICES = {"anchors": ROWS[::12].copy(), "n_neighbors": 4, "weighting": "adaptive"}
METHODS = [
    FSC(3, n_init=2, random_state=0),
    FSC(None, rounding="qr", random_state=0),
    LSC(3, n_init=2, random_state=0),
    ONGR(3, max_iter=20, random_state=0),
    CSR(3, random_state=0),
]
VERBS = ("predict", "predict_proba", "transform")
EACH = pytest.mark.parametrize("method", METHODS, ids=repr)


def on_rows(method):
    return type(method)(**method.get_params()).set_params(**CHOICES)


def on_graph(method):
    return type(method)(**method.get_params()).set_params(metric="precomputed")


def graph():
    return AnchorGraph(**CHOICES).fit(ROWS)


def results(model, X):
    return {verb: np.asarray(getattr(model, verb)(X)) for verb in VERBS if hasattr(model, verb)}


def assert_same(found, expected):
    assert found.keys() == expected.keys()
    for verb, rows in found.items():
        np.testing.assert_allclose(rows, expected[verb], atol=1e-9)


def dense(Z, folder):
    return Z.toarray()


def csr(Z, folder):
    return Z


def shards(Z, folder):
    for number, rows in enumerate(pieces(Z.shape[0], 70)):
        sparse.save_npz(folder / f"{number}.npz", Z[rows])
    return folder


def dask(Z, folder):
    import dask.array as da

    return da.from_array(Z.toarray(), chunks=(70, 9))


@EACH
@pytest.mark.parametrize(
    ("form", "weights"),
    [(dense, None), (csr, None), (shards, None), (dask, None), (csr, WEIGHTS), (shards, WEIGHTS)],
    ids=["dense", "csr", "shards", "dask", "weighted", "weighted shards"],
)
def test_a_graph_gives_what_its_rows_give(method, form, weights, tmp_path):
    Z = graph().transform(ROWS)
    expected = on_rows(method).fit(ROWS, sample_weight=weights)
    found = on_graph(method).fit(form(Z, tmp_path), sample_weight=weights)
    assert_same(results(found, Z), results(expected, ROWS))
    if hasattr(expected, "labels_"):
        np.testing.assert_array_equal(np.asarray(found.labels_), expected.labels_)
    assert found.n_anchors_ == found.n_features_in_ == 25
    assert not [name for name in ("anchors_", "weighting_", "search_") if hasattr(found, name)]


@EACH
def test_a_graph_on_a_cluster_is_never_in_memory(method):
    import dask.array as da

    Z = graph().transform(da.from_array(ROWS, chunks=(70, 4)))
    found = on_graph(method).fit(Z)
    assert_same(results(found, graph().transform(ROWS)), results(on_rows(method).fit(ROWS), ROWS))
    assert isinstance((found.predict if hasattr(found, "predict") else found.transform)(Z), da.Array)


@EACH
def test_missing_rows_of_a_graph_are_left_out(method):
    Z = graph().transform(ROWS).toarray()
    Z[5, 3] = np.nan
    found = on_graph(method).set_params(missing="mask").fit(Z)
    others = np.delete(Z, 5, axis=0)
    expected = on_graph(method).fit(others)
    assert_same(results(found, others), results(expected, others))
    for verb, rows in results(found, Z).items():
        assert rows[5] == -1 if verb == "predict" else np.isnan(rows[5]).all()


@EACH
@pytest.mark.parametrize("store", [np.asarray, sparse.csr_array])
def test_rows_of_no_graph_are_refused_by_place(method, store, tmp_path):
    Z = graph().transform(ROWS).toarray()
    model = on_graph(method).fit(Z)
    Z[17] /= 2
    with pytest.raises(ValueError, match=r"^X has the sum 0\.5 in row 17, but with metric='precomputed' the rows"):
        on_graph(method).fit(store(Z))
    with pytest.raises(ValueError, match=r"^X has the sum 0\.5 in row 17, but"):
        results(model, store(Z))
    with pytest.raises(ValueError, match=r"^X has the sum 0\.5 in row 3 of .*1\.npz, but"):
        on_graph(method).fit(shards(sparse.csr_array(Z[np.r_[20:90, 20:23, 17:80]]), tmp_path))
    Z[17] = np.eye(25)[0] - np.eye(25)[1] + np.eye(25)[2]
    with pytest.raises(ValueError, match=r"^X has the negative value -1 in row 17, but"):
        on_graph(method).fit(store(Z))
    with pytest.raises(ValueError, match=r"X has 24 features, but .* is expecting 25"):
        results(model, store(Z[:, 1:]))


def test_an_error_survives_the_way_from_a_worker():
    from anchorgraph.graph.given_graph import NoGraphRowError

    error = NoGraphRowError(3, "the sum 2")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
    assert "row 7 of a.npz" in str(pickle.loads(pickle.dumps(error.at("row 7 of a.npz"))))


@pytest.mark.parametrize("method", [ULGE(), OULGE(), AnchorGraph(), BKHK(), RowGraph()], ids=lambda m: type(m).__name__)
def test_methods_that_need_the_rows_refuse_it(method):
    with pytest.raises(ValueError, match=r"^metric must be one of 'euclidean', 'cosine'; got 'precomputed'"):
        method.set_params(metric="precomputed").fit(ROWS)


@pytest.mark.parametrize("method", METHODS[:1] + METHODS[2:], ids=repr)
@pytest.mark.parametrize("anchors", ["bkhk", ROWS[:9], KMeans(5)], ids=["name", "array", "clusterer"])
def test_model_files(method, anchors, tmp_path):
    Z = graph().transform(ROWS)
    model = on_graph(method).set_params(anchors=anchors).fit(Z)
    save(model, tmp_path / "model.anchorgraph")
    loaded = load(tmp_path / "model.anchorgraph")
    assert vars(loaded).keys() <= vars(model).keys()
    assert loaded.metric == "precomputed"
    for verb, rows in results(loaded, Z).items():
        assert rows.tobytes() == results(model, Z)[verb].tobytes()


def test_a_file_cannot_say_precomputed_of_a_model_with_anchors(tmp_path):
    model = on_rows(METHODS[0]).fit(ROWS).set_params(metric="precomputed")
    with pytest.raises(ValueError, match="FSC cannot be saved"):
        save(model, tmp_path / "model.anchorgraph")


def test_a_fit_of_rows_after_one_of_a_graph():
    model = on_graph(METHODS[0]).fit(graph().transform(ROWS)).set_params(metric="euclidean", **CHOICES).fit(ROWS)
    np.testing.assert_array_equal(model.anchors_, CHOICES["anchors"])
    assert not hasattr(model.set_params(metric="precomputed").fit(graph().transform(ROWS)), "anchors_")
