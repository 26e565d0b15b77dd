"""Communities of nearest rows: clusters, memberships, new rows, sources."""

import importlib
import io
import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
import sklearn
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score

from anchorgraph import Communities, load, save
from anchorgraph.datasets import make_shape
from anchorgraph.estimators.bases.row_shares import without_shares
from anchorgraph.labels import settle
from anchorgraph.numerics.progress import listening
from kernels import environment_of
from reference import communities as literal
from sources import SOURCES


@pytest.fixture(scope="module")
def clear():
    """300 rows in 5 columns around 4 centres, far from each other."""
    return make_blobs([120, 90, 60, 30], 5, random_state=1)


def test_at_last_rows_move_to_where_a_walk_from_them_ends(monkeypatch):
    steps = []

    def spied(graph, labels, n_clusters):
        steps.append((labels, settle(graph, labels, n_clusters)))
        return steps[-1][1]

    monkeypatch.setattr("anchorgraph.estimators.communities.settle", spied)
    X = make_blobs(600, 3, centers=4, cluster_std=4.0, random_state=0)[0]  # they overlap
    model = Communities(4, random_state=0).fit(X)
    ((before, after),) = steps
    assert np.count_nonzero(before != after) > 5
    sizes, expected = (np.sort(np.bincount(labels)).tolist() for labels in (model.labels_, after))
    assert sizes == expected != np.sort(np.bincount(before)).tolist()


@pytest.fixture(scope="module")
def wide():
    """Four clear clusters in 60 columns, half of whose entries are zero."""
    rng = np.random.default_rng(0)
    y = np.repeat(np.arange(4), 75)
    centres = 8.0 * (rng.random((4, 60)) < 0.5)
    return (centres[y] > 0) * (centres[y] + rng.standard_normal((300, 60))), y


@pytest.fixture
def few_are_many(monkeypatch):
    """Trees for some thousand rows already, of whose leaves a row sees a part."""
    module = importlib.import_module("anchorgraph.graph.nearest_rows")
    monkeypatch.setattr(module, "FEW_ROWS", 256)
    monkeypatch.setattr(module, "NEAR_LEAVES", 8)
    monkeypatch.setattr("anchorgraph.graph.row_index.LEAVES_OF_NEW_ROWS", 8)


def graph_of(X, k):
    """The dense graph of the reference."""
    return literal.reciprocal_ties(*literal.nearest_rows(X, k))


# the reference


@pytest.mark.parametrize("n_clusters", [None, 3, 10])
def test_modularity_and_memberships_are_the_reference(digits, n_clusters):
    X = digits[:150, 10:40] + 0.1 * np.random.default_rng(0).standard_normal((150, 30))  # no two distances are the same
    X, new = X[:120], X[120:]
    model = Communities(n_clusters, n_neighbors=8, random_state=0).fit(X)
    W = graph_of(X, 8)
    assert model.modularity_ == pytest.approx(literal.modularity(W, model.labels_), abs=1e-6)
    shares = literal.memberships(W, model.labels_, model.n_clusters_)
    np.testing.assert_allclose(model.predict_proba(X), shares, atol=1e-5)
    np.testing.assert_allclose(model.probabilities_, shares[np.arange(120), model.labels_], atol=1e-5)
    expected = literal.vote(shares, *literal.nearest(new, X, 5))
    np.testing.assert_allclose(model.predict_proba(new), expected, atol=1e-5)


def test_modularity_is_as_large_as_by_moves_one_by_one(digits):
    X = digits[:100, 10:40]
    W = graph_of(X, 8)
    for resolution in (0.7, 1.5):
        model = Communities(n_neighbors=8, resolution=resolution, random_state=0).fit(X)
        one_by_one = literal.modularity(W, literal.louvain(W, resolution), resolution)
        assert model.modularity_ >= 0.98 * one_by_one
        assert model.modularity_ == pytest.approx(literal.modularity(W, model.labels_, resolution), abs=1e-6)


# the number of clusters


