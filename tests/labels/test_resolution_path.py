import numpy as np
import pytest
from scipy import sparse

from anchorgraph.labels.cores import Cores, core_modularity
from anchorgraph.labels.resolution_path import PATH, cut_value, merge_along_path, merge_cores, usual_share
from reference import communities as literal


def cores_of(seed, n_runs=3, n_groups=9):
    """A graph of 60 nodes, and the cores of partitions of them."""
    rng = np.random.default_rng(seed)
    upper = np.triu(rng.random((60, 60)) < 0.2, 1)
    W = (upper + upper.T).astype(float)
    partitions = [rng.permutation(np.arange(60) % n_groups) for _ in range(n_runs)]
    return W, Cores.of(sparse.csr_array(W), partitions)


def unequal_chain(n_small=20, n_large=200):
    """A long chain of nodes, each tied to the next eight, and a short one, with a single tie between them."""
    n = n_small + n_large
    W = sum(np.eye(n, k=shift) for shift in range(1, 9))
    W[:n_large, n_large:] = 0
    W[n_large - 1, n_large] = 1
    return W + W.T, np.repeat([0, 1], [n_large, n_small])


@pytest.mark.parametrize("seed", range(4))
def test_the_value_of_a_cut_is_its_definition(seed):
    W, cores = cores_of(seed)
    labels = np.random.default_rng(seed).permutation(np.arange(len(cores.sizes)) % 4)
    expected = literal.cut_value(W, labels[cores.core_of], np.ones(60))
    assert cut_value(cores, labels) == pytest.approx(expected)
    assert cut_value(cores, labels) == pytest.approx(literal.cut_value(cores.graph, labels, cores.sizes))


def test_the_value_of_a_cut_by_hand():
    """Two pairs of nodes with one tie between them: (3 - 2 + 1) / 3 each, of equal sizes."""
    W = np.array([[0.0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 0]])
    pairs = Cores.of(sparse.csr_array(W), [np.array([0, 0, 1, 1])])
    assert cut_value(pairs, np.array([0, 1])) == pytest.approx(1.05 * 2 * 2 / 3)
    uneven = Cores.of(sparse.csr_array(W), [np.array([0, 1, 1, 1])])
    assert cut_value(uneven, np.array([0, 1])) == pytest.approx((1 + 0.05 * 2) * (2 / 1 + 2 / 5))


def test_specks_do_not_count():
    cores = Cores.of(sparse.csr_array(np.ones((80, 80))), [np.r_[np.zeros(79, int), 1]])
    assert cut_value(cores, np.array([0, 1])) == np.inf


@pytest.mark.parametrize("n_clusters", [1, 2, 5, 9, 20])
@pytest.mark.parametrize("seed", range(3))
def test_exactly_so_many_clusters(n_clusters, seed):
    """Also more than there are communities in any of the partitions, which only the cores can be merged to."""
    _, cores = cores_of(seed)
    assert len(cores.sizes) > 20
    merged = merge_along_path(cores, n_clusters, 1.0)
    assert set(merged.labels) == set(range(n_clusters))
    assert 0 <= merged.resolution <= 1


def test_the_best_of_the_partitions_is_kept():
    _, cores = cores_of(0)
    best = merge_cores(cores, 3, 1.0)
    for labels in cores.partitions:
        alone = merge_cores(Cores(cores.core_of, cores.graph, cores.sizes, [labels]), 3, 1.0)
        assert core_modularity(cores.graph, best.labels, 1.0) >= core_modularity(cores.graph, alone.labels, 1.0)


@pytest.mark.parametrize("n_clusters", [2, 3, 4])
@pytest.mark.parametrize("seed", [0, 1, 2, 7])
def test_another_resolution_is_chosen_only_if_its_cut_is_clearly_less(seed, n_clusters):
    _, cores = cores_of(seed, n_groups=6)
    usual = merge_cores(cores, n_clusters, usual_share(n_clusters / 6))
    values = [cut_value(cores, merge_cores(cores, n_clusters, share * usual.resolution).labels) for share in PATH]
    merged = merge_along_path(cores, n_clusters, 1.0)
    if min(values) < 0.75 * cut_value(cores, usual.labels):
        assert merged.resolution == PATH[int(np.argmin(values))] * usual.resolution
    else:
        assert merged.resolution == usual.resolution
        np.testing.assert_array_equal(merged.labels, usual.labels)


def test_a_cut_that_is_less_by_a_tenth_is_not_clearly_less():
    _, cores = cores_of(2, n_groups=6)
    usual = merge_cores(cores, 3, usual_share(3 / 6))
    least = min(cut_value(cores, merge_cores(cores, 3, share * usual.resolution).labels) for share in PATH)
    assert 0.8 < least / cut_value(cores, usual.labels) < 0.94
    assert merge_along_path(cores, 3, 1.0).resolution == usual.resolution


@pytest.mark.parametrize(
    ("ratio", "share"), [(2, 1), (1, 1), (0.9, 0.9**1.5), (0.8, 0.8**1.5), (0.5, 0.7 * 0.5**0.5), (0.01, 0.07)]
)
def test_the_usual_share(ratio, share):
    assert usual_share(ratio) == pytest.approx(share)


def test_the_fewest_communities_say_how_much_the_resolution_is_reduced():
    """Three cliques, as three communities of one run and six of another: there is nothing to reduce."""
    W = np.kron(np.eye(3), np.ones((8, 8))) + 0.01
    cores = Cores.of(sparse.csr_array(W), [np.arange(24) // 4, np.arange(24) // 8])
    merged = merge_along_path(cores, 3, 1.0)
    assert merged.resolution == 1
    np.testing.assert_array_equal(merged.labels[cores.core_of], np.arange(24) // 8)
    assert merge_along_path(cores, 2, 1.0).resolution == pytest.approx(0.7 * np.sqrt(2 / 3))


def test_a_long_cluster_stays_whole_beside_a_short_one():
    """Modularity alone would cut the long one in the middle."""
    W, clusters = unequal_chain()
    pieces = np.r_[np.arange(200) // 20, 10 + np.arange(20) // 10]
    cores = Cores.of(sparse.csr_array(W), [pieces])
    usual = merge_cores(cores, 2, usual_share(2 / 12)).labels[cores.core_of]
    assert np.count_nonzero(usual == usual[0]) <= 140
    merged = merge_along_path(cores, 2, 1.0)
    assert merged.resolution < usual_share(2 / 12)
    assert (np.diff(merged.labels[cores.core_of]) != 0).sum() == 1
    np.testing.assert_array_equal(merged.labels[cores.core_of] == merged.labels[cores.core_of][-1], clusters == 1)
