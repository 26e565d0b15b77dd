import importlib

import numpy as np
import pytest
from scipy import sparse
from scipy.spatial.distance import cdist
from sklearn.datasets import make_blobs
from sklearn.neighbors import NearestNeighbors

from anchorgraph.anchors.nodes import NodeStack
from anchorgraph.estimators.bases.row_trees import in_tree_order
from anchorgraph.graph import Leaves, RowIndex, compare, leaf_rows, nearest_rows, unsearchable
from anchorgraph.graph.nearest_rows import near_leaves
from anchorgraph.numerics.execution import execution
from reference import communities as literal

MODULE = importlib.import_module("anchorgraph.graph.nearest_rows")  # the function has the same name in its package


def compared(X, k):
    """The reference for many rows."""
    distances, neighbors = NearestNeighbors(n_neighbors=k, algorithm="kd_tree").fit(X).kneighbors()
    return neighbors, distances


def recall(found, expected):
    return (found[:, :, np.newaxis] == expected[:, np.newaxis, :]).any(axis=2).mean()


@pytest.fixture
def few_are_many(monkeypatch):
    """Trees for some thousand rows already, of whose leaves a row sees a part."""
    monkeypatch.setattr(MODULE, "FEW_ROWS", 256)
    monkeypatch.setattr(MODULE, "NEAR_LEAVES", 6)
    monkeypatch.setattr("anchorgraph.graph.row_index.LEAVES_OF_NEW_ROWS", 8)


@pytest.fixture(scope="module")
def many():
    return make_blobs(3000, 6, centers=7, cluster_std=2.0, random_state=0)[0]


def in_trees(X, k=10):
    """Rows in the order of the first tree, and the trees."""
    order, trees = in_tree_order(X, k, 0)
    assert len(trees) == 2
    assert len(trees[0]) > 16
    return X[order], trees


def test_a_case_by_hand():
    neighbors, distances = nearest_rows(np.array([[0.0], [1], [3], [7]]), [], 2)
    assert neighbors.tolist() == [[1, 2], [0, 2], [1, 0], [2, 1]]
    assert distances.tolist() == [[1, 3], [1, 2], [2, 3], [4, 6]]


@pytest.mark.parametrize("k", [1, 7, 149])
def test_all_pairs_are_the_reference(digits, form, k, monkeypatch):
    """Pixels are small integers, so that many distances are equal."""
    monkeypatch.setattr("anchorgraph.graph.compare.GROUP_ROWS", 40)  # several groups
    X = digits[:150]
    neighbors, distances = nearest_rows(np.asarray(X, form(X).dtype), [], k, form(X))
    expected, h = literal.nearest_rows(X, k)
    np.testing.assert_array_equal(neighbors, expected)
    np.testing.assert_allclose(distances, h, rtol=1e-6)
    assert distances.dtype == form(X).dtype


@pytest.mark.parametrize("store", [np.asarray, sparse.csr_array])
def test_of_rows_at_equal_distances_the_first_ones_are_found(store):
    """A grid, where many rows have the same distance."""
    grid = np.stack(np.meshgrid(*[np.arange(4.0)] * 3), axis=-1).reshape(-1, 3)
    np.testing.assert_array_equal(nearest_rows(grid, [], 4, store(grid))[0], literal.nearest_rows(grid, 4)[0])


@pytest.fixture(params=range(3))
def another_cpu(request, monkeypatch):
    """Products with other rounding errors than here, as large as they may be."""
    rng = np.random.default_rng(request.param)

    def rounded_otherwise(product, bound):
        return lambda *arguments: product(*arguments) * (1 + bound * rng.uniform(-1, 1, product(*arguments).shape))

    def scores(rows, candidates, scores=compare._scores):
        found, squares, rounding = scores(rows, candidates)
        lengths, longest = (np.linalg.norm(each - rows[0], axis=1) for each in (rows, candidates))
        largest = np.sqrt(rows.shape[1]) * longest.max() * (lengths + longest.max())[:, np.newaxis]
        noise = rng.uniform(-0.5, 0.5, found.shape) * np.finfo(found.dtype).eps * largest
        return found + noise.astype(found.dtype), squares, rounding

    monkeypatch.setattr(compare, "_scores", scores)
    for name in ("project", "weighted_sum"):
        monkeypatch.setattr(NodeStack, name, rounded_otherwise(getattr(NodeStack, name), 1e-15))


def tenths(dtype):
    """Rows of a grid, whose equal distances differ in the last digit or not at all."""
    rows = np.random.default_rng(0).permutation(np.stack(np.meshgrid(*[np.arange(7)] * 4), axis=-1).reshape(-1, 4))
    return (rows / 10).astype(dtype)


