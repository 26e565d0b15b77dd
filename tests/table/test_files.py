"""Files that are whole, broken, unlike each other; and rows written to files."""

import gzip
import pickle

import numpy as np
import pandas as pd
import pytest
import sklearn
from scipy import sparse
from scipy.io import mmwrite

from anchorgraph import FSC, ULGE, AnchorGraph
from anchorgraph.table import Target, as_table, write_rows
from sources import SOURCES, frame_of, parquet

ROWS = np.arange(40.0).reshape(20, 2)
FILES = ["npy_file", "npy_shards", "sparse_shards", "parquet", "zarr_array", "hdf5", "h5ad", "h5ad_csr"]


def dense(block):
    return block.toarray() if sparse.issparse(block) else block


@pytest.mark.parametrize("size", [1, 7, 100])
@pytest.mark.parametrize("name", [*FILES, "dask_array", "dask_frame"])
def test_verbs(name, size, tmp_path):
    table = as_table(SOURCES[name](ROWS, size, tmp_path))
    assert (table.n_rows, table.n_cols, table.dtype, table.in_memory) == (20, 2, np.float64, False)
    np.testing.assert_array_equal(dense(table.take(np.array([19, 0, 7, 7]))), ROWS[[19, 0, 7, 7]])
    gram, count = table.sum_blocks(lambda block: (dense(block).T @ dense(block), block.shape[0]))
    np.testing.assert_array_equal(gram, ROWS.T @ ROWS)
    assert count == 20
    kept = table.keep(lambda block: dense(block)[:, 0])
    firsts = kept.rows()
    np.testing.assert_array_equal(firsts.compute() if hasattr(firsts, "compute") else firsts, ROWS[:, 0])
    (product,) = table.sum_blocks(lambda block, own: (dense(block).T @ own,), kept)
    np.testing.assert_array_equal(product, ROWS.T @ ROWS[:, 0])


def test_shards_follow_each_other_by_name(tmp_path):
    for name, value in (("b", 1.0), ("a", 0.0), ("c", 2.0)):
        np.save(tmp_path / f"{name}.npy", np.full((2, 1), value))
    (tmp_path / "notes.txt").write_text("not a shard")
    np.testing.assert_array_equal(as_table(tmp_path).rows()[:, 0], [0, 0, 1, 1, 2, 2])


def test_empty_shards_are_passed_over(tmp_path):
    np.save(tmp_path / "a.npy", ROWS[:0])
    np.save(tmp_path / "b.npy", ROWS)
    np.testing.assert_array_equal(as_table(tmp_path).rows(), ROWS)


def test_fortran_order(tmp_path):
    np.save(tmp_path / "rows.npy", np.asfortranarray(ROWS))
    table = as_table(tmp_path / "rows.npy", block_rows=6)
    np.testing.assert_array_equal(table.rows(), ROWS)
    np.testing.assert_array_equal(table.take(np.array([3, 19])), ROWS[[3, 19]])


@pytest.mark.parametrize("dtype", ["uint8", "int64", "float16", "float32"])
def test_numbers_are_read_as_in_memory(dtype, tmp_path):
    np.save(tmp_path / "rows.npy", ROWS.astype(dtype))
    assert as_table(tmp_path / "rows.npy").dtype == as_table(ROWS.astype(dtype)).dtype


def test_large_memory_maps_are_read_in_blocks(tmp_path):
    np.save(tmp_path / "rows.npy", ROWS)
    mapped = np.load(tmp_path / "rows.npy", mmap_mode="r")
    assert as_table(mapped).in_memory
    with sklearn.config_context(working_memory=1e-4):
        table = as_table(mapped)
        assert not table.in_memory
        np.testing.assert_array_equal(table.rows(), ROWS)


def test_few_rows_of_a_large_file(tmp_path, monkeypatch):
    monkeypatch.setattr("anchorgraph.table.npy_file.WINDOW_BYTES", 100)
    np.save(tmp_path / "rows.npy", ROWS)
    np.testing.assert_array_equal(as_table(tmp_path / "rows.npy").take(np.array([0, 6, 7, 19])), ROWS[[0, 6, 7, 19]])


