"""Every method that streams gives the same fit on every source, in blocks of any size."""

import copy
import pickle

import numpy as np
import pandas as pd
import pytest
import sklearn
from scipy import sparse
from scipy.linalg import subspace_angles
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score

from anchorgraph import (
    BKHK,
    CSR,
    FLRL,
    FSC,
    LSC,
    MMC,
    ONGR,
    OULGE,
    SSSC,
    ULGE,
    AnchorGraph,
    AnchorMap,
    Communities,
    NystromSC,
)
from anchorgraph.catalogue import CATALOGUE
from sources import SOURCES, WITHOUT_BLOCKS, dask_frame, frame_of, memory_for, parquet

SHARED = {"random_state": 0, "n_jobs": 1}
METHODS = [
    BKHK(12, **SHARED),
    AnchorGraph(12, n_neighbors=3, **SHARED),
    ULGE(2, n_anchors=12, n_neighbors=3, **SHARED),
    OULGE(2, n_anchors=12, n_neighbors=3, **SHARED),
    CSR(2, n_anchors=12, n_neighbors=3, **SHARED),
    FSC(3, n_anchors=12, n_neighbors=3, **SHARED),
    ONGR(3, n_anchors=12, n_neighbors=3, **SHARED),
    LSC(3, n_anchors=12, n_neighbors=3, **SHARED),
    NystromSC(3, n_anchors=12, **SHARED),
    SSSC(3, n_anchors=12, **SHARED),
    MMC(2, n_jobs=1),
    FLRL(2, max_iter=5, **SHARED),
    AnchorMap(n_neighbors=3, **SHARED),
    Communities(3, **SHARED),
]
EACH = pytest.mark.parametrize("method", METHODS, ids=lambda method: method.card.key)


@pytest.fixture(scope="module")
def data():
    X, y = make_blobs(45, 6, centers=3, cluster_std=5.0, random_state=1)
    return X.astype(np.float32).astype(np.float64), np.array(["a", "b", "c"])[y]


@pytest.fixture(scope="module")
def expected(data):
    return {method.card.key: sklearn.clone(method).fit(*data) for method in METHODS}


def in_memory(rows):
    rows = rows.compute() if hasattr(rows, "compute") else rows
    return rows.toarray() if sparse.issparse(rows) else np.asarray(rows)


def assert_same_fit(found, expected):
    """The same subspace, or the same anchors, and labels up to renaming."""
    if hasattr(expected, "components_"):
        assert subspace_angles(found.components_.T, expected.components_.T).max() < 1e-6
    elif hasattr(expected, "anchors_"):
        np.testing.assert_allclose(found.anchors_, expected.anchors_, atol=1e-9)
    if hasattr(expected, "labels_"):
        assert adjusted_rand_score(in_memory(found.labels_), expected.labels_) == 1


EACH_KIND = (
    "array",
    "csr",
    "pandas_frame",
    "npy_shards",
    "sparse_shards",
    "parquet",
    "csv_file",
    "zarr_array",
    "dask_array",
)
"""A source for each kind of table: weights and metrics go beside the rows, whatever a table of this kind reads."""


def assert_same(found, expected, source, X):
    """The same fit, and the same of rows ``X`` in a source."""
    assert_same_fit(found, expected)
    if hasattr(expected, "predict"):
        assert adjusted_rand_score(in_memory(found.predict(source)), expected.predict(X)) == 1
    if hasattr(expected, "transform"):
        np.testing.assert_allclose(in_memory(found.transform(source)), in_memory(expected.transform(X)), atol=1e-6)


def assert_copies_work(model, X):
    """A pickle and a deep copy of a fitted model have its labels, and the same results."""
    names = getattr(model, "feature_names_in_", None)
    rows = X[:9] if names is None else pd.DataFrame(X[:9], columns=names)
    for again in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        for verb in ("predict", "transform"):
            if hasattr(model, verb):
                expected = in_memory(getattr(model, verb)(rows))
                np.testing.assert_array_equal(in_memory(getattr(again, verb)(rows)), expected)
        if hasattr(model, "labels_"):
            np.testing.assert_array_equal(in_memory(again.labels_), in_memory(model.labels_))