@pytest.mark.parametrize("n_clusters", [1, 2, 3, 4, 5, 30, 99, 100])
def test_exactly_so_many_clusters(clear, n_clusters):
    model = Communities(n_clusters, random_state=0).fit(clear[0][::3])
    assert set(model.labels_) == set(range(n_clusters))
    assert model.n_clusters_ == n_clusters
    assert model.labels_.dtype == np.int32
    assert (np.diff(np.bincount(model.labels_)) <= 0).all()  # the largest first


def test_as_many_as_modularity_finds(clear):
    model = Communities(resolution=1.0, random_state=0).fit(clear[0])
    assert model.n_clusters_ == len(set(model.labels_)) >= 4
    assert model.n_neighbors_ == 15
    assert (np.diff(np.bincount(model.labels_)) <= 0).all()
    few, many = (Communities(resolution=r, random_state=0).fit(clear[0]).n_clusters_ for r in (0.2, 5.0))
    assert few <= model.n_clusters_ < many
    assert sklearn.metrics.homogeneity_score(clear[1], model.labels_) == pytest.approx(1)


@pytest.mark.parametrize(("n_clusters", "expected"), [(None, 15), (1, 15), (4, 8), (10, 5), (60, 5)])
def test_how_many_neighbours_are_used(clear, n_clusters, expected):
    """The square root of the mean size of a cluster, between 5 and 15."""
    assert Communities(n_clusters, random_state=0).fit(clear[0]).n_neighbors_ == expected


def test_the_largest_cluster_is_the_first(clear):
    X, y = clear
    labels = Communities(4, random_state=0).fit_predict(X)
    np.testing.assert_array_equal(labels, y)  # blobs are made from the largest to the smallest


# invariance


@pytest.mark.parametrize("n_clusters", [None, 7])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_order_of_rows_makes_no_difference(digits, n_clusters, dtype):
    X = digits[:500, 10:40].astype(dtype)
    order = np.random.default_rng(0).permutation(len(X))
    one, other = (Communities(n_clusters, random_state=0).fit(rows) for rows in (X, X[order]))
    np.testing.assert_array_equal(other.labels_, one.labels_[order])
    np.testing.assert_array_equal(other.probabilities_, one.probabilities_[order])
    assert other.modularity_ == one.modularity_


@pytest.mark.parametrize("scale", [1.0, 1e-6, 7.3, 1e12])
def test_a_rotation_and_the_unit_make_no_difference(clear, scale):
    X, y = clear
    turn = np.linalg.qr(np.random.default_rng(0).standard_normal((5, 5)))[0]
    labels = Communities(4, random_state=0).fit_predict(scale * (X @ turn + 3))
    assert adjusted_rand_score(y, labels) == 1


@pytest.mark.parametrize("scale", [1e-6, 7.3, 1e12])
def test_the_unit_of_wide_rows_makes_no_difference(wide, scale):
    assert adjusted_rand_score(wide[1], Communities(4, random_state=0).fit_predict(scale * wide[0])) == 1


def test_the_same_seed_gives_the_same_clusters(digits):
    fits = [Communities(10, random_state=0).fit(digits) for _ in range(2)]
    np.testing.assert_array_equal(fits[0].labels_, fits[1].labels_)
    np.testing.assert_array_equal(fits[0].probabilities_, fits[1].probabilities_)


# shapes


@pytest.mark.parametrize("name", ["moons", "nested_rings", "big_beside_small"])
@pytest.mark.parametrize("seed", [0, 1])
def test_shapes_come_out_right(name, seed):
    X, y = make_shape(name, random_state=seed)
    labels = Communities(len(set(y)), random_state=seed).fit_predict(X)
    assert adjusted_rand_score(y, labels) > 0.95


def test_clusters_of_very_different_sizes_come_out_right():
    X, y = make_blobs([3600, 400], 2, centers=[[0, 0], [8, 0]], random_state=0)
    assert adjusted_rand_score(y, Communities(2, random_state=0).fit_predict(X)) > 0.95


