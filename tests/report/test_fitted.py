"""A report as plain data: what it says of models, rows and clusters."""

import json

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.cluster import HDBSCAN, KMeans
from sklearn.datasets import load_digits, make_blobs
from sklearn.decomposition import PCA
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.manifold import SpectralEmbedding
from sklearn.mixture import GaussianMixture
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from anchorgraph import (
    BKHK,
    FSC,
    KNNSC,
    LE,
    ONGR,
    ULGE,
    AnchorGraph,
    AnchorMap,
    ClusterPath,
    Communities,
    RowGraph,
    load,
    save,
)
from anchorgraph.metrics import clustering_accuracy, nmi
from anchorgraph.report import check_image, report
from anchorgraph.report.agreement import compare_with_classes
from anchorgraph.report.details import detail_charts
from anchorgraph.report.groups import Groups
from anchorgraph.report.packing import NONE, unpack, unpack_numbers
from anchorgraph.report.shown import choose_rows
from anchorgraph.report.tree import tree_of_levels
from anchorgraph.table import as_table
from sources import SOURCES


@pytest.fixture(scope="module")
def rows():
    return make_blobs(300, 5, centers=3, cluster_std=5, random_state=0)[0]


@pytest.fixture(scope="module")
def model(rows):
    return Communities(3, random_state=0).fit(rows)


def coordinates(summary):
    return np.column_stack([unpack(summary["map"][axis]) for axis in "xy"])


def colouring(summary, title):
    return next(one for one in summary["map"]["colourings"] if one["title"] == title)


def titles(summary):
    return [one["title"] for one in summary["map"]["colourings"]]


def test_a_clustering_has_what_is_worth_seeing(rows):
    model = FSC(3, n_anchors=20, random_state=0).fit(rows)
    summary = report(model, rows, seconds={"graph": 0.5}).summary
    json.dumps(summary)  # plain data alone
    assert summary["title"] == "FSC"
    assert summary["sizes"] == np.bincount(model.labels_).tolist()
    np.testing.assert_allclose(summary["eigenvalues"], model.singular_values_**2, rtol=1e-4)
    assert summary["facts"] == {"rows": 300, "columns": 5, "anchors": 20, "clusters": 3}
    assert summary["parameters"]["n_anchors"] == "20"
    assert summary["command"] == "FSC(n_anchors=20, n_clusters=3, random_state=0)"
    assert summary["seconds"] == {"graph": 0.5}
    own = colouring(summary, "cluster")
    assert own["names"] == ["0", "1", "2"]
    np.testing.assert_array_equal(unpack(own["codes"]), model.labels_)
    assert summary["map"]["ids"] == [str(number) for number in range(300)]
    assert sorted(titles(summary)) == ["cluster", "outlier score", "probability", "x0", "x1", "x2", "x3", "x4"]
    np.testing.assert_allclose(unpack_numbers(colouring(summary, "probability")), model.probabilities_, atol=1e-4)
    shown = unpack_numbers(colouring(summary, "outlier score"))
    np.testing.assert_allclose(shown, -model.score_samples(rows), atol=1e-3)
    assert sum(summary["probabilities"]) == 300


def test_the_rows_of_a_graph_have_no_outlier_scores(rows):
    Z = AnchorGraph(20, random_state=0).fit_transform(rows)
    summary = report(FSC(3, metric="precomputed", random_state=0).fit(Z), Z).summary
    assert "probability" in titles(summary)
    assert "outlier score" not in titles(summary)


def test_communities_have_probabilities(rows, model):
    summary = report(model, rows).summary
    assert summary["facts"]["modularity"] == pytest.approx(model.modularity_, rel=1e-3)
    assert summary["facts"]["neighbours"] == model.n_neighbors_
    assert sum(summary["probabilities"]) == 300
    assert sum(summary["probabilities"][:5]) == np.count_nonzero(model.probabilities_ < 0.5)
    shown = unpack_numbers(colouring(summary, "probability"))
    np.testing.assert_allclose(shown, model.probabilities_, atol=1e-4)


def test_values_and_names_are_those_before_scaling(rows):
    frame = pd.DataFrame(rows * [1, 1, 1000, 1, 1] + 7, columns=["a", "b", "c", "d", "e"])
    model = make_pipeline(StandardScaler(), Communities(3, random_state=0)).fit(frame)
    summary = report(model, frame).summary
    np.testing.assert_allclose(unpack_numbers(colouring(summary, "c")), frame["c"], rtol=1e-3, atol=1)
    assert summary["method"] == "Communities"
    assert summary["command"].startswith("Pipeline(steps=")
    plain = report(model[-1], StandardScaler().fit_transform(frame)).summary
    np.testing.assert_allclose(coordinates(summary), coordinates(plain), atol=2)  # the map is of scaled rows


