import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anchorgraph.graph import KINDS, fuzzy_weights, nearest_rows, reciprocal_ties, symmetric_distances, ties
from reference import communities as literal

CHAIN = np.array([[1, 2], [0, 2], [1, 0], [2, 1]]), np.array([[1.0, 3], [1, 2], [2, 3], [4, 6]])
"""The two nearest of rows at 0, 1, 3 and 7."""


@st.composite
def neighbor_tables(draw):
    """Numbers of k other rows for each of n rows, and increasing distances."""
    n = draw(st.integers(2, 9))
    k = draw(st.integers(1, n - 1))
    rng = np.random.default_rng(draw(st.integers(0, 99)))
    neighbors = np.array([rng.permutation(np.delete(np.arange(n), i))[:k] for i in range(n)])
    return neighbors, np.sort(rng.integers(0, 4, (n, k)) + rng.random((n, k)), axis=1)


@pytest.fixture(scope="module")
def near(digits):
    return nearest_rows(digits[:80], [], 6)


def test_a_chain_by_hand():
    neighbors, distances = CHAIN
    assert KINDS["directed"](neighbors, distances).toarray().tolist() == [
        [0, 1, 1, 0],
        [1, 0, 1, 0],
        [1, 1, 0, 0],
        [0, 1, 1, 0],
    ]
    assert KINDS["mutual"](neighbors, distances).toarray().tolist() == [
        [0, 1, 1, 0],
        [1, 0, 1, 0],
        [1, 1, 0, 0],
        [0, 0, 0, 0],
    ]
    assert KINDS["union"](neighbors, distances).toarray()[3].tolist() == [0, 1, 1, 0]


@pytest.mark.parametrize("kind", ["directed", "mutual", "union"])
def test_ties_are_the_reference(near, kind):
    np.testing.assert_array_equal(KINDS[kind](*near).toarray(), literal.ties(near[0], kind))


@given(neighbor_tables())
def test_kinds_are_the_reference_for_any_neighbours(table):
    neighbors, distances = table
    for kind in ("directed", "mutual", "union"):
        np.testing.assert_array_equal(KINDS[kind](neighbors, distances).toarray(), literal.ties(neighbors, kind))


# ties that follow reciprocity


@given(neighbor_tables())
def test_reciprocal_ties_are_the_reference(table):
    found = reciprocal_ties(*table)
    np.testing.assert_allclose(found.toarray(), literal.reciprocal_ties(*table), atol=1.01 / 1024)
    np.testing.assert_array_equal(found.toarray(), found.toarray().T)
    assert found.dtype == np.float32
    assert found.data.min() > 0
    assert (found.sum(axis=1) > 0.2).all()  # every row has ties
    np.testing.assert_array_equal(1024 * found.data, np.rint(1024 * found.data))


def test_where_most_ties_are_mutual_these_count_alone():
    """Rows on a line, at distances that differ: each is tied to those before and after it."""
    X = np.cumsum(1 + np.arange(40) % 7 / 10)[:, np.newaxis]
    neighbors, distances = nearest_rows(X, [], 4)
    mutual = KINDS["mutual"](neighbors, distances)
    assert mutual.nnz > 0.75 * neighbors.size
    first = KINDS["union"](neighbors[:, :2], distances[:, :2])
    np.testing.assert_array_equal(reciprocal_ties(neighbors, distances).toarray(), mutual.maximum(first).toarray())


def test_where_few_ties_are_mutual_all_count_by_their_distance():
    X = np.random.default_rng(0).standard_normal((400, 64))
    neighbors, distances = nearest_rows(X, [], 12)
    r = KINDS["mutual"](neighbors, distances).nnz / neighbors.size
    assert r < 0.5
    a = ties(neighbors, fuzzy_weights(distances), 400).toarray()
    expected = (1 - r) * KINDS["fuzzy"](neighbors, distances).toarray() + r * a * a.T
    found = reciprocal_ties(neighbors, distances).toarray()
    first = KINDS["union"](neighbors[:, :2], distances[:, :2]).toarray() > 0  # count at least so much
    np.testing.assert_allclose(found[~first], expected[~first], atol=0.6 / 1024)
    assert (found[first] > expected[first] - 0.6 / 1024).all()


def test_a_row_without_distances_to_others_has_ties():
    neighbors = np.array([[1, 2], [0, 2], [0, 1], [0, 1]])
    found = reciprocal_ties(neighbors, np.zeros((4, 2)))
    np.testing.assert_allclose(found.toarray(), literal.reciprocal_ties(neighbors, np.zeros((4, 2))), atol=1 / 1024)
    assert (found.sum(axis=1) > 0).all()