def test_parts_of_the_graph_are_clusters_without_a_warning(islands):
    y = np.repeat(np.arange(3), 60)
    assert adjusted_rand_score(y, Communities(3, random_state=0).fit_predict(islands)) == 1
    two = Communities(2, random_state=0).fit_predict(islands)
    assert all(len(set(two[y == part])) == 1 for part in range(3))


# rows that are few, or equal


def test_two_rows():
    X = np.array([[0.0, 1], [2, 3]])
    assert Communities(1).fit_predict(X).tolist() == [0, 0]
    assert Communities(2).fit_predict(X).tolist() in ([0, 1], [1, 0])
    assert Communities().fit_predict(X).tolist() == [0, 0]
    assert Communities(1).fit(X).predict_proba(X).tolist() == [[1], [1]]
    with pytest.raises(ValueError, match="n_clusters=3 is too many for n_samples=2; use at most 2"):
        Communities(3).fit(X)


def test_three_rows():
    X = np.array([[0.0], [1], [10]])
    for n_clusters in (1, 2, 3):
        model = Communities(n_clusters, random_state=0).fit(X)
        assert set(model.labels_) == set(range(n_clusters))
        np.testing.assert_array_equal(model.predict(X), model.labels_)


@pytest.mark.parametrize("X", [np.ones((50, 3)), np.zeros((50, 3)), np.full((50, 40), 0.1)], ids=["1", "0", "wide"])
@pytest.mark.parametrize("store", [np.asarray, np.float32, sparse.csr_array])
def test_rows_that_are_all_equal_are_one_cluster(X, store):
    for n_clusters in (None, 1):
        model = Communities(n_clusters, random_state=0).fit(store(X))
        assert model.labels_.tolist() == [0] * 50
        assert model.probabilities_.tolist() == [1] * 50
        assert model.predict(store(X)).tolist() == [0] * 50
    with pytest.raises(ValueError, match="n_clusters=2 is too many for 1 different row; use at most 1"):
        Communities(2).fit(store(X))


def test_equal_rows_have_the_same_label(clear):
    X = np.repeat(clear[0][::3], 5, axis=0)
    order = np.random.default_rng(0).permutation(len(X))
    X[::2] += 0.0
    labels = np.empty(len(X), int)
    model = Communities(9, random_state=0).fit(X[order])
    labels[order] = model.labels_
    assert (labels.reshape(-1, 5) == labels[::5, np.newaxis]).all()
    np.testing.assert_array_equal(model.predict(X), labels)
    with pytest.raises(ValueError, match="n_clusters=101 is too many for 100 different rows; use at most 100"):
        Communities(101).fit(X)


def test_zero_and_minus_zero_are_equal():
    X = np.array([[0.0, 1], [-0.0, 1], [5, 2], [6, 2], [7, 3]])
    labels = Communities(4, random_state=0).fit_predict(X)
    assert labels[0] == labels[1]
    assert set(labels) == {0, 1, 2, 3}
    with pytest.raises(ValueError, match="n_clusters=5 is too many for 4 different rows; use at most 4"):
        Communities(5).fit(X)


def test_the_largest_cluster_counts_equal_rows():
    X = np.vstack([np.repeat([[100.0, 100]], 50, axis=0), np.random.default_rng(0).standard_normal((20, 2))])
    labels = Communities(2, n_neighbors=1, random_state=0).fit_predict(np.vstack([X, [[101.0, 100]]]))
    assert set(labels[:50]) == {0}


# memberships and new rows


@pytest.mark.parametrize("n_clusters", [None, 10])
def test_the_rows_of_the_fit_have_their_labels(digits, n_clusters):
    model = Communities(n_clusters, random_state=0).fit(digits)
    np.testing.assert_array_equal(model.predict(digits), model.labels_)
    shares = model.predict_proba(digits)
    np.testing.assert_allclose(shares.sum(axis=1), 1, rtol=1e-6)
    np.testing.assert_array_equal(shares.argmax(axis=1), model.labels_)
    np.testing.assert_allclose(model.probabilities_, shares[np.arange(len(digits)), model.labels_], rtol=1e-6)
    assert (model.probabilities_ <= 1).all()
    assert model.probabilities_.mean() > 0.7


