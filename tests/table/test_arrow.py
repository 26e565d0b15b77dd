"""Parquet, Arrow files and Arrow data: vectors, the choice of columns, partitions."""

import pickle
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import sklearn
from pyarrow import dataset
from pyarrow.feather import write_feather

from anchorgraph import FSC, ULGE
from anchorgraph.table import arrow_file, as_table, column_names, has_names, read_column
from sources import SOURCES, vector_table, vectors_of

ROWS = np.arange(40.0).reshape(20, 2)
IN_COLUMNS = ("feather", "hive_folder", "csv_file", "european_csv")
"""Sources that are not vectors, and float64 therefore."""
IN_VECTORS = (
    *("vector_list", "vector_large_list", "vector_fixed_size_list"),
    *("ipc_stream", "arrow_dataset", "arrow_table"),
)


@pytest.mark.parametrize("size", [1, 7, 100])
@pytest.mark.parametrize("name", [*IN_COLUMNS, *IN_VECTORS])
def test_verbs(name, size, tmp_path):
    table = as_table(SOURCES[name](ROWS, size, tmp_path), block_rows=size)
    dtype = np.float64
    names = ["column 0", "column 1"] if name in IN_COLUMNS else ["emb_0", "emb_1"]
    assert (table.n_rows, table.n_cols, table.dtype, table.names) == (20, 2, dtype, names)
    assert table.in_memory == (name == "arrow_table")
    for rows in ([19, 0, 7, 7], [3], [0, 19]):
        taken = table.take(np.array(rows))
        np.testing.assert_array_equal(taken, ROWS[rows])
        taken += 1  # a copy
    gram, count = table.sum_blocks(lambda block: (block.T @ block, block.shape[0]))
    np.testing.assert_array_equal(gram, ROWS.T @ ROWS)
    assert count == 20
    np.testing.assert_array_equal(table.rows(), ROWS)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(table)).rows(), ROWS)


@pytest.mark.parametrize("suffix", ["parquet", "feather"])
@pytest.mark.parametrize(
    ("kind", "read"), [("float16", "float32"), ("float64", "float64"), ("uint8", "float32"), ("int32", "float64")]
)
def test_elements_of_every_type(kind, read, suffix, tmp_path):
    path = tmp_path / f"rows.{suffix}"
    table = pa.table({"emb": pa.array(list(ROWS.astype(kind)), pa.list_(pa.from_numpy_dtype(kind), 2))})
    (pq.write_table if suffix == "parquet" else write_feather)(table, str(path))
    found = as_table(path)
    assert found.dtype == read
    assert found.description == f"rows.{suffix}: 20 rows, vector column 'emb' of 2 {kind}"
    np.testing.assert_array_equal(found.rows(), ROWS)


def test_slices_of_vectors():
    """Arrays that begin within a buffer."""
    for kind in ("list", "large_list", "fixed_size_list"):
        np.testing.assert_array_equal(as_table(vector_table(ROWS, kind)[5:9]).rows(), ROWS[5:9])
    np.testing.assert_array_equal(as_table(vector_table(ROWS, "list").to_batches()[0][5:9]).rows(), ROWS[5:9])


@pytest.mark.parametrize("kind", [pa.list_(pa.float64(), 2), pa.list_(pa.float64())], ids=["fixed", "list"])
def test_extension_types_are_read_as_they_are_stored(kind, tmp_path):
    """As Ray's tensors are, and pyarrow's."""

    class Tensor(pa.ExtensionType):
        def __init__(self):
            super().__init__(kind, "tests.tensor")

        def __arrow_ext_serialize__(self):
            return b""

        @classmethod
        def __arrow_ext_deserialize__(cls, storage_type, serialized):
            return cls()

    stored = pa.array([*ROWS.tolist(), None], kind)
    held = pa.table({"emb": pa.ExtensionArray.from_storage(Tensor(), stored)})
    pa.register_extension_type(Tensor())
    try:
        pq.write_table(held[:-1], tmp_path / "rows.parquet")  # pyarrow 16 cannot read missing vectors of a fixed size
        write_feather(held, tmp_path / "rows.feather")
        np.testing.assert_array_equal(as_table(tmp_path / "rows.parquet").rows(), ROWS)
        for source in (held, held[3:], dataset.dataset(held), tmp_path / "rows.feather"):
            table = as_table(source)
            assert table.names == ["emb_0", "emb_1"]
            np.testing.assert_array_equal(table.rows(), [*ROWS, [np.nan, np.nan]][-table.n_rows :])
    finally:
        pa.unregister_extension_type("tests.tensor")


