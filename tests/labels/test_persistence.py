from itertools import pairwise

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import adjusted_rand_score
from sklearn.neighbors import NearestNeighbors

from anchorgraph.graph import reciprocal_ties
from anchorgraph.labels.communities import compared_runs, find_clusters
from anchorgraph.labels.cores import Cores
from anchorgraph.labels.gaps import Gaps, sparseness
from anchorgraph.labels.persistence import (
    LEAST,
    MOST_GROUPS,
    Stretch,
    _chosen,
    _join_small,
    _levels,
    adjusted_rand,
    find_levels,
    joined_parts,
    levels_around,
    lifetimes,
    persistences,
    stretches,
)
from reference import levels as reference


def graph_of(X, k=10):
    distances, neighbors = NearestNeighbors(n_neighbors=k).fit(X).kneighbors()
    return reciprocal_ties(neighbors, distances.astype(np.float32)), distances


def blobs(seed, per_blob=40):
    """Four blobs in two pairs."""
    rng = np.random.default_rng(seed)
    centres = np.array([[0.0, 0], [8, 0], [60, 0], [68, 0]]).repeat(per_blob, axis=0)
    return centres + rng.standard_normal(centres.shape), np.arange(4).repeat(per_blob)


def pieces(seed):
    X, y = blobs(seed)
    graph, distances = graph_of(X)
    cores = Cores.of(graph, compared_runs(graph, 5.0, seed))
    sparse_at = sparseness(distances)
    return graph, cores, Gaps.of(graph, cores.core_of, sparse_at), sparse_at, y


def parts_at(places, per_part=5):
    """Unconnected parts, all nodes of each at one place."""
    part = np.arange(len(places)).repeat(per_part)
    graph = sparse.csr_array(np.equal.outer(part, part) - np.eye(len(part)))
    return graph, Cores.of(graph, [part]), np.asarray(places)[part, np.newaxis]


def by_rows(path, cores):
    return [(stretch.labels[cores.core_of], stretch.largest, stretch.smallest) for stretch in path]


@pytest.mark.parametrize("seed", range(2))
def test_lifetimes_persistences_and_the_choice_are_those_of_the_reference(seed):
    graph, cores, gaps, sparse_at, _ = pieces(seed)
    path = stretches(cores)
    rows = by_rows(path, cores)
    for place, stretch in enumerate(path):
        expected = [reference.lifetime(rows, place, cluster) for cluster in range(stretch.labels.max() + 1)]
        np.testing.assert_allclose(lifetimes(path, place, cores.sizes), expected, atol=1e-12)
    W = graph.toarray().astype(float)
    values = [reference.persistence(rows, place, W, sparse_at) for place in range(len(path))]
    np.testing.assert_allclose(persistences(path, cores.sizes, gaps), values, atol=1e-9)
    levels = find_levels(cores, gaps)
    place = reference.chosen(rows, values)
    assert levels.resolutions[levels.chosen] == path[place].resolution
    assert adjusted_rand_score(levels.labels(levels.chosen), path[place].labels) == 1