@pytest.mark.usefixtures("few_are_many")
@pytest.mark.parametrize("n_cols", [20, 64], ids=["narrow", "wide"])
def test_the_rows_of_the_fit_have_their_labels_in_many_leaves(digits, n_cols):
    X = digits[:1500, :n_cols]
    model = Communities(10, random_state=0).fit(X)
    assert len(model._shares.index.means) > 8
    np.testing.assert_array_equal(model.predict(X), model.labels_)
    new = digits[1490:1530, :n_cols]
    together = model.predict_proba(new)
    np.testing.assert_array_equal(np.vstack([model.predict_proba(new[i : i + 1]) for i in range(40)]), together)


def test_new_rows_have_the_label_of_the_largest_share_in_any_batch(digits):
    model = Communities(10, random_state=0).fit(digits[:1000])
    new = digits[900:1200]
    shares, labels = model.predict_proba(new), model.predict(new)
    assert shares.shape == (300, 10)
    np.testing.assert_array_equal(labels, shares.argmax(axis=1))
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    np.testing.assert_array_equal(np.vstack([model.predict_proba(new[i : i + 1]) for i in range(30)]), shares[:30])
    np.testing.assert_array_equal(np.concatenate([model.predict(new[i : i + 40]) for i in range(0, 300, 40)]), labels)


def test_new_rows_belong_where_they_are(clear):
    X, y = clear
    model = Communities(4, random_state=0).fit(X[::2])
    np.testing.assert_array_equal(model.predict(X[1::2]), y[1::2])


def test_a_row_between_two_clusters_belongs_to_both_by_halves():
    """Two clouds, the one the mirror image of the other, and a row in the middle, which is in the fit or new."""
    cloud = np.random.default_rng(0).standard_normal((150, 2)) + np.array([3.5, 0])
    X = np.vstack([cloud, -cloud])
    within = Communities(2, random_state=0).fit(np.vstack([X, [[0.0, 0.0]]])).probabilities_
    assert 0.5 < within[-1] < 0.85  # a walk that comes back ends in the row's own cluster
    assert within[-1] < np.quantile(within, 0.05)
    assert np.median(within) > 0.99
    shares = Communities(2, random_state=0).fit(X).predict_proba([[0.0, 0.0]])
    assert 0.2 < shares[0, 0] < 0.8


def test_float32_gives_the_same(clear):
    X, y = clear
    model = Communities(4, random_state=0).fit(X.astype(np.float32))
    np.testing.assert_array_equal(model.labels_, y)
    np.testing.assert_array_equal(model.predict(X), y)
    assert model._shares.index.points.dtype == np.float32


# sparse rows, sources and samples


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_sparse_rows_give_the_same(wide, clear, dtype):
    for X, y in ((wide[0].astype(dtype), wide[1]), (clear[0].astype(dtype), clear[1])):
        dense, thin = (Communities(4, random_state=0).fit(rows) for rows in (X, sparse.csr_array(X)))
        assert adjusted_rand_score(y, dense.labels_) == 1
        np.testing.assert_array_equal(thin.labels_, dense.labels_)
        for model in (dense, thin):
            np.testing.assert_array_equal(model.predict(sparse.csr_array(X)), dense.labels_)
            np.testing.assert_array_equal(model.predict(X), dense.labels_)


def in_memory(rows):
    return np.asarray(rows.compute() if hasattr(rows, "compute") else rows)


def rounded(X):
    """Numbers that files of any kind hold exactly."""
    return X.astype(np.float32).astype(np.float64)