def assert_same_scores(found, expected, source, X):
    if hasattr(expected, "predict_proba"):  # clusters may be renamed
        shares, labels = in_memory(found.predict_proba(source)), in_memory(found.predict(source))
        np.testing.assert_array_equal(shares.argmax(axis=1), labels)
        np.testing.assert_allclose(np.sort(shares), np.sort(expected.predict_proba(X)), atol=1e-5)
    if hasattr(expected, "score_samples"):
        np.testing.assert_allclose(in_memory(found.score_samples(source)), expected.score_samples(X), atol=1e-6)


def test_all_that_stream_are_here():
    assert {method.card.key for method in METHODS} == {key for key, method in CATALOGUE.items() if method.card.streams}


@EACH
@pytest.mark.parametrize("name", SOURCES)
def test_every_source_gives_the_same_fit(method, name, data, expected, tmp_path):
    X, y = data
    source = SOURCES[name](X, 33, tmp_path)
    memory = memory_for(33, X) if name in WITHOUT_BLOCKS else 1024
    with sklearn.config_context(working_memory=memory):
        model = sklearn.clone(method).fit(source, y)
    assert_same(model, expected[method.card.key], source, X)
    assert_same_scores(model, expected[method.card.key], source, X)
    assert_copies_work(model, X)


@pytest.mark.parametrize("method", [METHODS[2], METHODS[5], METHODS[-1]], ids=lambda method: method.card.key)
@pytest.mark.parametrize("size", [1, 10**6])
@pytest.mark.parametrize("name", SOURCES)
def test_blocks_of_any_size_give_the_same_fit(method, name, size, data, expected, tmp_path):
    X, y = data
    source = SOURCES[name](X, size, tmp_path)
    memory = memory_for(size, X) if name in WITHOUT_BLOCKS else 1024
    with sklearn.config_context(working_memory=memory):
        model = sklearn.clone(method).fit(source, y)
    assert_same(model, expected[method.card.key], source, X)


WEIGHTS = np.random.default_rng(0).integers(0, 4, 45) / 2
"""Some are zero, and some are not whole numbers."""

COSINE = [method for method in METHODS if "metric" in method.get_params()]


@pytest.fixture(scope="module")
def expected_with_weights(data):
    return {method.card.key: sklearn.clone(method).fit(*data, sample_weight=WEIGHTS) for method in METHODS}


@pytest.fixture(scope="module")
def expected_by_cosine(data):
    X, y = data
    units = X / np.linalg.norm(X, axis=1, keepdims=True)
    return {method.card.key: sklearn.clone(method).fit(units, y, sample_weight=WEIGHTS) for method in COSINE}


@EACH
@pytest.mark.parametrize("name", EACH_KIND)
def test_each_kind_of_source_gives_the_same_fit_with_weights(method, name, data, expected_with_weights, tmp_path):
    X, y = data
    source = SOURCES[name](X, 33, tmp_path)
    model = sklearn.clone(method).fit(source, y, sample_weight=WEIGHTS)
    assert_same(model, expected_with_weights[method.card.key], source, X)


@pytest.mark.parametrize("method", COSINE, ids=lambda method: method.card.key)
@pytest.mark.parametrize("name", EACH_KIND)
def test_cosine_is_euclidean_between_unit_rows_on_each_kind_of_source(method, name, data, expected_by_cosine, tmp_path):
    X, y = data
    source = SOURCES[name](X, 33, tmp_path)
    model = sklearn.clone(method).set_params(metric="cosine").fit(source, y, sample_weight=WEIGHTS)
    units = X / np.linalg.norm(X, axis=1, keepdims=True)
    assert_same(model, expected_by_cosine[method.card.key], source, units)


@EACH
@pytest.mark.parametrize("name", ["npy_shards", "sparse_shards"])
def test_what_memory_does_not_hold_is_kept_in_files(method, name, data, expected, tmp_path):
    X, y = data
    source = SOURCES[name](X, 33, tmp_path)
    with sklearn.config_context(working_memory=1e-4):  # a hundred bytes
        model = sklearn.clone(method).fit(source, y)
    assert_same(model, expected[method.card.key], source, X)
    assert not hasattr(model, "embedding_") or method.card.key == "anchor_map"  # which holds its rows
    assert not hasattr(model, "memberships_")