def broken_npy(path):
    np.save(path, ROWS)
    path.write_bytes(path.read_bytes()[:-40])


def broken_header(path):
    path.write_bytes(b"\x93NUMPY\x01\x00")


def empty(path):
    path.write_bytes(b"")


def broken_npz(path):
    sparse.save_npz(path, sparse.csr_array(ROWS))
    path.write_bytes(path.read_bytes()[:-40])


def broken_parquet(path):
    frame_of(ROWS).to_parquet(path)
    path.write_bytes(path.read_bytes()[:-40])


def garbled_parquet(path):
    frame_of(np.random.default_rng(0).random((2000, 2))).to_parquet(path, compression="gzip")
    content = bytearray(path.read_bytes())
    content[200:4000] = bytes(3800)
    path.write_bytes(content)


@pytest.mark.parametrize(
    ("suffix", "write"),
    [
        ("npy", broken_npy),
        ("npy", broken_header),
        ("npy", empty),
        ("npz", broken_npz),
        ("npz", empty),
        ("parquet", broken_parquet),
        ("parquet", garbled_parquet),
        ("parquet", empty),
    ],
)
def test_broken_files_are_named(suffix, write, tmp_path):
    whole = {"npy": np.save, "npz": lambda p, X: sparse.save_npz(p, sparse.csr_array(X))}
    first, second = tmp_path / f"a.{suffix}", tmp_path / f"b.{suffix}"
    whole.get(suffix, lambda p, X: frame_of(X).to_parquet(p))(first, ROWS)
    write(second)
    with pytest.raises(ValueError, match=rf"{second}.*write it again"):
        FSC(2).fit(tmp_path)


def test_a_file_that_gets_shorter_is_noticed(tmp_path):
    path = tmp_path / "rows.npy"
    np.save(path, ROWS)
    table = as_table(path)
    broken_npy(path)
    with pytest.raises(ValueError, match=rf"{path} ends before row 20"):
        table.rows()
    with pytest.raises(ValueError, match=rf"{path} has \d+ bytes, but its header requires at least \d+"):
        table.take(np.array([19]))


def zarr_chunks(folder):
    files = sorted(file for file in (folder / "rows.zarr").rglob("*") if file.is_file())
    return [file for file in files if file.name not in ("zarr.json", ".zarray")]


def test_a_broken_zarr_chunk_is_named(tmp_path):
    table = SOURCES["zarr_array"](ROWS, 5, tmp_path)
    chunks = zarr_chunks(tmp_path)
    chunks[0].write_bytes(b"no chunk")
    with pytest.raises(ValueError, match=r"rows\.zarr.* has a chunk that cannot be read"):
        table.rows()


def test_a_zarr_array_that_lacks_a_chunk_is_refused(tmp_path):
    SOURCES["zarr_array"](ROWS + 1, 5, tmp_path)
    chunks = zarr_chunks(tmp_path)
    chunks[-1].unlink()
    with pytest.raises(ValueError, match=r"rows\.zarr has 3 of 4 chunks: it is incomplete"):
        as_table(tmp_path / "rows.zarr")


def test_zarr_arrays_in_groups(tmp_path):
    import zarr

    group = zarr.open_group(str(tmp_path / "group"), mode="w")
    path, shape = str(tmp_path / "group" / "rows"), {"shape": ROWS.shape, "chunks": (5, 2)}
    zarr.open_array(path, mode="w", dtype=ROWS.dtype, **shape)[:] = ROWS + 1
    np.testing.assert_array_equal(as_table(tmp_path / "group" / "rows").rows(), ROWS + 1)
    np.testing.assert_array_equal(as_table(group["rows"]).rows(), ROWS + 1)
    with pytest.raises(TypeError, match="is a group; pass one of its arrays"):
        as_table(group)


def test_hidden_files_are_passed_over_and_folders_in_folders_refused(tmp_path):
    np.save(tmp_path / "a.npy", ROWS)
    (tmp_path / "._b.npy").write_bytes(b"of another system")
    np.testing.assert_array_equal(as_table(tmp_path).rows(), ROWS)
    (tmp_path / "more").mkdir()
    with pytest.raises(ValueError, match="contains a subfolder 'more'; pass a list of the files"):
        as_table(tmp_path)


