"""``metric="precomputed"`` and ``"affinity"``: the graph of nearest rows in place of the rows."""

import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import load_digits
from sklearn.exceptions import NotFittedError
from sklearn.metrics import adjusted_rand_score
from sklearn.neighbors import KNeighborsClassifier, KNeighborsTransformer, radius_neighbors_graph
from sklearn.pipeline import make_pipeline

from anchorgraph import AnchorMap, Communities, RowGraph, WithOutliers
from anchorgraph.graph import GivenIndex, fuzzy_weights, nearest_first, reciprocal_ties
from anchorgraph.layout import smooth_coordinates
from anchorgraph.models import load, save
from fitted_models import make_rows
from islands import far_pairs, hundredfold
from sources import pieces

ROWS, _ = make_rows(300)
NEW = ROWS[:40] + 0.01
METHODS = [Communities(3, random_state=0), AnchorMap(random_state=0)]
EACH = pytest.mark.parametrize("method", METHODS, ids=["Communities", "AnchorMap"])
METRICS = pytest.mark.parametrize("metric", ["precomputed", "affinity"])
MODES = {"precomputed": {"mode": "distance"}, "affinity": {"mode": "connectivity", "kind": "fuzzy"}}


def searcher(metric="precomputed", k=12):
    return RowGraph(k, **MODES[metric], random_state=0)


def graph(metric="precomputed", k=12):
    return searcher(metric, k).fit_transform(ROWS)


def on_graph(method, metric="precomputed", **more):
    return type(method)(**method.get_params()).set_params(metric=metric, **more)


def result(model):
    return model.labels_ if isinstance(model, Communities) else model.embedding_


def of_new(model, X):
    return np.asarray(model.predict(X) if isinstance(model, Communities) else model.transform(X))


@pytest.fixture(scope="module")
def digits():
    return load_digits(return_X_y=True)


@pytest.mark.parametrize("make", [KNeighborsTransformer, RowGraph])
def test_clusters_are_those_of_the_rows(digits, make):
    G = make(n_neighbors=20, mode="distance").fit_transform(digits[0])
    expected = Communities(10, random_state=1).fit(digits[0])
    found = Communities(10, metric="precomputed", random_state=1).fit(G)
    assert found.n_neighbors_ == expected.n_neighbors_
    assert adjusted_rand_score(expected.labels_, found.labels_) > 0.9  # nodes move in another order
    assert abs(found.modularity_ - expected.modularity_) < 0.005
    np.testing.assert_array_equal(found.predict(G), found.labels_)


def test_the_map_is_as_good_as_that_of_the_rows(digits):
    def accuracy(places):
        return KNeighborsClassifier(10).fit(places, digits[1]).score(places, digits[1])

    G = KNeighborsTransformer(n_neighbors=12, mode="distance").fit_transform(digits[0])
    expected = accuracy(AnchorMap(random_state=0).fit_transform(digits[0]))
    found = accuracy(AnchorMap(metric="precomputed", random_state=0).fit_transform(G))
    assert found > expected - 0.01


@EACH
def test_rows_of_the_fit_have_their_results_again(method):
    model = on_graph(method).fit(graph())
    np.testing.assert_allclose(of_new(model, graph()), result(model), atol=1e-5)


@EACH
@METRICS
def test_new_rows_join_their_neighbours(method, metric):
    search = searcher(metric).fit(ROWS)
    model = on_graph(method, metric).fit(graph(metric))
    found = of_new(model, search.transform(NEW))
    if isinstance(method, Communities):
        assert np.mean(found == model.labels_[:40]) > 0.95
        shares = model.predict_proba(search.transform(NEW))
        np.testing.assert_allclose(shares.sum(axis=1), 1)
    else:
        own = np.linalg.norm(found - model.embedding_[:40], axis=1)
        assert np.median(own) < 0.1 * np.ptp(model.embedding_)


def test_scores_are_those_of_the_rows():
    expected = Communities(3, n_neighbors=10, random_state=0).fit(ROWS).score_samples(ROWS)
    found = Communities(3, n_neighbors=10, metric="precomputed", random_state=0).fit(graph()).score_samples(graph())
    assert np.corrcoef(found, expected)[0, 1] > 0.99


