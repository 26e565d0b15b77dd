"""Levels of clusters of Communities, of which one is chosen if the number of clusters is not given."""

import copy
import pickle
from itertools import pairwise
from types import SimpleNamespace

import dask.array as da
import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.metrics import adjusted_rand_score

from anchorgraph import Communities, RowGraph, load, save
from anchorgraph.estimators.bases.row_levels import RowLevels
from anchorgraph.estimators.bases.row_shares import Shares
from anchorgraph.labels import Levels
from anchorgraph.labels.communities import Partition
from sources import csv_file, memory_map, parquet


def planted(n_rows=60, n_cols=4, seed=0):
    """Three groups of three groups of three blobs."""
    rng = np.random.default_rng(seed)
    corner = np.eye(3, n_cols)
    places = [1000 * corner[a] + 60 * corner[b] + 12 * corner[c] for a in range(3) for b in range(3) for c in range(3)]
    centres = np.array(places).repeat(n_rows, axis=0)
    return centres + rng.standard_normal(centres.shape), np.arange(27).repeat(n_rows)


def is_nested(finer, coarser):
    pairs = set(zip(np.asarray(finer).tolist(), np.asarray(coarser).tolist(), strict=True))
    return len(pairs) == len(set(np.asarray(finer).tolist()))


@pytest.fixture(scope="module")
def digits():
    return load_digits(return_X_y=True)


@pytest.fixture(scope="module")
def model(digits):
    return Communities(random_state=0).fit(digits[0])


