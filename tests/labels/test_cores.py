import numpy as np
import pytest
from scipy import sparse

from anchorgraph.labels import cores as module
from anchorgraph.labels.cores import Cores, core_modularity, join_smallest, merge_clusters, move_cores, sums_between
from reference import communities as literal


def core_graph(seed, k=14):
    """Dense symmetric weights, most of them on the diagonal, as between cores."""
    rng = np.random.default_rng(seed)
    W = rng.random((k, k)) ** 3
    return W + W.T + np.diag(5 * rng.random(k))


def is_same_partition(one, other):
    return len(set(zip(one, other, strict=True))) == len(set(one)) == len(set(other))


def test_cores_by_hand():
    """Two partitions of six nodes agree on three groups of them."""
    graph = sparse.csr_array(np.ones((6, 6)) - np.eye(6))
    first, second = np.array([0, 0, 0, 1, 1, 1]), np.array([0, 0, 1, 1, 1, 1])
    cores = Cores.of(graph, [first, second])
    assert cores.core_of.tolist() == [0, 0, 1, 2, 2, 2]
    assert cores.sizes.tolist() == [2, 1, 3]
    assert cores.graph.tolist() == [[2, 2, 6], [2, 0, 3], [6, 3, 6]]
    assert [labels.tolist() for labels in cores.partitions] == [[0, 0, 1], [0, 1, 1]]
    for labels, of_cores in zip((first, second), cores.partitions, strict=True):
        np.testing.assert_array_equal(of_cores[cores.core_of], labels)


def test_partitions_that_would_make_too_many_cores_are_left_out(monkeypatch):
    monkeypatch.setattr(module, "MOST_CORES", 4)
    graph = sparse.csr_array(np.ones((12, 12)))
    thirds, quarters, halves = np.arange(12) // 4, np.arange(12) // 3, np.arange(12) // 6
    cores = Cores.of(graph, [thirds, quarters, halves])
    assert cores.sizes.tolist() == [4, 2, 2, 4]  # thirds and halves; quarters would make six
    assert len(cores.partitions) == 2
    assert len(Cores.of(graph, [np.arange(12), halves]).sizes) <= 4


def test_join_smallest_by_hand():
    labels = np.repeat([0, 1, 2, 3], [5, 1, 2, 4])
    assert join_smallest(labels, 4).tolist() == labels.tolist()
    assert join_smallest(labels, 3).tolist() == np.repeat([0, 1, 2], [5, 3, 4]).tolist()
    assert np.bincount(join_smallest(labels, 2)).tolist() == [5, 7]  # 1 + 2 = 3, and then 3 + 4
    assert join_smallest(labels, 1).tolist() == [0] * 12


@pytest.mark.parametrize("most", [1, 2, 7, 30])
def test_join_smallest_is_literal(most):
    labels = np.random.default_rng(0).integers(40, size=300)
    labels = np.unique(labels, return_inverse=True)[1]
    groups = [set(np.flatnonzero(labels == c)) for c in range(labels.max() + 1)]
    while len(groups) > most:
        groups.sort(key=lambda group: (len(group), min(group)))
        groups = [groups[0] | groups[1], *groups[2:]]
    found = join_smallest(labels, most)
    assert sorted(np.bincount(found)) == sorted(map(len, groups))  # which of equal ones are joined is open
    for c in range(labels.max() + 1):
        assert len(set(found[labels == c])) == 1


@pytest.mark.parametrize("gamma", [0.0, 0.4, 1.0, 2.0])
def test_modularity_of_cores_is_its_definition(gamma):
    W, labels = core_graph(0), np.arange(14) % 4
    assert core_modularity(W, labels, gamma) == pytest.approx(literal.modularity(W, labels, gamma))
    np.testing.assert_allclose(sums_between(W, labels), literal.aggregated(W, labels))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("n_clusters", [None, 1, 2, 5, 13])
@pytest.mark.parametrize("gamma", [0.3, 1.0])
def test_merging_is_greedy_by_the_whole_modularity(seed, n_clusters, gamma):
    W = core_graph(seed)
    found = merge_clusters(W, np.arange(14), n_clusters, gamma)
    assert is_same_partition(found, literal.merge_greedily(W, np.arange(14), n_clusters, gamma))
    assert set(found) == set(range(n_clusters or found.max() + 1))


def test_merging_begins_with_the_clusters_that_there_are():
    W, start = core_graph(7), np.arange(14) % 6
    for n_clusters in (None, 2, 3, 6):
        found = merge_clusters(W, start, n_clusters, 1.0)
        assert is_same_partition(found, literal.merge_greedily(W, start, n_clusters, 1.0))
    np.testing.assert_array_equal(merge_clusters(W, start, 6, 1.0), start)


def test_clusters_without_ties_are_merged_too():
    W = np.kron(np.eye(4), np.ones((2, 2)))
    for n_clusters in (1, 2, 3, 4):
        for gamma in (0.0, 1.0):
            assert set(merge_clusters(W, np.arange(8), n_clusters, gamma)) == set(range(n_clusters))
    assert is_same_partition(merge_clusters(W, np.arange(8), None, 1.0), np.repeat(np.arange(4), 2))


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("gamma", [0.0, 0.5, 1.0, 3.0])
def test_moving_never_lowers_modularity_and_empties_no_cluster(seed, gamma):
    W, labels = core_graph(seed, 20), np.random.default_rng(seed).permutation(np.arange(20) % 5)
    before = labels.copy()
    moved = move_cores(W, labels, gamma)
    np.testing.assert_array_equal(labels, before)
    assert set(moved) == set(range(5))
    assert literal.quick_modularity(W, moved, gamma) >= literal.quick_modularity(W, labels, gamma) - 1e-12


@pytest.mark.parametrize("seed", range(5))
def test_after_moving_no_single_move_gains(seed):
    W = core_graph(seed, 16)
    moved = move_cores(W, np.arange(16) % 4, 1.0)
    best = literal.quick_modularity(W, moved)
    for node in range(16):
        if np.count_nonzero(moved == moved[node]) > 1:
            for c in range(4):
                trial = moved.copy()
                trial[node] = c
                assert literal.quick_modularity(W, trial) <= best + 1e-8
