from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anchorgraph.anchors import balance, cut_tree, grow_bkhk, route
from anchorgraph.contracts import BinaryTree
from anchorgraph.table import as_table
from reference import balance as reference
from sources import SOURCES

WEIGHTS = {
    "none": lambda n, rng: None,
    "some rows": lambda n, rng: rng.integers(0, 2, n).astype(float),
    "whole": lambda n, rng: rng.integers(0, 5, n).astype(float),
    "any": lambda n, rng: rng.random(n),
    "a mean of one": lambda n, rng: np.where(rng.permutation(n) < n // 2, 0.25, 1.75),
}


def tree_of(X, n_leaves):
    """A tree of the first half of the rows, which divides all of them unequally."""
    return grow_bkhk(as_table(X[: max(n_leaves, len(X) // 2)]), n_leaves, seed=0).anchors.tree


def weighted(table, weights):
    return table if weights is None else table.weighted(table.align(weights))


def test_six_rows_by_hand():
    """Three leaves along a line: the first gets a third of the rows; of equal rows, the first ones go left."""
    tree = BinaryTree(np.array([[~0, 1], [~1, ~2]]), np.ones((2, 1)), np.zeros(2), np.zeros(1))
    found, leaves = balance(as_table(np.array([[5.0], [1], [1], [2], [1], [9]])), tree)
    assert leaves.rows().tolist() == [2, 0, 0, 1, 1, 2]
    assert found.thresholds[1] == 3.5
    assert 1 < found.thresholds[0] < 1.001


@pytest.mark.parametrize(
    ("weights", "expected"), [([4, 4, 2], [0, 1, 1]), ([2, 4, 4], [0, 0, 1]), ([1, 8, 1], [0, 1, 1])]
)
def test_equal_rows_with_weights_are_divided_nearest_to_the_half(weights, expected):
    """4 is nearer to 5 than 8 is; 6 is nearer than 2; 1 and 9 are as near, and the row at the cut goes right."""
    tree = BinaryTree(np.array([[~0, ~1]]), np.ones((1, 1)), np.zeros(1), np.zeros(1))
    _, leaves = balance(weighted(as_table(np.zeros((3, 1))), np.array(weights, float)), tree)
    assert leaves.rows().tolist() == expected


@pytest.mark.parametrize("kind", WEIGHTS)
@pytest.mark.parametrize(("n", "m", "dtype"), [(200, 7, "f8"), (500, 64, "f4"), (50, 50, "f8"), (40, 1, "f4")])
def test_leaves_are_those_of_sorting_in_every_node(n, m, dtype, kind):
    rng = np.random.default_rng(n)
    X, weights = rng.standard_normal((n, 4)).astype(dtype), WEIGHTS[kind](n, rng)
    tree = tree_of(X, m)
    found, leaves = balance(weighted(as_table(X), weights), tree)
    own = np.ones(n) if weights is None else weights
    expected = reference.balance(X, tree.children, tree.directions, tree.centre, own)
    if kind != "a mean of one":  # where rounding decides which side of a row is nearer to its share
        np.testing.assert_array_equal(leaves.rows()[own > 0], expected[own > 0])
    sizes = np.bincount(leaves.rows(), own, m)
    if kind in ("none", "some rows"):
        assert np.ptp(sizes) <= 1
        np.testing.assert_array_equal(route(found)(X)[own > 0], leaves.rows()[own > 0])
    assert np.abs(sizes - own.sum() / m).max() <= own.max()


@pytest.mark.parametrize("scale", [3.7, 1e-300, 1e250])
def test_the_scale_of_weights_does_not_matter(scale):
    rng = np.random.default_rng(0)
    X, weights = rng.standard_normal((300, 4)), rng.random(300)
    tree = tree_of(X, 21)
    expected = balance(weighted(as_table(X), weights), tree)[1].rows()
    np.testing.assert_array_equal(balance(weighted(as_table(X), scale * weights), tree)[1].rows(), expected)


@pytest.mark.parametrize("source", ["array", "csr", "npy_shards", "sparse_shards", "parquet", "dask_array"])
def test_sources_and_blocks_agree(source, tmp_path):
    X = np.random.default_rng(0).standard_normal((300, 5))
    tree = tree_of(X, 37)
    expected_tree, expected = balance(as_table(X), tree)
    table = as_table(SOURCES[source](X, 41, tmp_path))
    for weights in (None, np.ones(300)):
        found, leaves = balance(weighted(table, weights), tree)
        np.testing.assert_array_equal(np.asarray(leaves.rows()), expected.rows())
        np.testing.assert_allclose(found.thresholds, expected_tree.thresholds, rtol=1e-9, atol=1e-12)


@settings(max_examples=30)
@given(st.data())
def test_any_number_of_leaves_has_sizes_within_one(data):
    """Of rows with many ties too, and of fewer rows than leaves."""
    n = data.draw(st.integers(1, 60))
    X = np.array(data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)), dtype=float)[:, np.newaxis]
    m = data.draw(st.integers(1, 20))
    tree = grow_bkhk(as_table(np.arange(20.0)[:, np.newaxis]), m, seed=0).anchors.tree
    sizes = np.bincount(balance(as_table(X), tree)[1].rows(), minlength=m)
    assert np.ptp(sizes) <= 1
    assert len(sizes) == m


def test_cuts_of_a_tree_are_nested_and_split_the_largest_nodes_first():
    tree = grow_bkhk(as_table(np.random.default_rng(0).standard_normal((100, 3))), 21, seed=0).anchors.tree
    cuts = np.array([cut_tree(tree, n) for n in range(1, 22)])
    assert [len(np.unique(cut)) for cut in cuts] == list(range(1, 22))
    assert (np.diff(cuts, axis=1) >= 0).all()  # numbered from left to right
    for coarse, fine in pairwise(cuts):
        assert len(np.unique(np.column_stack([coarse, fine]), axis=0)) == len(np.unique(fine))
        split = np.bincount(coarse).max()
        assert np.bincount(fine).max() <= split
        assert (np.bincount(fine) == split).sum() == (np.bincount(coarse) == split).sum() - 1
    np.testing.assert_array_equal(cuts[-1], np.arange(21))


def test_a_cut_is_that_of_the_first_levels():
    """For a power of two, the groups are what the planes of the first levels separate."""
    X = np.random.default_rng(0).standard_normal((64, 3))
    tree = grow_bkhk(as_table(X), 16, seed=0).anchors.tree
    top = BinaryTree(np.array([[1, 2], [~0, ~1], [~2, ~3]]), tree.directions[:3], tree.thresholds[:3], tree.centre)
    np.testing.assert_array_equal(cut_tree(tree, 4)[route(tree)(X)], route(top)(X))
