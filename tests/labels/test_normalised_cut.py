import numpy as np
import pytest
from scipy import sparse

from anchorgraph.labels import normalised_cuts
from anchorgraph.table import as_table
from reference import graph as literal_graph
from reference.cluster_path import normalised_cut


def cuts_of(Z, *clusterings, weights=None, block_rows=None):
    table = as_table(sparse.csr_array(Z), block_rows=block_rows)
    if weights is not None:
        table = table.weighted(table.align(weights))
    labels = [table.align(np.asarray(own, dtype=np.int32)) for own in clusterings]
    degrees = Z.T @ (np.ones(len(Z)) if weights is None else weights)
    return normalised_cuts(table, labels, [int(np.max(own)) + 1 for own in clusterings], degrees)


def test_two_cliques_by_hand():
    """Four rows at two anchors: nothing is cut between the cliques, and half of each pair's ties across them."""
    Z = np.array([[1.0, 0], [1, 0], [0, 1], [0, 1]])
    np.testing.assert_allclose(cuts_of(Z, [0, 0, 1, 1], [0, 1, 0, 1], [0, 1, 2, 3]), [0, 1, 2], atol=1e-12)


@pytest.fixture(scope="module")
def graph():
    rng = np.random.default_rng(0)
    Z = rng.random((40, 9)) * (rng.random((40, 9)) < 0.4)
    Z[:, 0] += 0.1
    Z[:, 8] = 0  # an anchor that is nobody's neighbour
    return Z / Z.sum(axis=1, keepdims=True), [rng.integers(k, size=40) for k in (2, 3, 7)]


def test_cuts_are_those_of_the_dense_graph(graph):
    Z, clusterings = graph
    A = literal_graph.similarity(Z)
    np.testing.assert_allclose(cuts_of(Z, *clusterings), [normalised_cut(A, own) for own in clusterings])


def test_weights_are_repeated_rows(graph):
    Z, clusterings = graph
    counts = np.random.default_rng(1).integers(4, size=40)
    repeated = [np.repeat(own, counts) for own in clusterings]
    weighted = cuts_of(Z, *clusterings, weights=counts.astype(float))
    np.testing.assert_allclose(weighted, cuts_of(np.repeat(Z, counts, axis=0), *repeated))
    A = Z[:, :8] @ np.diag(1 / (Z[:, :8].T @ counts)) @ Z[:, :8].T
    np.testing.assert_allclose(weighted, [normalised_cut(A, own, counts) for own in clusterings])


@pytest.mark.parametrize("block_rows", [1, 7, 100])
def test_blocks_of_any_size_give_the_same_cuts(graph, block_rows):
    Z, clusterings = graph
    np.testing.assert_allclose(cuts_of(Z, *clusterings, block_rows=block_rows), cuts_of(Z, *clusterings))


def test_a_cluster_without_rows_counts_as_cut_off():
    Z = np.array([[1.0, 0], [1, 0], [0, 1], [0, 1]])
    np.testing.assert_allclose(cuts_of(Z, [0, 0, 2, 2]), [1], atol=1e-12)