def test_decimals_and_numbers_of_all_kinds(tmp_path):
    held = {"a": pa.array([1, None], pa.int64()), "b": pa.array(["1.5", "2.5"]).cast(pa.decimal128(9, 2))}
    pq.write_table(pa.table({**held, "c": [True, False]}), tmp_path / "rows.parquet")
    np.testing.assert_array_equal(as_table(tmp_path).rows(), [[1, 1.5, 1], [np.nan, 2.5, 0]])


# Which columns


@pytest.fixture(params=["parquet", "feather", "table", "dataset"])
def beside(request, tmp_path):
    """Vectors beside numbers and text."""
    table = pa.table({"a": np.arange(20.0), "emb": vectors_of(ROWS, "list"), "text": ["t"] * 20, "b": np.ones(20)})
    path = tmp_path / f"rows.{request.param}"
    if request.param == "table":
        return table
    (write_feather if request.param == "feather" else pq.write_table)(table, str(path))
    return dataset.dataset(path) if request.param == "dataset" else path


@pytest.mark.parametrize(
    ("chosen", "names"),
    [
        ({}, ["emb_0", "emb_1"]),
        ({"columns": "emb"}, ["emb_0", "emb_1"]),
        ({"columns": "a"}, ["a"]),
        ({"columns": ["b", "emb", "a"]}, ["b", "emb_0", "emb_1", "a"]),
        ({"columns": ["b", "emb_0", "emb_1", "a"]}, ["b", "emb_0", "emb_1", "a"]),
        ({"columns": ["emb_1", "a", "emb_0"]}, ["emb_1", "a", "emb_0"]),
        ({"without": ["emb", "text"]}, ["a", "b"]),
        ({"without": "text"}, ["emb_0", "emb_1"]),
        ({"columns": ["a", "b"], "without": "b"}, ["a"]),
    ],
)
def test_columns_are_chosen(chosen, names, beside):
    held = {"a": np.arange(20.0), "b": np.ones(20), "emb_0": ROWS[:, 0], "emb_1": ROWS[:, 1]}
    table = as_table(beside, **chosen)
    assert table.names == names
    np.testing.assert_array_equal(table.rows(), np.column_stack([held[name] for name in names]))


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ({"columns": "emb_2"}, r"has no column 'emb_2' \(did you mean 'emb'\?\); its columns are a, emb, text, b"),
        ({"columns": "emb_01"}, "has no column 'emb_01'"),
        ({"columns": "a_0"}, "has no column 'a_0'"),
        ({"columns": ["a", "nope"]}, "has no column 'nope'; its columns are"),
        ({"columns": ["a", "Txet"]}, r"has no column 'Txet' \(did you mean 'text'\?\)"),
        ({"without": "tex"}, r"has no column 'tex' \(did you mean 'text'\?\)"),
        ({"without": "nope"}, "has no column 'nope'"),
        ({"columns": []}, "has no columns to read; store or choose at least one"),
        ({"columns": ["a", "a"]}, "would have two columns named 'a'"),
        ({"columns": ["emb", "emb_1"]}, "would have two columns named 'emb_1'"),
        ({"without": "emb"}, r"Column 'text' of .* holds string, not numbers; leave it out \(without='text'.*columns="),
    ],
)
def test_columns_that_cannot_be_read(chosen, message, beside):
    with pytest.raises(ValueError, match=message):
        as_table(beside, **chosen)