@pytest.mark.parametrize("name", [*FILES, "array", "csr"])
def test_tables_can_be_pickled(name, tmp_path):
    table = as_table(SOURCES[name](ROWS + 1, 5, tmp_path))
    table.take(np.array([3]))
    again = pickle.loads(pickle.dumps(table))
    np.testing.assert_array_equal(dense(again.rows()), ROWS + 1)


@pytest.mark.parametrize("name", ["pandas_frame", "polars_frame"])
def test_frames_are_tables(name, tmp_path):
    frame = SOURCES[name](ROWS, 5, tmp_path)
    np.testing.assert_array_equal(as_table(frame).rows(), ROWS)
    chosen = as_table(frame, columns=["column 1"])
    assert chosen.names == ["column 1"]
    np.testing.assert_array_equal(chosen.rows(), ROWS[:, 1:])
    assert as_table(frame, without="column 1").names == ["column 0"]
    assert as_table(frame_of(ROWS).assign(more=1), without=["column 1", "more"]).names == ["column 0"]


@pytest.mark.parametrize("name", ["npy", "npz", "parquet"])
def test_a_shard_with_other_columns_is_named(name, tmp_path):
    for file, X in (("a", ROWS), ("b", ROWS[:, :1])):
        path = tmp_path / f"{file}.{name}"
        if name == "npy":
            np.save(path, X)
        elif name == "npz":
            sparse.save_npz(path, sparse.csr_array(X))
        else:
            frame_of(X).to_parquet(path)
    with pytest.raises(ValueError, match=rf"b\.{name}.* has (1 column,|no column 'column 1')"):
        as_table(tmp_path)


def test_a_parquet_shard_with_more_columns_is_named(tmp_path):
    frame_of(ROWS[:, :1]).to_parquet(tmp_path / "a.parquet")
    frame_of(ROWS).to_parquet(tmp_path / "b.parquet")
    with pytest.raises(ValueError, match=r"b\.parquet has a column 'column 1' that .*a\.parquet does not have"):
        as_table(tmp_path)


def test_parquet_columns_may_be_in_another_order_in_each_file(tmp_path):
    frame_of(ROWS).to_parquet(tmp_path / "a.parquet")
    frame_of(ROWS)[["column 1", "column 0"]].to_parquet(tmp_path / "b.parquet")
    np.testing.assert_array_equal(as_table(tmp_path).rows(), np.vstack([ROWS, ROWS]))


@pytest.mark.filterwarnings("ignore:The inplace keyword")  # of pandas, to Dask
def test_the_index_of_a_frame_is_no_column(tmp_path):
    import dask.dataframe as dd

    frame = frame_of(ROWS)
    frame[frame["column 0"] > 5].to_parquet(tmp_path / "rows.parquet")
    assert as_table(tmp_path / "rows.parquet").names == ["column 0", "column 1"]
    dd.from_pandas(frame, npartitions=12).to_parquet(tmp_path / "dask")
    table = as_table(tmp_path / "dask")
    assert table.names == ["column 0", "column 1"]
    np.testing.assert_array_equal(table.rows(), ROWS)  # part.2 before part.10
    dd.from_pandas(frame, npartitions=12).to_parquet(tmp_path / "without", write_index=False)
    assert as_table(tmp_path / "without").names == ["column 0", "column 1"]


def test_parquet_columns_are_chosen(tmp_path):
    parquet(ROWS, 5, tmp_path)
    chosen = as_table(tmp_path, columns=["column 1"])
    np.testing.assert_array_equal(chosen.rows(), ROWS[:, 1:])
    assert chosen.names == ["column 1"]


def test_missing_numbers_in_parquet_are_nan(tmp_path):
    pd.DataFrame({"a": pd.array([1, None, 3], dtype="Int64"), "b": [True, False, True]}).to_parquet(
        tmp_path / "a.parquet"
    )
    np.testing.assert_array_equal(as_table(tmp_path).rows(), [[1, 1], [np.nan, 0], [3, 1]])


