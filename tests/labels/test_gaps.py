import numpy as np
import pytest
from scipy import sparse
from sklearn.neighbors import NearestNeighbors

from anchorgraph.graph import reciprocal_ties
from anchorgraph.labels.gaps import Gaps, sparseness, sparseness_of_degrees
from reference import levels as reference


def neighbors_of(X, k=8):
    distances, neighbors = NearestNeighbors(n_neighbors=k).fit(X).kneighbors()
    return neighbors, distances


def rows(seed, n=90):
    """Two blobs, one of them dense, and some rows between them."""
    rng = np.random.default_rng(seed)
    centres = np.array([[0.0, 0, 0], [5, 0, 0]])[np.arange(n) % 2]
    return centres + rng.standard_normal((n, 3)) * np.where(np.arange(n) % 2, 0.5, 1.2)[:, np.newaxis]


@pytest.mark.parametrize("seed", range(3))
def test_sparseness_is_that_of_the_reference(seed):
    _, distances = neighbors_of(rows(seed))
    np.testing.assert_allclose(sparseness(distances), reference.sparseness(distances), rtol=1e-10)


def test_the_dimension_is_that_of_the_rows():
    """In d dimensions, half the distance is 2^d times the density."""
    rng = np.random.default_rng(0)
    for d in (1, 2, 5):
        X = rng.random((3000, d))
        _, distances = neighbors_of(X)
        found = sparseness(2 * distances) - sparseness(distances)
        assert found[0] / np.log(2) == pytest.approx(d, rel=0.25)


def test_equal_and_very_few_distances_have_a_sparseness():
    assert (sparseness(np.zeros((4, 3))) == 0).all()
    assert (sparseness(np.ones((4, 3))) == 0).all()
    assert np.isfinite(sparseness(np.array([[0.0, 0, 1], [1, 1, 1]]))).all()
    assert (sparseness(np.array([[1.0], [2.0]])) == np.log([1, 2])).all()


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("n_clusters", [2, 5])
def test_gaps_are_those_of_the_reference(seed, n_clusters):
    neighbors, distances = neighbors_of(rows(seed))
    graph, rng = reciprocal_ties(neighbors, distances.astype(np.float32)), np.random.default_rng(seed)
    core_of = np.append(np.arange(12), rng.integers(0, 12, len(distances) - 12))
    labels = np.append(np.arange(n_clusters), rng.integers(0, n_clusters, 12 - n_clusters))
    sparse_at = sparseness(distances)
    found = Gaps.of(graph, core_of, sparse_at).around(labels)
    W = graph.toarray().astype(float)
    expected = [reference.gap(W, labels[core_of], sparse_at, cluster) for cluster in range(n_clusters)]
    np.testing.assert_allclose(found, expected, atol=1e-9)


def test_a_gap_is_large_between_clouds_and_small_within_one():
    rng = np.random.default_rng(0)
    one = rng.standard_normal((400, 2))
    for X, labels, has_gap in (
        (one, (one[:, 0] > 0).astype(int), False),
        (np.vstack([one, one + np.array([5.0, 0])]), np.repeat([0, 1], 400), True),
    ):
        neighbors, distances = neighbors_of(X)
        graph = reciprocal_ties(neighbors, distances.astype(np.float32))
        gaps = Gaps.of(graph, labels, sparseness(distances)).around(np.arange(2))
        assert (gaps > 0.8).all() if has_gap else (gaps < 0.5).all()


def test_a_cluster_without_edges_to_others_has_an_infinite_gap():
    graph = sparse.csr_array(np.kron(np.eye(2), np.ones((3, 3)) - np.eye(3)))
    gaps = Gaps.of(graph, np.repeat([0, 1], 3), np.arange(6.0)).around(np.arange(2))
    assert np.isinf(gaps).all()


@pytest.mark.parametrize("seed", range(3))
def test_gaps_of_a_given_graph_are_about_as_large_as_those_of_distances(seed):
    labels = np.repeat([0, 1], 200)
    X = 5 * labels[:, np.newaxis] * np.eye(1, 3) + np.random.default_rng(seed).standard_normal((400, 3))
    neighbors, distances = neighbors_of(X, 15)
    graph = reciprocal_ties(neighbors, distances.astype(np.float32))
    expected = Gaps.of(graph, labels, sparseness(distances)).around(np.arange(2)).sum()
    found = Gaps.of(graph, labels, sparseness_of_degrees(graph)).around(np.arange(2)).sum()
    assert 0.3 < found / expected < 1


def test_of_a_given_graph_nodes_with_a_small_degree_are_sparse():
    graph = sparse.csr_array(np.array([[0, 1.0, 3], [1, 0, 0], [3, 0, 0]]))
    found = sparseness_of_degrees(graph)
    assert found[1] > found[2] > found[0]