def unsorted(G):
    order = np.concatenate([np.random.default_rng(row).permutation(13) + 13 * row for row in range(300)])
    return sparse.csr_matrix((G.data[order], G.indices[order], G.indptr), shape=G.shape)


def in_columns(G):
    return sparse.csc_array(G)


def without_own(G):
    """Without the diagonal, as in ``adata.obsp["distances"]``."""
    return sparse.csr_array(
        (np.delete(G.data, G.indptr[:-1]), np.delete(G.indices, G.indptr[:-1]), np.arange(301) * 12)
    )


@EACH
@pytest.mark.parametrize("form", [unsorted, in_columns, sparse.coo_array, without_own], ids=lambda form: form.__name__)
def test_forms_of_the_same_graph_are_equal(method, form):
    expected = result(on_graph(method).fit(graph()))
    np.testing.assert_array_equal(result(on_graph(method).fit(form(graph()))), expected)


@EACH
@METRICS
def test_neither_threads_nor_files_change_anything(method, metric, tmp_path):
    G = graph(metric)
    for number, rows in enumerate(pieces(300, 70)):
        sparse.save_npz(tmp_path / f"{number}.npz", G[rows])
    expected = on_graph(method, metric, n_jobs=1).fit(G)
    for X in (G, tmp_path):
        np.testing.assert_array_equal(result(on_graph(method, metric, n_jobs=2).fit(X)), result(expected))


def test_a_dense_array_has_all_distances():
    D = np.linalg.norm(ROWS[:, np.newaxis] - ROWS, axis=2)
    found = Communities(3, metric="precomputed", random_state=0).fit(D)
    np.testing.assert_array_equal(
        found.labels_, Communities(3, metric="precomputed", random_state=0).fit(graph()).labels_
    )
    np.testing.assert_array_equal(found.predict(D), found.labels_)


def test_rows_may_have_different_numbers_of_neighbours():
    near = radius_neighbors_graph(ROWS, np.sort(np.linalg.norm(ROWS - ROWS[:1], axis=1))[40], mode="distance")
    G = sparse.csr_array(sparse.csr_array(graph(k=2)).maximum(near))
    counts = np.diff(G.indptr)
    assert counts.min() < 5 < counts.max()
    found = Communities(3, metric="precomputed", random_state=0).fit(G)
    expected = Communities(3, random_state=0).fit(ROWS)
    assert found.n_neighbors_ == expected.n_neighbors_
    assert adjusted_rand_score(found.labels_, expected.labels_) > 0.9
    assert np.isfinite(AnchorMap(metric="precomputed", random_state=0).fit_transform(G)).all()
    assert np.isfinite(found.score_samples(G)).all()


def test_rows_with_fewer_neighbours_have_them_over_again():
    G = sparse.csr_array(([3.0, 0.0, 1.0, 2.0], [0, 1, 2, 2], [0, 3, 4]), shape=(2, 3))
    neighbors, distances = nearest_first(G, 4)
    assert neighbors.tolist() == [[1, 2, 0, 1], [2, 2, 2, 2]]
    assert distances.tolist() == [[0, 1, 3, np.inf], [2, np.inf, np.inf, np.inf]]


def test_an_infinite_distance_is_no_neighbour():
    """A row has the weights, and ties, that it has without the entries at infinite distances."""
    neighbors, distances = nearest_first(without_own(graph()), 12)
    padded = np.hstack([distances, np.full((300, 3), np.inf)])
    expected = np.hstack([fuzzy_weights(distances), np.zeros((300, 3))])
    np.testing.assert_allclose(fuzzy_weights(padded), expected, rtol=1e-6)
    over_again = np.hstack([neighbors, neighbors[:, :3]])
    assert (reciprocal_ties(over_again, padded) != reciprocal_ties(neighbors, distances)).nnz == 0