def test_text_in_parquet_is_refused(tmp_path):
    frame_of(ROWS, list("ab") * 10).to_parquet(tmp_path / "a.parquet")
    with pytest.raises(ValueError, match=r"Column 'label' of .*a\.parquet holds .*string, not numbers"):
        as_table(tmp_path)


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda folder: folder / "missing.npy", FileNotFoundError, "does not exist"),
        (lambda folder: folder, ValueError, "contains no file with one of the suffixes"),
        (lambda folder: folder / "rows.txt", ValueError, "has the suffix '.txt', which is not supported"),
        (lambda folder: folder / "line.npy", ValueError, r"has shape \(3,\)"),
        (lambda folder: [folder / "rows.npy", folder / "rows.npz"], ValueError, "not both sparse"),
        (lambda folder: [folder / "rows.npy", folder / "rows.parquet"], ValueError, "different formats"),
        (lambda folder: folder / "missing.zarr", ValueError, "is not a Zarr array"),
    ],
)
def test_what_is_no_table_is_refused(make, error, message, tmp_path):
    source = make(tmp_path)
    if not isinstance(source, type(tmp_path)) or source != tmp_path:
        (tmp_path / "rows.txt").write_text("1 2")
        np.save(tmp_path / "line.npy", np.zeros(3))
        np.save(tmp_path / "rows.npy", ROWS)
        sparse.save_npz(tmp_path / "rows.npz", sparse.csr_array(ROWS))
        frame_of(ROWS).to_parquet(tmp_path / "rows.parquet")
    with pytest.raises(error, match=message):
        as_table(source)


@pytest.fixture(scope="module")
def model():
    return FSC(2, n_anchors=8, n_neighbors=2, random_state=0).fit(ROWS)


@pytest.fixture
def shards(tmp_path):
    (tmp_path / "shards").mkdir()
    return SOURCES["npy_shards"](ROWS, 7, tmp_path / "shards")


def test_rows_are_written_to_npy(model, shards, tmp_path):
    written = model.predict(shards, out=tmp_path / "labels.npy")
    np.testing.assert_array_equal(np.load(written), model.labels_)
    written = model.transform(shards, out=str(tmp_path / "rows.npy"))
    np.testing.assert_allclose(np.load(written), model.embedding_, atol=1e-12)


def test_rows_are_written_to_parquet(model, shards, tmp_path):
    labels = pd.read_parquet(model.predict(shards, out=tmp_path / "labels.parquet"))
    np.testing.assert_array_equal(labels["label"], model.labels_)
    rows = pd.read_parquet(model.transform(shards, out=tmp_path / "rows.parquet"))
    assert list(rows.columns) == list(model.get_feature_names_out())
    np.testing.assert_allclose(rows, model.embedding_, atol=1e-12)


def test_sparse_rows_are_written_to_a_folder(shards, tmp_path):
    graph = AnchorGraph(8, n_neighbors=2, random_state=0).fit(shards)
    Z = as_table(graph.transform(shards, out=tmp_path / "graph")).rows()
    np.testing.assert_allclose(Z.toarray(), graph.transform(ROWS).toarray())
    with pytest.raises(ValueError, match="can only be written to a folder of shards"):
        graph.transform(shards, out=tmp_path / "graph.npy")
    assert not (tmp_path / "graph.npy").exists()


def test_arrays_in_memory_are_written_too(tmp_path):
    model = ULGE(1, n_anchors=8, n_neighbors=2, random_state=0).fit(ROWS)
    np.testing.assert_array_equal(np.load(model.transform(ROWS, out=tmp_path / "rows.npy")), model.transform(ROWS))


