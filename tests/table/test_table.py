import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
import sklearn
from scipy import sparse

from anchorgraph.table import as_table, count

ROWS = np.arange(12.0).reshape(6, 2)


@pytest.mark.parametrize("block_rows", [1, 4, 6, 100])
@pytest.mark.parametrize("store", [np.asarray, sparse.csr_array, sparse.csc_matrix])
def test_sums_and_maps_do_not_depend_on_blocks(store, block_rows):
    table = as_table(store(ROWS), block_rows=block_rows)
    gram, count = table.sum_blocks(lambda block: ((block.T @ block), np.array(block.shape[0])))
    gram = gram.toarray() if sparse.issparse(gram) else gram
    np.testing.assert_array_equal(gram, ROWS.T @ ROWS)
    assert count == 6
    sums = table.map_rows(lambda block: np.asarray(block.sum(axis=1)).ravel())
    np.testing.assert_array_equal(sums, ROWS.sum(axis=1))


@pytest.mark.parametrize("block_rows", [1, 6])
def test_a_map_may_return_sparse_rows(block_rows):
    mapped = as_table(ROWS, block_rows=block_rows).map_rows(lambda block: sparse.csr_array(block))
    assert mapped.format == "csr"
    np.testing.assert_array_equal(mapped.toarray(), ROWS)


@pytest.mark.parametrize("store", [np.asarray, sparse.csr_array])
def test_take_copies_rows_in_the_order_asked_for(store):
    source = store(ROWS.copy())
    taken = as_table(source).take(np.array([4, 0]))
    dense = taken.toarray() if sparse.issparse(taken) else taken
    np.testing.assert_array_equal(dense, ROWS[[4, 0]])
    taken *= 0
    np.testing.assert_array_equal(source.toarray() if sparse.issparse(source) else source, ROWS)


@pytest.mark.parametrize(
    ("given", "read"),
    [("uint8", "float32"), ("int16", "float32"), ("float16", "float32"), ("float32", "float32"), ("int64", "float64")],
)
def test_small_integers_become_float32_block_by_block(given, read):
    table = as_table(ROWS.astype(given), block_rows=2)
    assert table.dtype == read
    assert table.take(np.array([0])).dtype == read
    assert table.map_rows(lambda block: block).dtype == read


def test_float_blocks_are_views():
    assert np.shares_memory(as_table(ROWS).map_rows(lambda block: block), ROWS)


def test_memory_maps_stay_on_disk(memmap):
    mapped = memmap(ROWS)
    table = as_table(mapped, block_rows=4)
    np.testing.assert_array_equal(table.take(np.array([5, 1])), ROWS[[5, 1]])
    (total,) = table.sum_blocks(lambda block: (block.sum(axis=0),))
    np.testing.assert_array_equal(total, ROWS.sum(axis=0))


def test_blocks_follow_the_memory_budget():
    X = np.zeros((2**16, 64))  # 32 MiB
    with sklearn.config_context(working_memory=16):
        spans = as_table(X).map_rows(lambda block: np.full(len(block), len(block)))
    assert spans.max() * 64 * 8 == 16 * 2**20 / 4


def test_a_block_of_a_file_and_the_next_one_share_the_budget(tmp_path):
    np.save(tmp_path / "rows.npy", np.zeros((2**10, 64)))
    with sklearn.config_context(working_memory=0.25):
        spans = as_table(tmp_path / "rows.npy").map_rows(lambda block: np.full(len(block), len(block)))
    assert spans.max() * 64 * 8 == 2**18 / 8


@pytest.mark.parametrize(
    ("source", "error"), [([[1.0]], TypeError), (np.zeros(3), ValueError), (np.array([[1j]]), ValueError)]
)
def test_other_things_are_refused(source, error):
    with pytest.raises(error, match="source"):
        as_table(source)


@pytest.mark.parametrize(
    ("array", "described"),
    [(np.zeros(3), r"shape \(3,\) and dtype float64"), (np.array([["a"]]), r"shape \(1, 1\) and dtype <U1")],
)
def test_other_dask_arrays_are_refused(array, described):
    with pytest.raises(ValueError, match=f"The Dask array has {described}; pass two-dimensional real numbers"):
        as_table(da.from_array(array))


def test_words_in_a_dask_frame_are_refused():
    frame = dd.from_pandas(pd.DataFrame({"x": [1.0, 2.0], "word": ["a", "b"]}), npartitions=1)
    with pytest.raises(ValueError, match=r"Column 'word' of the Dask data frame holds .*, not numbers; leave it out"):
        as_table(frame)


def test_columns_without_names_cannot_be_selected():
    for options in ({"columns": ["a"]}, {"without": "a"}):
        with pytest.raises(
            ValueError, match=r"^A ndarray has no column names, so .*'a'.* cannot be selected; pass a data"
        ):
            as_table(np.ones((3, 2)), **options)


def test_an_array_without_rows_is_refused():
    for source in (np.empty((0, 3)), sparse.csr_array((0, 3))):
        with pytest.raises(ValueError, match=r"^source has no rows; pass at least one\.$"):
            as_table(source)


def test_a_count_of_rows_in_words():
    assert [count(number, "row") for number in (0, 1, np.int64(1), np.int64(2), 1000)] == [
        "0 rows",
        "1 row",
        "1 row",
        "2 rows",
        "1,000 rows",
    ]