@pytest.mark.parametrize("chosen", [None, "emb", ["b", "emb"], ["emb_1"]])
def test_new_rows_find_the_columns_of_the_fit(chosen, beside):
    model = FSC(2, n_anchors=8, random_state=0).fit(as_table(beside, columns=chosen))
    np.testing.assert_array_equal(model.predict(beside), model.labels_)
    assert has_names(beside)


def test_labels_are_a_column(beside):
    from anchorgraph import MMC

    if isinstance(beside, pa.Table):
        beside = beside.set_column(2, "text", pa.array(["t", "u"] * 10))
        assert list(MMC(1).fit(beside, "text").classes_) == ["t", "u"]
    with pytest.raises(ValueError, match="has no column 'nope'"):
        MMC(1).fit(beside, "nope")


@pytest.mark.parametrize("keep", [lambda table, folder: table, lambda table, folder: stored(table, folder)])
def test_all_columns_that_hold_no_numbers_are_named_at_once(keep, tmp_path):
    words = pa.table({"id": ["a"] * 20, "x": ROWS[:, 0], "day": pa.array([0] * 20, pa.date32())})
    with pytest.raises(
        ValueError,
        match=r"^Columns 'id' \(string\), 'day' \(date32\[day\]\) of .* hold no numbers; leave them out "
        r"\(without=\['id', 'day'\]; --drop id,day of the program\), or choose others",
    ):
        as_table(keep(words, tmp_path))


def stored(table, folder):
    pq.write_table(table, folder / "words.parquet")
    return folder / "words.parquet"


def test_several_columns_of_vectors_must_be_chosen(tmp_path):
    vectors = vectors_of(ROWS, "list")
    pq.write_table(pa.table({"title": vectors, "text": vectors, "id": ["a"] * 20}), tmp_path / "rows.parquet")
    with pytest.raises(ValueError, match=r"several columns of vectors: 'title', 'text'; choose with columns='title'"):
        as_table(tmp_path)
    assert as_table(tmp_path, columns=["text", "title"]).names == ["text_0", "text_1", "title_0", "title_1"]
    assert as_table(tmp_path, without="title").names == ["text_0", "text_1"]


# Vectors that are none


def store(folder, values, kind=None, suffix="parquet", size=2):
    table = pa.table({"emb": pa.array(values, kind or pa.list_(pa.float32()))})
    if suffix == "parquet":
        pq.write_table(table, folder / "rows.parquet", row_group_size=size)
    else:
        write_feather(table, str(folder / f"rows.{suffix}"), chunksize=size)
    return folder / f"rows.{suffix}"


@pytest.mark.parametrize("suffix", ["parquet", "feather"])
@pytest.mark.parametrize(
    ("values", "message"),
    [
        (
            [[1, 2], [3, 4], [5, 6], [7]],
            r"Row 3 of .*rows\.\w+ has a vector of 1 number in column 'emb', but the first",
        ),
        ([[1, 2], [3, 4], [5, 6], [7, 8, 9]], "Row 3 of .* has a vector of 3 numbers"),
        ([None, [1, 2], [3, 4], [7]], "Row 3 of .* has a vector of 1 number "),
        ([None, None, None], r"Column 'emb' of .*rows\.\w+ has no vectors: all its values are missing"),
        ([[], []], "holds vectors of 0 numbers"),
        ([], "has no rows"),
    ],
)
def test_ragged_vectors_are_named(values, message, suffix, tmp_path):
    with pytest.raises(ValueError, match=message):
        as_table(store(tmp_path, values, suffix=suffix)).rows()