@pytest.mark.parametrize("seed", range(3))
def test_both_levels_of_blobs_in_pairs_last(seed):
    _, cores, gaps, _, y = pieces(seed)
    levels = find_levels(cores, gaps, points=blobs(seed)[0])
    found = [levels.labels(level)[cores.core_of] for level in range(len(levels.clusters))]
    for truth in (y, y // 2):
        assert max(adjusted_rand_score(truth, labels) for labels in found) > 0.95
    assert (levels.persistences >= LEAST).all()
    assert adjusted_rand_score(y, found[levels.chosen]) > 0.95


def test_the_path_goes_from_fine_to_coarse_and_ends_at_unconnected_parts():
    _, cores, _, _, _ = pieces(0)
    path = stretches(cores)
    assert path[0].largest == 12
    assert path[-1].smallest == 0
    assert all(finer.smallest > coarser.largest for finer, coarser in pairwise(path))
    assert all(not np.array_equal(one.labels, other.labels) for one, other in pairwise(path))


def test_clusters_below_the_least_size_join_the_one_with_most_edges():
    graph, _ = graph_of(np.random.default_rng(0).standard_normal((160, 2)))
    cores = Cores.of(graph, compared_runs(graph, 5.0, 0))
    for least in (5, 30, 60):
        labels = _join_small(cores, np.arange(len(cores.sizes)), least)
        assert np.bincount(labels, cores.sizes).min() >= least
    parts = Cores.of(sparse.csr_array(np.kron(np.eye(2), np.ones((4, 4)) - np.eye(4))), [np.repeat([0, 1], 4)])
    assert _join_small(parts, np.arange(2), 6).max() == 1  # without edges to others
    W = np.array([[0, 1, 5, 0], [1, 0, 0, 2], [5, 0, 0, 0], [0, 2, 0, 0]])
    few = Cores.of(sparse.csr_array(W.repeat(3, axis=0).repeat(3, axis=1)), [np.arange(4).repeat(3)])
    np.testing.assert_array_equal(_join_small(few, np.arange(4), 4), [0, 1, 0, 1])


def test_the_adjusted_rand_index_counts_nodes():
    rng = np.random.default_rng(0)
    sizes = rng.integers(1, 9, 30)
    one, other = rng.integers(0, 4, 30), rng.integers(0, 3, 30)
    expected = adjusted_rand_score(one.repeat(sizes), other.repeat(sizes))
    assert adjusted_rand(one, other, sizes) == pytest.approx(expected)
    assert adjusted_rand(one, one, sizes) == 1
    assert adjusted_rand(np.zeros(3, int), np.zeros(3, int), np.ones(3, int)) == 1


def test_a_given_partition_is_the_chosen_level_as_it_is():
    _, cores, gaps, _, y = pieces(1)
    labels = np.zeros(len(cores.sizes), int)
    labels[np.unique(cores.core_of[y == 3])] = 1
    levels = levels_around(cores, gaps, labels, 0.5)
    assert adjusted_rand_score(levels.labels(levels.chosen), labels) == 1
    assert levels.resolutions[levels.chosen] == 0.5
    assert len(levels.clusters) > 1


def test_a_stretch_is_named_by_its_middle():
    assert Stretch(np.zeros(1, int), 2.0, 2.0).resolution == pytest.approx(2)
    assert 0.1 < Stretch(np.zeros(1, int), 1.0, 0.1).resolution < 1


@pytest.mark.parametrize(
    ("values", "place"),
    [
        ([0.86, 0.1, 1.0], 0),
        ([0.84, 0.1, 1.0], 2),
        ([0.93, 0.95, 1.0], 0),
        ([0.91, 0.95, 1.0], 1),
        ([0.05, 0.1, 0.16], 2),
        ([0.05, 0.1, 0.14], None),
        ([-np.inf] * 3, None),
    ],
)
def test_of_partitions_that_last_nearly_as_long_the_finest_is_chosen(values, place):
    fine = np.arange(4).repeat(6)
    like = np.where(np.arange(24) == 0, 1, fine)
    path = [Stretch(labels, 1.0, 1.0) for labels in (fine, like, fine // 2)]
    assert _chosen(path, np.array(values), np.ones(24, int)) == place


@pytest.mark.parametrize(
    ("gap", "lifetime", "value"),
    [
        (0.0, 2.9, -0.5),
        (0.0, 4.0, 0.5 * 4.0 - 0.25),
        (0.0, 5.1, 5.1),
        (0.3, 1.0, -0.5),
        (0.55, 1.0, 0.5 - 0.25),
        (0.8, 1.0, 1.0),
    ],
)
def test_rows_count_as_far_as_there_is_a_gap_or_their_cluster_lasts_very_long(gap, lifetime, value):
    gaps = Gaps(np.ones((2, 2)), gap * (1 - np.eye(2)))
    path = [Stretch(np.arange(2), 0.02 * np.exp(lifetime) - 0.01, 0.01)]
    assert persistences(path, np.array([5, 5]), gaps) == pytest.approx([value])


@pytest.mark.parametrize(("far", "numbers"), [(1.9, [4]), (2.1, [4, 2])])
def test_groups_of_parts_are_a_level_if_the_next_join_is_over_twice_the_distance(far, numbers):
    graph, cores, points = parts_at([0, 1, 1 + far, 2 + far])
    levels = find_levels(cores, Gaps.of(graph, cores.core_of, np.zeros(20)), points=points)
    assert [clusters.max() + 1 for clusters in levels.clusters] == numbers


def test_of_many_unconnected_parts_only_few_groups_are_considered():
    n_parts = MOST_GROUPS + 8
    _, cores, points = parts_at(np.cumsum(np.random.default_rng(0).random(n_parts)))
    path = joined_parts(cores, np.arange(n_parts), points)
    assert [stretch.labels.max() + 1 for stretch in path] == list(range(MOST_GROUPS, 1, -1))
    assert all(finer.smallest == coarser.largest for finer, coarser in pairwise(path))
    assert path[-1].smallest == 1
    assert joined_parts(cores, np.arange(n_parts) % 2, points) == []


@pytest.mark.parametrize(
    ("finer", "coarser", "chosen", "numbers"),
    [
        ([0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 0, 1, 1, 1, 1, 0], 0, [2]),
        ([0, 0, 0, 1, 1, 1, 1, 0], [0, 0, 0, 0, 1, 1, 1, 1], 1, [2]),
        ([0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 0, 1, 0, 0, 0, 1], 0, [2]),
        ([0, 0, 1, 1, 2, 2, 3, 3], [0, 0, 0, 0, 1, 1, 1, 1], 1, [4, 2]),
    ],
)
def test_levels_that_nesting_makes_equal_or_a_single_cluster_are_left_out(finer, coarser, chosen, numbers):
    cores = Cores.of(sparse.csr_array(1 - np.eye(8)), [np.arange(8)])
    path = [Stretch(np.array(labels), 1.0, 1.0) for labels in (finer, coarser)]
    levels = _levels(path, np.ones(2), cores, chosen, Gaps(np.ones((8, 8)), np.zeros((8, 8))), None)
    assert [clusters.max() + 1 for clusters in levels.clusters] == numbers
    np.testing.assert_array_equal(levels.labels(levels.chosen), path[chosen].labels)


@pytest.mark.parametrize("make", [lambda rng: rng.random((400, 2)), lambda rng: rng.standard_normal((400, 8))])
def test_a_cloud_without_structure_is_one_cluster(make):
    graph, distances = graph_of(make(np.random.default_rng(0)))
    found = find_clusters(graph, None, 0, distances=distances)
    assert (found.labels == 0).all()
    assert len(found.levels.clusters) == 1
