"""Methods of scikit-learn on a RowGraph give what they give on a graph of KNeighborsTransformer."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.cluster import DBSCAN, HDBSCAN, SpectralClustering
from sklearn.datasets import load_digits
from sklearn.manifold import TSNE, Isomap
from sklearn.metrics import adjusted_rand_score
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier, KNeighborsTransformer, LocalOutlierFactor
from sklearn.pipeline import Pipeline, make_pipeline

from anchorgraph import RowGraph

FIT, NEW = slice(0, 120), slice(120, 200)


@pytest.fixture(scope="module")
def rows():
    """Digits, moved so that no two distances are the same."""
    X = load_digits().data[:200]
    return X + 0.1 * np.random.default_rng(0).standard_normal(X.shape)


@pytest.fixture(scope="module")
def classes():
    return load_digits().target[:200]


def pipelines(last, n_neighbors, **options):
    """With our graph, and with theirs."""
    ours, theirs = RowGraph(n_neighbors, random_state=0), KNeighborsTransformer(n_neighbors=n_neighbors)
    return [Pipeline([("graph", graph), ("last", clone(last))], **options) for graph in (ours, theirs)]


def spectral(n_neighbors):
    return SpectralClustering(
        4,
        affinity="precomputed_nearest_neighbors",
        n_neighbors=n_neighbors,
        random_state=0,
        assign_labels="cluster_qr",
    )


USERS = {
    "DBSCAN": (DBSCAN(eps=19, min_samples=4, metric="precomputed"), 10, "labels_"),
    "SpectralClustering": (spectral(10), 9, "labels_"),
    "Isomap": (Isomap(n_neighbors=10, metric="precomputed"), 10, "embedding_"),
    "TSNE": (
        TSNE(metric="precomputed", init="random", perplexity=3, max_iter=250, random_state=0),
        10,
        "embedding_",
    ),
    "LocalOutlierFactor": (LocalOutlierFactor(10, metric="precomputed"), 10, "negative_outlier_factor_"),
}
"""A method, the fewest neighbours of a graph that it accepts, and its result."""


@pytest.mark.parametrize("name", USERS)
@pytest.mark.parametrize("store", [np.asarray, sparse.csr_array], ids=["dense", "sparse"])
def test_in_pipelines_it_gives_the_same(rows, name, store):
    last, n_neighbors, result = USERS[name]
    ours, theirs = [getattr(own.fit(store(rows[FIT]))["last"], result) for own in pipelines(last, n_neighbors)]
    if result == "labels_":
        np.testing.assert_array_equal(ours, theirs)
        assert len(set(ours)) > 2
    elif name == "Isomap":
        np.testing.assert_allclose(np.abs(ours), np.abs(theirs), rtol=1e-4, atol=1e-4)
    else:
        np.testing.assert_allclose(ours, theirs, atol=1e-3 * np.abs(theirs).max())


@pytest.mark.parametrize("name", [name for name in USERS if name != "DBSCAN"])
def test_with_one_neighbour_less_they_say_so(rows, name):
    """The numbers of docs/methods/row_graph.md are the smallest ones."""
    last, n_neighbors, _ = USERS[name]
    for pipeline in pipelines(last, n_neighbors - 1):
        with pytest.raises(ValueError, match="neighbors per samples are required"):
            pipeline.fit(rows[FIT])


@pytest.mark.parametrize(("mode", "n_neighbors"), [("distance", 7), ("connectivity", 8)])
def test_classes_of_new_rows(rows, classes, mode, n_neighbors):
    ours, theirs = [
        own.set_params(graph__mode=mode).fit(rows[FIT], classes[FIT]).predict(rows[NEW])
        for own in pipelines(KNeighborsClassifier(8, metric="precomputed"), n_neighbors)
    ]
    np.testing.assert_array_equal(ours, theirs)
    assert (ours == classes[NEW]).mean() > 0.85
    for own in pipelines(KNeighborsClassifier(8, metric="precomputed"), n_neighbors - 1):
        with pytest.raises(ValueError, match="8 neighbors per samples are required"):
            own.set_params(graph__mode=mode).fit(rows[FIT], classes[FIT]).predict(rows[NEW])


def test_outliers_and_positions_of_new_rows(rows):
    outliers = LocalOutlierFactor(10, metric="precomputed", novelty=True)
    ours, theirs = [own.fit(rows[FIT]).score_samples(rows[NEW]) for own in pipelines(outliers, 10)]
    np.testing.assert_allclose(ours, theirs, rtol=1e-6)
    isomap = Isomap(n_neighbors=10, metric="precomputed")
    ours, theirs = [own.fit(rows[FIT]).transform(rows[NEW]) for own in pipelines(isomap, 10)]
    np.testing.assert_allclose(np.abs(ours), np.abs(theirs), rtol=1e-6)


def test_cosine_is_another_unit_of_the_same_order(rows, classes):
    """A chord h of the unit circle belongs to the cosine distance h²/2."""
    X = rows[FIT]
    theirs = KNeighborsTransformer(n_neighbors=10, metric="cosine").fit_transform(X)
    ours = RowGraph(10, metric="cosine").fit_transform(X)
    np.testing.assert_array_equal(ours.indices, theirs.indices)
    np.testing.assert_allclose(ours.data**2 / 2, theirs.data, atol=1e-12)
    near, far = DBSCAN(eps=np.sqrt(2 * 0.12), metric="precomputed"), DBSCAN(eps=0.12, metric="precomputed")
    labels = near.fit_predict(ours)
    np.testing.assert_array_equal(labels, far.fit_predict(theirs))
    assert len(set(labels)) > 2
    np.testing.assert_array_equal(spectral(10).fit_predict(ours), spectral(10).fit_predict(theirs))


def test_hdbscan_takes_a_symmetric_graph(rows):
    hdbscan, n = HDBSCAN(min_cluster_size=5, metric="precomputed", copy=True), len(rows)
    expected = hdbscan.fit_predict(KNeighborsTransformer(n_neighbors=n - 1).fit_transform(rows))
    assert len(set(expected)) > 5
    found = make_pipeline(RowGraph(n - 1, kind="union"), hdbscan).fit_predict(rows)
    np.testing.assert_array_equal(found == -1, expected == -1)
    assert adjusted_rand_score(expected, found) > 0.99  # rounding decides between equal mutual reachabilities
    assert adjusted_rand_score(expected, make_pipeline(RowGraph(15, kind="union"), hdbscan).fit_predict(rows)) > 0.9
    hdbscan.set_params(min_samples=15).fit(RowGraph(14, kind="union").fit_transform(rows))
    with pytest.raises(ValueError, match="fewer than 15 neighbors"):
        hdbscan.fit(RowGraph(13, kind="union").fit_transform(rows))
    with pytest.raises(ValueError, match="asymmetric"):
        make_pipeline(RowGraph(15), hdbscan).fit(rows)


def test_a_cached_pipeline_searches_once(rows, tmp_path, monkeypatch):
    searched = []
    connect = RowGraph._connect

    def counted(self, X):
        searched.append(self.n_neighbors)
        return connect(self, X)

    monkeypatch.setattr(RowGraph, "_connect", counted)
    pipeline = pipelines(USERS["DBSCAN"][0], 10, memory=str(tmp_path))[0]
    few, many = [pipeline.set_params(last__eps=eps).fit(rows[FIT])["last"].labels_ for eps in (15, 19)]
    assert searched == [10]
    assert (few == -1).sum() > (many == -1).sum()
    np.testing.assert_array_equal(many, clone(pipeline).set_params(memory=None).fit(rows[FIT])["last"].labels_)
    pipeline.set_params(graph__n_neighbors=11).fit(rows[FIT])
    assert searched == [10, 10, 11]


def test_a_search_over_the_neighbours(rows, classes):
    grid = {"graph__n_neighbors": [3, 6, 12], "last__weights": ["uniform", "distance"]}
    last = KNeighborsClassifier(3, metric="precomputed")
    ours, theirs = [GridSearchCV(own, grid, cv=3).fit(rows, classes) for own in pipelines(last, 3)]
    np.testing.assert_array_equal(ours.cv_results_["mean_test_score"], theirs.cv_results_["mean_test_score"])
    np.testing.assert_array_equal(ours.predict(rows), theirs.predict(rows))
    assert ours.best_score_ > 0.8