def test_typical_rows_are_the_clearest_and_then_the_nearest_to_the_mean(rows, model):
    card = report(model, rows).summary["groups"]["cards"][1]
    own = np.flatnonzero(model.labels_ == 1)
    distance = np.linalg.norm(rows[own] - rows[own].mean(axis=0), axis=1)
    expected = own[np.lexsort((distance, -np.round(model.probabilities_[own], 3)))[:8]]
    assert [row["row"] for row in card["typical"]] == expected.tolist()
    assert [row["id"] for row in card["typical"]] == [str(row) for row in expected]
    assert card["size"] == len(own)
    assert card["share"] == pytest.approx(len(own) / 300)


def test_without_a_score_typical_rows_are_nearest_to_the_mean(rows):
    model = KMeans(3, n_init=1, random_state=0).fit(rows)
    card = report(model, rows).summary["groups"]["cards"][0]
    own = np.flatnonzero(model.labels_ == 0)
    nearest = own[np.argsort(np.linalg.norm(rows[own] - rows[own].mean(axis=0), axis=1))]
    assert [row["row"] for row in card["typical"]] == nearest[:8].tolist()


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_what_makes_a_cluster_different(form):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 4))
    X[:, 3] = 1.0  # constant columns differ nowhere
    labels = np.repeat([0, 1], 100)
    X[labels == 0, 2] += 4
    model = KMeans(2, n_init=1, random_state=0).fit(X)
    model.labels_ = labels
    first, second = report(model, form(X)).summary["groups"]["cards"]
    found = first["differences"][0]
    inside, outside = X[:100, 2].mean(), X[100:, 2].mean()
    assert (found["column"], found["inside"], found["outside"]) == ("x2", pytest.approx(inside), pytest.approx(outside))
    assert found["difference"] == pytest.approx((inside - outside) / X[:, 2].std())
    assert second["differences"][0]["difference"] == pytest.approx(-found["difference"])
    assert "x3" not in {one["column"] for one in first["differences"]}
    histogram = found["histogram"]
    assert sum(histogram["inside"]) == pytest.approx(1, abs=0.01)
    assert np.average(range(20), weights=histogram["inside"]) > np.average(range(20), weights=histogram["all"]) + 3
    assert first["typical"][0]["values"][0] == pytest.approx(X[first["typical"][0]["row"], 2])


def test_agreement_with_classes(rows, model):
    classes = np.array(["a", "b", "c", "d"])[np.arange(300) % 4].astype(object)
    classes[:3] = [None, np.nan, "a"]
    summary = report(model, rows, labels=classes).summary
    found = summary["agreement"]
    known = np.arange(300) > 1
    assert found["accuracy"] == clustering_accuracy(classes[known].astype(str), model.labels_[known])
    assert found["nmi"] == nmi(classes[known].astype(str), model.labels_[known])
    assert (found["n_rows"], found["classes"]) == (298, ["a", "b", "c", "d"])
    for line, name in zip(found["counts"], found["classes"], strict=True):
        for count, cluster in zip(line, found["clusters"], strict=True):
            assert count == np.count_nonzero((classes == name) & (model.labels_ == int(cluster)))
    assert np.count_nonzero(unpack(colouring(summary, "class")["codes"]) == NONE) == 2


def test_clusters_stand_in_the_order_of_the_classes_that_they_match(rows, model):
    found = report(model, rows, labels=(model.labels_ + 1) % 3).summary["agreement"]
    assert found["clusters"] == ["2", "0", "1"]
    assert (found["accuracy"], found["nmi"]) == (1, pytest.approx(1))
    assert np.count_nonzero(found["counts"]) == 3


def on_the_map(points):
    """Coordinates as the page has them."""
    low, high = points.min(axis=0), points.max(axis=0)
    return ((points - (low + high) / 2) / (high - low).max() + 0.5) * (NONE - 1)


def test_the_map_is_that_of_anchor_map(rows, model):
    summary = report(model, rows, seed=3).summary
    expected = AnchorMap(random_state=3).fit_transform(rows)
    np.testing.assert_allclose(coordinates(summary), on_the_map(expected.astype(float)), atol=1)
    assert summary["map"]["sentence"].startswith("A map of the rows (AnchorMap)")


def test_a_map_is_shown_as_it_is(rows, monkeypatch):
    monkeypatch.setattr("anchorgraph.report.shown.MAX_ROWS", 100)
    model = AnchorMap(random_state=1).fit(rows)
    summary = report(model, rows).summary
    shown = model.embedding_[[int(name) for name in summary["map"]["ids"]]].astype(float)
    np.testing.assert_allclose(coordinates(summary), on_the_map(shown), atol=1)


