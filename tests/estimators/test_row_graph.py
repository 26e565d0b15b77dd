"""The graph of nearest rows: in place of scikit-learn's transformer, its kinds, and new rows."""

import importlib

import numpy as np
import pytest
import sklearn
from scipy import sparse
from sklearn.datasets import load_digits
from sklearn.neighbors import KNeighborsTransformer

from anchorgraph import RowGraph, load, save
from anchorgraph.graph import fuzzy_weights
from reference import communities as literal

FIT, NEW = slice(0, 200), slice(200, 260)


@pytest.fixture(scope="module")
def rows():
    """Digits, moved so that no two distances are the same."""
    X = load_digits(return_X_y=True)[0][:260]
    return X + 0.1 * np.random.default_rng(0).standard_normal(X.shape)


def thin(X):
    """Half of the entries."""
    return X * (np.random.default_rng(1).random(X.shape) < 0.5)


def assert_same_graph(found, expected):
    assert found.shape == expected.shape
    np.testing.assert_array_equal(found.indptr, expected.indptr)
    np.testing.assert_array_equal(found.indices, expected.indices)
    np.testing.assert_allclose(found.data, expected.data, rtol=1e-6, atol=1e-4)  # theirs to a row itself are not zero


@pytest.mark.parametrize("mode", ["distance", "connectivity"])
@pytest.mark.parametrize("n_cols", [64, 20], ids=["wide", "narrow"])
@pytest.mark.parametrize(
    "store", [np.asarray, np.float32, sparse.csr_array, lambda X: sparse.csr_array(thin(X))], ids=range(4)
)
def test_it_is_the_transformer_of_scikit_learn(rows, mode, n_cols, store):
    X = store(rows[:, :n_cols])
    ours, theirs = RowGraph(7, mode=mode), KNeighborsTransformer(n_neighbors=7, mode=mode)
    assert_same_graph(ours.fit_transform(X[FIT]), theirs.fit_transform(X[FIT]))
    assert_same_graph(ours.fit(X[FIT]).transform(X[FIT]), theirs.transform(X[FIT]))
    assert_same_graph(ours.transform(X[NEW]), theirs.transform(X[NEW]))
    assert ours.n_samples_fit_ == theirs.n_samples_fit_
    assert ours.get_feature_names_out().shape == theirs.get_feature_names_out().shape


@pytest.mark.parametrize("n_neighbors", [1, 199])
def test_one_neighbour_and_all_of_them(rows, n_neighbors):
    ours, theirs = RowGraph(n_neighbors), KNeighborsTransformer(n_neighbors=n_neighbors)
    assert_same_graph(ours.fit_transform(rows[FIT]), theirs.fit_transform(rows[FIT]))
    assert_same_graph(ours.transform(rows[NEW]), theirs.transform(rows[NEW]))


def test_rows_begin_with_an_explicit_zero_and_are_sorted(rows):
    graph = RowGraph(6).fit_transform(np.repeat(rows[:50], 2, axis=0))
    columns, values = graph.indices.reshape(100, 7), graph.data.reshape(100, 7)
    np.testing.assert_array_equal(columns[:, 0], np.arange(100))
    assert (values[:, :2] == 0).all()  # the row, and its equal one
    assert (values[:, 2] > 0).all()
    assert (np.diff(values, axis=1) >= 0).all()


@pytest.mark.parametrize("store", [np.asarray, sparse.csr_array], ids=["dense", "sparse"])
@pytest.mark.parametrize("n_cols", [64, 20], ids=["wide", "narrow"])
def test_new_rows_may_be_stored_otherwise_than_those_of_the_fit(rows, store, n_cols):
    model = RowGraph(5, random_state=0).fit(store(rows[FIT, :n_cols]))
    expected = KNeighborsTransformer(n_neighbors=5).fit(rows[FIT, :n_cols]).transform(rows[NEW, :n_cols])
    for form in (np.asarray, sparse.csr_array):
        assert_same_graph(model.transform(form(rows[NEW, :n_cols])), expected)


@pytest.mark.parametrize("kind", ["mutual", "union", "fuzzy"])
def test_ties_of_each_kind_are_the_reference(rows, kind):
    X = rows[:80, :20]
    neighbors, distances = literal.nearest_rows(X, 5)
    expected = literal.fuzzy(neighbors, distances) if kind == "fuzzy" else literal.ties(neighbors, kind)
    graph = RowGraph(5, kind=kind, mode="connectivity").fit_transform(X)
    np.testing.assert_allclose(graph.toarray(), expected, atol=1e-7)
    graph = RowGraph(5, kind=kind).fit_transform(X)
    tied = (expected > 0) | np.eye(80, dtype=bool)
    assert graph.nnz == np.count_nonzero(tied)
    h = np.array([[literal.distance(x, y) for y in X] for x in X])
    np.testing.assert_allclose(graph.toarray(), np.where(tied, h, 0), rtol=1e-12)
    np.testing.assert_array_equal(graph.indices[graph.indptr[:-1]], np.arange(80))