@pytest.fixture(scope="module", params=[np.float32, np.float64])
def on_a_grid(request):
    """Rows, the order and the nearest rows that are found here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(MODULE, "FEW_ROWS", 256)
        X = tenths(request.param)
        order, trees = in_tree_order(X, 10, 0)
        return X, order, nearest_rows(X[order], trees, 10), nearest_rows(X, [], 10)


@pytest.mark.usefixtures("few_are_many", "another_cpu")
def test_the_rounding_of_products_decides_nothing(on_a_grid, monkeypatch):
    monkeypatch.setattr(MODULE, "NEAR_LEAVES", 12)
    X, order, in_leaves, among_all = on_a_grid
    found, trees = in_tree_order(X, 10, 0)
    np.testing.assert_array_equal(found, order)
    for expected, found in ((in_leaves, nearest_rows(X[order], trees, 10)), (among_all, nearest_rows(X, [], 10))):
        np.testing.assert_array_equal(found[0], expected[0])
        np.testing.assert_array_equal(found[1], expected[1])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_large_offset_costs_no_digits(digits, dtype):
    X = (digits[:150] + 4096).astype(dtype)
    neighbors, distances = nearest_rows(X, [], 5)
    expected, h = literal.nearest_rows(X, 5)
    np.testing.assert_array_equal(neighbors, expected)
    np.testing.assert_allclose(distances, h, rtol=1e-6)


@pytest.mark.parametrize("store", [np.asarray, sparse.csr_array])
def test_equal_rows_are_neighbours_at_distance_zero(digits, store):
    X = np.repeat(digits[:30], 3, axis=0)
    neighbors, distances = nearest_rows(X, [], 4, store(X))
    np.testing.assert_array_equal(neighbors, literal.nearest_rows(X, 4)[0])
    assert (distances[:, :2] == 0).all()
    assert (distances[:, 2:] > 0).all()
    assert (neighbors != np.arange(90)[:, np.newaxis]).all()


def test_two_rows_are_neighbours_of_each_other():
    neighbors, distances = nearest_rows(np.array([[0.0, 0], [3, 4]]), [], 1)
    assert (neighbors.tolist(), distances.tolist()) == ([[1], [0]], [[5], [5]])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.usefixtures("few_are_many")
def test_trees_find_nearly_all_at_their_true_distances(many, dtype):
    points, trees = in_trees(many.astype(dtype))
    neighbors, distances = nearest_rows(points, trees, 10)
    expected, _ = compared(points, 10)
    assert recall(neighbors, expected) > 0.98
    true = np.sqrt(((points[:, np.newaxis].astype(np.float64) - points[neighbors]) ** 2).sum(axis=2))
    np.testing.assert_allclose(distances, true, rtol=1e-5 if dtype == np.float32 else 1e-12)
    assert (np.diff(distances, axis=1) >= 0).all()
    assert (neighbors != np.arange(len(points))[:, np.newaxis]).all()
    assert (np.diff(np.sort(neighbors, axis=1), axis=1) > 0).all()  # none of them twice


def test_followers_find_nearly_all_that_is_missed():
    """Some rows are near to many, as columns are of unequal spread: three followers find .985, and twelve .994."""
    X = np.linspace(1, 0.2, 40) * np.random.default_rng(0).standard_normal((5000, 40))
    points, trees = in_trees(X.astype(np.float32), 15)
    expected, _ = compared(points, 15)
    assert recall(nearest_rows(points, trees, 15)[0], expected) > 0.99


@pytest.mark.usefixtures("few_are_many")
def test_two_trees_find_more_than_one_and_their_neighbours_more_still(many, monkeypatch):
    monkeypatch.setattr(MODULE, "NEAR_LEAVES", 2)
    points, trees = in_trees(many)
    expected, _ = compared(points, 10)
    one, both = (recall(MODULE._in_near_leaves(points, some, 10)[0], expected) for some in (trees[:1], trees))
    of_neighbors = recall(nearest_rows(points, trees, 10)[0], expected)
    assert one + 0.05 < both < of_neighbors - 0.02
    assert of_neighbors > 0.9


@pytest.fixture(params=["spread", "equally far"])
def some_rows(request, many):
    return many[:400] if request.param == "spread" else tenths(float)[:400]


def assert_nearest_of_known_and_candidates(X):
    rng = np.random.default_rng(0)
    known = np.stack([rng.choice(np.delete(np.arange(400), row), 6, replace=False) for row in range(400)])
    neighbors, squares = compare.by_square(X, X, known.astype(np.int32), 6)
    known, groups = neighbors.copy(), np.array_split(np.arange(400), 7)
    near = [np.sort(rng.choice(400, size, replace=False)) for size in (0, 1, 50, 100, 200, 300, 400)]
    compare.add_nearer(X, groups, near.__getitem__, neighbors, squares)
    for group, members in enumerate(groups):
        for row in members:
            those = np.setdiff1d(np.union1d(known[row], near[group]), row)[np.newaxis]
            expected, h = compare.by_square(X[[row]], X, those, 6)
            np.testing.assert_array_equal(neighbors[row], expected[0])
            np.testing.assert_array_equal(squares[row], h[0])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.usefixtures("another_cpu")
def test_nearer_candidates_take_the_place_of_known_neighbours(some_rows, dtype, monkeypatch):
    monkeypatch.setattr(compare, "GROUP_ROWS", 30)
    assert_nearest_of_known_and_candidates(some_rows.astype(dtype))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_nearer_candidates_of_sparse_rows(some_rows, dtype):
    assert_nearest_of_known_and_candidates(sparse.csr_array(some_rows.astype(dtype)))


def test_rows_whose_neighbours_are_all_equal_keep_them():
    X = np.repeat([[1.0, 2.0], [3.0, 4.0]], 20, axis=0)
    neighbors = np.tile(np.arange(40).reshape(2, 20)[:, 10:12], (1, 20)).reshape(40, 2).astype(np.int32)
    neighbors[[10, 11, 30, 31]] = [[12, 13], [12, 13], [32, 33], [32, 33]]
    known, squares = neighbors.copy(), np.zeros((40, 2))
    compare.add_nearer(X, [np.arange(40)], lambda _: np.arange(40), neighbors, squares)
    np.testing.assert_array_equal(neighbors, known)


@pytest.mark.parametrize("store", [np.asarray, sparse.csr_array])
@pytest.mark.usefixtures("few_are_many")
def test_candidates_of_a_sketch_are_compared_in_all_columns(many, store):
    rng = np.random.default_rng(0)
    wide = np.hstack([many, 0.3 * rng.standard_normal((len(many), 4))])
    order, trees = in_tree_order(many, 10, 0)
    neighbors, distances = nearest_rows(many[order], trees, 10, store(wide[order]))
    expected, h = compared(wide[order], 10)
    assert recall(neighbors, expected) > 0.95
    is_found = neighbors == expected
    np.testing.assert_allclose(distances[is_found], h[is_found], rtol=1e-10)


@pytest.mark.usefixtures("few_are_many")
def test_equal_rows_find_each_other_in_trees(many):
    points, trees = in_trees(np.repeat(many[:1500], 2, axis=0))
    _, distances = nearest_rows(points, trees, 10)
    assert (distances[:, 0] == 0).mean() > 0.98
    assert (distances[:, 1] > 0).all()


@pytest.mark.usefixtures("few_are_many")
def test_threads_change_nothing(many):
    found = []
    for n_jobs in (1, 2):
        with execution(n_jobs):
            points, trees = in_trees(many)
            found.append((points, *nearest_rows(points, trees, 10)))
    for one, two in zip(*found, strict=True):
        np.testing.assert_array_equal(one, two)


def test_leaves_hold_all_rows_once_in_the_order_of_the_first_tree(many, few_are_many):
    order, trees = in_tree_order(many, 10, 0)
    assert sorted(order) == list(range(len(many)))
    np.testing.assert_array_equal(trees[0].order, np.arange(len(many)))
    for leaves in trees:
        assert sorted(leaves.order) == list(range(len(many)))
        sizes = np.diff(leaves.starts)
        assert np.ptp(sizes) <= 1
        assert sizes.max() <= leaf_rows(len(many), 10)
        for leaf in (0, len(leaves) - 1):
            own = many[order][leaves.rows(leaf)]
            np.testing.assert_allclose(leaves.means[leaf], own.mean(axis=0))


def test_how_many_rows_a_leaf_has():
    assert leaf_rows(4096, 15) == 4096
    assert leaf_rows(4097, 15) == 128
    assert leaf_rows(6400, 200) == 6400
    assert leaf_rows(6401, 200) == 400


def leaves_of(means):
    return Leaves.of(np.arange(len(means)), means)


def test_near_leaves_by_hand():
    assert near_leaves(leaves_of(np.array([[0.0], [1], [3], [7]])), 3).tolist() == [
        [0, 1, 2],
        [1, 0, 2],
        [2, 1, 0],
        [3, 2, 1],
    ]
    assert near_leaves(leaves_of(np.array([[0.0], [1]])), 5).tolist() == [[0, 1], [1, 0]]
    assert near_leaves(leaves_of(np.array([[2.0]])), 5).tolist() == [[0]]


def test_leaves_with_equal_means_begin_with_themselves():
    near = near_leaves(leaves_of(np.ones((8, 2))), 3)
    assert near[:, 0].tolist() == list(range(8))
    assert all(len(set(row)) == 3 for row in near.tolist())


@pytest.mark.parametrize(("cell", "least"), [(64, 1.0), (8, 0.8)], ids=["all cells are near", "cells of cells"])
def test_near_leaves_through_cells(cell, least, monkeypatch):
    means = np.sort(np.random.default_rng(0).standard_normal((500, 1)), axis=0)
    exact = near_leaves(leaves_of(means), 6)
    monkeypatch.setattr(MODULE, "FEW_ROWS", 16)
    monkeypatch.setattr(MODULE, "CELL_LEAVES", cell)
    found = near_leaves(leaves_of(means), 6)
    np.testing.assert_array_equal(found[:, 0], np.arange(500))
    assert all(len(set(row)) == 6 for row in found.tolist())
    assert recall(found, exact) >= least


@pytest.fixture
def index(many, few_are_many):
    points, trees = in_trees(many[:2500])
    index = RowIndex.of(points, trees)
    assert len(index.means) > index.near.shape[1]
    return index


def test_new_rows_are_the_reference_with_one_leaf(digits, form):
    X, new = digits[:120], digits[100:160]
    neighbors, distances = RowIndex.of(X, []).nearest(new, 6)
    expected, h = literal.nearest(new, X, 6)
    np.testing.assert_array_equal(neighbors, expected)
    np.testing.assert_allclose(distances, h, rtol=1e-12)
    few = RowIndex.of(X[:, :3], [])  # candidates in few columns are all rows
    neighbors, distances = few.nearest_in_all_columns(new[:, :3], 6, form(new), form(X))
    np.testing.assert_array_equal(neighbors, expected)
    np.testing.assert_allclose(distances, h, rtol=1e-6)


def test_new_rows_find_nearly_all_in_many_leaves(index, many):
    new = many[2500:]
    neighbors, distances = index.nearest(new, 5)
    h = cdist(new, index.points)
    assert recall(neighbors, np.argsort(h, axis=1)[:, :5]) > 0.95
    np.testing.assert_allclose(distances, np.take_along_axis(h, neighbors, axis=1), rtol=1e-10)


def test_a_row_of_the_fit_finds_itself(index):
    neighbors, distances = index.nearest(index.points, 1)
    np.testing.assert_array_equal(neighbors[:, 0], np.arange(len(index.points)))
    assert (distances == 0).all()


def test_a_row_of_the_fit_finds_itself_even_if_its_leaf_is_not_searched(index, monkeypatch):
    monkeypatch.setattr("anchorgraph.graph.row_index.LEAVES_OF_NEW_ROWS", 1)
    alone = RowIndex(index.points, index.leaf_of, index.means)
    assert any((alone.leaf_of[members] != leaf).any() for leaf, members in alone._by_leaf(alone.points))
    neighbors, distances = alone.nearest(alone.points, 3)
    np.testing.assert_array_equal(neighbors[:, 0], np.arange(len(index.points)))
    assert (distances[:, 0] == 0).all()
    assert (distances[:, 1:] > 0).all()


def test_new_rows_do_not_depend_on_the_batch(index, many):
    new = np.vstack([many[2475:2510], 50 + many[:5]])
    together = index.nearest(new, 5)
    alone = [index.nearest(new[i : i + 1], 5) for i in range(len(new))]
    for number in (0, 1):
        np.testing.assert_array_equal(np.concatenate([found[number] for found in alone]), together[number])


def test_threads_change_no_new_rows(index, many):
    found = []
    for n_jobs in (1, 2):
        with execution(n_jobs):
            found.append(index.nearest(many, 5))
    np.testing.assert_array_equal(found[0][0], found[1][0])
    np.testing.assert_array_equal(found[0][1], found[1][1])


def test_new_rows_get_as_many_as_all_leaves_around_them_have(monkeypatch):
    """Leaves of 1, 2 and 6 rows: the two around the first mean have 3 rows, those around the others 8 and 7."""
    monkeypatch.setattr("anchorgraph.graph.row_index.LEAVES_OF_NEW_ROWS", 2)
    leaf_of = np.repeat([0, 1, 2], [1, 2, 6])
    points = np.r_[0.0, 9, 11, 14:20][:, np.newaxis]
    index = RowIndex(points, leaf_of, np.array([[0.0], [10], [17]]))
    assert index.near.tolist() == [[0, 1], [1, 2], [2, 1]]
    assert [index._n_candidates(leaves) for leaves in ([0], [1], [2], [1, 2], [0, 1, 2])] == [3, 8, 8, 8, 3]
    neighbors, distances = index.nearest(np.array([[-1.0], [18]]), 3)
    assert neighbors.tolist() == [[0, 1, 2], [7, 6, 8]]
    assert distances.tolist() == [[1, 10, 12], [0, 1, 1]]


def test_an_index_with_an_empty_leaf_is_described():
    points = np.arange(6.0).reshape(3, 2)
    assert unsearchable(RowIndex(points, np.array([0, 0, 1]), points[:2])) is None
    assert unsearchable(RowIndex(points, np.array([0, 0, 2]), points)) == "has no rows in leaf 1"