def test_pipelines_that_make_data_frames(rows):
    frame = pd.DataFrame(rows, columns=["a", "b", "c", "d", "e"])
    scaled = make_pipeline(StandardScaler(), KMeans(3, n_init=1, random_state=0)).set_output(transform="pandas")
    plain = make_pipeline(StandardScaler(), KMeans(3, n_init=1, random_state=0))
    assert report(scaled.fit(frame), frame).summary["map"] == report(plain.fit(frame), frame).summary["map"]


def test_an_embedding_in_the_plane_is_shown_as_it_is(rows):
    model = ULGE(2, n_anchors=20, random_state=0).fit(rows)
    summary = report(model, rows, labels=[0.0, 1.0, np.nan] * 100).summary
    plane = model.transform(rows)
    np.testing.assert_allclose(np.corrcoef(coordinates(summary)[:, 0], plane[:, 0])[0, 1], 1, atol=1e-6)
    span = np.ptp(plane, axis=0)
    np.testing.assert_allclose(np.ptp(coordinates(summary), axis=0), span / span.max() * (NONE - 1), rtol=1e-3)
    assert summary["sizes"] == []
    assert summary["agreement"] is None
    assert summary["groups"]["what"] == "class"
    assert [card["name"] for card in summary["groups"]["cards"]] == ["0", "1"]


def test_rows_of_other_models_are_shown_on_a_map(rows):
    for model in (ULGE(3, n_anchors=20, random_state=0), AnchorGraph(20, random_state=0), RowGraph(5)):
        summary = report(model.fit(rows), rows).summary
        assert coordinates(summary).max() == NONE - 1
        assert summary["groups"] is None
    assert len(report(ONGR(3, n_anchors=20, random_state=0).fit(rows), rows).summary["history"]) > 0
    summary = report(BKHK(4, random_state=0).fit(rows), rows).summary
    assert summary["groups"]["total"] == summary["facts"]["clusters"] == 4


def test_the_tree_of_balanced_clusters(rows):
    model = BKHK(5, random_state=0).fit(rows)
    tree = report(model, rows).summary["tree"]
    assert tree["names"] == ["0", "1", "2", "3", "4"]
    assert tree["rows"] == np.bincount(model.labels_).tolist()
    assert [own["parts"] for own in tree["merges"]] == [[0, 1], [3, 4], [2, 6], [5, 7]]
    top = tree["merges"][-1]
    assert top["rows"] == 300
    moved = model.cluster_centers_[model.labels_] - rows.mean(axis=0)
    assert top["height"] == pytest.approx(np.sqrt((moved**2).sum(axis=1).mean()), rel=1e-4)
    page = report(model, rows).html()
    assert "Tree of clusters" in page
    assert "Tree of 5 groups of clusters" in page
    for other in (BKHK(1), FSC(3, n_anchors=20)):
        assert report(other.set_params(random_state=0).fit(rows), rows).summary["tree"] is None


def test_a_large_tree_is_cut_to_groups(rows):
    model = BKHK(100, random_state=0).fit(rows)
    tree = report(model, rows).summary["tree"]
    assert len(tree["names"]) == 32
    assert tree["rows"] == np.bincount(model.labels_at(32)).tolist()
    assert tree["names"][0] == "0–2"
    assert "drawn as 32 groups" in report(model, rows).html()


@pytest.fixture(scope="module")
def digits():
    """Rows, of which one is masked, and a model with several levels."""
    X = load_digits().data
    X[7, 3] = np.nan
    model = Communities(missing="mask", random_state=0).fit(X)
    assert len(model.levels_) > 2
    return X, model


def codes_of(summary, one):
    """The groups of the shown rows, as the page finds them; -1 is none."""
    if "data" in one["codes"]:
        codes = unpack(one["codes"]).astype(int)
        return np.where(codes == NONE, -1, codes)
    finest = unpack(summary["map"]["finest"]).astype(int)
    return np.where(finest == NONE, -1, np.array(one["codes"])[np.minimum(finest, len(one["codes"]) - 1)])


