import numpy as np
import pytest
from scipy import sparse
from sklearn.cluster import KMeans

from anchorgraph import BKHK, FSC
from anchorgraph.indexes import faiss_index, faiss_lists, lance_centroids
from sources import SOURCES

faiss = pytest.importorskip("faiss", reason="faiss is not installed")


@pytest.fixture(scope="module")
def rows(digits):
    return digits.astype(np.float32)


@pytest.fixture(scope="module")
def model(rows):
    return BKHK(32, random_state=0).fit(rows)


def lists_of(index):
    lists = index.invlists
    return [faiss.rev_swig_ptr(lists.get_ids(i), lists.list_size(i)).copy() for i in range(index.nlist)]


def test_lists_are_the_clusters_and_centroids_the_centres(model, rows):
    index = faiss_index(model, rows)
    for number, ids in enumerate(lists_of(index)):
        np.testing.assert_array_equal(ids, np.flatnonzero(model.labels_ == number))
    np.testing.assert_array_equal(index.quantizer.reconstruct_n(0, 32), model.cluster_centers_)
    assert index.ntotal == len(rows)


def test_a_search_of_all_lists_is_exact(model, rows):
    for metric, code in (("euclidean", faiss.METRIC_L2), ("inner_product", faiss.METRIC_INNER_PRODUCT)):
        index = faiss_index(model, rows, metric=metric)
        assert index.metric_type == code
        index.nprobe = 32
        exact = faiss.IndexFlat(64, code)
        exact.add(rows)
        queries = rows[:50] + 0.1
        np.testing.assert_allclose(index.search(queries, 10)[0], exact.search(queries, 10)[0], rtol=1e-4, atol=0.01)


def test_cosine_searches_rows_of_unit_length(rows):
    model = BKHK(16, metric="cosine", random_state=0).fit(rows)
    index = faiss_index(model, rows, metric="inner_product")
    index.nprobe = 16
    unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    distances, neighbors = index.search(unit[:20], 1)
    np.testing.assert_array_equal(neighbors[:, 0], np.arange(20))
    np.testing.assert_allclose(distances[:, 0], 1, rtol=1e-5)


@pytest.mark.parametrize("source", ["csr", "npy_shards", "dask_array"])
def test_any_source_in_pieces(source, rows, model, tmp_path, monkeypatch):
    monkeypatch.setattr(faiss_lists, "ADDED_ROWS", 500)
    index = faiss_index(model, SOURCES[source](rows, 300, tmp_path))
    assert [len(ids) for ids in lists_of(index)] == np.bincount(model.labels_).tolist()


def test_new_rows_are_predicted_and_labels_can_be_given(model, rows):
    new = rows[:100] + 1
    assert [len(own) for own in lists_of(faiss_index(model, new))] == np.bincount(
        model.predict(new), minlength=32
    ).tolist()
    labels = np.full(100, 3)
    labels[7] = -1
    index = faiss_index(model, new, labels=labels)
    assert index.ntotal == 99
    assert 7 not in lists_of(index)[3]
    index.add(new[:1])  # FAISS's own way goes on
    assert index.ntotal == 100


def test_other_clusterers_and_sparse_rows(rows):
    kmeans = KMeans(5, n_init=1, random_state=0).fit(rows)
    index = faiss_index(kmeans, sparse.csr_array(rows))
    assert index.nlist == 5


def test_wrong_input(model, rows):
    with pytest.raises(ValueError, match="metric must be one of 'euclidean', 'inner_product'; got 'cosine'"):
        faiss_index(model, rows, metric="cosine")
    with pytest.raises(ValueError, match="X has 3 columns, but the centres of the model have 64"):
        faiss_index(model, rows[:, :3])
    for labels in ([0], np.full(len(rows), 32), np.full(len(rows), 0.5)):
        with pytest.raises(ValueError, match="labels must be 1797 integers from -1 to 31"):
            faiss_index(model, rows, labels=labels)


def test_labels_of_other_rows_are_refused(digits):
    order = np.random.default_rng(0).permutation(len(digits))
    for model in (BKHK(2, random_state=0), BKHK(64, assignment="nearest", random_state=0), KMeans(5, n_init=1)):
        fitted = model.fit(digits)
        assert faiss_index(fitted, digits).ntotal == len(digits)
        with pytest.raises(ValueError, match="labels_ of the model are not those of X"):
            faiss_index(fitted, digits[order])
        assert faiss_index(fitted, digits[order], labels=fitted.predict(digits[order])).ntotal == len(digits)


def test_rows_that_are_not_numbers_are_refused_unless_left_out(digits):
    X = digits.copy()
    X[3] = np.nan
    model = BKHK(8, missing="mask", random_state=0).fit(X)
    assert faiss_index(model, X).ntotal == len(X) - 1
    with pytest.raises(ValueError, match="NaN"):
        faiss_index(model, X, labels=np.zeros(len(X), dtype=int))


def test_a_model_without_centres():
    model = FSC(2, n_anchors=20, random_state=0).fit(np.random.default_rng(0).standard_normal((60, 2)))
    for make in (lambda: faiss_index(model, np.zeros((3, 2))), lambda: lance_centroids(model)):
        with pytest.raises(ValueError, match="model must have cluster_centers_, as BKHK and KMeans do; got FSC"):
            make()


def test_without_faiss_it_says_how_to_install_it(model, rows, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "faiss", None)
    with pytest.raises(ImportError, match='faiss_index requires FAISS: pip install "anchorgraph\\[faiss\\]"'):
        faiss_index(model, rows)


def test_partitions_of_lance(model, rows, tmp_path):
    lance = pytest.importorskip("lance", reason="pylance is not installed")
    pa = pytest.importorskip("pyarrow")
    vectors = pa.FixedSizeListArray.from_arrays(pa.array(rows.ravel()), 64)
    dataset = lance.write_dataset(pa.table({"vector": vectors}), tmp_path / "rows.lance")
    dataset.create_index("vector", "IVF_FLAT", num_partitions=32, ivf_centroids=lance_centroids(model))
    statistics = dataset.stats.index_stats("vector_idx")["indices"][0]
    nearest = model.transform(rows).argmin(axis=1)
    assert [part["size"] for part in statistics["partitions"]] == np.bincount(nearest, minlength=32).tolist()
    found = dataset.to_table(nearest={"column": "vector", "q": rows[5], "k": 1, "nprobes": 32})
    assert found["_distance"][0].as_py() == 0
