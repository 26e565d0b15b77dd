"""Clusterings of one graph with many numbers, and the number that is chosen."""

import pickle

import numpy as np
import pytest
import sklearn
from scipy import sparse
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import adjusted_rand_score

from anchorgraph import FSC, LSC, AnchorGraph, ClusterPath, cluster_path
from anchorgraph.contracts import Spectrum
from anchorgraph.estimators.bases import resampled_graph
from anchorgraph.estimators.bases.number_of_clusters import choose_by_gap, choose_by_stability
from anchorgraph.estimators.bases.resampled_graph import AnchorRows, ResampledGraph
from anchorgraph.spectrum import anchor_gram, relative_eigengaps, spectrum_for_numbers
from anchorgraph.table import as_table
from reference import graph as literal_graph
from reference.cluster_path import normalised_cut
from sources import SOURCES

NUMBERS = range(2, 7)
SMALL = {"n_anchors": 24, "n_neighbors": 3, "n_init": 2, "n_jobs": 1, "random_state": 0}


@pytest.fixture(scope="module")
def rows():
    X, _ = make_blobs(120, 5, centers=4, cluster_std=3.0, random_state=2)
    return X.astype(np.float32).astype(np.float64)


@pytest.fixture(scope="module")
def path(rows):
    return cluster_path(rows, NUMBERS, estimator=FSC(**SMALL), n_resamples=2)


def assert_same(found, expected):
    np.testing.assert_array_equal(found.n_clusters, expected.n_clusters)
    np.testing.assert_allclose(found.eigengaps, expected.eigengaps, atol=1e-7)
    np.testing.assert_allclose(found.normalised_cuts, expected.normalised_cuts, atol=1e-6)
    np.testing.assert_allclose(found.stability, expected.stability, atol=1e-7)
    assert (found.chosen, found.reason) == (expected.chosen, expected.reason)
    for number, labels in expected.labels.items():
        assert adjusted_rand_score(np.asarray(found.labels[number]), labels) == 1


@pytest.mark.parametrize(
    "model",
    [
        FSC(**SMALL),
        FSC(**SMALL, rounding="rotation"),
        FSC(**SMALL, rounding="qr", normalisation="none"),
        FSC(**SMALL, trivial="keep"),
        FSC(**SMALL, metric="cosine"),
        LSC(**SMALL),
        FSC(**{**SMALL, "random_state": np.random.RandomState(3)}),
    ],
    ids=["FSC", "rotation", "qr", "trivial", "cosine", "LSC", "a generator"],
)
def test_labels_are_those_of_a_fit_with_each_number(rows, model):
    path = cluster_path(rows, [2, 5, 3], estimator=model, n_resamples=1)
    assert list(path.labels) == [2, 3, 5]
    for number, labels in path.labels.items():
        assert adjusted_rand_score(labels, sklearn.clone(model).set_params(n_clusters=number).fit_predict(rows)) == 1


def test_scores_are_those_of_the_dense_graph(rows, path):
    model = FSC(6, **SMALL).fit(rows)
    A = literal_graph.similarity(literal_graph.anchor_graph(rows, model.anchors_, 3, literal_graph.adaptive))
    values = np.linalg.eigvalsh(A)[::-1]
    np.testing.assert_allclose(path.eigengaps, [values[k - 1] - values[k] for k in NUMBERS], atol=1e-9)
    cuts = [normalised_cut(A, path.labels[k]) for k in NUMBERS]
    np.testing.assert_allclose(path.normalised_cuts, cuts, atol=1e-9)
    assert ((path.stability > 0) & (path.stability <= 1)).all()


def test_the_same_seed_gives_the_same_path_on_any_number_of_threads(rows, path):
    assert_same(cluster_path(rows, NUMBERS, estimator=FSC(**{**SMALL, "n_jobs": 2}), n_resamples=2), path)
    other = cluster_path(rows, NUMBERS, estimator=FSC(**{**SMALL, "random_state": 1}), n_resamples=2)
    assert (other.stability != path.stability).any()