def test_levels_of_clusters(digits, tmp_path):
    X, model = digits
    save(model, tmp_path / "model.safetensors")
    for own in (model, load(tmp_path / "model.safetensors")):
        page = report(own, X)
        summary = page.summary
        json.dumps(summary, allow_nan=False)
        of_levels = [one for one in summary["map"]["colourings"] if one.get("section") == "levels"]
        numbers = [level.n_clusters for level in model.levels_]
        assert [one["title"] for one in of_levels] == [f"level {k} ({n} clusters)" for k, n in enumerate(numbers)]
        for one, level in zip(of_levels, model.levels_, strict=True):
            np.testing.assert_array_equal(codes_of(summary, one), level.labels)
            assert len(one["names"]) == len(one["colours"]) == level.n_clusters
        np.testing.assert_array_equal(codes_of(summary, colouring(summary, "cluster")), model.labels_)
        assert [sum(sizes) for sizes in summary["levels"]["sizes"]] == [len(X) - 1] * len(numbers)
        assert (
            summary["levels"]["sizes"][1] == np.bincount(model.levels_[1].labels[model.levels_[1].labels >= 0]).tolist()
        )
        assert (summary["levels"]["own"], summary["levels"]["shown"]) == (model.level_, model.level_)
        assert f"the rest of the page is about level {model.level_}." in page.html()
    assert report(FSC(3, n_anchors=20, random_state=0).fit(X[8:]), X[8:]).summary["levels"] is None


def test_a_report_about_another_level(digits):
    X, model = digits
    last = len(model.levels_) - 1
    classes = model.levels_[last].labels
    page = report(model, X, level=last, labels=classes)
    summary = page.summary
    assert summary["sizes"] == np.bincount(classes[classes >= 0]).tolist()
    assert summary["facts"]["clusters"] == len(summary["groups"]["cards"]) == model.levels_[last].n_clusters
    assert summary["agreement"]["accuracy"] == 1
    np.testing.assert_array_equal(codes_of(summary, colouring(summary, "cluster")), classes)
    assert {"modularity", "resolution"} & set(summary["facts"]) == set()
    assert "probability" not in titles(summary)
    assert (summary["levels"]["own"], summary["levels"]["shown"]) == (model.level_, last)
    assert "outlier score" in titles(summary)
    assert "probability" in titles(report(model, X, level=model.level_).summary)
    n_levels = len(model.levels_)
    with pytest.raises(ValueError, match=rf"^level={n_levels} is too large for {n_levels} levels; use at most {last}"):
        report(model, X, level=n_levels)
    with pytest.raises(ValueError, match=r"^level=0 is for models with levels_, and KMeans has none\.$"):
        report(KMeans(2, n_init=1).fit(X[8:]), X[8:], level=0)
    with pytest.raises(ValueError, match=r"^X has 1,000 rows, but the model was fitted to 1,797"):
        report(model, X[:1000])


def test_the_tree_of_levels(digits):
    levels = {"sizes": [[5, 3, 2, 1], [7, 4], [11]], "parents": [[1, 0, 1, 0], [0, 0]]}
    levels["sizes"][1] = [4, 7]
    assert tree_of_levels(levels) == {
        "names": ["1", "3", "0", "2"],
        "rows": [3, 1, 5, 2],
        "merges": [
            {"parts": [0, 1], "height": 1.0, "rows": 4},
            {"parts": [2, 3], "height": 1.0, "rows": 7},
            {"parts": [4, 5], "height": 2.0, "rows": 11},
        ],
        "first": 0,
    }
    many = {"sizes": [[1] * 100, [60, 40]], "parents": [[0] * 60 + [1] * 40]}  # the finest level is not drawn
    top = {"parts": [0, 1], "height": 1.0, "rows": 100}
    assert tree_of_levels(many) == {"names": ["0", "1"], "rows": [60, 40], "merges": [top], "first": 1}
    assert tree_of_levels({"sizes": [[1] * 100, [100]], "parents": [[0] * 100]}) is None
    X, model = digits
    page = report(model, X).html()
    numbers = [str(level.n_clusters) for level in model.levels_]
    assert f"Levels of {', '.join(numbers[:-1])} and {numbers[-1]} clusters, each of which lies in one of" in page
    assert f"the labels of the model are level {model.level_}. The dashed line is level {model.level_}." in page
    assert f"Tree of {numbers[0]} groups of clusters" in page


def test_levels_take_little_room(digits):
    X, model = digits
    summary = report(model, X).summary["map"]
    packed = sum(len(one["codes"]["data"]) for one in summary["colourings"] if "data" in one.get("codes", ()))
    assert packed == 0  # the finest level alone has an entry for each row
    assert sum(len(one["codes"]) for one in summary["colourings"] if "codes" in one) < len(X)


def test_rows_that_are_in_no_cluster_are_told_apart(rows):
    model = HDBSCAN(min_cluster_size=5, copy=True).fit(rows)
    noise = np.count_nonzero(model.labels_ < 0)
    assert noise
    summary = report(model, rows).summary
    assert summary["facts"]["not clustered"] == noise
    assert np.count_nonzero(unpack(colouring(summary, "cluster")["codes"]) == NONE) == noise
    assert sum(summary["sizes"]) == sum(summary["probabilities"]) == 300 - noise
    assert summary["facts"]["clusters"] == model.labels_.max() + 1