@pytest.mark.parametrize(
    ("name", "columns"),
    [
        *((name, "clear") for name in ("csr", "npy_shards", "parquet", "dask_array", "dask_frame")),
        *((name, "wide") for name in ("csr", "sparse_shards", "dask_array")),
    ],
)
def test_every_source_gives_the_same_labels(name, columns, request, tmp_path):
    X = rounded(request.getfixturevalue(columns)[0])
    expected = Communities(4, random_state=0).fit(X)
    source = SOURCES[name](X, 100, tmp_path)
    model = Communities(4, random_state=0).fit(source)
    np.testing.assert_array_equal(in_memory(model.labels_), expected.labels_)
    np.testing.assert_array_equal(in_memory(model.predict(source)), expected.labels_)
    np.testing.assert_allclose(in_memory(model.predict_proba(source)), expected.predict_proba(X), atol=1e-5)
    assert model.modularity_ == pytest.approx(expected.modularity_)


@pytest.mark.parametrize("name", ["array", "csr", "npy_shards", "parquet", "dask_array"])
def test_a_sample_is_clustered_and_all_rows_are_labelled(name, clear, tmp_path):
    X, y = rounded(clear[0]), clear[1]
    ours = Communities(4, max_samples=150, random_state=0)
    expected = clone(ours).fit(X)
    assert len(expected._shares.index.points) == 150
    assert adjusted_rand_score(expected.labels_, y) > 0.95
    np.testing.assert_array_equal(expected.predict(X), expected.labels_)
    np.testing.assert_allclose(expected.probabilities_, expected.predict_proba(X).max(axis=1))
    source = SOURCES[name](X, 100, tmp_path)
    model = ours.fit(source)
    np.testing.assert_array_equal(in_memory(model.labels_), expected.labels_)
    np.testing.assert_array_equal(in_memory(model.predict(source)), expected.labels_)


def test_results_are_written_to_files(clear, tmp_path):
    X, _ = clear
    np.save(tmp_path / "rows.npy", X)
    model = Communities(4, random_state=0).fit(tmp_path / "rows.npy")
    labels = np.load(model.predict(tmp_path / "rows.npy", out=tmp_path / "labels.npy"))
    np.testing.assert_array_equal(labels, model.labels_)
    shares = np.load(model.predict_proba(tmp_path / "rows.npy", out=tmp_path / "shares.npy"))
    np.testing.assert_array_equal(shares, model.predict_proba(X))


def test_rows_that_memory_does_not_hold_have_no_probabilities(clear, tmp_path):
    X = clear[0][::3]
    model = Communities(4, max_samples=60, random_state=0).fit(X)
    labels = model.labels_
    assert len(model.probabilities_) == 100
    with sklearn.config_context(working_memory=1e-4):
        model.fit(SOURCES["npy_shards"](X, 100, tmp_path))
    assert not hasattr(model, "probabilities_")
    np.testing.assert_array_equal(model.labels_, labels)


def test_threads_change_nothing():
    X, _ = make_blobs(5000, 6, centers=8, cluster_std=2.0, random_state=0)
    one, two = (Communities(8, n_jobs=n_jobs, random_state=0).fit(X) for n_jobs in (1, 2))
    assert len(one._shares.index.means) > 1
    np.testing.assert_array_equal(one.labels_, two.labels_)
    np.testing.assert_array_equal(one.probabilities_, two.probabilities_)
    np.testing.assert_array_equal(one.predict_proba(X[:500] + 0.1), two.predict_proba(X[:500] + 0.1))


def test_models_come_back_from_files(tmp_path):
    """Also one that was merged without regard to sizes, at γ = 0."""
    X, _ = make_shape("stripes_slanted")
    for n_clusters in (None, 3):
        model = Communities(n_clusters, random_state=0).fit(X)
        save(model, tmp_path / "model.safetensors")
        loaded = load(tmp_path / "model.safetensors")
        assert loaded.resolution_ == model.resolution_
        np.testing.assert_array_equal(loaded.predict_proba(X + 0.01), model.predict_proba(X + 0.01))
    assert model.resolution_ == 0


# what is told, and what is refused


