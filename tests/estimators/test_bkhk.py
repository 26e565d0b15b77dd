import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score
from sklearn.preprocessing import normalize

from anchorgraph import BKHK, AnchorGraph
from anchorgraph.models import load, save
from reference import typicality
from sources import SOURCES


def test_four_corners(form):
    """Ten rows around each corner of a square: the only balanced clustering that a person would call right."""
    rng = np.random.default_rng(0)
    truth = np.repeat(np.arange(4), 10)
    X = np.array([[1, 1], [1, 99], [99, 1], [99, 99]])[truth] + rng.random((40, 2))
    assert adjusted_rand_score(truth, BKHK(n_clusters=4, random_state=0).fit_predict(form(X))) == 1


def test_labels_are_predicted_again(digits, form):
    X = form(digits)
    model = BKHK(n_clusters=77, random_state=0).fit(X)
    np.testing.assert_array_equal(model.predict(X), model.labels_)
    assert model.cluster_centers_.dtype == X.dtype


def test_small_integers_are_read_as_float32(digits):
    model = BKHK(n_clusters=20, random_state=0).fit(digits.astype(np.uint8))
    assert model.cluster_centers_.dtype == np.float32
    np.testing.assert_array_equal(model.labels_, BKHK(n_clusters=20, random_state=0).fit(digits).labels_)


def test_new_rows_go_to_a_leaf_near_them(digits):
    model = BKHK(n_clusters=64, random_state=0).fit(digits[:1500])
    rows = digits[1500:]
    h = ((rows[:, np.newaxis] - model.cluster_centers_) ** 2).sum(axis=2)
    rank = (h < np.take_along_axis(h, model.predict(rows)[:, np.newaxis], axis=1)).sum(axis=1)
    assert np.median(rank) <= 2


def test_quantisation_is_not_much_worse_than_that_of_kmeans(digits):
    labels = BKHK(n_clusters=64, random_state=0).fit_predict(digits)
    ours = sum(((digits[labels == leaf] - digits[labels == leaf].mean(axis=0)) ** 2).sum() for leaf in range(64))
    assert ours < 1.35 * KMeans(64, n_init=1, random_state=0).fit(digits).inertia_


def test_it_serves_as_the_cluster_centers_of_a_graph(digits):
    Z = AnchorGraph(anchors=BKHK(n_clusters=40, random_state=0)).fit_transform(digits)
    assert Z.shape == (1797, 40)


@pytest.mark.parametrize(
    "parameters",
    [{"max_iter": 0}, {"max_iter": 1.5}, {"tol": -0.1}, {"tol": 1}, {"tol": "no"}, {"max_samples": 1}, {"n_rounds": 0}],
)
def test_impossible_parameters(blobs, parameters):
    ((name, value),) = parameters.items()
    with pytest.raises(ValueError, match=rf"{name} must be .*; got {value!r}\."):
        BKHK(**parameters).fit(blobs)


@pytest.mark.parametrize("n_clusters", [1, 2, 3, 7, 64, 599, 600])
def test_sizes_differ_by_at_most_one(n_clusters):
    X = np.random.default_rng(0).standard_normal((600, 3))
    for assignment in ("routed", "nearest"):
        labels = BKHK(n_clusters, assignment=assignment, random_state=0).fit_predict(X)
        sizes = np.bincount(labels, minlength=n_clusters)
        assert np.ptp(sizes) <= 1
        assert len(sizes) == n_clusters


@pytest.mark.parametrize("source", ["npy_shards", "sparse_shards", "parquet", "csv_file", "zarr_array", "dask_array"])
def test_sizes_are_exact_outside_memory(source, digits, tmp_path):
    """The planes come from a sample of 300 rows; where they divide the rows is counted."""
    rows = SOURCES[source](digits, 400, tmp_path)
    model = BKHK(37, max_samples=300, random_state=0).fit(rows)
    labels = np.asarray(model.labels_)
    assert np.ptp(np.bincount(labels, minlength=37)) <= 1
    means = [digits[labels == cluster].mean(axis=0) for cluster in range(37)]
    np.testing.assert_allclose(model.cluster_centers_, means, atol=1e-9)
    np.testing.assert_array_equal(np.asarray(model.predict(rows)), labels)


def test_sources_give_the_same_clusters_within_bounds(digits, tmp_path):
    parameters = {"n_clusters": 12, "sizes": (100, 190), "random_state": 0}
    expected = BKHK(**parameters).fit(digits)
    sizes = np.bincount(expected.labels_, minlength=12)
    assert sizes.min() >= 100
    assert sizes.max() <= 190
    for source in ("csr", "npy_shards", "dask_array"):
        model = BKHK(**parameters).fit(SOURCES[source](digits, 400, tmp_path))
        np.testing.assert_array_equal(np.asarray(model.labels_), expected.labels_)
        np.testing.assert_allclose(model.cluster_centers_, expected.cluster_centers_, atol=1e-9)


def error(X, labels):
    return sum(((X[labels == own] - X[labels == own].mean(axis=0)) ** 2).sum() for own in np.unique(labels))