def test_a_page_can_have_no_cluster_at_all(rows):
    model = HDBSCAN(min_cluster_size=200, copy=True).fit(rows)
    assert (model.labels_ < 0).all()
    shown = report(model, rows, labels=np.arange(300) % 2)
    json.dumps(shown.summary, allow_nan=False)
    assert (shown.summary["sizes"], shown.summary["agreement"], shown.summary["groups"]) == ([], None, None)
    assert "<h2>Cluster sizes" not in shown.html()


@pytest.mark.parametrize("n_columns", [1, 2])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_few_columns_are_shown_as_they_are(n_columns, form, rows):
    model = Communities(3, random_state=0).fit(form(rows[:, :n_columns]))
    found = coordinates(report(model, form(rows[:, :n_columns])).summary)
    assert np.corrcoef(found[:, 0], rows[:, 0])[0, 1] > 0.9999
    assert np.ptp(found[:, 1]) == 0 if n_columns == 1 else np.corrcoef(found[:, 1], rows[:, 1])[0, 1] > 0.9999


def test_embeddings_of_others_are_shown_as_they_are(rows):
    spectral = SpectralEmbedding(2, affinity="rbf", random_state=0).fit(rows)  # without transform
    for model, plane in ((PCA(2).fit(rows), PCA(2).fit_transform(rows)), (spectral, spectral.embedding_)):
        summary = report(model, rows).summary
        np.testing.assert_allclose(np.corrcoef(coordinates(summary)[:, 1], plane[:, 1])[0, 1], 1, atol=1e-6)
        assert summary["eigenvalues"] == []  # singular values of PCA are not those of a graph


def test_masked_rows_have_a_place_and_no_cluster(rows):
    masked = rows.copy()
    masked[[3, 7], 1] = np.nan
    model = FSC(3, n_anchors=20, missing="mask", random_state=0).fit(masked)
    summary = report(model, masked).summary
    json.dumps(summary, allow_nan=False)
    assert summary["facts"]["not clustered"] == summary["map"]["incomplete"] == 2
    assert np.flatnonzero(unpack(colouring(summary, "cluster")["codes"]) == NONE).tolist() == [3, 7]
    assert np.flatnonzero(np.isnan(unpack_numbers(colouring(summary, "x1")))).tolist() == [3, 7]
    assert (coordinates(summary) < NONE).all()
    assert not {3, 7} & {row["row"] for card in summary["groups"]["cards"] for row in card["typical"]}