def test_stages_are_told(wide):
    pytest.importorskip("sklearn.callback", reason="scikit-learn before 1.9 has no callbacks")

    class Recorder:
        told: tuple = ()

        def setup(self, estimator, context):
            pass

        def on_fit_task_begin(self, estimator, context):
            self.told = (*self.told, context.task_name)

        def on_fit_task_end(self, estimator, context):
            pass

        def teardown(self, estimator, context):
            pass

    recorder = Recorder()
    Communities(4, n_components=20, random_state=0).set_callbacks(recorder).fit(wide[0])
    stages = [name for name in dict.fromkeys(recorder.told) if name not in ("fit", "part", "rows")]
    assert stages == ["principal axes", "trees", "neighbours", "communities"]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_clusters": 0}, "n_clusters must be an integer ≥ 1; got 0"),
        ({"n_clusters": 2.0}, "n_clusters must be an integer ≥ 1; got 2.0"),
        ({"n_clusters": 41}, "n_clusters=41 is too many for n_samples=40; use at most 40"),
        (
            {"n_clusters": 2049},
            "n_clusters=2049 is too many for Communities; use at most 2048, or n_clusters=None with a larger "
            "resolution, or BKHK",
        ),
        ({"resolution": 0}, r"resolution must be a number in \[1e-100, 1e100\]; got 0"),
        ({"resolution": -1.0}, "resolution must be a number in"),
        ({"resolution": np.nan}, "resolution must be a number in"),
        ({"resolution": "high"}, "resolution must be a number in .*; got 'high'"),
        ({"min_cluster_size": 0}, "min_cluster_size must be an integer ≥ 1; got 0"),
        (
            {"min_cluster_size": 5, "n_clusters": 2},
            "min_cluster_size=5 cannot be used together with n_clusters; leave one out",
        ),
        ({"min_cluster_size": 5, "resolution": 1.0}, "min_cluster_size=5 cannot be used together with resolution"),
        ({"n_neighbors": 40}, "n_neighbors=40 is too many for 40 different rows; use at most 39"),
        ({"n_neighbors": 0}, "n_neighbors must be an integer ≥ 1; got 0"),
        ({"n_components": 0}, "n_components must be an integer ≥ 1; got 0"),
        ({"max_samples": 1}, "max_samples must be an integer ≥ 2; got 1"),
        ({"max_samples": 1e6}, "max_samples must be an integer ≥ 2; got 1000000.0"),
        ({"n_jobs": 0}, "n_jobs must be a non-zero integer or None; got 0"),
    ],
)
def test_impossible_parameters(parameters, message):
    with pytest.raises(ValueError, match=message):
        Communities(**parameters).fit(np.random.default_rng(0).standard_normal((40, 4)))


def test_too_many_clusters_are_refused_before_the_rows_are_read():
    with pytest.raises(ValueError, match="n_clusters=5000 is too many"):
        Communities(5000).fit("no such file.npy")


@pytest.mark.parametrize("resolution", [1e-100, 1e-3, 1e3, 1e100])
def test_extreme_resolutions(clear, resolution):
    X = clear[0][::3]
    alone = Communities(resolution=resolution, random_state=0).fit(X)
    assert (alone.n_clusters_ <= 4) == (resolution < 1)  # parts without ties are never joined
    assert (alone.n_clusters_ >= 50) == (resolution > 1)
    assert Communities(4, resolution=resolution, random_state=0).fit(X).n_clusters_ == 4


def test_what_the_fit_learnt_is_not_changed_by_data_or_parameters(clear):
    X = clear[0].copy()
    model = Communities(4, random_state=0).fit(X)
    before = model.predict_proba(clear[0] + 0.5)
    X[:] = 0
    model.set_params(n_neighbors=3, resolution=9.0, n_clusters=2)
    np.testing.assert_array_equal(model.predict_proba(clear[0] + 0.5), before)


def test_wide_rows_far_from_the_origin_keep_their_clusters():
    X, y = make_blobs(900, 60, centers=3, random_state=0)
    ours = Communities(3, random_state=0)
    for offset in (0, 1e8):
        assert adjusted_rand_score(ours.fit_predict(X + offset), y) == 1, offset