def test_nodes_with_many_paths_between_them_get_near_coordinates():
    """Two cliques with one tie between them."""
    G = np.kron(np.eye(2), np.ones((20, 20)))
    G[0, 20] = G[20, 0] = 1
    points = smooth_coordinates(sparse.csr_array(G), seed=0)
    assert np.linalg.norm(points[1:20] - points[1], axis=1).max() < 0.1
    assert np.linalg.norm(points[1] - points[30]) > 1


@pytest.mark.filterwarnings("ignore:The graph falls into")
def test_zeros_between_equal_rows_are_distances():
    """Of three equal rows, each is the nearest of the others."""
    rows = np.repeat(ROWS[:100], 3, axis=0)
    G = RowGraph(8).fit_transform(rows)
    model = Communities(4, metric="precomputed", random_state=0).fit(G)
    assert (model.labels_.reshape(100, 3) == model.labels_[::3, np.newaxis]).all()
    np.testing.assert_array_equal(model.predict(G), model.labels_)


@METRICS
def test_more_parts_than_clusters_warn(metric):
    """A given graph has no distances between unconnected parts, so that these are joined by size alone."""
    X, _ = far_pairs(0)
    G = RowGraph(15, **MODES[metric], random_state=0).fit_transform(X)
    with pytest.warns(
        UserWarning, match="falls into 6 unconnected parts, more than n_clusters=3.* at least 6 clusters"
    ):
        Communities(3, metric=metric, random_state=0).fit(G)
    found = Communities(6, metric=metric, random_state=0).fit(G).labels_
    assert adjusted_rand_score(np.repeat(range(6), 200), found) == 1
    assert Communities(1, metric=metric).fit(G).n_clusters_ == 1


@METRICS
def test_islands_of_any_size_are_the_clusters(metric):
    X, y = hundredfold(0)
    G = RowGraph(15, **MODES[metric], random_state=0).fit_transform(X)
    assert adjusted_rand_score(y, Communities(5, metric=metric, random_state=0).fit(G).labels_) == 1


def test_ties_are_the_graph():
    """Scaling changes nothing, and a graph that is not symmetric is the mean of both directions."""
    A = sparse.csr_array(RowGraph(8, mode="connectivity", random_state=0).fit_transform(ROWS))
    symmetric = (A + A.T) / 2
    expected = Communities(3, metric="affinity", random_state=0).fit(symmetric)
    for X in (A, 1e-5 * A, 3 * symmetric, A + sparse.eye_array(300), symmetric.toarray()):
        np.testing.assert_array_equal(
            Communities(3, metric="affinity", random_state=0).fit(X).labels_, expected.labels_
        )


@EACH
@METRICS
def test_a_weight_of_zero_is_no_row(method, metric):
    weights = np.ones(300)
    weights[::4] = 0
    G, kept = sparse.csr_array(graph(metric)), np.flatnonzero(weights)
    found = on_graph(method, metric).fit(G, sample_weight=weights)
    expected = on_graph(method, metric).fit(G[kept][:, kept])
    np.testing.assert_array_equal(result(found)[kept], result(expected))
    np.testing.assert_array_equal(of_new(found, G[::4]), result(found)[::4])
    assert found.n_features_in_ == 300


def test_clusters_are_numbered_by_the_weights_of_their_rows():
    y = np.repeat([0, 1], [200, 100])
    X = 100 * y[:, np.newaxis] + ROWS
    G = searcher().fit_transform(X)
    for weights, first in ((None, 0), (np.where(y == 1, 5.0, 1.0), 1)):
        model = Communities(2, metric="precomputed", random_state=0).fit(G, sample_weight=weights)
        np.testing.assert_array_equal(model.labels_, np.abs(y - first))


def test_a_tie_is_taken_for_a_distance_of_one_over_its_root():
    index = GivenIndex(np.arange(3), "affinity")
    neighbors, distances = index.nearest(sparse.csr_array([[4.0, 0, 0.25], [0, 1, 0]]), 2)
    assert neighbors.tolist() == [[0, 2], [1, 1]]
    assert distances.tolist() == [[0.5, 2], [1, 1]]