@pytest.mark.parametrize("name", ["csr", "npy_file", "npy_shards", "parquet", "dask_array"])
@pytest.mark.parametrize("size", [7, 1000])
def test_every_source_gives_the_same_path(rows, path, name, size, tmp_path):
    source = SOURCES[name](rows, size, tmp_path)
    assert_same(cluster_path(source, NUMBERS, estimator=FSC(**SMALL), n_resamples=2), path)


def test_weights_are_repeated_rows(rows):
    counts = np.random.default_rng(0).integers(3, size=len(rows))
    estimator = FSC(**SMALL)
    weighted = cluster_path(rows, NUMBERS, estimator=estimator, n_resamples=2, sample_weight=counts)
    repeated = cluster_path(np.repeat(rows, counts, axis=0), NUMBERS, estimator=estimator, n_resamples=2)
    np.testing.assert_allclose(weighted.normalised_cuts, repeated.normalised_cuts, atol=1e-9)
    np.testing.assert_allclose(weighted.stability, repeated.stability)
    for number in NUMBERS:
        assert adjusted_rand_score(np.repeat(weighted.labels[number], counts), repeated.labels[number]) == 1


@pytest.mark.parametrize("weight", [1e200, 1e-200])
def test_weights_of_any_size_are_as_good_as_others(rows, path, weight):
    found = cluster_path(rows, NUMBERS, estimator=FSC(**SMALL), n_resamples=2, sample_weight=np.full(len(rows), weight))
    np.testing.assert_allclose(found.normalised_cuts, path.normalised_cuts, atol=1e-9)


def test_rows_with_missing_values_take_no_part(rows, path):
    with_holes = np.insert(rows, [0, 50], np.nan, axis=0)
    masked = cluster_path(with_holes, NUMBERS, estimator=FSC(**SMALL, missing="mask"), n_resamples=2)
    np.testing.assert_allclose(masked.normalised_cuts, path.normalised_cuts, atol=1e-9)
    np.testing.assert_allclose(masked.stability, path.stability)
    missing = np.isnan(with_holes[:, 0])
    for number, labels in masked.labels.items():
        assert (labels[missing] == -1).all()
        assert adjusted_rand_score(labels[~missing], path.labels[number]) == 1


def test_rows_of_a_graph(rows, path):
    model = FSC(3, **SMALL).fit(rows)
    Z = sparse.csr_array(literal_graph.anchor_graph(rows, model.anchors_, 3, literal_graph.adaptive))
    found = cluster_path(Z, NUMBERS, estimator=FSC(**SMALL, metric="precomputed"), n_resamples=2)
    assert_same(found, path)


def test_of_many_rows_a_sample_is_compared(rows, path, monkeypatch):
    monkeypatch.setattr(resampled_graph, "N_COMPARED", 60)
    seen, stability = set(), resampled_graph.stability

    def noted(labels, of_halves):
        seen.add((len(labels), *(len(own) for _, own in of_halves)))
        return stability(labels, of_halves)

    monkeypatch.setattr(resampled_graph, "stability", noted)
    found = cluster_path(rows, NUMBERS, estimator=FSC(**SMALL), n_resamples=2)
    assert seen == {(60, 30, 30)}
    np.testing.assert_allclose(found.normalised_cuts, path.normalised_cuts)


def test_the_estimator_is_left_as_it_is(rows):
    model = FSC(**SMALL)
    cluster_path(rows, [2], estimator=model, n_resamples=1)
    assert model.n_clusters == 8
    assert not hasattr(model, "n_features_in_")


# what is printed


def test_the_table():
    path = ClusterPath(
        np.array([2, 10]), np.array([0.25, 0.5]), np.array([0.1, 1.5]), np.array([0.5, 1]), 10, "Because.", {}
    )
    assert str(path).splitlines() == [
        "  clusters  eigengap  normalised cut  stability",
        "         2    0.2500           0.100      0.500",
        ">       10    0.5000           1.500      1.000",
        "Because.",
    ]
    frame = path.to_frame()
    assert frame.loc[10].to_dict() == {"eigengap": 0.5, "normalised cut": 1.5, "stability": 1.0}
    assert frame.index.name == "n_clusters"