def test_mutual_ties_are_among_the_directed_and_these_among_all(rows):
    graphs = {
        kind: RowGraph(6, kind=kind).fit_transform(rows[FIT]) for kind in ("directed", "mutual", "union", "fuzzy")
    }
    pairs = {}
    for kind, graph in graphs.items():
        pairs[kind] = set(zip(np.repeat(np.arange(200), np.diff(graph.indptr)), graph.indices, strict=True))
        values = graph.toarray()
        assert (values == values.T).all() == (kind != "directed")
    assert pairs["mutual"] < pairs["directed"] < pairs["union"]
    assert pairs["union"] == pairs["fuzzy"]


@pytest.mark.parametrize("mode", ["distance", "connectivity"])
@pytest.mark.parametrize("kind", ["directed", "mutual", "union", "fuzzy"])
def test_numbers_of_columns_take_four_bytes(rows, kind, mode):
    """Many methods of scikit-learn, and older versions of SciPy's, refuse others."""
    model = RowGraph(5, kind=kind, mode=mode)
    for graph in (model.fit_transform(rows[FIT]), model.transform(rows[NEW])):
        assert graph.indices.dtype == graph.indptr.dtype == np.int32


def test_new_rows_of_each_kind_by_hand():
    """Rows at 0, 1, 3 and 7, whose second nearest are at 3, 2, 3 and 6; new ones at 0.5 and 14."""
    X, new = np.array([[0.0], [1], [3], [7]]), np.array([[0.5], [14]])
    graphs = {
        (kind, mode): RowGraph(2, kind=kind, mode=mode).fit(X).transform(new)
        for kind in ("directed", "mutual", "union", "fuzzy")
        for mode in ("distance", "connectivity")
    }
    distances = [[0.5, 0.5, 2.5, 0], [0, 13, 11, 7]]
    assert graphs["directed", "distance"].toarray().tolist() == distances
    assert graphs["union", "distance"].toarray().tolist() == distances
    assert graphs["fuzzy", "distance"].toarray().tolist() == distances
    assert graphs["mutual", "distance"].toarray().tolist() == [[0.5, 0.5, 2.5, 0], [0, 0, 0, 0]]
    assert graphs["mutual", "distance"].indptr.tolist() == [0, 3, 3]
    nearest = [[1, 1, 0, 0], [0, 0, 1, 1]]
    assert graphs["directed", "connectivity"].toarray().tolist() == nearest
    assert graphs["union", "connectivity"].toarray().tolist() == nearest
    assert graphs["mutual", "connectivity"].toarray().tolist() == [[1, 1, 0, 0], [0, 0, 0, 0]]
    weights = graphs["fuzzy", "connectivity"]
    np.testing.assert_allclose(weights.data.reshape(2, 2), fuzzy_weights(np.array([[0.5, 0.5], [7, 11]])))


@pytest.fixture
def few_are_many(monkeypatch):
    module = importlib.import_module("anchorgraph.graph.nearest_rows")
    monkeypatch.setattr(module, "FEW_ROWS", 256)
    monkeypatch.setattr(module, "NEAR_LEAVES", 8)
    monkeypatch.setattr("anchorgraph.graph.row_index.LEAVES_OF_NEW_ROWS", 8)


@pytest.mark.parametrize("store", [np.asarray, sparse.csr_array], ids=["dense", "sparse"])
@pytest.mark.usefixtures("few_are_many")
def test_many_rows_in_the_order_that_they_had(digits, store):
    """Through the trees: nearly all neighbours, exact distances, and the numbers of the rows of X."""
    X = digits + 0.1 * np.random.default_rng(0).standard_normal(digits.shape)
    model = RowGraph(10, random_state=0)
    graph = model.fit_transform(store(X))
    theirs = KNeighborsTransformer(n_neighbors=10).fit(X)
    expected = theirs.transform(X)
    common = graph.multiply(expected > 0)
    assert common.nnz > 0.95 * (expected.nnz - len(X))
    is_both = (common > 0).toarray()
    np.testing.assert_allclose(graph.toarray()[is_both], expected.toarray()[is_both], rtol=1e-6)
    np.testing.assert_array_equal(graph.indices.reshape(len(X), 11)[:, 0], np.arange(len(X)))
    again = model.transform(store(X))
    assert (again.indices.reshape(len(X), 11)[:, 0] == np.arange(len(X))).all()
    assert (again.data.reshape(len(X), 11)[:, 0] == 0).all()
    one_by_one = sparse.vstack([model.transform(store(X)[i : i + 1]) for i in range(20)])
    assert abs(one_by_one - again[:20]).max() == 0


@pytest.mark.parametrize("store", [np.asarray, sparse.csr_array], ids=["dense", "sparse"])
@pytest.mark.usefixtures("few_are_many")
def test_new_rows_of_many_columns_are_compared_in_all_of_them(digits, store):
    """Candidates are found in 64 coordinates of 128; the distances are exact."""
    X = np.hstack([digits, digits[:, ::-1] * np.random.default_rng(0).uniform(0.5, 1, digits.shape)])
    found = RowGraph(10, random_state=0).fit(store(X[:1500])).transform(store(X[1500:])).toarray()
    expected = KNeighborsTransformer(n_neighbors=10).fit(X[:1500]).transform(X[1500:]).toarray()
    is_both = (found > 0) & (expected > 0)
    assert is_both.sum() > 0.95 * (expected > 0).sum()
    np.testing.assert_allclose(found[is_both], expected[is_both], rtol=1e-6)