def test_ties_are_kept_to_seven_digits():
    A = np.array([[0, 1, 1 / 3], [1, 0, 1e-3], [1 / 3, 1e-3, 0]])
    found = GivenIndex(np.arange(3), "affinity").among(sparse.csr_array(A), 15).toarray()
    np.testing.assert_allclose(found / found.max(), A, atol=3e-8)


def test_a_dense_array_has_so_many_neighbours_as_are_wanted():
    D = np.abs(np.subtract.outer(np.arange(20.0) ** 2, np.arange(20.0) ** 2))
    found = GivenIndex(np.arange(20), "precomputed").among(D, 4)
    assert np.diff(found.indptr).tolist() == [4] * 20
    assert Communities(2, n_neighbors=4, metric="precomputed").fit(D).n_neighbors_ == 4


@EACH
@METRICS
def test_models_come_back_from_files(method, metric, tmp_path):
    model = on_graph(method, metric).fit(graph(metric))
    save(model, tmp_path / "model.safetensors")
    for again in (load(tmp_path / "model.safetensors"), pickle.loads(pickle.dumps(model))):
        np.testing.assert_array_equal(of_new(again, graph(metric)), of_new(model, graph(metric)))
    if metric == "precomputed" and isinstance(model, Communities):
        again = load(tmp_path / "model.safetensors")
        np.testing.assert_array_equal(again.score_samples(graph()), model.score_samples(graph()))


def test_one_search_serves_a_pipeline_and_outliers():
    pipeline = make_pipeline(KNeighborsTransformer(n_neighbors=12, mode="distance"), on_graph(METHODS[0]))
    labels = pipeline.fit_predict(ROWS)
    np.testing.assert_array_equal(pipeline.predict(ROWS), labels)
    model = WithOutliers(on_graph(METHODS[0]), contamination=0.1).fit(graph())
    assert np.count_nonzero(model.labels_ == -1) == 30


@EACH
@METRICS
def test_tags_say_that_rows_and_columns_go_together(method, metric):
    assert on_graph(method, metric).__sklearn_tags__().input_tags.pairwise
    assert not method.__sklearn_tags__().input_tags.pairwise


def test_a_later_fit_to_ties_forgets_the_distances():
    model = on_graph(METHODS[0]).fit(graph())
    model.set_params(metric="affinity").fit(graph("affinity"))
    assert not hasattr(model, "n_neighbors_")
    with pytest.raises(AttributeError, match="metric='affinity', all ties are used"):
        _ = model.n_neighbors_
    with pytest.raises(NotFittedError):
        _ = Communities().n_neighbors_


def with_entry(value, metric="precomputed"):
    G = sparse.csr_array(graph(metric), copy=True)
    G.data[G.indptr[7] + 1] = value
    return G


def lonely():
    G = sparse.lil_array((300, 300))
    G[:] = graph()
    G[7] = 0
    return sparse.csr_array(G)


def giant():
    """A tie beside which all others are nothing."""
    return with_entry(1e12, "affinity").astype(float)


@EACH
@pytest.mark.parametrize(
    ("metric", "make", "message"),
    [
        ("precomputed", lambda: ROWS, r"X has shape \(300, \d\), but with metric='precomputed' it is the graph"),
        (
            "precomputed",
            lambda: with_entry(-1),
            "a negative value in row 7, .*'precomputed' each row .* pass distances",
        ),
        (
            "affinity",
            lambda: with_entry(-1, "affinity"),
            "a negative value in row 7, .*'affinity' .* set negative ties",
        ),
        ("precomputed", lambda: with_entry(np.nan), "X contains NaN in row 7, .* leave such entries out"),
        ("affinity", lambda: with_entry(np.inf, "affinity"), "X contains infinity .* leave such entries out"),
        ("precomputed", lambda: 1e200 * graph(), "as large as .*e[+]200, .* divide X by a number"),
        ("affinity", lambda: 1e-200 * graph("affinity").astype(float), "no absolute value above .* divide X by"),
        (
            "affinity",
            giant,
            r"no tie of more than 6e-08 of the largest one, 1e[+]12, in row \d+, .* by their logarithm",
        ),
        ("precomputed", lambda: graph().toarray(), "mostly zeros in row 0, .* pass the sparse matrix itself"),
        ("precomputed", lonely, "no neighbour in row 7, .* leave such a row and its column out"),
        ("affinity", lambda: sparse.csr_array((300, 300)), "no neighbour in row 0"),
        ("precomputed", lambda: graph().astype(complex), "[Cc]omplex"),
        ("precomputed", lambda: np.full((5, 5), "a", dtype=object), "texts"),
    ],
)
def test_refusals_name_what_is_wrong(method, metric, make, message):
    with pytest.raises(ValueError, match=message):
        on_graph(method, metric, missing="mask").fit(make())