@pytest.mark.parametrize(
    ("numbers", "options", "message"),
    [
        ([1, 2], {}, "n_clusters must be an integer ≥ 2; got 1"),
        ([2.5], {}, "n_clusters must be an integer ≥ 2; got 2.5"),
        ([], {}, "n_clusters is empty"),
        (5, {}, r"n_clusters must be an iterable of integers ≥ 2, such as range\(2, 31\); got 5"),
        ([2, 500], {}, "n_clusters=500 is too many for n_samples=120"),
        ([2], {"n_resamples": 0}, "n_resamples must be an integer ≥ 1; got 0"),
        ([2], {"estimator": KMeans()}, r"estimator must be an FSC or LSC; got KMeans\(\)"),
        ([2], {"estimator": FSC(n_neighbors=0)}, "n_neighbors must be an integer"),
    ],
)
def test_impossible_parameters(rows, numbers, options, message):
    with pytest.raises(ValueError, match=message):
        cluster_path(rows, numbers, **options)


# the rule


def spectrum_of(values, n_parts=1):
    return Spectrum(np.sqrt(values), np.empty((0, 0)), n_parts)


def test_parts_and_clear_gaps_decide_alone():
    choice = choose_by_gap(spectrum_of([0.95, 0.9, 0.3, 0.2]), range(2, 5))
    assert (choice.n_clusters, choice.reason) == (3, "The eigengap after 3 is clear: 6.0 times as large as any other.")
    choice = choose_by_gap(spectrum_of([1, 1, 1], 5), range(2, 4))
    assert (choice.n_clusters, choice.reason) == (5, "The graph has 5 connected parts.")
    assert choose_by_gap(spectrum_of([0.9, 0.6, 0.4]), range(2, 4)) is None
    assert choose_by_gap(spectrum_of([0.9]), [2]).n_clusters == 2


def test_otherwise_the_product_of_stability_and_relative_gap_decides():
    """Ratios of 1 - λ are 4 and 2; a stability of 0.8 counts as 0.41."""
    spectrum = spectrum_of([0.9, 0.6, 0.2])
    assert choose_by_stability(spectrum, [2, 3], {2: 1, 3: 1}.get).n_clusters == 2
    assert choose_by_stability(spectrum, [2, 3], {2: 0.8, 3: 1}.get).n_clusters == 3
    choice = choose_by_stability(spectrum, [2, 3], {2: -1, 3: 0.5}.get)
    assert (choice.n_clusters, choice.reason[-25:]) == (3, "with a stability of 0.50.")


def test_numbers_that_cannot_be_best_are_not_tried():
    """All numbers would give the same choice."""
    rng = np.random.default_rng(0)
    for _ in range(50):
        values, stability = np.sort(rng.random(9))[::-1], rng.uniform(-0.2, 1, 9)
        gaps, tried = relative_eigengaps(np.sqrt(values), range(2, 10)), []
        choice = choose_by_stability(
            spectrum_of(values),
            range(2, 10),
            lambda k, stability=stability, tried=tried: tried.append(k) or stability[k - 2],
        )
        scores = np.maximum(stability[:8], 0) ** 4 * gaps
        assert choice.n_clusters == 2 + np.argmax(scores)
        assert all(gaps[k - 2] <= scores.max() for k in range(2, 10) if k not in tried)


@pytest.mark.parametrize("n_groups", [3, 5, 7])
def test_groups_without_a_clear_gap(n_groups, monkeypatch):
    """Stability is asked for, and finds the groups; a clear gap needs none."""
    X, y = make_blobs(400, centers=12 * np.eye(7)[:n_groups], cluster_std=1.5, random_state=0)
    settings = {"n_anchors": 64, "n_init": 2, "random_state": 0}
    asked, of = [], resampled_graph.ResampledGraph.of
    monkeypatch.setattr(resampled_graph.ResampledGraph, "of", lambda *a: asked.append(1) or of(*a))
    assert FSC(None, **settings).fit(X).n_clusters_ == n_groups
    assert not asked
    monkeypatch.setattr("anchorgraph.spectrum.choose.CLEAR", np.inf)
    for model in (FSC(None, **settings), FSC(None, rounding="qr", **settings), LSC(None, **settings)):
        model.fit(X)
        assert model.n_clusters_ == n_groups
        assert adjusted_rand_score(model.labels_, y) > 0.98
    assert len(asked) == 3