def test_nearest_is_better_than_routed_and_bounds_are_between(digits):
    """On the digits, with 64 clusters: the looser the bounds, the smaller the error."""
    errors = {}
    for name, parameters in {
        "routed": {},
        "equal": {"assignment": "nearest"},
        "bounds": {"sizes": (20, 40)},
        "nearest": {"sizes": None},
    }.items():
        labels = BKHK(64, random_state=0, **parameters).fit_predict(digits)
        sizes = np.bincount(labels, minlength=64)
        errors[name] = error(digits, labels)
        if name != "nearest":
            assert sizes.max() <= (40 if name == "bounds" else 29)
            assert sizes.min() >= (20 if name == "bounds" else 28)
    assert errors["nearest"] < errors["bounds"] < errors["equal"] < 0.95 * errors["routed"]


def test_rounds_reduce_the_error(digits):
    errors = [
        error(digits, BKHK(64, assignment="nearest", n_rounds=n_rounds, random_state=0).fit_predict(digits))
        for n_rounds in (1, 2, 4)
    ]
    assert errors[0] > errors[1] > errors[2]


@pytest.mark.parametrize("n_rounds", [1, 50])
def test_nearest_without_bounds_is_the_nearest_centre(digits, n_rounds):
    model = BKHK(20, sizes=None, n_rounds=n_rounds, random_state=0).fit(digits)
    np.testing.assert_array_equal(model.labels_, model.transform(digits).argmin(axis=1))
    np.testing.assert_array_equal(model.predict(digits), model.labels_)
    means = np.array([digits[model.labels_ == cluster].mean(axis=0) for cluster in range(20)])
    assert np.allclose(model.cluster_centers_, means) == (n_rounds == 50)  # until no row moves


@pytest.mark.parametrize("assignment", ["routed", "nearest"])
def test_weights_are_balanced_up_to_the_largest(assignment):
    rng = np.random.default_rng(0)
    X, weights = rng.standard_normal((500, 3)), rng.exponential(size=500)
    model = BKHK(16, assignment=assignment, random_state=0).fit(X, sample_weight=weights)
    sizes = np.bincount(model.labels_, weights, 16)
    assert np.abs(sizes - weights.sum() / 16).max() <= weights.max()


@pytest.mark.parametrize("assignment", ["routed", "nearest"])
def test_a_batch_can_be_divided_equally(assignment, digits, tmp_path):
    model = BKHK(30, assignment=assignment, random_state=0).fit(digits[:900])
    batch = digits[900:]
    assert np.ptp(np.bincount(model.predict(batch), minlength=30)) > 1
    labels = model.predict(batch, balanced=True)
    assert np.ptp(np.bincount(labels, minlength=30)) <= 1
    assert (labels == model.predict(batch)).mean() > 0.6
    lazy = model.predict(SOURCES["dask_array"](batch, 200, tmp_path), balanced=True)
    np.testing.assert_array_equal(np.asarray(lazy), labels)
    few = model.predict(batch[:7], balanced=True)
    assert len(np.unique(few)) == 7
    gaps = batch.copy()
    gaps[3] = np.nan
    masked = model.set_params(missing="mask").predict(gaps, balanced=True)
    assert masked[3] == -1
    assert np.ptp(np.bincount(masked[masked >= 0], minlength=30)) <= 1


def test_a_balanced_batch_is_not_written(digits, tmp_path):
    model = BKHK(3, random_state=0).fit(digits)
    with pytest.raises(ValueError, match="out cannot be used with balanced=True"):
        model.predict(digits, balanced=True, out=tmp_path / "labels.npy")


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_transform_is_the_distance_to_each_centre(metric, digits, form, tmp_path):
    model = BKHK(9, metric=metric, random_state=0).fit(form(digits))
    rows = digits if metric == "euclidean" else digits / np.linalg.norm(digits, axis=1, keepdims=True)
    expected = np.sqrt(((rows[:, np.newaxis] - model.cluster_centers_) ** 2).sum(axis=2))
    np.testing.assert_allclose(model.transform(form(digits)), expected, rtol=1e-4, atol=1e-5)
    model.transform(form(digits), out=tmp_path / "distances.npy")
    np.testing.assert_array_equal(np.load(tmp_path / "distances.npy"), model.transform(form(digits)))
    assert model.get_feature_names_out()[-1] == "bkhk8"


@pytest.mark.parametrize("missing", [False, True])
def test_coarser_labels_are_nested(digits, missing):
    X = digits.copy()
    if missing:
        X[5] = np.nan
    model = BKHK(32, missing="mask", random_state=0).fit(X)
    before = np.zeros(len(X), dtype=int)
    for n_clusters in range(1, 33):
        labels = model.labels_at(n_clusters)
        known = labels >= 0
        assert known.all() != missing
        assert len(np.unique(labels[known])) == n_clusters
        assert len(np.unique(np.column_stack([before, labels])[known], axis=0)) == n_clusters
        before = labels
    assert np.ptp(np.bincount(model.labels_at(4)[model.labels_at(4) >= 0])) <= 1
    np.testing.assert_array_equal(model.labels_at(32), model.labels_)


