"""Sparse rows of equal length: packed, stored and read back to the bit."""

import dask.array as da
import numpy as np
import pytest
import sklearn
from dask.sizeof import sizeof
from scipy import sparse

from anchorgraph import FSC
from anchorgraph.numerics.selection import sparse_rows
from anchorgraph.table import as_table
from anchorgraph.table.packed import PackedRows, column_type, pack, unpack


def rows_of_z(n_rows, n_cols, k, dtype=np.float32, seed=0):
    rng = np.random.default_rng(seed)
    columns = np.array([rng.choice(n_cols, k, replace=False) for _ in range(n_rows)]).reshape(n_rows, k)
    weights = rng.random((n_rows, k)).astype(dtype)
    weights[::3, 0] = 0  # a weight of zero stays an entry
    return sparse_rows(columns, weights, n_cols)


def assert_same(found, expected):
    assert found.shape == expected.shape
    assert found.data.tobytes() == expected.data.tobytes()
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found.indices, expected.indices)
    np.testing.assert_array_equal(found.indptr, expected.indptr)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(("n_cols", "bytes_each"), [(3, 2), (32_767, 2), (32_768, 4), (100_000, 4)])
def test_a_round_trip_is_exact(n_cols, bytes_each, dtype):
    Z = rows_of_z(9, n_cols, 3, dtype)
    Z.indices[-1] = n_cols - 1  # the largest number that there is
    packed = pack(Z)
    assert packed.columns.nbytes == 9 * 3 * bytes_each
    assert packed.columns.dtype == column_type(n_cols)
    assert_same(unpack(packed), Z)
    assert_same(packed[2:5], Z[2:5])
    assert_same(packed[np.array([1, 7])], Z[[1, 7]])


def test_a_slice_of_a_larger_array_is_packed():
    whole = rows_of_z(9, 20, 3)
    longer = sparse.csr_array((whole.data, whole.indices, whole.indptr[:5]), shape=(4, 20))
    assert_same(unpack(pack(longer)), whole[:4])


@pytest.mark.parametrize(
    "rows",
    [
        sparse.csr_array(np.tri(4)),
        sparse.csr_array(np.array([[1.0, 2.0], [0.0, 0.0]])),
        sparse.csr_array((3, 5)),
        sparse.csr_array((0, 5)),
        np.eye(3),
    ],
    ids=["unequal", "an empty row", "no entries", "no rows", "dense"],
)
def test_other_rows_stay_as_they_are(rows):
    assert pack(rows) is rows
    assert unpack(rows) is rows


def kept_outside_memory(X, row_map, folder):
    np.save(folder / "rows.npy", X)
    with sklearn.config_context(working_memory=1e-4):
        return as_table(folder / "rows.npy", block_rows=7).keep(row_map)


def files_of(kept):
    return [path for path in kept._owner.path.rglob("*") if path.is_file()]


def test_rows_of_equal_length_are_kept_without_indices_of_rows(tmp_path):
    X = np.abs(np.random.default_rng(0).standard_normal((30, 6))).astype(np.float32) + 1
    kept = kept_outside_memory(X, sparse.csr_array, tmp_path)
    n_bytes = sum(file.stat().st_size for file in files_of(kept))
    assert n_bytes <= 30 * 6 * (2 + 4) + 10 * 128  # two headers for each of five blocks
    assert_same(kept.rows(), sparse.csr_array(X))
    assert_same(kept.take(np.array([29, 0, 8])), sparse.csr_array(X)[[29, 0, 8]])
    assert kept.is_sparse
    (total,) = kept.sum_blocks(lambda block: (np.asarray(block.sum(axis=0)),))
    np.testing.assert_allclose(total, X.sum(axis=0, dtype=np.float64), rtol=1e-5)


def test_blocks_of_equal_and_unequal_rows_are_kept_together(tmp_path):
    X = np.ones((30, 6))
    X[20, 3:] = 0
    kept = kept_outside_memory(X, sparse.csr_array, tmp_path)
    assert [file.suffix for file in files_of(kept)].count(".npz") == 1
    np.testing.assert_array_equal(kept.rows().toarray(), X)


def test_dask_keeps_packed_rows():
    X = np.abs(np.random.default_rng(0).standard_normal((30, 6))).astype(np.float32) + 1
    kept = as_table(da.from_array(X, chunks=(8, 6))).keep(sparse.csr_array)
    blocks = [block.compute(scheduler="sync") for block in kept._array.to_delayed().ravel()]
    assert all(isinstance(block, PackedRows) for block in blocks)
    assert sum(sizeof(block) for block in blocks) == 30 * 6 * (2 + 4)
    assert_same(kept.rows().compute(), sparse.csr_array(X))
    assert_same(kept.take(np.array([29, 0, 8])), sparse.csr_array(X)[[29, 0, 8]])
    np.testing.assert_array_equal(kept.view(lambda block: block.toarray()).rows().compute(), X)


def test_labels_do_not_depend_on_where_rows_are_kept(tmp_path):
    X = np.random.default_rng(0).standard_normal((400, 3)) + 6 * np.eye(3)[np.arange(400) % 3]
    expected = FSC(3, n_anchors=16, random_state=0).fit(X).labels_
    np.save(tmp_path / "rows.npy", X)
    with sklearn.config_context(working_memory=1e-3):
        from_file = FSC(3, n_anchors=16, random_state=0).fit(tmp_path / "rows.npy").labels_
    from_dask = FSC(3, n_anchors=16, random_state=0).fit(da.from_array(X, chunks=(90, 3))).labels_
    np.testing.assert_array_equal(from_file, expected)
    np.testing.assert_array_equal(from_dask.compute(), expected)