@pytest.mark.parametrize("suffix", ["parquet", "feather", "table"])
@pytest.mark.parametrize("kind", [pa.list_(pa.float32()), pa.large_list(pa.int64()), pa.list_(pa.float32(), 2)])
@pytest.mark.parametrize("missing", [[0], [2], [0, 1, 2], [0, 3]])
def test_missing_vectors_are_nan_and_found(missing, kind, suffix, tmp_path):
    values = [None if i in missing else [i, 2 * i] for i in range(4)]
    source = pa.table({"emb": pa.array(values, kind)}) if suffix == "table" else store(tmp_path, values, kind, suffix)
    if suffix == "parquet":
        try:
            pq.read_table(source)
        except pa.ArrowInvalid:
            pytest.skip("this pyarrow does not read missing vectors of a fixed size from Parquet files")
    expected = np.array([[np.nan] * 2 if value is None else value for value in values])
    np.testing.assert_array_equal(as_table(source).rows(), expected)
    np.testing.assert_array_equal(as_table(source, columns="emb_1").rows(), expected[:, 1:])
    with pytest.raises(ValueError, match=rf"X contains NaN in row {missing[0]}.*'emb_0'"):
        ULGE(1).fit(source)


def test_missing_vectors_that_hide_numbers():
    """Arrow allows any numbers where a vector is missing."""
    offsets, numbers = pa.array([0, 2, 5, 7], pa.int32()), pa.array(np.arange(7.0))
    vectors = pa.ListArray.from_arrays(offsets, numbers, mask=pa.array([False, True, False]))
    np.testing.assert_array_equal(as_table(pa.table({"emb": vectors})).rows(), [[0, 1], [np.nan] * 2, [5, 6]])


@pytest.mark.parametrize("kind", [pa.list_(pa.float32()), pa.list_(pa.float16(), 2), pa.list_(pa.int64())])
def test_missing_elements_are_nan_and_found(kind, tmp_path):
    values = [[np.float16(v) if v is not None and kind.value_type == pa.float16() else v for v in row] for row in
              ([1, 2], [3, 4], [5, None], [6, 7])]  # fmt: skip
    path = store(tmp_path, values, kind)
    np.testing.assert_array_equal(as_table(path).rows()[2], [5, np.nan])
    with pytest.raises(ValueError, match=r"X contains NaN in row 2 of .*rows\.parquet, column 'emb_1'"):
        ULGE(1).fit(path)


def test_files_with_other_vectors_are_named(tmp_path):
    pq.write_table(vector_table(ROWS, "list"), tmp_path / "a.parquet")
    pq.write_table(pa.table({"emb": np.ones(3)}), tmp_path / "b.parquet")
    with pytest.raises(
        ValueError, match=r"Column 'emb' of .*b\.parquet holds double, but that of .*a\.parquet holds list"
    ):
        as_table(tmp_path)
    pq.write_table(vector_table(np.ones((3, 5)), "fixed_size_list"), tmp_path / "b.parquet")
    with pytest.raises(ValueError, match=r"Row 0 of .*b\.parquet has a vector of 5 numbers"):
        as_table(tmp_path).rows()
    pq.write_table(vector_table(ROWS, "large_list"), tmp_path / "b.parquet")
    np.testing.assert_array_equal(as_table(tmp_path).rows(), np.vstack([ROWS, ROWS]))


@pytest.mark.parametrize("values", [[[True]], [["a"]], [[[1.0]]], [{"a": 1}]])
def test_other_nested_columns_are_no_numbers(values, tmp_path):
    pq.write_table(pa.table({"a": values}), tmp_path / "rows.parquet")
    with pytest.raises(ValueError, match=r"Column 'a' of .*rows\.parquet holds .*, not numbers"):
        as_table(tmp_path)


# Folders of partitions


@pytest.fixture
def hive(tmp_path):
    table = pa.table({"x": ROWS[:, 0], "year": np.repeat([2023, 2024], 10), "place": ["a", "b"] * 10})
    pq.write_to_dataset(table, tmp_path / "hive", partition_cols=["year", "place"])
    return tmp_path / "hive"


