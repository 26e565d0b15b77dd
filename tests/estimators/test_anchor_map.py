"""The map of rows: its quality, new rows, anchors, weights, sources."""

import numpy as np
import pytest
from sklearn.datasets import load_digits, make_blobs
from sklearn.neighbors import KNeighborsClassifier

from anchorgraph import AnchorMap, load, save
from sources import SOURCES


@pytest.fixture(scope="module")
def digits_map():
    X, y = load_digits(return_X_y=True)
    return X, y, AnchorMap(random_state=0).fit(X[:1500])


def test_near_rows_are_of_the_same_digit(digits_map):
    X, y, model = digits_map
    vote = KNeighborsClassifier(10).fit(model.embedding_, y[:1500])
    assert vote.score(model.embedding_, y[:1500]) > 0.97
    assert vote.score(model.transform(X[1500:]), y[1500:]) > 0.93
    assert (model.graph_, model.n_neighbors_) == ("rows", 10)


def test_rows_of_the_fit_have_their_places(digits_map):
    X, _, model = digits_map
    np.testing.assert_allclose(model.transform(X[:1500]), model.embedding_, atol=1e-5)


def test_a_row_close_to_one_of_the_map_is_placed_close_to_it(digits_map):
    X, _, model = digits_map
    np.testing.assert_allclose(model.transform(X[:200] + 1e-4), model.embedding_[:200], atol=0.01)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_rows_that_are_equally_far_from_all_others_are_placed(dtype):
    square = np.array([[0, 0], [2, 0], [0, 2], [2, 2]], dtype)
    model = AnchorMap(n_neighbors=3, random_state=0).fit(square)
    assert np.isfinite(model.transform(np.array([[1, 1]], dtype))).all()


def test_anchors_are_nearly_as_good(digits_map):
    X, y, _ = digits_map
    model = AnchorMap(graph="anchors", random_state=0).fit(X[:1500])
    assert model.graph_ == "anchors"
    vote = KNeighborsClassifier(10).fit(model.embedding_, y[:1500])
    assert vote.score(model.embedding_, y[:1500]) > 0.93
    assert vote.score(model.transform(X[1500:]), y[1500:]) > 0.9


def test_many_rows_are_placed_among_anchors(monkeypatch):
    monkeypatch.setattr("anchorgraph.estimators.anchor_map.MOST_ROWS", 99)
    assert AnchorMap(random_state=0).fit(np.random.default_rng(0).random((100, 3))).graph_ == "anchors"
    assert AnchorMap(random_state=0).fit(np.random.default_rng(0).random((99, 3))).graph_ == "rows"


def test_maps_in_tree_order_have_the_order_of_the_rows():
    X, y = make_blobs(5000, 6, centers=5, random_state=0)
    Y = AnchorMap(random_state=0).fit_transform(X)
    assert KNeighborsClassifier(10).fit(Y, y).score(Y, y) > 0.99


def test_equal_rows_have_one_place():
    X = np.repeat(np.random.default_rng(0).random((30, 4)), 3, axis=0)
    Y = AnchorMap(random_state=0).fit_transform(X)
    np.testing.assert_array_equal(Y, np.repeat(Y[::3], 3, axis=0))
    assert np.isfinite(AnchorMap(random_state=0).fit_transform(np.ones((5, 2)))).all()


def test_the_order_of_the_rows_makes_no_difference():
    X = np.random.default_rng(0).random((300, 4))
    order = np.random.default_rng(1).permutation(300)
    one, other = (AnchorMap(random_state=0).fit_transform(rows) for rows in (X, X[order]))
    np.testing.assert_array_equal(one[order], other)


def test_rows_of_weight_zero_are_placed_and_change_nothing():
    X = np.random.default_rng(0).random((120, 4))
    weights = np.repeat([1.0, 0.0], [100, 20])
    model, without = AnchorMap(random_state=0).fit(X, sample_weight=weights), AnchorMap(random_state=0).fit(X[:100])
    np.testing.assert_allclose(model.embedding_[:100], without.embedding_, atol=1e-5)
    np.testing.assert_allclose(model.embedding_[100:], without.transform(X[100:]), atol=1e-5)