@pytest.mark.parametrize("suffix", [".npy", ".parquet", ""])
def test_a_target_is_written_whole_or_not_at_all(suffix, tmp_path):
    X = ROWS.copy()
    X[-1] = np.nan
    (tmp_path / "source").mkdir()
    source = SOURCES["npy_shards"](X, 7, tmp_path / "source")
    target = tmp_path / f"labels{suffix}"
    model = FSC(2, n_anchors=8, n_neighbors=2, random_state=0).fit(ROWS)
    if suffix:
        target.write_text("precious")
    with pytest.raises(ValueError, match="NaN"):
        model.predict(source, out=target)
    assert not suffix or target.read_text() == "precious"
    assert {path.name for path in tmp_path.iterdir()} == ({"source", target.name} if suffix else {"source"})


@pytest.mark.parametrize(
    ("out", "message"),
    [
        ("labels.txt", "has the suffix '.txt', which is not supported"),
        (".", "already exists"),
        ("no/labels.npy", "folder that does not exist"),
    ],
)
def test_impossible_targets(model, out, message, tmp_path):
    with pytest.raises(ValueError, match=message):
        model.predict(ROWS, out=tmp_path / out)


def test_what_is_read_is_not_written_to(model, shards, tmp_path):
    for source, out in ((shards, shards / "new.npy"), (shards / "0000.npy", shards / "0000.npy")):
        with pytest.raises(ValueError, match=r"is the input .* or lies in it"):
            model.predict(source, out=out)
    model.predict(shards / "0000.npy", out=shards / "labels.npy")  # beside a file that is read


def test_dask_has_targets_of_its_own(model, tmp_path):
    with pytest.raises(ValueError, match="such as to_zarr"):
        model.predict(SOURCES["dask_array"](ROWS, 7, tmp_path), out=tmp_path / "labels.npy")


def test_csv_has_names_and_missing_numbers(tmp_path):
    (tmp_path / "rows.csv").write_text("id,a,b\nx,1,0.5\ny,,2\n")
    table = as_table(tmp_path, columns=["b", "a"])
    assert table.names == ["b", "a"]
    np.testing.assert_array_equal(table.rows(), [[0.5, 1], [2, np.nan]])
    with pytest.raises(ValueError, match=r"Column 'id' of .*rows\.csv has the value 'x' in line 2, which is not a nu"):
        as_table(tmp_path)


@pytest.mark.parametrize("content", ["", "a,b\n1,2\n3\n"])
def test_broken_csv_is_named(content, tmp_path):
    (tmp_path / "rows.csv").write_text(content)
    with pytest.raises(ValueError, match=r"rows\.csv is not a valid CSV file|Line 3 of .*rows\.csv has 1 value, but"):
        as_table(tmp_path)


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_ids_go_before_the_rows(suffix, model, shards, tmp_path):
    ids = np.array([f"row {i}" for i in range(20)])
    path = model.predict(shards, out=Target(tmp_path / f"labels.{suffix}", ("name", ids)))
    found = pd.read_csv(path) if suffix == "csv" else pd.read_parquet(path)
    assert list(found.columns) == ["name", "label"]
    np.testing.assert_array_equal(found["name"], ids)
    np.testing.assert_array_equal(found["label"], model.labels_)


@pytest.mark.parametrize(
    "kind", [np.array, pd.Categorical, lambda ids: np.array([name.encode() for name in ids], object)]
)
def test_spreadsheets_find_no_formulas_in_ids(kind, tmp_path):
    formulas = ["=1+1", "+a", "-2+3", "@SUM(A1)", "\tx", "\rx", "\nx", "-12\n=x"]
    others = ["-12", "+3.5", "-.5e-3", "row", "", "a=b", "'=x"]
    ids = kind([*formulas, *others])
    with pytest.warns(UserWarning, match=r"after an apostrophe, .* write \.parquet to keep it as it is\.$"):
        write_rows([np.arange(15)], 15, Target(tmp_path / "labels.csv", ("=name", ids)), ["label"])
    found = pd.read_csv(tmp_path / "labels.csv", dtype=str, keep_default_na=False, lineterminator="\n")
    assert list(found.columns) == ["'=name", "label"]
    assert found["'=name"].tolist() == [*("'" + text for text in formulas), *others]
    write_rows([np.arange(15)], 15, Target(tmp_path / "labels.parquet", ("=name", ids)), ["label"])
    kept = pd.read_parquet(tmp_path / "labels.parquet")["=name"]
    assert kept.tolist() == list(ids)


