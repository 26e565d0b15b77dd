import numpy as np
import pytest
from scipy import sparse

from anchorgraph.anchors import HKAnchors, KMeansAnchors, RandomAnchors, coordinates, grow_bkhk, route
from anchorgraph.numerics.execution import execution
from anchorgraph.table import as_table


@pytest.fixture(scope="module")
def words():
    """2,000 rows of some 20 words each, most of them from one of ten topics, scaled to unit length."""
    rng = np.random.default_rng(0)
    topics, n_cols = np.repeat(np.arange(10), 200), 2500
    chances = rng.dirichlet(np.full(n_cols, 0.02), 10)
    background = np.full(n_cols, 1 / n_cols)
    counts = np.vstack([rng.multinomial(20, chances[topic]) + rng.multinomial(5, background) for topic in topics])
    return counts / np.linalg.norm(counts, axis=1, keepdims=True)


def grown(X, m=64, n_jobs=1, **options):
    with execution(n_jobs):
        return grow_bkhk(as_table(X, **options), m, seed=0)


def error(X, tree):
    return ((X - tree.anchors.points[tree.labels]) ** 2).sum()


def test_the_rows_of_a_leaf_are_as_near_as_in_a_tree_of_all_columns(words, monkeypatch):
    few = grown(sparse.csr_array(words))
    monkeypatch.setattr(coordinates, "MANY_COLUMNS", 10**9)
    whole = grown(sparse.csr_array(words))
    assert (few.labels != whole.labels).any()
    assert np.ptp(np.bincount(few.labels, minlength=64)) == 1
    assert error(words, few) < 1.01 * error(words, whole)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_storage_threads_and_blocks_change_nothing(words, dtype):
    X = words.astype(dtype)
    tree = grown(sparse.csr_array(X))
    for other in (grown(X), grown(sparse.csr_array(X), n_jobs=2), grown(sparse.csr_array(X), block_rows=333)):
        assert (other.labels == tree.labels).mean() > (0.99 if dtype == np.float32 else 0.9999)
    assert tree.anchors.points.dtype == tree.anchors.tree.directions.dtype == dtype


def test_anchors_are_the_means_of_all_columns(words):
    tree = grown(sparse.csr_array(words), 50)
    for leaf in range(50):
        np.testing.assert_allclose(tree.anchors.points[leaf], words[tree.labels == leaf].mean(axis=0), atol=1e-12)


@pytest.mark.parametrize("store", [np.asarray, sparse.csr_array])
def test_rows_find_their_leaf_again(words, store):
    X = store(words)
    tree = grown(X).anchors.tree
    assert (as_table(X).map_rows(route(tree)) == grown(X).labels).all()


def test_dense_rows_far_from_the_origin(words):
    X = words.astype(np.float32)
    moved = grown(X + np.float32(64))
    assert np.ptp(np.bincount(moved.labels, minlength=64)) == 1
    means = np.vstack([words[moved.labels == leaf].mean(axis=0) for leaf in range(64)])
    assert ((words - means[moved.labels]) ** 2).sum() < 1.01 * error(words, grown(X))


def test_equal_rows_are_shared_out():
    rows = sparse.csr_array((np.ones(2000), (np.arange(2000), np.full(2000, 7))), shape=(2000, 2500))
    tree = grown(rows, 4)
    assert np.bincount(tree.labels).tolist() == [500] * 4


def test_hk_has_as_many_leaves_as_asked_for(words):
    anchors = HKAnchors().select(as_table(sparse.csr_array(words)), 40, 0)
    leaves = as_table(words).map_rows(route(anchors.tree))
    assert anchors.points.shape == (40, 2500)
    for leaf in range(40):
        np.testing.assert_allclose(anchors.points[leaf], words[leaves == leaf].mean(axis=0), atol=1e-9)


@pytest.fixture
def wide():
    """1,500 rows of 200 columns in eight groups, which differ in all columns."""
    rng = np.random.default_rng(0)
    return (3 * rng.standard_normal((8, 200)))[rng.integers(0, 8, 1500)] + rng.standard_normal((1500, 200))


def kmeans(X, m=20, weights=None, **options):
    table = as_table(X, **options)
    table = table if weights is None else table.weighted(table.align(weights))
    return KMeansAnchors().select(table, m, 0).points


def test_kmeans_in_few_coordinates_is_as_good(wide, monkeypatch):
    def error(points):
        return ((wide[:, np.newaxis] - points) ** 2).sum(axis=2).min(axis=1).sum()

    few = kmeans(wide)
    monkeypatch.setattr(coordinates, "MANY_COLUMNS", 10**9)
    assert error(few) < 1.02 * error(kmeans(wide))


def test_one_iteration_takes_the_means_of_the_rows_nearest_to_random_ones(wide):
    start = RandomAnchors().select(as_table(wide), 8, 0).points
    few = coordinates.few_coordinates(as_table(wide), np.random.default_rng([0, 2]))
    distances = ((few.rows.rows()[:, np.newaxis] - few.coordinates.of(start)) ** 2).sum(axis=2)
    nearest = distances.argmin(axis=1)
    expected = np.array([wide[nearest == c].mean(axis=0) for c in range(8)])
    np.testing.assert_allclose(KMeansAnchors(max_iter=1).select(as_table(wide), 8, 0).points, expected, atol=1e-12)


def test_kmeans_of_files_and_sparse_rows_is_the_same(wide, tmp_path):
    np.save(tmp_path / "rows.npy", wide)
    expected = kmeans(wide)
    for source, options in ((tmp_path / "rows.npy", {"block_rows": 333}), (sparse.csr_array(wide), {})):
        np.testing.assert_allclose(kmeans(source, **options), expected, atol=1e-9)


@pytest.mark.parametrize("select", [KMeansAnchors().select, lambda *a: grow_bkhk(*a[:2], seed=a[2]).anchors])
def test_a_weight_of_two_is_the_row_twice_in_few_coordinates(wide, select):
    weights = np.random.default_rng(1).integers(1, 3, len(wide))
    table = as_table(wide)
    found = select(table.weighted(table.align(weights.astype(float))), 20, 0).points
    np.testing.assert_allclose(found, select(as_table(np.repeat(wide, weights, axis=0)), 20, 0).points, atol=1e-9)