def test_fuzzy_ties_are_those_of_umap(near):
    found = KINDS["fuzzy"](*near).toarray()
    np.testing.assert_allclose(found, literal.fuzzy(*near), atol=1e-7)
    np.testing.assert_array_equal(found, found.T)


@pytest.mark.parametrize("k", [2, 3, 5, 30])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_fuzzy_weights_sum_to_the_logarithm_of_the_neighbours(k, dtype):
    h = np.sort(np.random.default_rng(0).random((400, k)) + 1e-3, axis=1).astype(dtype)
    weights = fuzzy_weights(h)
    np.testing.assert_allclose(weights.sum(axis=1), np.log2(k + 1), rtol=1e-5)
    assert weights.dtype == dtype
    assert (weights[:, 0] == 1).all()
    assert (np.diff(weights, axis=1) <= 0).all()
    np.testing.assert_allclose(weights[:20], [literal.fuzzy_weights(row) for row in h[:20]], atol=1e-5)


@pytest.mark.parametrize("scale", [1e-30, 1e30])
def test_fuzzy_weights_do_not_depend_on_the_unit(scale):
    h = np.sort(np.random.default_rng(0).random((50, 8)), axis=1)
    np.testing.assert_allclose(fuzzy_weights(scale * h), fuzzy_weights(h), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(
    ("h", "expected"),
    [
        ([[0.0, 0, 0]], [[1, 1, 1]]),  # all are equal to the row
        ([[2.0, 2, 2]], [[1, 1, 1]]),  # more than log2(4) of them are nearest
        ([[5.0]], [[1]]),
        ([[1.0, 9]], [[1, np.log2(3) - 1]]),
        ([[0.0, 0, 1, 4]], [[1, 1, 1, 0]]),  # log2(5) is exceeded by the nearest
        ([[1.0, 1, 1, 1.001]], [[1, 1, 1, np.exp(-5 / 4.001)]]),  # a thousandth of the mean distance
    ],
)
def test_fuzzy_weights_by_hand(h, expected):
    np.testing.assert_allclose(fuzzy_weights(np.array(h)), expected, atol=1e-12)


def test_symmetric_distances_by_hand():
    one_way, both_ways = (symmetric_distances(*CHAIN, n_ways=n_ways) for n_ways in (1, 2))
    assert both_ways.indptr.tolist() == [0, 3, 6, 9, 10]
    assert both_ways.indices.tolist() == [0, 1, 2, 1, 0, 2, 2, 1, 0, 3]
    assert both_ways.data.tolist() == [0, 1, 3, 0, 1, 2, 0, 2, 3, 0]
    assert one_way.indices[one_way.indptr[1] :].tolist() == [1, 0, 2, 3, 2, 1, 0, 3, 3, 2, 1]
    assert one_way.data[one_way.indptr[1] :].tolist() == [0, 1, 2, 6, 0, 2, 3, 4, 0, 4, 6]


@pytest.mark.parametrize(("n_ways", "kind"), [(1, "union"), (2, "mutual")])
def test_symmetric_distances_keep_zeros_and_are_sorted(digits, n_ways, kind):
    X = np.repeat(digits[:30], 2, axis=0)
    neighbors, distances = nearest_rows(X, [], 4)
    graph = symmetric_distances(neighbors, distances, n_ways)
    expected = literal.ties(neighbors, kind) + np.eye(60)
    assert graph.nnz == np.count_nonzero(expected)
    stored = graph.copy()
    stored.data[:] = 1
    np.testing.assert_array_equal(stored.toarray(), expected)
    assert np.count_nonzero(graph.data == 0) == 60 + 60  # the diagonal, and each row's equal one
    for i in range(60):
        columns, values = (part[graph.indptr[i] : graph.indptr[i + 1]] for part in (graph.indices, graph.data))
        assert (columns[0], values[0]) == (i, 0)
        assert (np.diff(values) >= 0).all()
        np.testing.assert_allclose(values, [literal.distance(X[i], X[j]) for j in columns])


def test_ties_keep_the_order_of_the_neighbours():
    graph = ties(np.array([[2, 0], [1, 2]]), np.array([[0.5, 0.25], [0, 3]]), 4)
    assert graph.shape == (2, 4)
    assert graph.indices.tolist() == [2, 0, 1, 2]
    assert graph.data.tolist() == [0.5, 0.25, 0, 3]
    assert graph.indices.dtype == graph.indptr.dtype == np.int32