def test_weights_tie_anchors_as_repeated_rows_do():
    X = np.random.default_rng(0).random((400, 3))
    weights = np.random.default_rng(1).integers(1, 4, 400)
    model = AnchorMap(graph="anchors", n_anchors=30, random_state=0)
    found = model.fit(X, sample_weight=weights).transform(X)
    np.testing.assert_allclose(found, model.fit(np.repeat(X, weights, axis=0)).transform(X), atol=1e-3)


@pytest.mark.parametrize("name", ["npy_shards", "sparse_shards", "dask_array", "parquet", "csr"])
def test_the_cheap_form_is_the_same_on_every_source(name, tmp_path):
    X = np.random.default_rng(0).random((60, 6))
    X[3, 1] = np.nan
    source = SOURCES[name](X, 33, tmp_path)
    options = {"graph": "anchors", "n_anchors": 12, "metric": "cosine", "missing": "mask", "random_state": 0}
    found, expected = (AnchorMap(**options).fit(rows).transform(rows) for rows in (source, X))
    found = found.compute() if hasattr(found, "compute") else found
    np.testing.assert_allclose(found, expected, atol=1e-3)
    assert np.isnan(found).all(axis=1).tolist() == [row == 3 for row in range(60)]


def test_missing_rows_have_no_place():
    X = np.random.default_rng(0).random((60, 4))
    X[7, 2] = np.nan
    model = AnchorMap(missing="mask", random_state=0).fit(X)
    assert np.isnan(model.embedding_[7]).all()
    assert np.isnan(model.embedding_).sum() == 2


@pytest.mark.parametrize("graph", ["rows", "anchors"])
def test_models_go_through_files(graph, tmp_path):
    X = np.random.default_rng(0).random((300, 40)).astype(np.float32)
    model = AnchorMap(3, graph=graph, n_anchors=40, random_state=0).fit(X)
    save(model, tmp_path / "map.safetensors")
    np.testing.assert_array_equal(load(tmp_path / "map.safetensors").transform(X[:50]), model.transform(X[:50]))


def test_the_cheap_form_reads_files_in_blocks_and_writes_places(tmp_path):
    X = np.random.default_rng(0).random((500, 40)).astype(np.float32)
    np.save(tmp_path / "rows.npy", X)
    model = AnchorMap(graph="anchors", n_anchors=40, random_state=0)
    expected = model.fit_transform(X)
    model.fit(tmp_path / "rows.npy")
    assert not hasattr(model, "embedding_")
    model.transform(tmp_path / "rows.npy", out=tmp_path / "map.npy")
    np.testing.assert_allclose(np.load(tmp_path / "map.npy"), expected, atol=1e-4)
    np.testing.assert_allclose(
        AnchorMap(graph="anchors", n_anchors=40, random_state=0).fit_transform(tmp_path / "rows.npy"),
        expected,
        atol=1e-4,
    )


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_components": 4}, "n_components=4 is too many for a map; use at most 3, or CSR"),
        ({"graph": "row"}, "graph must be one of 'auto', 'rows', 'anchors'; got 'row'"),
        ({"n_neighbors": 20}, "n_neighbors=20 is too many for 20 different rows; use at most 19"),
        ({"graph": "anchors", "n_anchors": 21}, "n_anchors=21 is more than the 20 rows of X; use at most 20"),
        ({"graph": "anchors", "n_anchors": 2}, "graph='anchors' needs 3 anchors, and there are 2; use graph='rows'"),
        ({"graph": "anchors", "n_neighbors": 1}, "n_neighbors=1 is too few for graph='anchors'.*; use at least 2"),
        ({"graph": "anchors", "n_anchors": 5, "n_neighbors": 5}, "n_neighbors=5 is too many for 5 anchors"),
    ],
)
def test_impossible_parameters(parameters, message):
    with pytest.raises(ValueError, match=message):
        AnchorMap(**parameters).fit(np.random.default_rng(0).random((20, 3)))
