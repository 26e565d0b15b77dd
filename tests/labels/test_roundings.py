import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score

from anchorgraph.contracts import Assignment
from anchorgraph.labels import NORMALISATIONS, ROUNDINGS, KMeansRounding, QRRounding, assign, sample
from anchorgraph.metrics import clustering_accuracy
from anchorgraph.table import as_table


def rays(n=300, p=3, seed=0):
    """Rows near rotated axes, with lengths of their own: what an embedding of p groups looks like."""
    rng = np.random.default_rng(seed)
    groups = rng.integers(0, p, n)
    rotation = np.linalg.qr(rng.standard_normal((p, p)))[0]
    rows = (np.eye(p)[groups] + 0.05 * rng.standard_normal((n, p))) * rng.uniform(0.5, 2, (n, 1))
    return rows @ rotation, groups


def round_by(name, rows, n_clusters, *, seed=0, n_init=5, block_rows=None):
    rounding = KMeansRounding(n_init) if name == "kmeans" else ROUNDINGS[name]
    return rounding.round(as_table(rows, block_rows=block_rows), n_clusters, seed)


@pytest.mark.parametrize("name", ROUNDINGS)
def test_groups_along_rotated_axes_are_found(name):
    rows, groups = rays()
    rows = NORMALISATIONS["rows"](rows)
    assert clustering_accuracy(groups, assign(round_by(name, rows, 3), rows)) == 1


@pytest.mark.parametrize("name", ["qr", "rotation"])
def test_rows_along_one_direction_are_one_cluster(name):
    rows = np.outer(np.linspace(1, 2, 10), [1.0, 0, 0])
    assignment = round_by(name, rows, 3)
    np.testing.assert_allclose(assignment.directions.T @ assignment.directions, np.eye(3), atol=1e-12)
    assert len(set(assign(assignment, rows))) == 1


def test_largest_score_by_hand():
    assignment = Assignment(np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([0.0, 0.5]))
    assert assign(assignment, np.array([[2.0, 1.0], [2.0, 1.5], [2.0, 1.6]])).tolist() == [0, 0, 1]


def test_kmeans_is_the_nearest_mean():
    rows, _ = rays(200)
    theirs = KMeans(3, n_init=5, random_state=7).fit(rows)
    assert adjusted_rand_score(assign(round_by("kmeans", rows, 3, seed=7), rows), theirs.labels_) == 1


@pytest.mark.parametrize("block_rows", [None, 33])
def test_many_rows_start_from_a_sample_and_end_on_all(monkeypatch, block_rows):
    monkeypatch.setattr(sample, "N_SAMPLED", 100)
    rows, groups = rays(2000)
    assignment = round_by("kmeans", rows, 3, block_rows=block_rows)
    labels = assign(assignment, rows)
    means = np.array([rows[labels == c].mean(axis=0) for c in range(3)])
    np.testing.assert_allclose(assignment.directions.T, means, atol=1e-3)
    assert clustering_accuracy(groups, labels) > 0.95


@pytest.mark.parametrize("name", ["qr", "rotation"])
def test_rotations_are_orthonormal(name):
    rows, _ = rays()
    directions = round_by(name, rows, 3).directions
    np.testing.assert_allclose(directions.T @ directions, np.eye(3), atol=1e-10)


def test_a_rotation_is_no_farther_from_indicators_than_its_start():
    """The turns of Yu and Shi never increase ‖Y - FR‖²."""
    rows = NORMALISATIONS["rows"](np.random.default_rng(0).standard_normal((400, 4)))

    def distance(assignment):
        turned = rows @ assignment.directions
        return np.sum((np.eye(4)[turned.argmax(axis=1)] - turned) ** 2)

    start, end = (distance(round_by(name, rows, 4)) for name in ("qr", "rotation"))
    assert end < start


@pytest.mark.parametrize("name", ["qr", "rotation"])
def test_rotations_of_many_rows_start_from_a_sample(monkeypatch, name):
    monkeypatch.setattr(sample, "N_SAMPLED", 100)
    rows, groups = rays(2000)
    rows = NORMALISATIONS["rows"](rows)
    assignment = round_by(name, rows, 3, block_rows=33)
    assert clustering_accuracy(groups, assign(assignment, rows)) == 1
    np.testing.assert_array_equal(assign(round_by(name, rows, 3), rows), assign(assignment, rows))


def test_zero_rows_stay_zero():
    np.testing.assert_allclose(NORMALISATIONS["rows"](np.array([[3.0, 4.0], [0.0, 0.0]])), [[0.6, 0.8], [0, 0]])


@pytest.mark.parametrize("seed", range(5))
def test_one_cluster_more_than_columns_begins_with_the_row_farthest_from_the_others(seed):
    """Corners of a simplex, whose rows differ by rounding errors; after three, no residuals are left."""
    rng = np.random.default_rng(seed)
    corners = np.array([[1.0, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]])
    y = np.arange(4).repeat(25)
    rows = corners[y] * (1 + 1e-15 * rng.standard_normal((100, 3)))
    labels = (rows @ QRRounding().round(as_table(rows), 4, 0).directions).argmax(axis=1)
    assert len(set(zip(y.tolist(), labels.tolist(), strict=True))) == len(set(labels.tolist())) == 4
