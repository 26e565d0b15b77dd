import numpy as np
import pytest
from scipy import sparse

from anchorgraph.labels.communities import compared_runs, find_clusters
from anchorgraph.labels.louvain import _best_communities, _gain, louvain, move_nodes
from anchorgraph.labels.modularity import degrees, modularity
from reference import communities as literal


def random_graph(seed, n=25):
    """Symmetric weights with loops, as on higher levels."""
    rng = np.random.default_rng(seed)
    W = rng.random((n, n)) * (rng.random((n, n)) < 0.3)
    return W + W.T


def block_graph(seed, sizes=(12, 15, 8, 20), within=0.5, between=0.05):
    """Ties within blocks are more frequent than between them."""
    rng = np.random.default_rng(seed)
    blocks = np.repeat(np.arange(len(sizes)), sizes)
    upper = np.triu(rng.random((len(blocks),) * 2) < np.where(np.equal.outer(blocks, blocks), within, between), 1)
    return (upper + upper.T).astype(float), blocks


def cliques(sizes):
    """Complete graphs, each joined to the next one by an edge."""
    blocks = np.repeat(np.arange(len(sizes)), sizes)
    W = np.equal.outer(blocks, blocks) * 1.0
    np.fill_diagonal(W, 0)
    for end in np.cumsum(sizes)[:-1]:
        W[end - 1, end] = W[end, end - 1] = 1
    return W, blocks


def is_same_partition(one, other):
    return len(set(zip(one, other, strict=True))) == len(set(one)) == len(set(other))


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("gamma", [0.4, 1.0, 3.0])
def test_the_gain_is_the_difference_of_modularity_by_definition(seed, gamma):
    W = random_graph(seed)
    graph, rng = sparse.csr_array(W), np.random.default_rng(seed)
    before = rng.integers(6, size=25)
    after = before.copy()
    chosen = rng.choice(25, 9, replace=False)
    after[chosen] = rng.integers(7, size=9)
    movers = np.flatnonzero(after != before)
    found = _gain(graph[movers], movers, before, after, degrees(graph), gamma)
    expected = literal.quick_modularity(W, after, gamma) - literal.quick_modularity(W, before, gamma)
    assert found == pytest.approx(W.sum() * expected, abs=1e-9)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("gamma", [0.4, 1.0, 3.0])
def test_each_node_alone_would_go_where_modularity_is_largest(seed, gamma):
    W = random_graph(seed)
    graph, labels = sparse.csr_array(W), np.random.default_rng(seed).integers(8, size=25)
    found = _best_communities(graph, labels, np.arange(25), degrees(graph), graph.diagonal(), gamma)
    for node in range(25):
        values = {}
        for c in {labels[node], *labels[W[node] > 0]}:
            trial = labels.copy()
            trial[node] = c
            values[c] = literal.quick_modularity(W, trial, gamma)
        assert values[found[node]] == pytest.approx(max(values.values()), abs=1e-12)


def test_a_node_that_would_gain_nothing_stays():
    """A path of five nodes: the one in the middle is as well off on the left as on the right."""
    W = np.eye(5, k=1) + np.eye(5, k=-1)
    graph = sparse.csr_array(W)
    for middle in (0, 1):
        labels = np.array([0, 0, middle, 1, 1])
        found = _best_communities(graph, labels, np.array([2]), degrees(graph), graph.diagonal(), 1.0)
        assert found.tolist() == [middle]


def test_a_node_without_ties_stays():
    W = np.zeros((4, 4))
    W[0, 1] = W[1, 0] = 1
    graph = sparse.csr_array(W)
    found = _best_communities(graph, np.array([0, 1, 2, 2]), np.arange(4), degrees(graph), graph.diagonal(), 1.0)
    assert found.tolist() == [1, 0, 2, 2]
    assert sorted(np.bincount(louvain(graph, 1.0, np.random.default_rng(0)))) == [1, 1, 2]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("make", [random_graph, lambda seed: block_graph(seed)[0]], ids=["random", "blocks"])
@pytest.mark.parametrize("gamma", [0.5, 1.0, 1.5])
def test_modularity_never_falls_in_a_sweep(seed, make, gamma):
    W = make(seed)
    graph, labels = sparse.csr_array(W), np.arange(len(W))
    values = [literal.quick_modularity(W, labels, gamma)]
    for n_sweeps in range(1, 12):
        moved = move_nodes(graph, labels, gamma, np.random.default_rng(seed), max_sweeps=n_sweeps)
        values.append(literal.quick_modularity(W, moved, gamma))
    assert (np.diff(values) > -1e-12).all()
    assert values[-1] > values[0]


