import numpy as np
import pytest
from scipy import sparse

from anchorgraph.labels import largest_first, modularity
from anchorgraph.labels.modularity import degrees, numbered
from anchorgraph.numerics.groups import graph_of_groups, one_hot
from reference import communities as literal

CLIQUES = np.kron(np.eye(2), 1 - np.eye(3))
CLIQUES[2, 3] = CLIQUES[3, 2] = 1
"""Two triangles joined by an edge."""


def random_graph(seed, n=20, loops=True):
    """Symmetric weights, half of them zero."""
    rng = np.random.default_rng(seed)
    W = rng.random((n, n)) * (rng.random((n, n)) < 0.3)
    W = W + W.T
    return W if loops else W * (1 - np.eye(n))


def test_two_triangles_by_hand():
    """Of 14 ends of ties, 12 lie within triangles, whose degrees are 7 each."""
    graph = sparse.csr_array(CLIQUES)
    assert modularity(graph, np.array([0, 0, 0, 1, 1, 1])) == pytest.approx(12 / 14 - 2 / 4)
    assert modularity(graph, np.array([0, 0, 0, 1, 1, 1]), 0.5) == pytest.approx(12 / 14 - 1 / 4)
    assert modularity(graph, np.zeros(6, int)) == 0
    assert modularity(graph, np.arange(6)) == pytest.approx(-(4 * 2**2 + 2 * 3**2) / 14**2)
    assert degrees(graph).tolist() == [2, 2, 3, 3, 2, 2]


@pytest.mark.parametrize("gamma", [0.3, 1.0, 2.5])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("loops", [False, True])
def test_modularity_is_its_definition(gamma, dtype, loops):
    for seed in range(5):
        W = random_graph(seed, loops=loops)
        W = (W > 0).astype(dtype) if dtype == np.float32 else W  # ties of weight one, as between nearest rows
        labels = np.random.default_rng(seed).integers(4, size=20)
        expected = literal.modularity(W.astype(np.float64), labels, gamma)
        assert modularity(sparse.csr_array(W), labels, gamma) == pytest.approx(expected, abs=1e-12)
        assert literal.quick_modularity(W.astype(np.float64), labels, gamma) == pytest.approx(expected, abs=1e-12)


def test_a_graph_without_ties_has_no_modularity():
    assert modularity(sparse.csr_array((3, 3)), np.array([0, 1, 2])) == 0


@pytest.mark.parametrize("seed", range(5))
def test_the_graph_of_communities_is_the_reference(seed):
    W, labels = random_graph(seed), np.random.default_rng(seed).permutation(np.arange(20) % 6)
    found = graph_of_groups(sparse.csr_array(W), labels)
    np.testing.assert_allclose(found.toarray(), literal.aggregated(W, labels), rtol=1e-12)
    assert found.dtype == np.float64


def test_communities_have_the_same_modularity_as_nodes():
    """What makes the levels of Louvain one search: each node alone in the graph of communities."""
    graph, labels = sparse.csr_array(random_graph(0)), np.arange(20) % 5
    for gamma in (0.5, 1.0, 2.0):
        whole = modularity(graph_of_groups(graph, labels), np.arange(5), gamma)
        assert whole == pytest.approx(modularity(graph, labels, gamma), abs=1e-12)


def test_labels_by_hand():
    assert one_hot(np.array([1, 0, 1]), 3, np.float32).toarray().tolist() == [[0, 1, 0], [1, 0, 0], [0, 1, 0]]
    assert numbered(np.array([7, 3, 7, 9])).tolist() == [1, 0, 1, 2]
    assert largest_first(np.array([0, 1, 2]), np.array([2, 2, 2, 0, 1, 1])).tolist() == [2, 1, 0]
    assert largest_first(np.array([0, 1]), np.array([0, 1])).tolist() == [0, 1]  # the first of equal ones stays first