def test_partitions_are_columns_but_no_features(hive):
    table = as_table(hive)
    assert table.names == ["x"]
    assert table.description == "hive/: 4 files, 20 rows, 1 column"
    assert column_names(hive) == ["x", "year", "place"]
    np.testing.assert_array_equal(read_column(hive, "year"), np.repeat([2023, 2024], 10))
    assert read_column(hive, "place").tolist() == (["a"] * 5 + ["b"] * 5) * 2
    chosen = as_table(hive, columns=["year", "x"])
    np.testing.assert_array_equal(chosen.rows()[[0, -1]], [[2023, 0], [2024, 38]])
    np.testing.assert_array_equal(as_table(hive, columns="year").rows().ravel(), np.repeat([2023, 2024], 10))
    with pytest.raises(ValueError, match=r"Column 'place' of .* holds string, not numbers"):
        as_table(hive, columns=["x", "place"])
    assert as_table(dataset.dataset(hive, partitioning="hive")).names == ["x"]


def test_partitions_of_csv_files(tmp_path):
    for year in (1, 2):
        (tmp_path / f"year={year}" / "kind=a").mkdir(parents=True)
        (tmp_path / f"year={year}" / "kind=a" / "0.csv").write_text(f"x\n{year}\n7\n")
    np.testing.assert_array_equal(as_table(tmp_path).rows().ravel(), [1, 7, 2, 7])
    np.testing.assert_array_equal(as_table(tmp_path, columns=["x", "year"]).rows()[:, 1], [1, 1, 2, 2])
    np.testing.assert_array_equal(as_table(tmp_path, columns=["year"]).rows()[:, 0], [1, 1, 2, 2])
    assert read_column(tmp_path, "year").tolist() == [1, 1, 2, 2]


def test_a_file_beside_partitions_is_refused(hive):
    pq.write_table(pa.table({"x": [1.0]}), hive / "more.parquet")
    with pytest.raises(ValueError, match=r"contains the file 'more\.parquet' beside partitions such as 'year=2023'"):
        as_table(hive)


# What is read, and when


def test_filtered_datasets_and_those_of_other_libraries(tmp_path):
    pq.write_table(pa.table({"a": ROWS[:, 0], "b": ROWS[:, 1]}), tmp_path / "rows.parquet")
    whole = dataset.dataset(tmp_path / "rows.parquet")
    np.testing.assert_array_equal(as_table(whole.filter(dataset.field("a") > 20)).rows(), ROWS[ROWS[:, 0] > 20])
    in_memory = dataset.dataset(pa.table({"a": ROWS[:, 0], "b": ROWS[:, 1]}))
    np.testing.assert_array_equal(as_table(in_memory, columns="b", block_rows=3).rows(), ROWS[:, 1:])


def test_small_row_groups_are_read_together_and_large_ones_alone(tmp_path, monkeypatch):
    monkeypatch.setattr("anchorgraph.table.arrow_file.PART_BYTES", 8 * 2 * 8)  # of eight rows
    pq.write_table(pa.table({"a": ROWS[:, 0], "b": ROWS[:, 1]}), tmp_path / "rows.parquet", row_group_size=3)
    read = []
    original = pq.ParquetFile.read_row_groups
    monkeypatch.setattr(
        pq.ParquetFile, "read_row_groups", lambda self, groups, **o: read.append(groups) or original(self, groups, **o)
    )
    table = as_table(tmp_path / "rows.parquet")
    np.testing.assert_array_equal(table.rows(), ROWS)
    np.testing.assert_array_equal(table.rows(), ROWS)
    assert read == [[0, 1], [2, 3], [4, 5, 6]]  # decoded once
    with sklearn.config_context(working_memory=1e-5):
        table = as_table(tmp_path / "rows.parquet")
        np.testing.assert_array_equal(table.rows(), table.rows())
        assert sorted(read[3:]) == read[:3]  # once, too, and kept in files
        again = pickle.loads(pickle.dumps(table))
        del table
        np.testing.assert_array_equal(again.rows(), ROWS)
        monkeypatch.setattr("shutil.disk_usage", lambda path: SimpleNamespace(free=0))
        table = as_table(tmp_path / "rows.parquet")
        np.testing.assert_array_equal(table.rows(), table.rows())
    assert len(read) == 3 + 3 + 3 + 6  # in each pass
    X = ROWS.copy()
    X[17, 0] = np.nan
    pq.write_table(pa.table({"a": X[:, 0], "b": X[:, 1]}), tmp_path / "rows.parquet", row_group_size=3)
    with pytest.raises(ValueError, match=r"NaN in row 17 of .*rows\.parquet, column 'a'"):
        ULGE(1).fit(tmp_path / "rows.parquet")


