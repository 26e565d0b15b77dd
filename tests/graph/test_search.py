import numpy as np
import pytest
from scipy import sparse

from anchorgraph.anchors import HKAnchors, grow_bkhk
from anchorgraph.contracts import Anchors
from anchorgraph.graph import SEARCHES, AllAnchors, AnchorsOfCells, cells, tree_search
from anchorgraph.graph.auto_search import exact_cost, tree_cost
from anchorgraph.numerics.blocks import n_full_rows
from anchorgraph.numerics.distances import CentredPoints
from anchorgraph.numerics.execution import execution
from anchorgraph.table import as_table
from reference.graph import squared_distances


def literal_nearest(X, U, k):
    h = np.array([squared_distances(x, U) for x in X])
    order = np.argsort(h, axis=1, kind="stable")[:, :k]
    return order, np.take_along_axis(h, order, axis=1)


@pytest.fixture(scope="module")
def anchors(digits):
    return grow_bkhk(as_table(digits), 300, seed=0).anchors


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("store", [np.asarray, sparse.csr_array])
def test_exact_search_is_the_reference(digits, anchors, store, n_jobs):
    rows = digits[:150]
    with execution(n_jobs):
        columns, h = AllAnchors(CentredPoints.of(anchors.points)).nearest(store(rows), 6)
    expected_columns, expected_h = literal_nearest(rows, anchors.points, 6)
    np.testing.assert_array_equal(columns, expected_columns)
    np.testing.assert_allclose(h, expected_h, rtol=1e-8)


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("store", [np.asarray, sparse.csr_array])
def test_tree_search_with_all_candidates_is_exact(digits, anchors, store, n_jobs, monkeypatch):
    monkeypatch.setattr(tree_search, "n_candidates", lambda n_anchors, n_cols, k: n_anchors)
    with execution(n_jobs):
        search = AnchorsOfCells.of(CentredPoints.of(anchors.points), anchors.tree, 6)
        columns, h = search.nearest(store(digits[:150]), 6)
    expected_columns, expected_h = literal_nearest(digits[:150], anchors.points, 6)
    np.testing.assert_array_equal(columns, expected_columns)
    np.testing.assert_allclose(h, expected_h, rtol=1e-8)


@pytest.mark.parametrize(
    "grow", [lambda t, m: grow_bkhk(t, m, seed=1).anchors, lambda t, m: HKAnchors().select(t, m, 1)]
)
@pytest.mark.parametrize("most_cells", [4096, 64])
def test_tree_search_finds_nearly_all_neighbours(digits, grow, most_cells, monkeypatch):
    """Also with several anchors a cell, and not the same number in all."""
    monkeypatch.setattr(cells, "MOST_CELLS", most_cells)
    anchors = grow(as_table(digits), 301)
    points = CentredPoints.of(anchors.points)
    found, h = AnchorsOfCells.of(points, anchors.tree, 5).nearest(digits, 5)
    exact, _ = AllAnchors(points).nearest(digits, 5)
    assert recall(found, exact) > 0.98
    literal = ((digits[:, np.newaxis] - anchors.points[found]) ** 2).sum(axis=2)
    np.testing.assert_allclose(h, literal, rtol=1e-8, atol=1e-9)


def recall(found, exact):
    return (found[:, :, np.newaxis] == exact[:, np.newaxis, :]).any(axis=2).mean()


@pytest.mark.parametrize("n_cols", [4, 32])
def test_tree_search_in_few_columns(n_cols, monkeypatch):
    """With several anchors a cell, and candidates that are chosen from some of the anchors only."""
    monkeypatch.setattr(cells, "n_pooled", lambda n_cells, n_anchors, n_chosen: 40)
    X = made_rows(6000, n_cols)
    anchors = grow_bkhk(as_table(X), 500, seed=0).anchors
    points = CentredPoints.of(anchors.points)
    search = AnchorsOfCells.of(points, anchors.tree, 5)
    found, h = search.nearest(X, 5)
    assert search.candidates.shape == (63, 256)
    assert recall(found, AllAnchors(points).nearest(X, 5)[0]) > 0.97
    literal = ((X[:, np.newaxis] - anchors.points[found]) ** 2).sum(axis=2)
    np.testing.assert_allclose(h, literal, rtol=1e-8, atol=1e-9)


def made_rows(n_rows, n_cols):
    """Rows around ten centres, with more spread in the first columns."""
    rng = np.random.default_rng(0)
    centres = 2 * rng.standard_normal((10, n_cols))
    return centres[rng.integers(0, 10, n_rows)] + rng.standard_normal((n_rows, n_cols)) / np.sqrt(np.arange(n_cols) + 1)