@EACH
def test_a_row_whose_neighbours_have_no_weight_is_refused(method):
    weights = np.ones(300)
    weights[graph()[7].indices] = 0
    weights[7] = 1
    with pytest.raises(ValueError, match=r"no neighbour of positive sample_weight in row 7, .* give one of its"):
        on_graph(method).fit(graph(), sample_weight=weights)
    weights = np.ones(300)
    weights[graph()[7].indices] = 0
    model = on_graph(method).fit(graph(k=40), sample_weight=weights)
    with pytest.raises(ValueError, match=r"no neighbour of positive sample_weight in row 7"):
        of_new(model, graph())


def test_equal_rows_in_a_dense_array_stay():
    rows = np.vstack([ROWS, np.repeat(ROWS[:1], 20, axis=0)])
    D = np.linalg.norm(rows[:, np.newaxis] - rows, axis=2)
    model = Communities(3, metric="precomputed", random_state=0).fit(D)
    assert len(set(model.labels_[300:])) == 1
    np.testing.assert_array_equal(model.predict(D), model.labels_)
    with pytest.raises(ValueError, match=r"mostly zeros in row 0, .* pass the sparse matrix itself"):
        model.predict(np.zeros((2, 320)))


@EACH
def test_refusals_of_parameters(method):
    with pytest.raises(ValueError, match=r"n_neighbors=13 is too many for X, .* use at most 12"):
        on_graph(method, n_neighbors=13).fit(graph())
    with pytest.raises(ValueError, match="n_neighbors=5 is for distances, but metric='affinity'"):
        on_graph(method, "affinity", n_neighbors=5).fit(graph("affinity"))
    model = on_graph(method).fit(graph())
    with pytest.raises(ValueError, match="299 features"):
        of_new(model, graph()[:, :299])
    with pytest.raises(ValueError, match="no neighbour in row 7"):
        of_new(model, lonely())
    with pytest.raises(ValueError, match=r"X contains NaN in row 7, .* leave such entries out"):
        of_new(model, with_entry(np.nan))


def test_what_needs_the_rows_is_refused():
    with pytest.raises(ValueError, match="partial_fit needs the rows themselves"):
        on_graph(METHODS[0]).partial_fit(graph())
    with pytest.raises(ValueError, match="graph='anchors' needs the rows themselves"):
        AnchorMap(metric="precomputed", graph="anchors").fit(graph())
    with pytest.raises(ValueError, match="score_samples needs the distances"):
        on_graph(METHODS[0], "affinity").fit(graph("affinity")).score_samples(graph("affinity"))


@EACH
@METRICS
def test_two_rows(method, metric):
    G = sparse.csr_array(np.array([[0, 1.0], [1.0, 0]]))
    model = on_graph(method, metric, **({"n_clusters": 2} if isinstance(method, Communities) else {})).fit(G)
    assert np.isfinite(result(model)).all()


@METRICS
def test_a_later_file_says_its_row(metric, tmp_path):
    model = on_graph(METHODS[0], metric).fit(graph(metric))
    sparse.save_npz(tmp_path / "0.npz", sparse.csr_matrix(graph(metric)))
    sparse.save_npz(tmp_path / "1.npz", sparse.csr_matrix(with_entry(-1, metric)))
    with pytest.raises(ValueError, match=r"a negative value in row 7 of .*1\.npz"):
        model.predict(tmp_path)