@pytest.mark.parametrize(
    "method", METHODS[1:], ids=lambda method: method.card.key
)  # BKHK balances to the row in memory
@pytest.mark.parametrize("name", ["csr", "npy_shards", "dask_array"])
def test_samples_do_not_depend_on_the_source(method, name, tmp_path, monkeypatch):
    """Above the limits, trees are grown on a sample and roundings start from one: the same one."""
    monkeypatch.setattr("anchorgraph.anchors.sample.MOST_ROWS", 100)
    monkeypatch.setattr("anchorgraph.anchors.sample.ROWS_A_LEAF", 1)
    monkeypatch.setattr("anchorgraph.labels.sample.N_SAMPLED", 100)
    X, y = make_blobs(600, 6, centers=3, cluster_std=5.0, random_state=1)
    source = SOURCES[name](X, 100, tmp_path)
    assert_same_fit(sklearn.clone(method).fit(source, y), sklearn.clone(method).fit(X, y))


def test_a_fit_to_files_forgets_the_embedding_of_a_fit_in_memory(data, tmp_path):
    X, _ = data
    model = FSC(3, n_anchors=12, random_state=0).fit(X)
    assert len(model.embedding_) == len(X)
    with sklearn.config_context(working_memory=1e-4):
        rows = model.fit_transform(SOURCES["npy_shards"](X, 33, tmp_path))
    assert not hasattr(model, "embedding_")
    assert rows.shape == (len(X), 3)


@pytest.mark.parametrize("make", [parquet, dask_frame, lambda X, size, folder, y: frame_of(X, y)])
@pytest.mark.parametrize("method", [MMC(2), FLRL(2, max_iter=5, random_state=0)])
def test_labels_may_be_a_column(make, method, data, expected, tmp_path):
    X, y = data
    source = make(X, 33, tmp_path, y)
    model = sklearn.clone(method).fit(source, "label")
    known = expected[method.card.key]
    assert subspace_angles(model.components_.T, known.components_.T).max() < 1e-6
    assert list(model.classes_) == ["a", "b", "c"]
    assert list(model.feature_names_in_) == [f"column {i}" for i in range(6)]
    if make in (parquet, dask_frame):  # other columns than those of the fit are not read
        np.testing.assert_allclose(in_memory(model.transform(source)), known.transform(X), atol=1e-8)


def test_labels_may_be_a_dask_collection(data, expected, tmp_path):
    import dask.array as da

    X, y = data
    model = MMC(2).fit(SOURCES["dask_array"](X, 33, tmp_path), da.from_array(y, chunks=20))
    assert subspace_angles(model.components_.T, expected["mmc"].components_.T).max() < 1e-6


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("npy_shards", "has no column names"),
        ("dask_array", "y='label' is not a column of X"),
        ("parquet", "has no column 'label'; its columns are column 0, column 1"),
    ],
)
def test_a_column_that_is_not_there(name, message, data, tmp_path):
    with pytest.raises(ValueError, match=message):
        MMC(2).fit(SOURCES[name](data[0], 33, tmp_path), "label")


TASKS = {"clustering": "FSC", "embedding": "ULGE", "graph": "AnchorGraph"}
REFUSED = [method for method in CATALOGUE.values() if not method.card.streams]


@pytest.mark.parametrize("method", REFUSED, ids=lambda method: method.card.key)
@pytest.mark.parametrize("name", ["npy_shards", "dask_array"])
def test_methods_on_all_pairs_of_rows_name_one_that_streams(method, name, data, tmp_path):
    source = SOURCES[name](data[0], 33, tmp_path)
    other = "FLRL" if method.card.supervised else TASKS[method.card.task]
    with pytest.raises(
        ValueError, match=rf"{method.__name__} connects rows to rows.*use {other}, which reads any source"
    ):
        method().fit(source, data[1])


def test_their_new_rows_come_from_any_source(data, tmp_path):
    from anchorgraph import LE, LPP

    X, _ = data
    source = SOURCES["npy_shards"](X, 33, tmp_path)
    for model in (LPP(2, random_state=0).fit(X), LE(2, random_state=0).fit(X)):
        np.testing.assert_allclose(model.transform(source), model.transform(X), atol=1e-10)