def test_masked_rows_are_not_typical_of_their_class(rows):
    masked = rows.copy()
    masked[3, 1] = np.nan
    model = ULGE(2, n_anchors=20, missing="mask", random_state=0).fit(masked)
    summary = report(model, masked, labels=np.arange(300) // 4 > 0).summary  # rows 0 to 3 are a class
    json.dumps(summary, allow_nan=False)
    card = summary["groups"]["cards"][0]
    assert (card["name"], card["size"]) == ("False", 4)
    assert sorted(row["row"] for row in card["typical"]) == [0, 1, 2]


def test_rows_that_the_model_gives_no_coordinates_have_no_place(rows):
    zeros = rows.copy()
    zeros[4] = 0
    model = ULGE(2, n_anchors=20, metric="cosine", missing="mask", random_state=0).fit(zeros)
    summary = report(model, zeros).summary
    assert summary["map"]["unplaced"] == 1
    assert np.flatnonzero((coordinates(summary) == NONE).all(axis=1)).tolist() == [4]


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_rows_are_compared_as_the_model_does(rows, form):
    table = as_table(form(rows))
    unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    for metric, expected in (("cosine", unit), ("euclidean", rows)):
        compared = choose_rows(table, Communities(metric=metric), None, 0).compared
        np.testing.assert_allclose(compared if form is np.asarray else compared.toarray(), expected)


def test_of_very_many_rows_a_sample_is_shown(rows, model, monkeypatch):
    monkeypatch.setattr("anchorgraph.report.shown.MAX_ROWS", 50)
    ids = np.array([f"r{number}" for number in range(300)])
    summary = report(model, rows, ids=ids).summary
    assert (summary["map"]["shown"], summary["map"]["rows"]) == (50, 300)
    numbers = [int(name[1:]) for name in summary["map"]["ids"]]
    assert numbers == sorted(set(numbers))
    np.testing.assert_array_equal(unpack(colouring(summary, "cluster")["codes"]), model.labels_[numbers])
    np.testing.assert_allclose(unpack_numbers(colouring(summary, "x3")), rows[numbers, 3], atol=0.01)
    assert summary["sizes"] == np.bincount(model.labels_).tolist()  # of all rows
    assert summary["groups"]["cards"][0]["size"] == summary["sizes"][0]
    other = report(model, rows, ids=ids, seed=1).summary
    assert other["map"]["ids"] != summary["map"]["ids"]


def test_of_very_wide_rows_fewer_are_shown_and_fewer_clusters_described(rows, monkeypatch):
    monkeypatch.setattr("anchorgraph.report.shown.MAX_BYTES", 80 * 5 * 8)
    monkeypatch.setattr("anchorgraph.report.shown.FEW_ROWS", 10)
    monkeypatch.setattr("anchorgraph.report.clusters.MAX_MEANS", 2 * 5)
    summary = report(KMeans(3, n_init=1, random_state=0).fit(rows), rows).summary
    assert summary["map"]["shown"] == 80
    assert (len(summary["groups"]["cards"]), summary["groups"]["total"]) == (2, 3)


@pytest.mark.parametrize("name", ["csr", "npy_shards", "parquet", "dask_array", "dask_frame"])
def test_rows_from_anywhere_are_shown_alike(rows, monkeypatch, tmp_path, name):
    monkeypatch.setattr("anchorgraph.report.shown.MAX_ROWS", 100)
    source = SOURCES[name](rows, 64, tmp_path)
    model = Communities(3, random_state=0).fit(source)
    summary = report(model, source).summary
    json.dumps(summary)
    expected = report(Communities(3, random_state=0).fit(rows), rows).summary
    assert summary["map"]["ids"] == expected["map"]["ids"]
    assert summary["sizes"] == expected["sizes"]
    np.testing.assert_allclose(coordinates(summary), coordinates(expected), atol=2)
    for card, same in zip(summary["groups"]["cards"], expected["groups"]["cards"], strict=True):
        assert [row["id"] for row in card["typical"]] == [row["id"] for row in same["typical"]]
        found, other = ([one["difference"] for one in of["differences"]] for of in (card, same))
        np.testing.assert_allclose(found, other, rtol=1e-3)


def test_of_very_many_columns_the_most_different_are_shown(monkeypatch):
    monkeypatch.setattr("anchorgraph.report.columns.MAX_COLUMNS", 3)
    X = np.random.default_rng(0).normal(size=(100, 20))
    X[:50, [4, 9, 17]] += 10
    assert set(titles(report(KMeans(2, n_init=1, random_state=0).fit(X), X).summary)) == {"cluster", "x4", "x9", "x17"}
    X[:, 2] *= 1000
    assert titles(report(RowGraph(5).fit(X), X).summary)[0] == "x2"  # without groups, those that vary most
    monkeypatch.setattr("anchorgraph.report.columns.MAX_VALUES", 200)
    assert len(titles(report(RowGraph(5).fit(X), X).summary)) == 2


def test_of_very_many_clusters_the_largest_are_described(rows, monkeypatch):
    monkeypatch.setattr("anchorgraph.report.clusters.MAX_GROUPS", 4)
    model = KMeans(9, n_init=1, random_state=0).fit(rows)
    summary = report(model, rows).summary
    cards, sizes = summary["groups"]["cards"], np.bincount(model.labels_)
    assert summary["groups"]["total"] == len(summary["sizes"]) == 9
    assert sorted(card["size"] for card in cards) == sorted(sizes)[-4:]
    assert [card["number"] for card in cards] == sorted(card["number"] for card in cards)
    first = rows[model.labels_ == cards[0]["number"]]
    rest = rows[model.labels_ != cards[0]["number"]]  # also those of clusters without a card
    column = int(cards[0]["differences"][0]["column"][1:])
    assert cards[0]["differences"][0]["outside"] == pytest.approx(rest[:, column].mean())
    assert cards[0]["differences"][0]["inside"] == pytest.approx(first[:, column].mean())


def test_images_are_drawn(rows):
    X = np.random.default_rng(0).random((60, 12))
    model = KMeans(2, n_init=1, random_state=0).fit(X)
    card = report(model, X, image=(2, 2, 3)).summary["groups"]["cards"][0]
    assert card["typical"][0]["image"].startswith("data:image/png;base64,")
    assert card["mean"] != card["contrast"]
    assert card["differences"][0]["column"].startswith("pixel ")
    with pytest.raises(ValueError, match=r"^image 5x5 has 25 values, but rows have 12 columns\.$"):
        report(model, X, image=(5, 5))
    with pytest.raises(ValueError, match=r"^image must be height x width, or height x width x 3; got 2x3x2\.$"):
        report(model, X, image=(2, 3, 2))


def test_models_from_files_predict_their_clusters(rows, model, tmp_path):
    import anchorgraph

    anchorgraph.save(model, tmp_path / "model.safetensors")
    loaded = anchorgraph.load(tmp_path / "model.safetensors")
    summary, expected = report(loaded, rows).summary, report(model, rows).summary
    assert summary["sizes"] == expected["sizes"]
    np.testing.assert_allclose(
        unpack_numbers(colouring(summary, "probability")), model.probabilities_, atol=1e-3
    )  # which is not in the file


@pytest.mark.parametrize("shape", [28, "2x3", (2.0, 6), (12,)])
def test_what_is_no_shape_of_images_is_named(shape):
    with pytest.raises(ValueError, match=r"^image must be height x width, or height x width x 3; got .*\.$"):
        check_image(shape, 12)
    assert check_image(np.array([2, 6]), 12) == (2, 6, 1)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_a_single_cluster_differs_from_nothing(rows, form):
    X = form(rows + 0.1)  # rounding must not make a mean of no rows
    shown = report(KMeans(1, n_init=1, random_state=0).fit(X), X)
    json.dumps(shown.summary, allow_nan=False)
    (card,) = shown.summary["groups"]["cards"]
    assert (card["size"], card["differences"]) == (300, [])
    assert len(card["typical"]) == 8


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_rows_with_missing_values_count_where_they_are_known(form, monkeypatch):
    monkeypatch.setattr("anchorgraph.report.differences.CHUNK_BYTES", 200)  # of some parts, columns are all missing
    X = np.random.default_rng(0).normal(size=(90, 3))
    codes = np.repeat([0, 1, 2], 30)
    X[codes == 0, 2] += 3
    X[np.arange(90), np.arange(90) % 3] = np.nan  # in every row
    X[:12] = np.nan
    model = KMeans(3, n_init=1, random_state=0).fit(np.nan_to_num(X))
    model.labels_ = codes
    shown = report(model, form(X))
    json.dumps(shown.summary, allow_nan=False)
    groups = shown.summary["groups"]
    found = groups["cards"][0]["differences"][0]
    inside, outside = np.nanmean(X[:30, 2]), np.nanmean(X[30:, 2])
    assert (found["column"], found["inside"], found["outside"]) == ("x2", pytest.approx(inside), pytest.approx(outside))
    assert found["difference"] == pytest.approx((inside - outside) / np.nanstd(X[:, 2]))
    assert sum(found["histogram"]["inside"]) == pytest.approx(1, abs=0.01)
    assert [len(card["typical"]) for card in groups["cards"]] == [8, 8, 8]
    assert "90 of the rows have missing values, which take no part in means and histograms." in shown.html()


def test_a_pipeline_imputes_by_itself():
    X = np.random.default_rng(0).normal(size=(60, 2))
    X[:20, 0] = np.nan
    imputer = SimpleImputer(strategy="constant", fill_value=-50.0)
    summary = report(make_pipeline(imputer, KMeans(2, n_init=1, random_state=0)).fit(X), X).summary
    assert summary["map"]["incomplete"] == 0  # for the model
    np.testing.assert_array_equal(np.flatnonzero(coordinates(summary)[:, 0] == 0), np.arange(20))
    json.dumps(summary, allow_nan=False)


def test_mixtures_predict_their_clusters_and_classifiers_have_none(rows):
    mixture = make_pipeline(StandardScaler(), GaussianMixture(3, random_state=0)).fit(rows)
    summary = report(mixture, rows).summary
    assert summary["sizes"] == np.bincount(mixture.predict(rows)).tolist()
    assert sum(summary["probabilities"]) == 300
    classifier = LogisticRegression().fit(rows, np.arange(300) % 2)
    summary = report(classifier, rows).summary
    assert (summary["sizes"], summary["probabilities"]) == ([], [])


def test_labels_of_pandas_and_large_numbers_keep_their_names(rows, model):
    strings = pd.Series(["a", pd.NA, "b"] * 100, dtype="string")
    summary = report(model, rows, labels=strings).summary
    assert colouring(summary, "class")["names"] == ["a", "b"]
    assert np.count_nonzero(unpack(colouring(summary, "class")["codes"]) == NONE) == 100
    numbers = np.array([1000001.0, 1000002.0, 0.125] * 100)
    names = colouring(report(model, rows, labels=numbers).summary, "class")["names"]
    assert names == ["0.125", "1000001", "1000002"]


def test_clusters_of_the_shown_classes_come_first(monkeypatch):
    monkeypatch.setattr("anchorgraph.report.agreement.MAX_LINES", 2)
    classes = np.repeat([0, 1, 2, 3], [6, 5, 4, 4])
    codes = np.repeat([0, 1, 2, 3, 4, 3], [4, 2, 4, 1, 4, 4])  # the largest cluster is that of a small class
    names = [str(number) for number in range(5)]
    found = compare_with_classes(Groups("cluster", names, codes), Groups("class", names, classes))
    assert (found["classes"], found["clusters"]) == (["0", "1"], ["0", "2"])
    assert (found["counts"], found["sizes"]) == ([[4, 0], [0, 4]], [6, 5])


def test_long_models_are_told_in_full():
    model = make_pipeline(*[StandardScaler() for _ in range(25)], KMeans(2, init="a  b", n_init=1))
    X = np.random.default_rng(0).normal(size=(20, 2))
    model.set_params(kmeans__init="random").fit(X).set_params(kmeans__init="a  b")
    command = report(model, X).summary["command"]
    assert command.count("StandardScaler()") == 25
    assert "..." not in command
    assert "'a  b'" in command


@pytest.mark.parametrize("method", [LE(3), KNNSC(3, random_state=0)])
def test_eigenvalues_of_laplacians_are_those_of_their_graph(rows, method):
    model = method.fit(rows)
    np.testing.assert_allclose(report(model, rows).summary["eigenvalues"], 1 - model.eigenvalues_, rtol=1e-4)


def test_scores_by_number_of_clusters(rows, model):
    assert report(model, rows).summary["path"] == []
    summary = report(model, rows, path={"silhouette": {3: 0.3, 2: 0.1, 4: np.nan}, "inertia": {2: 9}}).summary
    assert summary["path"] == [
        {"name": "silhouette", "n_clusters": [2, 3], "values": [0.1, 0.3]},
        {"name": "inertia", "n_clusters": [2], "values": [9.0]},
    ]
    page = report(model, rows, path={np.int64(2): 0.1, np.int64(5): 0.3}).html()
    assert "<h2>Number of clusters: score</h2>" in page
    assert "<p>From 0.1 at 2 clusters to 0.3 at 5. This model has 3.</p>" in page
    assert page.count("this model</text>") == 1
    for bad in ([0.1, 0.3], {"silhouette": 0.3}, {2: {"silhouette": 0.3}}, {2.5: 0.3}):
        with pytest.raises(ValueError, match=r"^path must have scores by number of clusters, such as .*; got .*\.$"):
            report(model, rows, path=bad)


def test_the_path_of_one_graph(rows, model):
    path = ClusterPath(np.array([2, 3]), np.array([0.1, 0.4]), np.array([0.2, 1]), np.array([0.5, 1]), 3, "So.", {})
    assert report(model, rows, path=path).summary["path"] == [
        {"name": "eigengap", "n_clusters": [2, 3], "values": [0.1, 0.4]},
        {"name": "normalised cut", "n_clusters": [2, 3], "values": [0.2, 1.0]},
        {"name": "stability", "n_clusters": [2, 3], "values": [0.5, 1.0]},
    ]


def test_of_very_many_clusters_the_largest_are_drawn(rows, monkeypatch):
    monkeypatch.setattr("anchorgraph.report.details.MAX_BARS", 2)
    monkeypatch.setattr("anchorgraph.report.details.MAX_NUMBERS", 3)
    model = KMeans(4, n_init=1, random_state=0).fit(rows)
    model.labels_ = np.repeat([0, 1, 2, 3], [10, 90, 80, 120])
    chart = detail_charts(report(model, rows).summary)[0]
    assert chart["svg"].count("<rect") == 2
    assert "<title>1: 90</title>" in chart["svg"]
    assert "<title>3: 120</title>" in chart["svg"]
    assert chart["sentence"].endswith("The largest 2 are drawn. The table has the first 3 of 4 lines.")
    assert len(chart["numbers"]) == 3


def test_other_columns_than_those_of_the_fit_are_refused(rows, model):
    message = r"^X has 4 columns, but the model was fitted to 5; pass the same X\.$"
    for fitted in (model, make_pipeline(StandardScaler(), KMeans(3, n_init=1, random_state=0)).fit(rows)):
        with pytest.raises(ValueError, match=message):
            report(fitted, rows[:, 1:])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"labels": [1, 2]}, r"^labels must have one entry for each of the 300 rows; got shape \(2,\)\.$"),
        ({"ids": ["a"]}, r"^ids must have one entry for each of the 300 rows; got 1\.$"),
    ],
)
def test_what_does_not_fit_is_named(rows, model, options, message):
    with pytest.raises(ValueError, match=message):
        report(model, rows, **options)


def test_other_rows_than_those_of_the_fit_are_refused(rows, model):
    with pytest.raises(ValueError, match=r"^X has 299 rows, but the model was fitted to 300; pass the same X\.$"):
        report(model, rows[1:])