def test_a_sweep_that_would_lose_is_taken_back(monkeypatch):
    """All nodes of a complete graph at once: each moves to another, and all lose."""
    monkeypatch.setattr("anchorgraph.labels.louvain._best_communities", lambda g, labels, nodes, *_: labels[nodes] * 0)
    W, blocks = cliques([5, 5])
    found = move_nodes(sparse.csr_array(W), blocks, 1.0, np.random.default_rng(0))
    np.testing.assert_array_equal(found, blocks)


@pytest.mark.parametrize("seed", range(5))
def test_cliques_that_are_joined_by_an_edge_are_found(seed):
    for sizes in ([5, 5], [4, 9, 6], [7] * 6):
        W, blocks = cliques(sizes)
        assert is_same_partition(louvain(sparse.csr_array(W), 1.0, np.random.default_rng(seed)), blocks)


def test_parts_without_a_tie_between_them_are_found():
    blocks = np.repeat(np.arange(3), 8)
    W = np.equal.outer(blocks, blocks) - np.eye(24)
    found = louvain(sparse.csr_array(W), 1.0, np.random.default_rng(0))
    assert is_same_partition(found, blocks)


@pytest.mark.parametrize("gamma", [0.7, 1.0, 1.5])
def test_modularity_is_that_of_moves_one_by_one(gamma):
    """On average over graphs, and never less by much, though many nodes move at once."""
    ratios = []
    for seed in range(5):
        W, _ = block_graph(seed)
        found = modularity(sparse.csr_array(W), louvain(sparse.csr_array(W), gamma, np.random.default_rng(0)), gamma)
        ratios.append(found / literal.modularity(W, literal.louvain(W, gamma), gamma))
    assert min(ratios) > 0.95
    assert np.mean(ratios) > 0.98


def test_more_resolution_gives_more_communities():
    graph = sparse.csr_array(block_graph(0)[0])
    n_found = [louvain(graph, gamma, np.random.default_rng(0)).max() + 1 for gamma in (0.1, 1.0, 3.0, 30.0)]
    assert n_found[0] < n_found[1] < n_found[2] < n_found[3]


def test_labels_have_no_gaps():
    found = louvain(sparse.csr_array(random_graph(3)), 2.0, np.random.default_rng(0))
    assert set(found) == set(range(found.max() + 1))


@pytest.mark.parametrize("n_clusters", [1, 2, 3, 4, 5, 20, 54, 55])
def test_exactly_so_many_clusters(n_clusters):
    graph = sparse.csr_array(block_graph(1)[0].astype(np.float32))
    found = find_clusters(graph, n_clusters, 0)
    assert set(found.labels) == set(range(n_clusters))


def test_as_many_clusters_as_there_are_blocks():
    W, blocks = block_graph(2, sizes=(20, 20, 20), within=0.6, between=0.02)
    for n_clusters in (3, None):
        assert is_same_partition(find_clusters(sparse.csr_array(W), n_clusters, 0, resolution=1.0).labels, blocks)


def test_of_too_many_communities_the_best_run_is_taken(monkeypatch):
    """More than there may be cores: runs that agree on nothing are not compared."""
    monkeypatch.setattr("anchorgraph.labels.communities.MOST_CORES", 2)
    graph = sparse.csr_array(block_graph(0, between=0.15)[0])
    runs = compared_runs(graph, 1.0, 0)
    scores = [modularity(graph, labels) for labels in runs]
    assert len(set(scores)) > 1
    found = find_clusters(graph, None, 0, resolution=1.0)
    np.testing.assert_array_equal(found.labels, runs[int(np.argmax(scores))])
    assert found.resolution == 1.0


def test_agreement_is_at_least_as_good_as_each_run():
    for seed in range(3):
        graph = sparse.csr_array(block_graph(seed, between=0.15)[0])
        runs = compared_runs(graph, 1.0, 0)
        found = find_clusters(graph, None, 0, resolution=1.0)
        of_runs = (modularity(graph, labels, found.resolution) for labels in runs)
        assert modularity(graph, found.labels, found.resolution) >= max(of_runs) - 1e-12