@pytest.mark.parametrize("name", ["npy_shards", "sparse_shards", "parquet", "npy_file"])
def test_nan_in_the_last_block_is_found_in_its_file(name, data, tmp_path):
    X = data[0].copy()
    X[-1, 2] = np.nan
    source = SOURCES[name](X, 33, tmp_path)
    with pytest.raises(ValueError, match=rf"X contains NaN in row \d+ of {tmp_path}.*, column ('column )?2"):
        FSC(3).fit(source)
    model = ULGE(2, random_state=0).fit(data[0])
    with pytest.raises(ValueError, match=rf"X contains NaN in row \d+ of {tmp_path}.*, column ('column )?2"):
        model.transform(source)


def test_nan_in_a_dask_collection_names_its_block(data, tmp_path):
    X = data[0].copy()
    X[-1, 2] = np.nan
    source = SOURCES["dask_array"](X, 33, tmp_path)
    with pytest.raises(ValueError, match="X contains NaN in row 11 of block 1 of the Dask collection, column 2"):
        FSC(3).fit(source)
    lazy = FSC(3, random_state=0).fit(data[0]).predict(source)  # nothing is computed yet
    with pytest.raises(ValueError, match="X contains NaN in row 11 of block 1 of the Dask collection, column 2"):
        lazy.compute()


@pytest.mark.parametrize("name", ["npy_shards", "parquet", "zarr_array", "dask_array"])
def test_other_columns_than_those_of_the_fit_are_refused(name, data, tmp_path):
    X, _ = data
    model = FSC(3, random_state=0).fit(SOURCES[name](X, 33, tmp_path))
    (tmp_path / "new").mkdir()
    with pytest.raises(ValueError, match=r"5 features, but FSC is expecting 6|has no column 'column 5'"):
        model.predict(SOURCES[name](X[:, :5], 33, tmp_path / "new"))


def test_columns_are_chosen_by_name_in_any_order(data, tmp_path):
    X, _ = data
    model = FSC(3, random_state=0).fit(parquet(X, 33, tmp_path))
    (tmp_path / "new").mkdir()
    frame_of(X).iloc[:, ::-1].to_parquet(tmp_path / "new" / "reversed.parquet")
    np.testing.assert_array_equal(model.predict(tmp_path / "new"), model.labels_)


def test_files_without_rows_are_no_table(data, tmp_path):
    np.save(tmp_path / "none.npy", np.zeros((0, 6)))
    model = FSC(3, n_anchors=12, random_state=0).fit(data[0])
    with pytest.raises(ValueError, match=r"none\.npy has no rows; store at least one"):
        model.predict(tmp_path / "none.npy")


def test_single_rows_are_no_table(tmp_path):
    np.save(tmp_path / "one.npy", np.zeros((1, 3)))
    with pytest.raises(ValueError, match="X has 1 row, while a minimum of 2 is required"):
        FSC(3).fit(tmp_path / "one.npy")


@pytest.mark.parametrize("anchors", ["hk", "kmeans", "random", BKHK(12, random_state=0)])
def test_all_kinds_of_anchors_are_found_in_files(anchors, data, tmp_path):
    X, _ = data
    model = FSC(3, anchors=anchors, n_anchors=12, random_state=0)
    expected = sklearn.clone(model).fit(X)
    found = model.fit(SOURCES["npy_shards"](X, 33, tmp_path))
    np.testing.assert_allclose(found.anchors_, expected.anchors_, atol=1e-9)
    assert adjusted_rand_score(found.labels_, expected.labels_) == 1


def test_a_clusterer_of_scikit_learns_is_not_fitted_to_files(data, tmp_path):
    from sklearn.cluster import KMeans

    source = SOURCES["npy_shards"](data[0], 33, tmp_path)
    with pytest.raises(ValueError, match=r"anchors=KMeans.* cannot be fitted to rows that are not in memory"):
        FSC(3, anchors=KMeans(12)).fit(source)
    fitted = KMeans(12, n_init=1, random_state=0).fit(data[0])
    assert FSC(3, anchors=fitted, random_state=0).fit(source).n_anchors_ == 12


def test_empty_partitions_are_passed_over(data, expected):
    frame = dask_frame(data[0], 20, None).map_partitions(lambda part: part[part.index >= 20])  # the first is empty
    model = FSC(3, n_anchors=12, n_neighbors=3, random_state=0).fit(frame)
    assert model.labels_.compute().shape == (25,)
    assert model.predict(frame).compute().shape == (25,)