def peak_of(path, limit):
    """MiB of memory that a process takes to read a table, with so many MiB of working memory."""
    code = (
        "import resource, sys, sklearn\n"
        "from anchorgraph.table import as_table\n"
        "with sklearn.config_context(working_memory=float(sys.argv[2])):\n"
        "    table = as_table(sys.argv[1], columns='emb')\n"
        "    print(table.sum_blocks(lambda block: (block.sum(dtype=float),))[0])\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)\n"
    )
    command = [sys.executable, "-c", code, str(path), str(limit)]
    total, peak = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    return float(total), int(peak)


@pytest.mark.skipif(sys.platform != "linux", reason="ru_maxrss has another unit, or is not there")
def test_a_large_row_group_is_never_in_memory_as_a_whole(tmp_path):
    X = np.tile(np.random.default_rng(0).integers(0, 100, (1000, 256)).astype(np.float16), (200, 1))
    vectors = pa.FixedSizeListArray.from_arrays(pa.array(X.ravel()), 256).cast(pa.list_(pa.float16()))
    pq.write_table(pa.table({"emb": vectors}), tmp_path / "rows.parquet", row_group_size=len(X))
    assert pq.ParquetFile(tmp_path / "rows.parquet").num_row_groups == 1
    pq.write_table(pa.table({"emb": vectors[:10]}), tmp_path / "few.parquet")
    least = peak_of(tmp_path / "few.parquet", 8)[1]
    for limit, most in ((8, 150), (1024, 300)):  # in a file; in memory, where the rows take 195 MiB
        total, peak = peak_of(tmp_path / "rows.parquet", limit)
        assert total == X.sum(dtype=float)
        assert peak < least + most


@pytest.mark.parametrize("suffix", ["parquet", "feather"])
def test_large_row_groups_are_decoded_a_few_rows_at_a_time(suffix, tmp_path, monkeypatch):
    monkeypatch.setattr("anchorgraph.table.arrow_file.PART_BYTES", 8 * 2 * 8)  # of eight rows, in blocks of two
    table = pa.table({"a": ROWS[:, 0], "b": ROWS[:, 1]})
    if suffix == "parquet":
        pq.write_table(table, tmp_path / "rows.parquet", row_group_size=11)
    else:
        write_feather(table, str(tmp_path / "rows.feather"), chunksize=11)
    streamed, original = [], arrow_file._blocks
    monkeypatch.setattr(arrow_file, "_blocks", lambda *a: (streamed.append(len(b)) or b for b in original(*a)))
    once = [2] * 9 + [1] * 2
    for limit in (1024, 1e-5):
        with sklearn.config_context(working_memory=limit):
            found = as_table(tmp_path / f"rows.{suffix}", block_rows=3)
            for _ in range(2):
                np.testing.assert_array_equal(found.rows(), ROWS)
                np.testing.assert_array_equal(found.take(np.array([19, 0, 7])), ROWS[[19, 0, 7]])
            assert sorted(streamed) == sorted(once)  # decoded once, in memory or in files
            streamed.clear()
    monkeypatch.undo()
    monkeypatch.setattr("anchorgraph.table.arrow_file.PART_BYTES", 8 * 2 * 8)
    with sklearn.config_context(working_memory=1e-5):
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(as_table(tmp_path))).rows(), ROWS)
        monkeypatch.setattr("shutil.disk_usage", lambda path: SimpleNamespace(free=0))
        found = as_table(tmp_path, block_rows=3)
        for _ in range(2):
            np.testing.assert_array_equal(found.rows(), ROWS)
            np.testing.assert_array_equal(found.take(np.array([19, 0, 7])), ROWS[[19, 0, 7]])