def test_coarser_labels_of_new_rows_and_of_dask(digits, tmp_path):
    model = BKHK(32, random_state=0).fit(digits[:1000])
    for labels in (model.labels_, list(model.predict(digits[1000:]))):
        expected = dict(zip(model.labels_.tolist(), model.labels_at(8).tolist(), strict=True))
        assert model.labels_at(8, labels).tolist() == [expected[label] for label in labels]
    whole = BKHK(32, random_state=0).fit(digits)
    lazy = BKHK(32, random_state=0).fit(SOURCES["dask_array"](digits, 300, tmp_path))
    np.testing.assert_array_equal(np.asarray(lazy.labels_at(5)), whole.labels_at(5))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0,), "n_clusters must be an integer ≥ 1; got 0"),
        ((4,), "n_clusters=4 is more than the 3 of the tree; use at most 3"),
        ((2, [0, 3]), "labels must be integers from -1 to 2"),
        ((2, [0.5]), "labels must be integers from -1 to 2"),
    ],
)
def test_impossible_cuts(arguments, message, blobs):
    with pytest.raises(ValueError, match=message):
        BKHK(3, random_state=0).fit(blobs).labels_at(*arguments)


def test_cuts_of_a_model_from_a_file_need_labels(blobs, tmp_path):
    model = BKHK(8, random_state=0).fit(blobs)
    save(model, tmp_path / "model.safetensors")
    loaded = load(tmp_path / "model.safetensors")
    with pytest.raises(ValueError, match="This BKHK has no labels_; pass labels, such as those of predict"):
        loaded.labels_at(2)
    np.testing.assert_array_equal(loaded.labels_at(2, model.labels_), model.labels_at(2))


@pytest.mark.parametrize("sizes", ["even", (3,), (5, 2), (-1, 9), ("a", "b"), 7, (np.nan, 9)])
def test_impossible_sizes(sizes, blobs):
    with pytest.raises(ValueError, match=r"sizes must be 'equal', None, or two numbers 0 ≤ smallest ≤ largest; got"):
        BKHK(3, sizes=sizes).fit(blobs)


def test_bounds_that_cannot_hold(blobs):
    with pytest.raises(ValueError, match=r"sizes=\(70, 90\) cannot hold for n_clusters=3 of 200 rows; .* 66.6667"):
        BKHK(3, sizes=(70, 90)).fit(blobs)
    with pytest.raises(
        ValueError, match=r"sizes=\(66.6, 66.7\) cannot hold for whole rows; use at most 66 and at least 67"
    ):
        BKHK(3, sizes=(66.6, 66.7), random_state=0).fit(blobs)
    with pytest.raises(ValueError, match=r"sizes=\(66.6, 66.7\) cannot hold for rows of these weights"):
        BKHK(3, sizes=(66.6, 66.7), random_state=0).fit(blobs, sample_weight=np.tile([0.5, 1.5], 100))
    exact = BKHK(8, sizes=(2.5, 2.5), random_state=0).fit(blobs, sample_weight=np.full(200, 0.1))
    assert np.bincount(exact.labels_).tolist() == [25] * 8


@pytest.mark.parametrize("sizes", [None, (10, 90)])
def test_the_leaves_of_the_tree_have_no_bounds(sizes, blobs):
    with pytest.raises(ValueError, match="assignment='routed' makes clusters of equal size; got sizes="):
        BKHK(3, sizes=sizes, assignment="routed").fit(blobs)


def test_the_first_batch_fixes_the_sizes(blobs):
    model = BKHK(4, random_state=0).partial_fit(blobs[:100]).set_params(sizes=(1, 90))
    with pytest.raises(ValueError, match="sizes was 'equal' in the first batch"):
        model.partial_fit(blobs[100:])


def test_bounds_without_an_upper_end_are_saved(blobs, tmp_path):
    model = BKHK(4, sizes=(10, np.inf), random_state=0).fit(blobs)
    save(model, tmp_path / "model.safetensors")
    loaded = load(tmp_path / "model.safetensors")
    assert np.bincount(loaded.fit(blobs).labels_).tolist() == np.bincount(model.labels_).tolist()


@pytest.mark.parametrize("parameters", [{}, {"sizes": (10, 60)}, {"metric": "cosine"}], ids=str)
def test_scores_are_those_of_the_distances_to_five_centres(parameters, digits, tmp_path):
    rows = digits[::3]
    model = BKHK(20, random_state=0, **parameters).fit(rows)
    prepared = normalize(digits) if "metric" in parameters else digits
    expected = typicality.scores(prepared, model.cluster_centers_, prepared[::3], 5)
    np.testing.assert_allclose(model.score_samples(digits), expected, rtol=1e-6)
    batches = BKHK(20, random_state=0, **parameters).partial_fit(rows[:400]).partial_fit(rows[400:])
    save(batches, tmp_path / "model.safetensors")
    loaded = load(tmp_path / "model.safetensors")
    np.testing.assert_array_equal(loaded.score_samples(digits), batches.score_samples(digits))