def test_a_table_with_other_columns_than_the_fit_is_refused(data, tmp_path):
    from anchorgraph import as_table

    X, _ = data
    names = [f"column {i}" for i in range(6)]
    model = FSC(3, random_state=0).fit(as_table(parquet(X, 33, tmp_path), columns=names[:3]))
    assert list(model.feature_names_in_) == names[:3]
    with pytest.raises(ValueError, match=r"FSC was fitted to \['column 0', 'column 1', 'column 2'\]"):
        model.predict(as_table(tmp_path, columns=names[2::-1]))
    with pytest.warns(UserWarning, match="X does not have valid feature names, but FSC was fitted with"):
        model.predict(as_table(X[:, :3], block_rows=10))


@pytest.mark.parametrize("name", ["dask_frame", "unknown sizes"])
def test_dask_collections_of_unknown_sizes_stay_lazy(name, data):
    import dask.array as da

    X, _ = data
    n_read = []
    if name == "dask_frame":
        source = dask_frame(X, 20, None).map_partitions(lambda part: n_read.append(len(part)) or part, meta=frame_of(X))
    else:
        whole = da.from_array(X, chunks=(20, 6))
        source = whole.map_blocks(lambda block: n_read.append(len(block)) or block, dtype=X.dtype, meta=X[:0])
        source = source[whole[:, 0] > -100]
    model = FSC(3, n_anchors=12, n_neighbors=3, random_state=0).fit(frame_of(X) if name == "dask_frame" else X)
    n_read.clear()
    lazy = model.predict(source)
    assert sum(n_read) == 0
    np.testing.assert_array_equal(lazy.compute(), model.labels_)
    found = sklearn.clone(model).fit(source)
    assert adjusted_rand_score(found.labels_.compute(), model.labels_) == 1


@pytest.mark.parametrize("dtype", ["Int64", "Float64", "int64[pyarrow]", "boolean"])
def test_dask_frames_of_nullable_numbers(dtype, data):
    import dask.dataframe as dd

    from anchorgraph import as_table

    frame = frame_of(np.round(data[0])).astype("int64")
    frame = (frame > 0) if dtype == "boolean" else frame
    table = as_table(dd.from_pandas(frame.astype(dtype), npartitions=2))
    np.testing.assert_array_equal(table.take(np.arange(45)), frame.to_numpy())


@pytest.mark.parametrize("container", ["pandas", "polars"])
def test_frames_as_output_are_for_rows_in_memory(container, data, tmp_path):
    X, _ = data
    model = ULGE(2, n_anchors=12, random_state=0).fit(X).set_output(transform=container)
    assert list(model.transform(X).columns) == ["ulge0", "ulge1"]
    for source, options in ((X, {"out": tmp_path / "rows.npy"}), (SOURCES["dask_array"](X, 20, tmp_path), {})):
        with pytest.raises(ValueError, match=rf"set_output\(transform='{container}'\) is for rows in memory"):
            model.transform(source, **options)
    assert not (tmp_path / "rows.npy").exists()


def test_fewer_sampled_rows_than_anchors_are_refused(data, tmp_path):
    with pytest.raises(ValueError, match="max_samples=5 is fewer than n_clusters=12"):
        BKHK(12, max_samples=5).fit(SOURCES["npy_shards"](data[0], 20, tmp_path))


@pytest.mark.parametrize("kind", ["delayed", "bag"])
def test_other_dask_collections_are_refused(kind, data):
    import dask
    import dask.bag

    source = dask.delayed(data[0]) if kind == "delayed" else dask.bag.from_sequence([1, 2])
    with pytest.raises(TypeError, match=r"source is a Dask \w+; pass a Dask array or data frame"):
        FSC(3).fit(source)


def test_ongr_holds_two_rounds_of_memberships_and_the_best(data, monkeypatch, tmp_path):
    """What is kept for each row and cluster, at most, as the page on scale says."""
    import gc
    import weakref

    from anchorgraph.table.memory import MemoryTable

    X = np.repeat(data[0], 4, axis=0)
    alive, most, made = [], [], MemoryTable.__init__

    def counted(self, array, **options):
        made(self, array, **options)
        if getattr(array, "shape", ()) == (len(X), 3):
            alive.append(weakref.ref(self))
            gc.collect()
            most.append(sum(table() is not None for table in alive))

    monkeypatch.setattr(MemoryTable, "__init__", counted)
    ONGR(3, n_anchors=12, n_neighbors=3, random_state=0).fit(X)
    assert max(most) == 3