@pytest.mark.parametrize("seed", range(3))
def test_all_three_levels_of_planted_groups_are_found(seed):
    X, y = planted(seed=seed)
    found = [level.labels for level in Communities(random_state=seed).fit(X).levels_]
    for truth in (y, y // 3, y // 9):
        assert max(adjusted_rand_score(truth, labels) for labels in found) > 0.99


@pytest.mark.parametrize("n_clusters", [None, 6, 27])
def test_levels_are_nested_and_the_finest_is_the_first(n_clusters):
    found = Communities(n_clusters, random_state=0).fit(planted(20)[0])
    assert len(found.levels_) > 1
    for finer, coarser in pairwise(found.levels_):
        assert finer.n_clusters > coarser.n_clusters
        assert is_nested(finer.labels, coarser.labels)
    for level in found.levels_:
        assert set(level.labels) == set(range(level.n_clusters))
    chosen = found.levels_[found.level_]
    np.testing.assert_array_equal(chosen.labels, found.labels_)
    assert chosen.n_clusters == found.n_clusters_
    assert chosen.resolution == found.resolution_
    for place, level in enumerate(found.levels_):
        if place != found.level_:
            assert (np.diff(np.bincount(level.labels)) <= 0).all()  # the largest first


@pytest.mark.parametrize("rows", ["digits", "planted"])
def test_given_a_number_the_clusters_do_not_depend_on_the_levels_beside_them(rows, digits, monkeypatch):
    X = digits[0] if rows == "digits" else planted(20)[0]
    found = Communities(10, random_state=0).fit(X)
    assert found.levels_[found.level_].n_clusters == found.n_clusters_ == 10
    assert len(found.levels_) > 1
    monkeypatch.setattr(
        "anchorgraph.labels.communities.levels_around",
        lambda cores, gaps, labels, resolution, points: Levels.single(labels, resolution),
    )
    alone = Communities(10, random_state=0).fit(X)
    assert len(alone.levels_) == 1
    np.testing.assert_array_equal(found.labels_, alone.labels_)
    assert found.resolution_ == alone.resolution_


def test_the_trees_say_where_clusters_lie(model):
    for level, parent in enumerate(model.tree_):
        np.testing.assert_array_equal(parent[model.levels_[level].labels], model.levels_[level + 1].labels)
    top = len(model.levels_)
    children = model.cluster_tree_
    assert children[top, 0] == [(top - 1, cluster) for cluster in range(model.levels_[-1].n_clusters)]
    for (level, cluster), own in children.items():
        if level < top:
            inside = np.unique(model.cluster_layers_[level - 1][model.cluster_layers_[level] == cluster])
            assert own == [(level - 1, child) for child in inside]


def test_layers_are_the_labels_of_the_levels(model):
    assert len(model.cluster_layers_) == len(model.levels_)
    for layer, level in zip(model.cluster_layers_, model.levels_, strict=True):
        np.testing.assert_array_equal(layer, level.labels)
        np.testing.assert_array_equal(model.labels_at(level.n_clusters), layer)


def test_a_number_that_no_level_has_is_refused_with_those_that_there_are(model):
    numbers = ", ".join(str(level.n_clusters) for level in model.levels_)
    with pytest.raises(ValueError, match=f"n_clusters=999 is not the number of a level; use one of {numbers}, or fit"):
        model.labels_at(999)
    with pytest.raises(ValueError, match="n_clusters must be an integer ≥ 1; got 0"):
        model.labels_at(0)


def test_rows_of_the_fit_have_their_labels_at_every_level(model, digits):
    for place, level in enumerate(model.levels_):
        np.testing.assert_array_equal(model.predict(digits[0], level=place), level.labels)


def test_new_rows_are_in_nested_clusters_at_every_level(digits):
    X = digits[0]
    found = Communities(random_state=0).fit(X[:1200])
    assert len(found.levels_) > 1
    new = [found.predict(X[1200:], level=place) for place in range(len(found.levels_))]
    for level, parent in enumerate(found.tree_):
        np.testing.assert_array_equal(parent[new[level]], new[level + 1])
    np.testing.assert_array_equal(new[found.level_], found.predict(X[1200:]))
    nearest = np.array([np.linalg.norm(X[:1200] - row, axis=1).argmin() for row in X[1200:]])
    for labels, level in zip(new, found.levels_, strict=True):
        assert np.mean(labels == level.labels[nearest]) > 0.9


def test_a_finer_level_divides_the_cluster_of_a_new_row():
    """Nine clusters are given, and new rows find the blobs inside."""
    X, _ = planted(30)
    found = Communities(9, random_state=0).fit(X)
    finest = found.levels_[0]
    assert finest.n_clusters > 9
    new, true = planted(10, seed=1)
    assert adjusted_rand_score(true // 3, found.predict(new)) > 0.99
    labels = found.predict(new, level=0)
    assert is_nested(labels, found.predict(new))
    assert adjusted_rand_score(finest.labels[::30], labels[::10]) > 0.95


def test_without_votes_a_new_row_is_in_the_largest_part_of_its_cluster():
    finest = np.array([0, 0, 1, 2, 3, 3, 3])
    levels = Levels(finest, np.array([[0, 1, 2, 3], [0, 0, 1, 1]]), np.ones(2), np.ones(2), 1)
    neighbors, distances = np.array([[0, 1], [0, 3]]), np.array([[1.0, 2], [1, 2]])
    found = RowLevels(SimpleNamespace(parts=Shares.parts), levels)._finest(neighbors, distances, np.array([1, 1]))
    np.testing.assert_array_equal(found, [3, 2])


@pytest.mark.parametrize(
    ("level", "message"), [(99, "level=99 is too large for"), (-1, "level must be an integer ≥ 0")]
)
def test_levels_that_there_are_not(model, digits, level, message):
    with pytest.raises(ValueError, match=message):
        model.predict(digits[0], level=level)


def test_a_model_file_keeps_the_levels_but_not_the_labels_of_rows(model, digits, tmp_path):
    save(model, tmp_path / "model.safetensors")
    again = load(tmp_path / "model.safetensors")
    for place, (here, there) in enumerate(zip(model.levels_, again.levels_, strict=True)):
        assert (here.n_clusters, here.resolution, here.persistence) == (
            there.n_clusters,
            there.resolution,
            there.persistence,
        )
        np.testing.assert_array_equal(model.predict(digits[0], level=place), again.predict(digits[0], level=place))
        with pytest.raises(AttributeError, match="use predict"):
            _ = there.labels
    assert again.cluster_tree_ == model.cluster_tree_


def test_levels_survive_pickle_and_copies(model):
    for other in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        for here, there in zip(model.levels_, other.levels_, strict=True):
            np.testing.assert_array_equal(here.labels, there.labels)


@pytest.mark.parametrize("write", [csv_file, parquet, memory_map])
def test_levels_of_files_are_those_of_the_rows(write, tmp_path, digits):
    X = digits[0][:600]
    expected = Communities(random_state=0).fit(X)
    found = Communities(random_state=0).fit(write(X, 100, tmp_path))
    assert len(found.levels_) == len(expected.levels_)
    for here, there in zip(expected.levels_, found.levels_, strict=True):
        np.testing.assert_array_equal(here.labels, there.labels)


def test_levels_of_a_sample_and_of_dask_are_those_of_all_rows():
    X, y = planted(60)
    few = Communities(max_samples=800, random_state=0).fit(X)
    lazy = Communities(max_samples=800, random_state=0).fit(da.from_array(X, chunks=(500, -1)))
    for found in (few, lazy):
        layers = [np.asarray(layer) for layer in found.cluster_layers_]
        assert all(len(layer) == len(X) for layer in layers)
        for finer, coarser in pairwise(layers):
            assert is_nested(finer, coarser)
        assert max(adjusted_rand_score(y // 9, layer) for layer in layers) > 0.99
    assert isinstance(lazy.levels_[0].labels, da.Array)


def test_rows_left_out_have_no_cluster_at_any_level(digits):
    X = digits[0].copy()
    X[::50, 3] = np.nan
    found = Communities(missing="mask", random_state=0).fit(X)
    for level in found.levels_:
        np.testing.assert_array_equal(level.labels == -1, np.isnan(X[:, 3]))


def test_weights_count_rows(digits):
    X = digits[0][:500]
    weights = np.where(np.arange(500) < 100, 0, 2)
    found = Communities(random_state=0).fit(X, sample_weight=weights)
    expected = Communities(random_state=0).fit(X[100:])
    for here, there in zip(expected.levels_, found.levels_, strict=True):
        np.testing.assert_array_equal(here.labels, there.labels[100:])


@pytest.mark.parametrize("kind", ["weighted", "equal", "given"])
def test_numbers_follow_the_weights_of_clusters(kind):
    X, y = planted(20)
    counts = 1 + y % 4
    rows, weights = (X.repeat(counts, axis=0), None) if kind == "equal" else (X, counts)
    model = Communities(9, random_state=0)
    if kind == "given":
        rows = RowGraph(70, random_state=0).fit_transform(X)
        model.set_params(metric="precomputed", n_neighbors=70)
    found = model.fit(rows, sample_weight=weights)
    assert len(found.levels_) > 1
    for level in found.levels_:
        assert (np.diff(np.bincount(level.labels, weights)) <= 0).all()


@pytest.mark.parametrize("metric", ["cosine", "precomputed", "affinity"])
def test_levels_of_other_metrics(metric, digits):
    X, y = digits[0][:900], digits[1][:900]
    if metric != "cosine":
        mode = {"precomputed": "distance", "affinity": "connectivity"}[metric]
        kind = "fuzzy" if metric == "affinity" else "directed"
        X = RowGraph(15, mode=mode, kind=kind, random_state=0).fit_transform(X)
    found = Communities(metric=metric, random_state=0).fit(X)
    assert adjusted_rand_score(y, found.labels_) > 0.6
    for place, level in enumerate(found.levels_):
        assert set(level.labels) == set(range(level.n_clusters))
        if metric == "cosine":
            np.testing.assert_array_equal(found.predict(X, level=place), level.labels)


def test_numbers_of_the_chosen_level_stay_from_batch_to_batch():
    X, _ = planted(40)
    order = np.random.default_rng(0).permutation(len(X))
    batches = np.array_split(order, 3)
    found = Communities(random_state=0)
    for batch in batches:
        found.partial_fit(X[batch])
        assert found.levels_[found.level_].labels.shape == (len(batch),)
        np.testing.assert_array_equal(found.levels_[found.level_].labels, found.labels_)
    before = found.predict(X)
    found.partial_fit(X[batches[0]])
    np.testing.assert_array_equal(found.predict(X), before)


def test_neither_order_nor_scale_nor_a_turn_nor_threads_change_the_levels():
    X, _ = planted(20)
    rng = np.random.default_rng(0)
    order, turn = rng.permutation(len(X)), np.linalg.qr(rng.standard_normal((4, 4)))[0]
    expected = Communities(random_state=0, n_jobs=1).fit(X)
    for rows, jobs in ((X[order], 1), (1024 * X, 1), (3.7 * X, 1), (X @ turn, 1), (X, 2)):
        found = Communities(random_state=0, n_jobs=jobs).fit(rows)
        assert len(found.levels_) == len(expected.levels_)
        for here, there in zip(expected.levels_, found.levels_, strict=True):
            assert here.persistence == pytest.approx(there.persistence, rel=1e-3)
            labels = here.labels[order] if rows.shape == X.shape and np.array_equal(rows, X[order]) else here.labels
            assert adjusted_rand_score(labels, there.labels) == 1


@pytest.mark.parametrize("start", [0, 600, 1197])
def test_clusters_of_few_digits_are_like_some_level_after_a_turn_and_a_scaling(start, digits):
    X = digits[0][start : start + 600]
    turn = np.linalg.qr(np.random.default_rng(0).standard_normal((64, 64)))[0]
    before = Communities(random_state=0).fit(X).labels_
    after = Communities(random_state=0).fit(3.7 * X @ turn)
    assert adjusted_rand_score(before, after.labels_) > 0.3
    assert max(adjusted_rand_score(before, labels) for labels in after.cluster_layers_) > 0.7


NOTHING = {
    "a line": lambda rng, n: rng.random((n, 1)),
    "a square": lambda rng, n: rng.random((n, 2)),
    "a cube": lambda rng, n: rng.random((n, 10)),
    "a Gaussian": lambda rng, n: rng.standard_normal((n, 3)),
    "a wide Gaussian": lambda rng, n: rng.standard_normal((n, 30)),
    "a long Gaussian": lambda rng, n: rng.standard_normal((n, 10)) / np.arange(1, 11),
    "heavy tails": lambda rng, n: rng.standard_t(3, (n, 3)),
}


@pytest.mark.parametrize("n_rows", [300, 3000])
@pytest.mark.parametrize("kind", NOTHING)
def test_rows_without_structure_are_one_cluster(kind, n_rows):
    found = Communities(random_state=0).fit(NOTHING[kind](np.random.default_rng(1), n_rows))
    assert found.n_clusters_ == 1
    assert [level.n_clusters for level in found.levels_] == [1]
    assert found.tree_ == ()
    assert found.cluster_tree_ == {(1, 0): [(0, 0)]}


@pytest.mark.parametrize("n_rows", [2, 3, 5, 20])
def test_few_rows_have_levels(n_rows):
    found = Communities(random_state=0).fit(np.random.default_rng(0).standard_normal((n_rows, 2)))
    assert found.levels_[found.level_].n_clusters == found.n_clusters_


@pytest.mark.parametrize("least", [30, 170, 5000])
def test_no_cluster_is_smaller_than_asked(digits, least):
    found = Communities(min_cluster_size=least, random_state=0).fit(digits[0])
    for level in found.levels_:
        assert np.bincount(level.labels).min() >= min(least, len(digits[0]))


def test_a_least_size_does_not_cut_rows_without_structure():
    for number, make in enumerate(NOTHING.values()):
        X = make(np.random.default_rng(number), 600)
        most = Communities(random_state=0).fit(X).n_clusters_
        for share in (10, 5, 3):
            assert Communities(min_cluster_size=600 // share, random_state=0).fit(X).n_clusters_ <= most <= 2


def test_a_least_size_counts_rows_that_are_equal_weighted_or_left_out_of_a_sample():
    rng = np.random.default_rng(0)
    X = 60 * np.eye(3).repeat(40, axis=0) + rng.standard_normal((120, 3))
    y = np.arange(3).repeat(40)
    for model, rows, weights in (
        (Communities(min_cluster_size=50, random_state=0), X.repeat(10, axis=0), None),
        (Communities(min_cluster_size=50, random_state=0), X, np.full(120, 10.0)),
        (Communities(min_cluster_size=15, max_samples=60, random_state=0), X, None),
    ):
        found = model.fit(rows, sample_weight=weights)
        assert adjusted_rand_score(y.repeat(len(rows) // 120), found.labels_) == 1


@pytest.mark.parametrize(
    ("least", "settled", "found", "expected"),
    [
        (10, [30, 30], [30, 30], [[30, 30]]),
        (3, [30, 30], [30, 30], [[30, 27, 3], [30, 30]]),
        (10, [55, 5], [40, 20], [[40, 20]]),
        (10, [55, 5], [52, 8], [[30, 30]]),
        (5, [55, 5], [40, 20], [[55, 5]]),
    ],
)
def test_levels_and_moves_that_leave_a_small_cluster_are_left_out(least, settled, found, expected, monkeypatch):
    fine = np.repeat([0, 1, 2], [30, 27, 3])
    levels = Levels(fine, np.array([[0, 1, 2], [0, 1, 1]]), np.ones(2), np.ones(2), 1)
    partition = Partition(np.repeat([0, 1], found), levels)
    for name, result in (("find_clusters", partition), ("settle", np.repeat([0, 1], settled))):
        monkeypatch.setattr(f"anchorgraph.estimators.communities.{name}", lambda *_, result=result, **__: result)
    X = np.random.default_rng(0).standard_normal((60, 2))
    model = Communities(min_cluster_size=least, random_state=0).fit(X)
    assert [np.bincount(level.labels).tolist() for level in model.levels_] == expected
    assert np.bincount(model.labels_).tolist() == expected[-1]


@pytest.mark.parametrize(("most", "has_levels"), [(6, True), (5, False)])
def test_of_more_communities_than_there_can_be_cores_larger_ones_are_found(most, has_levels, monkeypatch):
    for module in ("communities", "cores"):
        monkeypatch.setattr(f"anchorgraph.labels.{module}.MOST_CORES", most)
    y = np.arange(6).repeat(60)
    X = 100 * np.eye(6)[y] + np.random.default_rng(0).standard_normal((360, 6))
    found = Communities(random_state=0).fit(X)
    assert adjusted_rand_score(y, found.labels_) == 1
    assert (len(found.resolution_path_) > 0) == has_levels
    assert has_levels or (len(found.levels_), found.resolution_) == (1, 1)


def test_more_groups_than_there_can_be_cores_are_found_without_levels():
    rng = np.random.default_rng(0)
    X = 1000 * rng.standard_normal((2100, 3)).repeat(6, axis=0) + rng.standard_normal((12_600, 3))
    found = Communities(n_neighbors=5, random_state=0).fit(X)
    assert adjusted_rand_score(np.arange(2100).repeat(6), found.labels_) > 0.98
    assert len(found.levels_) == 1


def test_levels_are_told_apart_by_identity(model):
    one, other = model.levels_[:2]
    assert one == one
    assert one != other
    assert len({one, other}) == 2


def test_small_unconnected_groups_join_the_nearest_cluster():
    rng = np.random.default_rng(0)
    far = np.array([[0.0, 0, 0], [40, 0, 0], [45, 0, 0], [0, 300, 0]]).repeat([200, 200, 12, 8], axis=0)
    X = far + rng.standard_normal((420, 3))
    assert Communities(random_state=0).fit(X).n_clusters_ > 2
    found = Communities(min_cluster_size=20, random_state=0).fit(X)
    assert sorted(np.bincount(found.labels_)) in ([200, 220], [208, 212])
    assert (found.labels_[400:412] == found.labels_[200]).all()


def test_a_resolution_asks_for_its_communities(digits):
    few, many = (Communities(resolution=r, random_state=0).fit(digits[0]) for r in (0.1, 4.0))
    assert few.n_clusters_ < 10 < many.n_clusters_
    assert many.levels_[many.level_].n_clusters == many.n_clusters_