def test_threads_change_nothing_in_wide_rows():
    X, _ = make_blobs(5000, 60, centers=8, cluster_std=6.0, random_state=0)
    one, two = (Communities(8, n_jobs=n_jobs, random_state=0).fit(X) for n_jobs in (1, 2))
    np.testing.assert_array_equal(one._shares.index.points, two._shares.index.points)
    np.testing.assert_array_equal(one.labels_, two.labels_)


def test_hundreds_of_groups_without_ties_are_clusters():
    centres = 100.0 * np.arange(600)
    X = (centres[:, np.newaxis] + np.arange(5.0)).reshape(-1, 1)
    found = Communities(600, random_state=0).fit_predict(X)
    assert adjusted_rand_score(found, np.repeat(np.arange(600), 5)) == 1
    assert len(np.unique(Communities(10, random_state=0).fit_predict(X))) == 10


def test_a_refusal_names_the_sample():
    X = np.arange(300.0).reshape(-1, 1)
    with pytest.raises(
        ValueError, match="too many for 150 different rows in a sample of max_samples=150; use at most 150"
    ):
        Communities(200, max_samples=150).fit(X)
    assert Communities(200, max_samples=None).fit(X).n_clusters_ == 200


def test_progress_never_goes_back(wide):
    told = []
    with listening(lambda stage, share: told.append((stage, share))):
        Communities(4, random_state=0).fit(wide[0])
    for stage in ("principal axes", "trees", "neighbours", "communities"):
        shares = [share for name, share in told if name == stage]
        assert shares == sorted(shares), stage


def test_memberships_of_a_model_file_are_checked(clear):
    shares = Communities(4, random_state=0).fit(clear[0])._shares
    few = shares.memberships
    wide = sparse.csr_array((few.data, few.indices, few.indptr), shape=(few.shape[0], 2**31 - 1))
    assert without_shares(shares) is None
    assert without_shares(replace(shares, memberships=wide)) == "has more clusters than rows"
    for wrong in (-few, few * 0):
        assert "without memberships, or a negative one" in without_shares(replace(shares, memberships=wrong))


ON_A_GRID = """
import sys
import numpy as np
from anchorgraph import AnchorMap, Communities

rng = np.random.default_rng(0)
grid = rng.integers(0, 5, (3, 6))[rng.integers(0, 3, 5000)] + rng.integers(0, 4, (5000, 6))
models = [Communities(n, random_state=0).fit(X) for n in (3, None) for X in (grid.astype(np.float32), grid[:1500] / 10)]
found = [model.levels_[place].labels for model in models for place in (0, model.level_)]
np.savez(sys.stdout.buffer, *found, positions=AnchorMap(random_state=0).fit_transform(grid[:1500] / 10))
"""


def found_under(kernel):
    environment, missing = environment_of(kernel)
    if missing:
        pytest.skip(missing)
    done = subprocess.run([sys.executable, "-c", ON_A_GRID], env=os.environ | environment, capture_output=True)
    assert done.returncode == 0, done.stderr
    return np.load(io.BytesIO(done.stdout))


def test_equal_distances_give_the_same_clusters_and_map_on_another_cpu():
    """Each row of a grid has very many neighbours at the same distance."""
    old, new = map(found_under, ("Nehalem", "Haswell"))
    for labels in (f"arr_{number}" for number in range(8)):
        np.testing.assert_array_equal(old[labels], new[labels])
    differences = np.abs(old["positions"] - new["positions"]).max(axis=1)
    assert np.quantile(differences, 0.99) < 1e-3 * np.ptp(new["positions"])


def test_rows_beside_a_far_outlier_are_predicted_as_they_were_labelled():
    """To the outlier's distance, all others are as good as none."""
    X = np.array([[0.0], [0.1], [3.0], [3.1], [1e8]])
    model = Communities(n_neighbors=1, resolution=2.0, random_state=0).fit(X)
    np.testing.assert_array_equal(model.predict(X), model.labels_)
