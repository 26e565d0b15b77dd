from importlib import import_module

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from anchorgraph.anchors import HKAnchors, coordinates, grow_bkhk, nodes, route
from anchorgraph.anchors import tree as tree_module
from anchorgraph.anchors.balanced import first_halves
from anchorgraph.numerics.execution import execution
from anchorgraph.table import as_table
from reference.bkhk import bkhk as literal_bkhk


def grown(X, m, seed=0, n_jobs=1, **options):
    with execution(n_jobs):
        return grow_bkhk(as_table(X), m, seed=seed, **options)


def test_four_points_on_a_line_by_hand():
    tree = grown(np.array([[30.0], [0.0], [1.0], [31.0]]), 2)
    assert sorted(tree.anchors.points.ravel().tolist()) == [0.5, 30.5]
    assert tree.labels[0] == tree.labels[3] != tree.labels[1] == tree.labels[2]


@pytest.mark.parametrize("m", [2, 7, 16])
def test_same_leaves_as_the_reference_from_the_same_starts(blobs, m):
    """The reference walks depth first and is given the first centres that each node draws from its number."""
    table = as_table(blobs)
    numbers = {}

    def number(rows, value, q):
        numbers[tuple(rows)] = (value, q)

    def start(rows):
        value, q = numbers[tuple(rows)]
        node = nodes.nodes_of(table, rows[np.newaxis], np.zeros(8))
        left = first_halves(node, len(rows) * (q // 2) // q, [np.random.default_rng([0, value])], 100)[0]
        return blobs[rows[left]].mean(axis=0), blobs[rows[~left]].mean(axis=0)

    ours = grown(blobs, m, tol=0)

    def walk(rows, value, q):
        """Number the nodes that our tree went through; the reference must ask for these and no others."""
        number(rows, value, q)
        if q > 1:
            first, half = ours.labels[rows].min(), q // 2
            left = ours.labels[rows] < first + half
            walk(rows[left], value + 1, half)
            walk(rows[~left], value + 2 * half, q - half)

    walk(np.arange(len(blobs)), 0, m)
    labels, anchors = literal_bkhk(blobs, m, start)
    np.testing.assert_array_equal(ours.labels, labels)
    np.testing.assert_allclose(ours.anchors.points, anchors)


@settings(max_examples=40)
@given(st.integers(1, 60), st.integers(0, 10**6), st.data())
def test_leaf_sizes_differ_by_at_most_one_for_any_number(n, seed, data):
    m = data.draw(st.integers(1, n))
    X = np.random.default_rng(seed).integers(0, 4, (n, 2)).astype(float)
    sizes = np.bincount(grown(X, m, seed).labels, minlength=m)
    assert len(sizes) == m
    assert sizes.max() - sizes.min() <= 1


@pytest.mark.parametrize("options", [{}, {"tol": 0}, {"max_iter": 2}, {"max_samples": 50}])
def test_the_tree_depends_on_the_seed_and_on_nothing_else(digits, monkeypatch, options):
    X = digits.astype(np.float32)
    first = grown(X, 100, **options)
    for stack_bytes in (0, 2**30):
        monkeypatch.setattr(tree_module, "STACK_BYTES", stack_bytes)
        np.testing.assert_array_equal(grown(X, 100, n_jobs=2, **options).labels, first.labels)
    assert (grown(X, 100, seed=1, **options).labels != first.labels).any()


@pytest.mark.parametrize("options", [{"tol": 0}, {"max_samples": 50}])
@pytest.mark.parametrize("store", [np.asarray, sparse.csr_array])
def test_nodes_too_large_for_memory(digits, monkeypatch, store, options):
    """Balanced, the same for any number of threads, and no worse than a tree of rows that are all held."""
    held = grown(store(digits), 64, **options)
    monkeypatch.setattr(nodes, "HELD_BYTES", 2**16)
    monkeypatch.setattr(nodes, "READ_BYTES", 2**14)
    tree = grown(store(digits), 64, **options)
    np.testing.assert_array_equal(grown(store(digits), 64, n_jobs=2, **options).labels, tree.labels)
    assert np.ptp(np.bincount(tree.labels)) == 1
    errors = [((digits - grown_.anchors.points[grown_.labels]) ** 2).sum() for grown_ in (tree, held)]
    assert errors[0] < 1.03 * errors[1]


def in_few_coordinates(monkeypatch, n_axes):
    """Rows of 64 columns are short enough not to need it; here they are made to."""
    monkeypatch.setattr(coordinates, "AXES", n_axes)
    monkeypatch.setattr(coordinates, "MANY_COLUMNS", 2 * n_axes)


def test_growing_in_a_few_coordinates_is_as_good(digits, monkeypatch):
    def trees():
        return [grown(digits, 64, seed) for seed in range(5)]

    whole = trees()
    in_few_coordinates(monkeypatch, 24)
    few = trees()
    assert (few[0].labels != whole[0].labels).any()
    assert np.ptp(np.bincount(few[0].labels)) == 1
    errors = [sum(((digits - t.anchors.points[t.labels]) ** 2).sum() for t in some) for some in (few, whole)]
    assert errors[0] < 1.02 * errors[1]


def test_without_tolerance_halves_are_those_of_all_columns(digits, monkeypatch):
    """No row is nearer to the other half's mean than one there: what two-means ends with, in all columns."""
    in_few_coordinates(monkeypatch, 12)
    tree = grown(digits, 2, tol=0)
    left, right = (digits[tree.labels == side] for side in (0, 1))
    normal = right.mean(axis=0) - left.mean(axis=0)
    assert (left @ normal).max() <= (right @ normal).min()
    assert np.linalg.matrix_rank(np.vstack([normal, tree.anchors.tree.directions[0]]), tol=1e-6) == 1


@pytest.mark.parametrize("block_rows", [1, 33, None])
def test_the_tree_does_not_depend_on_block_size_or_storage(blobs, memmap, block_rows):
    expected = grown(blobs, 13).labels
    for source in (blobs, memmap(blobs)):
        table = as_table(source, block_rows=block_rows)
        np.testing.assert_array_equal(grow_bkhk(table, 13, seed=0).labels, expected)


def test_sparse_rows_give_the_same_tree(digits):
    np.testing.assert_array_equal(grown(sparse.csr_array(digits), 37).labels, grown(digits, 37).labels)


def test_a_large_offset_changes_nothing_in_float32(blobs):
    X = blobs.astype(np.float32)
    np.testing.assert_array_equal(grown(X + np.float32(4096), 16).labels, grown(X, 16).labels)


def test_equal_rows_are_shared_out_by_number():
    tree = grown(np.ones((10, 3)), 4)
    assert np.bincount(tree.labels).tolist() == [2, 3, 2, 3]
    np.testing.assert_array_equal(tree.anchors.points, np.ones((4, 3)))
    np.testing.assert_array_equal(tree.labels, np.sort(tree.labels))


def test_anchors_are_the_means_of_the_leaves(digits):
    tree = grown(digits, 50)
    for leaf in range(50):
        np.testing.assert_allclose(tree.anchors.points[leaf], digits[tree.labels == leaf].mean(axis=0), atol=1e-12)


def test_early_stopping_takes_fewer_rounds(digits):
    assert grown(digits, 8, max_iter=3).n_iter == 3
    assert grown(digits, 8, tol=0.05).n_iter < grown(digits, 8, tol=0).n_iter


@pytest.mark.parametrize("m", [1, 2, 37, 512])
@pytest.mark.parametrize("store", [np.asarray, sparse.csr_array])
def test_rows_find_their_leaf_again(digits, m, store):
    X = store(digits + 1e-3 * np.random.default_rng(0).random(digits.shape))  # no row lies on a plane
    tree = grown(X, m)
    for n_jobs in (1, 2):
        with execution(n_jobs):
            leaves = as_table(X, block_rows=500).map_rows(route(tree.anchors.tree))
        np.testing.assert_array_equal(leaves, tree.labels)


@pytest.mark.parametrize("last_levels", [2, 4])
def test_rows_descend_a_deep_tree_by_several_products(digits, last_levels, monkeypatch):
    X = digits + 1e-3 * np.random.default_rng(0).random(digits.shape)
    tree = grown(X, 300)
    module = import_module("anchorgraph.anchors.route")  # the package has a function of the same name
    monkeypatch.setattr(module, "LEVELS_PER_PRODUCT", 2)
    monkeypatch.setattr(module, "LAST_LEVELS", last_levels)
    np.testing.assert_array_equal(route(tree.anchors.tree)(X), tree.labels)


def test_a_tree_of_dense_rows_routes_sparse_ones(digits):
    tree = grown(digits, 30)
    leaves = as_table(sparse.csr_array(digits)).map_rows(route(tree.anchors.tree))
    assert (leaves == tree.labels).mean() > 0.999


def test_the_top_of_the_tree_comes_first(digits):
    """Breadth-first order: children stand behind their parents, and each level behind the one above."""
    children = grown(digits, 100).anchors.tree.children
    depth = np.zeros(99, dtype=int)
    for node, pair in enumerate(children):
        depth[pair[pair >= 0]] = depth[node] + 1
    assert (np.diff(depth) >= 0).all()
    assert sorted((~children[children < 0]).tolist()) == list(range(100))


def test_hk_follows_the_clusters_where_balance_cuts_them():
    rng = np.random.default_rng(0)
    X = np.vstack([rng.standard_normal((90, 2)), rng.standard_normal((10, 2)) + 50])
    anchors = HKAnchors().select(as_table(X), 2, 0)
    centres = anchors.points[np.argsort(anchors.points[:, 0])]
    np.testing.assert_allclose(centres, [X[:90].mean(axis=0), X[90:].mean(axis=0)])


@pytest.mark.parametrize("store", [np.asarray, sparse.csr_array])
def test_hk_has_as_many_leaves_as_asked_for_and_a_tree(digits, store):
    X = store(digits)
    anchors = HKAnchors().select(as_table(X), 100, 0)
    leaves = as_table(X).map_rows(route(anchors.tree))
    assert len(anchors.points) == 100
    assert np.ptp(np.bincount(leaves)) > 1
    for leaf in range(100):
        np.testing.assert_allclose(anchors.points[leaf], digits[leaves == leaf].mean(axis=0), atol=1e-9)


def test_hk_never_parts_equal_rows():
    X = np.repeat(np.eye(3), 20, axis=0)
    anchors = HKAnchors().select(as_table(X), 10, 0)
    assert sorted(anchors.points.round(12).tolist()) == sorted(np.eye(3).tolist())
