from itertools import pairwise

import numpy as np
import pytest
from scipy import sparse

from anchorgraph.labels.levels import Levels, nested


def random_case(seed, k=40):
    """Weights between nodes, and partitions that are nearly nested."""
    rng = np.random.default_rng(seed)
    graph = rng.random((k, k)) * (rng.random((k, k)) < 0.3)
    fine = np.append(np.arange(12), rng.integers(0, 12, k - 12))
    partitions = [fine]
    for n_clusters in (6, 3, 2):
        parent = np.append(
            np.arange(n_clusters), rng.integers(0, n_clusters, int(partitions[-1].max()) + 1 - n_clusters)
        )
        labels = parent[partitions[-1]]
        labels = np.where(rng.random(k) < 0.15, rng.integers(0, n_clusters, k), labels)
        partitions.append(np.unique(labels, return_inverse=True)[1])
    return graph + graph.T, partitions


def is_nested(finer, coarser):
    return len(set(zip(finer.tolist(), coarser.tolist(), strict=True))) == len(set(finer.tolist()))


def levels_of(partitions, chosen=0):
    finest = partitions[0]
    clusters = np.array([labels[np.unique(finest, return_index=True)[1]] for labels in partitions])
    return Levels(finest, clusters, np.arange(len(clusters), 0.0, -1), np.ones(len(clusters)), chosen)


@pytest.mark.parametrize("chosen", range(4))
@pytest.mark.parametrize("seed", range(5))
def test_partitions_become_nested_around_the_chosen_one(seed, chosen):
    graph, partitions = random_case(seed)
    found = nested(graph, partitions, chosen)
    np.testing.assert_array_equal(found[chosen], partitions[chosen])
    for finer, coarser in pairwise(found):
        assert is_nested(finer, coarser)
    for labels in found:
        assert set(labels.tolist()) == set(range(labels.max() + 1))


def test_nested_partitions_stay_as_they_are():
    fine = np.array([0, 0, 1, 1, 2, 2, 3, 3])
    coarse = fine // 2
    for chosen in (0, 1):
        found = nested(np.ones((8, 8)), [fine, coarse], chosen)
        np.testing.assert_array_equal(found[0], fine)
        np.testing.assert_array_equal(found[1], coarse)


def test_a_node_astray_joins_the_part_to_which_it_has_most_edges():
    fine, coarse = np.array([0, 0, 0, 1, 1, 2, 2]), np.array([0, 0, 1, 1, 1, 1, 1])
    graph = np.ones((7, 7))
    graph[2, [5, 6]] = graph[[5, 6], 2] = 3
    found = nested(graph, [fine, coarse], 1)[0]
    assert found[2] == found[5] != found[3]


def test_a_cluster_that_no_finer_one_is_mostly_in_is_one_of_its_own():
    fine, coarse = np.array([0, 0, 0, 1, 1, 1]), np.array([0, 0, 1, 2, 2, 1])
    found = nested(np.ones((6, 6)), [fine, coarse], 1)[0]
    assert is_nested(found, coarse)
    assert is_nested(coarse, found)


def test_after_moves_every_node_is_in_a_part_of_its_new_cluster():
    rng = np.random.default_rng(0)
    graph, partitions = random_case(1)
    levels = levels_of(nested(graph, partitions, 1), 1)
    before = levels.labels(1)
    labels = np.where(rng.random(len(before)) < 0.2, rng.integers(0, before.max() + 1, len(before)), before)
    labels[: before.max() + 1] = np.arange(before.max() + 1)
    moved = levels.after_moves(sparse.csr_array(graph), labels)
    np.testing.assert_array_equal(moved.labels(1), labels)
    for finer, coarser in pairwise(range(4)):
        assert is_nested(moved.labels(finer), moved.labels(coarser))
    stayed = labels == before
    one, other = moved.labels(0)[stayed], levels.labels(0)[stayed]
    assert is_nested(one, other)
    assert is_nested(other, one)


def test_a_node_moves_to_the_part_with_most_edges_or_else_to_the_largest():
    finest = np.array([0, 1, 1, 2, 2, 2, 3, 3])
    levels = levels_of([finest, np.array([0, 0, 0, 1, 1, 1, 1, 1])], 1)
    W = np.zeros((8, 8))
    W[1, [6, 3]] = W[[6, 3], 1] = 2, 1
    labels = np.array([0, 1, 1, 1, 1, 1, 1, 1])
    moved = levels.after_moves(sparse.csr_array(W), labels).labels(0)
    assert moved[1] == moved[6]  # by its edges
    assert moved[2] == moved[3]  # without edges


def test_levels_with_small_clusters_are_left_out_but_the_chosen_one():
    fine, middle, coarse = np.repeat(range(4), [1, 3, 4, 2]), np.repeat([0, 1, 2], [4, 4, 2]), np.repeat([0, 1], [8, 2])
    for chosen, least, expected in (
        (0, 3, [fine]),
        (1, 2, [middle, coarse]),
        (1, 3, [middle]),
        (2, 2, [middle, coarse]),
        (2, 9, [coarse]),
    ):
        levels = levels_of([fine, middle, coarse], chosen).without_small(least)
        assert len(levels.clusters) == len(levels.resolutions) == len(levels.persistences) == len(expected)
        for level, labels in enumerate(expected):
            np.testing.assert_array_equal(levels.labels(level), labels)
        np.testing.assert_array_equal(levels.labels(levels.chosen), (fine, middle, coarse)[chosen])


def test_numbers_follow_sizes_but_those_of_the_chosen_level():
    levels = levels_of([np.array([0, 1, 1, 2, 2, 2]), np.array([0, 0, 0, 1, 1, 1])], 1)
    found = levels.renumbered(np.array([1, 0]))
    np.testing.assert_array_equal(found.labels(0), [2, 1, 1, 0, 0, 0])
    np.testing.assert_array_equal(found.labels(1), [1, 1, 1, 0, 0, 0])
    weighted = levels.renumbered(np.array([0, 1]), np.array([9.0, 1.0, 1.0]), np.array([0, 1, 3]))
    np.testing.assert_array_equal(weighted.labels(0)[[0, 1, 3]], [0, 1, 2])


def test_parents_are_clusters_of_the_next_level():
    graph, partitions = random_case(2)
    levels = levels_of(nested(graph, partitions, 2), 2)
    parents = levels.parents()
    assert len(parents) == 3
    for level, parent in enumerate(parents):
        np.testing.assert_array_equal(parent[levels.labels(level)], levels.labels(level + 1))