def test_tree_search_does_not_depend_on_threads_or_the_order_of_rows(digits, anchors, monkeypatch):
    monkeypatch.setattr(tree_search, "CELL_ROWS", 300)
    monkeypatch.setattr(tree_search, "CHUNK_BYTES", 2**16)
    search, order = SEARCHES["tree"].prepare(anchors, 6, 1), np.random.default_rng(0).permutation(len(digits))
    with execution(1):
        columns, h = search.nearest(digits, 6)
        shuffled, shuffled_h = search.nearest(digits[order], 6)
    with execution(2):
        again, again_h = search.nearest(digits, 6)
    np.testing.assert_array_equal(again, columns)
    np.testing.assert_array_equal(again_h, h)
    np.testing.assert_array_equal(shuffled, columns[order])
    np.testing.assert_allclose(shuffled_h, h[order], rtol=1e-9)


def test_tree_search_does_not_depend_on_the_batch(digits, anchors):
    search = AnchorsOfCells.of(CentredPoints.of(anchors.points), anchors.tree, 6)
    whole, _ = search.nearest(digits, 6)
    parts = [search.nearest(digits[start : start + 1], 6)[0] for start in range(200)]
    np.testing.assert_array_equal(np.concatenate(parts), whole[:200])


def test_tree_search_in_float32_with_a_large_offset(digits):
    X = digits.astype(np.float32) + np.float32(2048)
    anchors = grow_bkhk(as_table(X), 300, seed=0).anchors
    points = CentredPoints.of(anchors.points)
    found, _ = AnchorsOfCells.of(points, anchors.tree, 5).nearest(X, 5)
    exact, _ = literal_nearest(X, anchors.points, 5)
    assert recall(found, exact) > 0.98


def test_auto_is_exact_where_that_is_affordable():
    def chosen(search, anchors, n_rows):
        return SEARCHES[search].prepare(anchors, 5, n_rows).name

    points = np.random.default_rng(0).standard_normal((1024, 784)).astype(np.float32)
    images, narrow, few = (
        Anchors(rows, grow_bkhk(as_table(rows), 64, seed=0).anchors.tree)
        for rows in (points, points[:, :32], points[:256, :32])
    )
    assert chosen("auto", images, 70_000) == "tree"
    assert chosen("auto", images, 10_000) == "exact"
    assert chosen("auto", Anchors(images.points), 70_000) == "exact"
    assert chosen("auto", narrow, 10**6) == "tree"
    assert chosen("auto", narrow, 10**5) == "exact"
    assert chosen("auto", few, 10**9) == "exact"
    assert chosen("exact", images, 10**9) == "exact"
    with pytest.raises(ValueError, match="search='tree' needs anchors"):
        chosen("tree", Anchors(images.points), 10)


def test_sparse_rows_count_by_their_entries():
    rows = np.random.default_rng(0).random((100, 50))
    assert n_full_rows(as_table(rows)) == n_full_rows(as_table(sparse.csr_array(rows))) == 100
    rows[:, 5:] = 0
    assert n_full_rows(as_table(rows)) == 100
    assert 10 <= n_full_rows(as_table(sparse.csr_array(rows))) <= 20
    assert n_full_rows(as_table(sparse.csr_array((100, 50)))) == 1


def test_a_block_without_entries(anchors):
    rows = sparse.csr_array((3, anchors.points.shape[1]))
    for search in (AllAnchors(CentredPoints.of(anchors.points)), SEARCHES["tree"].prepare(anchors, 6, 3)):
        _, h = search.nearest(rows, 6)
        np.testing.assert_allclose(h[0], h[2])
    exact = literal_nearest(np.zeros((1, anchors.points.shape[1])), anchors.points, 6)[1]
    np.testing.assert_allclose(AllAnchors(CentredPoints.of(anchors.points)).nearest(rows, 6)[1][:1], exact)


def test_numbers_of_candidates():
    """3.5 √m, with up to 62 columns 4 √m and at least 256; 8 k if that is more, and no more than there are."""
    found = tree_search.n_candidates
    assert [found(m, 100, 5) for m in (100, 1024, 10_000)] == [40, 112, 350]
    assert [found(m, 62, 5) for m in (100, 1024, 10_000)] == [100, 256, 400]
    assert [found(1024, 63, k) for k in (14, 15, 200)] == [112, 120, 1024]


def test_operations_are_counted_by_hand():
    """Of 1,024 anchors in 100 columns: 64 groups and 256 cells in 31 coordinates, and 112 candidates in all."""
    assert exact_cost(1024, 100) == 1024 * 132
    assert tree_cost(1024, 100, 5) == 31 * 100 + (64 + 256) * 63 + 112 * 132
    assert tree_cost(1024, 20, 5) == 20 * 20 + (16 + 91) * 52 + 256 * 52  # 128 cells of 8 anchors


def test_auto_is_exact_up_to_the_operations_that_are_affordable(monkeypatch):
    rows = np.random.default_rng(0).standard_normal((512, 400))
    images = Anchors(rows, grow_bkhk(as_table(rows), 32, seed=0).anchors.tree)
    assert 2 * tree_cost(512, 400, 5) <= exact_cost(512, 400)
    monkeypatch.setattr("anchorgraph.graph.auto_search.AFFORDABLE", 10 * exact_cost(512, 400))
    assert [SEARCHES["auto"].prepare(images, 5, n_rows).name for n_rows in (10, 11)] == ["exact", "tree"]
