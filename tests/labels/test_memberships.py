import numpy as np
import pytest
from scipy import sparse

from anchorgraph.labels import memberships, settle, vote
from reference import communities as literal


def random_ties(seed, n=40):
    rng = np.random.default_rng(seed)
    upper = np.triu(rng.random((n, n)) < 0.1, 1)
    return (upper + upper.T + np.eye(n, k=1) + np.eye(n, k=-1) > 0).astype(np.float32)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("n_clusters", [1, 3, 12])
def test_memberships_are_the_reference(seed, n_clusters):
    W = random_ties(seed)
    labels = np.random.default_rng(seed).permutation(np.arange(40) % n_clusters)
    found = memberships(sparse.csr_array(W), labels, n_clusters)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found.toarray(), literal.memberships(W.astype(float), labels, n_clusters), atol=1e-5)
    np.testing.assert_allclose(found.sum(axis=1), 1, rtol=1e-6)
    np.testing.assert_array_equal(found.toarray().argmax(axis=1), labels)


def test_a_chain_by_hand():
    """From the end of a chain of three, a walk of four steps is at an end each time it has taken two."""
    W = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]], np.float32)
    found = memberships(sparse.csr_array(W), np.array([0, 1, 2]), 3).toarray()
    np.testing.assert_allclose(found, [[0.5, 0, 0.5], [0, 1, 0], [0.5, 0, 0.5]], atol=1e-6)
    assert found[0, 0] > found[0, 2]  # the own cluster is ahead
    assert found[2, 2] > found[2, 0]


def test_parts_without_a_tie_have_nothing_of_each_other():
    W = np.kron(np.eye(2), 1 - np.eye(4)).astype(np.float32)
    found = memberships(sparse.csr_array(W), np.repeat([0, 1], 4), 2)
    assert found.nnz == 8
    np.testing.assert_allclose(found.toarray(), np.repeat(np.eye(2), 4, axis=0))


def test_small_shares_are_left_out():
    """A clique, of whose fifteen hundred nodes one is in another cluster."""
    W = (1 - np.eye(1500)).astype(np.float32)
    labels = np.zeros(1500, int)
    labels[0] = 1
    found = memberships(sparse.csr_array(W), labels, 2)
    assert found[1:].nnz == 1499
    assert (found[1:].data == 1).all()


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("n_clusters", [1, 3, 12])
def test_nodes_settle_as_in_the_reference(seed, n_clusters):
    W = random_ties(seed)
    labels = np.random.default_rng(seed).permutation(np.arange(40) % n_clusters)
    found = settle(sparse.csr_array(W), labels, n_clusters)
    np.testing.assert_array_equal(found, literal.settle(W.astype(float), labels, n_clusters))
    assert n_clusters == 1 or (found != labels).any()


def test_a_node_in_the_midst_of_another_cluster_moves_there():
    """Two cliques of six with a tie between them, and a node of each in the cluster of the other."""
    W = np.kron(np.eye(2), 1 - np.eye(6)).astype(np.float32)
    W[5, 6] = W[6, 5] = 1
    wrong = np.array([0, 0, 1, 0, 0, 0, 1, 1, 1, 0, 1, 1])
    np.testing.assert_array_equal(settle(sparse.csr_array(W), wrong, 2), np.repeat([0, 1], 6))


def test_no_cluster_is_left_by_all_its_nodes():
    W = (1 - np.eye(12)).astype(np.float32)
    labels = np.zeros(12, int)
    labels[3] = 1
    np.testing.assert_array_equal(settle(sparse.csr_array(W), labels, 2), labels)


def test_clusters_of_one_node_stay():
    labels = np.arange(40)
    assert set(settle(sparse.csr_array(random_ties(0)), labels, 40)) == set(labels)


def test_votes_are_the_reference():
    rng = np.random.default_rng(0)
    shares = rng.dirichlet(np.ones(3), 20)
    neighbors = np.array([rng.choice(20, 5, replace=False) for _ in range(12)])
    distances = np.sort(rng.random((12, 5)), axis=1)
    distances[3, 0] = distances[4, 0] = 0
    distances[4, 1] = distances[5, 0] = 1e-17
    distances[5, 1] = 1e-16  # a row that was scaled in another block
    found = vote(sparse.csr_array(shares), neighbors, distances)
    np.testing.assert_allclose(found, literal.vote(shares, neighbors, distances), rtol=1e-12)
    np.testing.assert_allclose(found.sum(axis=1), 1)
    np.testing.assert_allclose(found[3], shares[neighbors[3, 0]])
    np.testing.assert_allclose(found[4], shares[neighbors[4, 0]])
    np.testing.assert_allclose(found[5], shares[neighbors[5, :2]].mean(axis=0))


def test_a_vote_by_hand():
    found = vote(sparse.csr_array(np.eye(2)), np.array([[1, 0]]), np.array([[1.0, 2.0]]))
    np.testing.assert_allclose(found, [[0.5**0.5 / (1 + 0.5**0.5), 1 / (1 + 0.5**0.5)]])