@pytest.mark.filterwarnings("ignore:The anchor graph falls into")
def test_rings_have_no_clear_gap_but_are_found():
    rng, y = np.random.default_rng(0), np.repeat([0, 1, 2], 400)
    angle, radius = rng.uniform(0, 2 * np.pi, 1200), 1 + y + 0.05 * rng.standard_normal(1200)
    X = np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])
    model = FSC(None, n_neighbors=3, n_init=1, random_state=0).fit(X)
    assert model.n_clusters_ == 3
    assert adjusted_rand_score(model.labels_, y) > 0.98


def test_batches_choose_as_a_fit_does(rows, monkeypatch):
    monkeypatch.setattr("anchorgraph.spectrum.choose.CLEAR", np.inf)
    n_resampled, of = [], resampled_graph.ResampledGraph.of

    def noted(rows, *options):
        n_resampled.append(rows.Z.n_rows)
        return of(rows, *options)

    monkeypatch.setattr(resampled_graph.ResampledGraph, "of", noted)
    model = FSC(None, **SMALL)
    for batch in np.array_split(rows, 3):
        model.partial_fit(batch)
    assert n_resampled == [40, 80, 120]  # all rows seen
    whole = FSC(None, **{**SMALL, "n_anchors": None}, anchors=model.anchors_).fit(rows)
    assert model.n_clusters_ == whole.n_clusters_
    assert adjusted_rand_score(model.predict(rows), whole.labels_) == 1


@pytest.mark.parametrize("method", [FSC, LSC])
def test_the_path_and_a_fit_choose_the_same_number(digits, method):
    X = digits[:500]
    path = cluster_path(X, estimator=method(n_init=1, random_state=0))
    assert path.reason.startswith("No eigengap is clear")
    assert method(None, n_init=1, random_state=0).fit(X).n_clusters_ == path.chosen


def test_more_parts_than_numbers():
    X = np.repeat(100.0 * np.arange(6), 12)[:, np.newaxis] + np.random.default_rng(0).standard_normal((72, 1))
    path = cluster_path(X, [2, 4], estimator=FSC(n_anchors=24, n_neighbors=2, random_state=0), n_resamples=1)
    assert path.chosen == 4
    assert path.reason == "The graph has 6 connected parts, more than the largest number of clusters, which is chosen."


@pytest.mark.filterwarnings("ignore:The anchor graph falls into")
def test_two_rows_and_equal_rows():
    assert FSC(None, n_anchors=2, n_neighbors=1, random_state=0).fit([[0.0], [1.0]]).n_clusters_ == 2
    with pytest.warns(ConvergenceWarning, match="Only 1 of n_clusters=2"):
        FSC(None, random_state=0).fit(np.ones((50, 3)))


def test_a_table_is_a_source(rows, path):
    assert_same(cluster_path(as_table(rows), NUMBERS, estimator=FSC(**SMALL), n_resamples=2), path)


def test_a_path_can_be_pickled_and_one_number_is_no_choice(rows):
    path = cluster_path(rows, [3], estimator=FSC(**SMALL))
    assert path.reason == "It is the only number that was tried."
    again = pickle.loads(pickle.dumps(path))
    np.testing.assert_array_equal(again.labels[3], path.labels[3])


def test_halves_have_spectra_of_their_own(rows):
    """The singular values of the dense B = Z Δ^-½ of each half, without the trivial one."""
    Z = as_table(AnchorGraph(24, n_neighbors=3, random_state=0).fit_transform(rows))
    whole = AnchorRows(Z, spectrum_for_numbers(*anchor_gram(Z), 4), 120.0, seed=0)
    resampled = ResampledGraph.of(whole, 4, 3)
    assert len(resampled.halves) == 3
    for numbers, half in resampled.halves:
        assert len(np.unique(numbers)) == 60
        z = resampled.rows.Z.take(numbers).toarray()
        z = z[:, z.any(axis=0)]
        expected = np.linalg.svd(z / np.sqrt(z.sum(axis=0)), compute_uv=False)[1:]
        found = half.spectrum.singular_values
        np.testing.assert_allclose(found, expected[: len(found)], rtol=1e-5)
        assert np.abs(found[:3] - whole.spectrum.singular_values[:3]).max() > 1e-4