@pytest.mark.parametrize(
    ("ids", "text"), [([-1, 2], "-1,2"), ([-0.5, np.nan], "-0.5,nan"), (["-1", "x"], '"-1","x"'), ([None, "x"], ',"x"')]
)
def test_other_ids_are_written_as_they_are(ids, text, tmp_path):
    write_rows([np.arange(2)], 2, Target(tmp_path / "labels.csv", ("name", np.array(ids, object))), ["label"])
    lines = (tmp_path / "labels.csv").read_text().splitlines()[1:]
    assert ",".join(line.rpartition(",")[0] for line in lines) == text


def test_matrix_market_and_dense_npz(tmp_path):
    mmwrite(tmp_path / "rows.mtx", sparse.csr_array(ROWS))
    np.testing.assert_array_equal(as_table(tmp_path / "rows.mtx").rows().toarray(), ROWS)
    np.savez(tmp_path / "rows.npz", y=np.zeros(20), X=ROWS)
    np.testing.assert_array_equal(as_table(tmp_path / "rows.npz").rows(), ROWS)
    (tmp_path / "broken.mtx").write_text("%%MatrixMarket matrix\n1 2")
    with pytest.raises(ValueError, match=r"broken\.mtx is not a valid Matrix Market file"):
        as_table(tmp_path / "broken.mtx")


def test_matrix_market_transposed_and_compressed(tmp_path):
    X = np.where(ROWS % 3 > 0, ROWS, 0)
    for name, held in (("sparse", sparse.csr_array(X.T)), ("dense", X.T)):
        mmwrite(tmp_path / f"{name}.mtx", held)
        (tmp_path / f"{name}.mtx.gz").write_bytes(gzip.compress((tmp_path / f"{name}.mtx").read_bytes()))
        for path in (tmp_path / f"{name}.mtx", tmp_path / f"{name}.mtx.gz"):
            table = as_table(path, transpose=True, block_rows=7)
            np.testing.assert_array_equal(dense(table.rows()), X)
            np.testing.assert_array_equal(dense(table.take(np.array([19, 3]))), X[[19, 3]])
            np.testing.assert_array_equal(dense(as_table(path).rows()), X.T)


@pytest.mark.parametrize("name", ["array", "pandas_frame", "npy_file", "npy_shards", "parquet", "dask_array", "hdf5"])
def test_only_matrix_market_files_are_transposed(name, tmp_path):
    source = SOURCES[name](ROWS, 5, tmp_path)
    source = {"npy_file": tmp_path / "rows.npy", "hdf5": tmp_path / "rows.h5"}.get(name, source)
    with pytest.raises(ValueError, match=r"transpose=True is for Matrix Market files .*, but .* is none; store its"):
        as_table(source, transpose=True)


@pytest.mark.parametrize("size", [0, 30, -4])
def test_truncated_compressed_matrix_market(size, tmp_path):
    mmwrite(tmp_path / "rows.mtx", sparse.csr_array(ROWS))
    content = gzip.compress((tmp_path / "rows.mtx").read_bytes())
    (tmp_path / "rows.mtx.gz").write_bytes(content[:size])
    with pytest.raises(ValueError, match=r"rows\.mtx\.gz is not a valid Matrix Market file .*; write it again\.$"):
        as_table(tmp_path / "rows.mtx.gz")


def test_compressed_text_is_not_read_without_end(tmp_path, monkeypatch):
    monkeypatch.setattr("anchorgraph.table.file_checks.UNCHECKED_BYTES", 2**20)
    text = b"%%MatrixMarket matrix array real general\n1 2\n" + b" " * 2**24 + b"1\n2\n"
    (tmp_path / "rows.mtx.gz").write_bytes(gzip.compress(text))
    message = r"rows\.mtx\.gz claims to hold \d,\d+,\d+ bytes .* store it uncompressed, as \.mtx\.$"
    with pytest.raises(ValueError, match=message):  # after some MB of 16
        as_table(tmp_path / "rows.mtx.gz")