def test_arrow_files_of_today_only(tmp_path):
    (tmp_path / "rows.feather").write_bytes(b"FEA1" + bytes(20))
    with pytest.raises(ValueError, match=r"rows\.feather is a Feather file of version 1; write it again as version 2"):
        as_table(tmp_path)


@pytest.mark.parametrize("name", ["feather", "ipc_stream"])
def test_broken_arrow_files_are_named(name, tmp_path):
    path = SOURCES[name](np.random.default_rng(0).random((50, 3)), 20, tmp_path)
    content = path.read_bytes()
    for broken in (b"", content[: len(content) // 2], content[:9], b"junk" * 50):
        path.write_bytes(broken)
        with pytest.raises(ValueError, match=rf"{path.name} (is not a valid Arrow file|has no)"):
            as_table(path).rows()


def test_offsets_out_of_bounds_are_noticed(tmp_path):
    """Arrow itself would read the memory beyond its buffers."""
    path = tmp_path / "rows.arrow"
    write_feather(pa.table({"emb": [[1.0, 2.0], [3.0, 4.0]]}), str(path), compression="uncompressed")
    sound, hostile = (np.array([0, 2, last], np.int32).tobytes() for last in (4, 2**30))
    assert path.read_bytes().count(sound) == 1
    path.write_bytes(path.read_bytes().replace(sound, hostile))
    with pytest.raises(ValueError, match=r"rows\.arrow is not a valid Arrow file"):
        as_table(path).rows()


def test_what_other_libraries_write(tmp_path):
    X = ROWS.astype(np.float32)
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame(
        {"id": list(map(str, range(20))), "emb": X.tolist()}, schema={"id": pl.String, "emb": pl.List(pl.Float32)}
    )
    frame.write_parquet(tmp_path / "polars.parquet")
    pd.DataFrame({"id": range(20), "emb": list(X)}).to_parquet(tmp_path / "pandas.parquet")
    for name in ("polars", "pandas"):
        table = as_table(tmp_path / f"{name}.parquet")
        assert table.dtype == np.float32
        np.testing.assert_array_equal(table.rows(), X)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_what_hugging_face_writes(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HOME", str(tmp_path / "home"))
    datasets = pytest.importorskip("datasets.arrow_dataset", reason="Hugging Face's datasets is not installed")
    held = datasets.Dataset.from_dict({"text": ["t"] * 20, "emb": ROWS.tolist()})
    held.to_parquet(str(tmp_path / "rows.parquet"))
    held.save_to_disk(str(tmp_path / "saved"))
    (stream,) = (tmp_path / "saved").glob("*.arrow")
    for source in (tmp_path / "rows.parquet", stream, held.data.table):
        np.testing.assert_array_equal(as_table(source).rows(), ROWS)


def test_a_table_without_rows_is_refused():
    with pytest.raises(ValueError, match=r"^source has no rows; pass at least one\.$"):
        as_table(pa.table({"a": pa.array([], pa.float64())}))


def test_a_name_with_a_line_end_is_not_suggested_for_an_option(tmp_path):
    pq.write_table(pa.table({"a\nb": ["x", "y"], "c": [1.0, 2.0]}), tmp_path / "rows.parquet")
    with pytest.raises(ValueError, match=r"leave it out \(without='a\\nb'\), or choose others"):
        as_table(tmp_path / "rows.parquet")