@pytest.mark.usefixtures("few_are_many")
def test_threads_and_seeds(digits):
    def fit(**options):
        graph = RowGraph(10, **options).fit_transform(digits)
        return graph.indices, graph.data

    one, two, other = fit(n_jobs=1, random_state=0), fit(n_jobs=2, random_state=0), fit(random_state=1)
    for first, second in zip(one, two, strict=True):
        np.testing.assert_array_equal(first, second)
    assert (one[0] == other[0]).mean() > 0.9


def test_what_the_fit_learnt_is_not_changed_by_data_or_parameters(rows):
    X = rows[:100, :20].copy()
    model = RowGraph(5).fit(X)
    before = model.transform(rows[NEW, :20])
    X[:] = 0
    model.set_params(n_neighbors=9)
    assert_same_graph(model.transform(rows[NEW, :20]), before)


@pytest.mark.parametrize("store", [np.asarray, np.float32, sparse.csr_array, lambda X: sparse.csr_array(thin(X))])
@pytest.mark.parametrize("kind", ["directed", "mutual"])
def test_models_of_wide_rows_come_back_from_files(rows, store, kind, tmp_path):
    model = RowGraph(5, kind=kind, random_state=0).fit(store(rows[FIT]))
    save(model, tmp_path / "model.safetensors")
    found, expected = load(tmp_path / "model.safetensors").transform(store(rows)), model.transform(store(rows))
    assert (found != expected).nnz == 0
    np.testing.assert_array_equal(found.indptr, expected.indptr)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_neighbors": 40}, "n_neighbors=40 is too many for n_samples=40; use at most 39"),
        ({"n_neighbors": 0}, "n_neighbors must be an integer ≥ 1; got 0"),
        ({"n_neighbors": 2.5}, "n_neighbors must be an integer ≥ 1; got 2.5"),
        ({"mode": "weights"}, "mode must be one of 'distance', 'connectivity'; got 'weights'"),
        ({"kind": "both"}, "kind must be one of 'directed', 'mutual', 'union', 'fuzzy'; got 'both'"),
        ({"kind": None}, "kind must be one of 'directed'"),
    ],
)
def test_impossible_parameters(parameters, message):
    with pytest.raises(ValueError, match=message):
        RowGraph(**parameters).fit(np.random.default_rng(0).standard_normal((40, 4)))
    with pytest.raises(ValueError, match=message):
        RowGraph(**parameters).fit_transform(np.random.default_rng(0).standard_normal((40, 4)))


def test_it_says_that_it_does_not_stream(rows, tmp_path):
    assert not RowGraph.card.streams
    np.save(tmp_path / "rows.npy", rows)
    with pytest.raises(ValueError, match=r"RowGraph connects rows to rows.*use AnchorGraph, which reads any source"):
        RowGraph().fit(tmp_path / "rows.npy")
    model = RowGraph(5).fit(rows[FIT])
    assert_same_graph(model.transform(tmp_path / "rows.npy"), model.transform(rows))


def test_a_lazy_graph_is_that_of_the_fit_it_was_made_by(digits):
    da = pytest.importorskip("dask.array")
    model = RowGraph(5).fit(digits[:200])
    lazy = model.transform(da.from_array(digits[200:230], chunks=(10, 64)))
    expected = model.transform(digits[200:230])
    model.set_params(mode="connectivity", n_neighbors=3).fit(digits[300:400])
    np.testing.assert_array_equal(lazy.compute().toarray(), expected.toarray())


def test_many_neighbours_are_exact_too(digits):
    ours, theirs = RowGraph(100), KNeighborsTransformer(n_neighbors=100)
    noisy = digits[:300] + 0.01 * np.random.default_rng(0).standard_normal((300, 64))
    found, expected = ours.fit_transform(noisy), theirs.fit_transform(noisy)
    np.testing.assert_array_equal(found.indices, expected.indices)


def test_graphs_are_what_those_of_scikit_learn_are(rows):
    """A matrix, on which scanpy relies, or an array where scikit-learn is told so."""
    ours, theirs = RowGraph(5).fit(rows[FIT]), KNeighborsTransformer(n_neighbors=5).fit(rows[FIT])
    assert type(ours.fit_transform(rows[FIT])) is type(theirs.transform(rows[FIT]))
    assert type(ours.transform(rows[NEW])) is type(theirs.transform(rows[NEW]))
    if "sparse_interface" in sklearn.get_config():
        with sklearn.config_context(sparse_interface="sparray"):
            assert type(ours.fit_transform(rows[FIT])) is type(theirs.transform(rows[FIT])) is sparse.csr_array
