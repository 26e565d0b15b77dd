"""Views: rows that are made when they are read, and never all at once."""

import tracemalloc
from contextlib import contextmanager

import dask
import dask.array as da
import numpy as np
import pytest
from scipy import sparse
from sklearn.preprocessing import StandardScaler

from anchorgraph import FLRL, MMC
from anchorgraph.cli.scaling import fit_scaler, scale_table
from anchorgraph.numerics.finite import NotFiniteError
from anchorgraph.table import as_table

ROWS = np.arange(24.0).reshape(8, 3)


def array(X, folder):
    return as_table(X)


def file(X, folder):
    np.save(folder / "rows.npy", X)
    return as_table(folder / "rows.npy")


def dask_array(X, folder):
    return as_table(da.from_array(X, chunks=(len(X) // 20, -1)))


SOURCES = [array, file, dask_array]


def doubled(block):
    return 2 * block


@pytest.mark.parametrize("source", SOURCES)
def test_a_view_is_a_table_of_its_own(source, tmp_path):
    table = source(np.vstack([ROWS] * 5), tmp_path)
    view = table.view(lambda block: (block[:, :2] + 1).astype(np.float32), names=["a", "b"])
    expected = np.vstack([ROWS] * 5)[:, :2] + 1
    assert (view.n_rows, view.n_cols, view.dtype, view.names) == (40, 2, np.float32, ["a", "b"])
    assert not view.is_sparse
    assert view.in_memory == table.in_memory
    np.testing.assert_array_equal(np.asarray(view.rows()), expected)
    np.testing.assert_array_equal(view.take(np.array([39, 0, 7])), expected[[39, 0, 7]])
    (total,) = view.sum_blocks(lambda block, own: (block.T @ own,), table.align(np.arange(40.0)))
    np.testing.assert_allclose(total, expected.T @ np.arange(40.0))
    np.testing.assert_array_equal(np.asarray(view.view(doubled).keep(doubled).rows()), 4 * expected)


def test_sparse_rows_and_views_that_make_them():
    table = as_table(sparse.csr_array(ROWS))
    assert table.is_sparse
    assert table.view(doubled).is_sparse
    assert not table.view(lambda block: block.toarray()).is_sparse
    assert as_table(ROWS).view(sparse.csr_array).is_sparse


def test_errors_name_the_row_of_the_source(tmp_path):
    def refuse(block):
        if (block > 20).any():
            raise NotFiniteError(int(np.argmax((block > 20).any(axis=1))), 0, "21")
        return block

    np.save(tmp_path / "0.npy", ROWS[:4])
    np.save(tmp_path / "1.npy", ROWS[4:])
    view = as_table(tmp_path, block_rows=2).view(refuse)
    for read in (view.rows, lambda: view.take(np.array([0, 7]))):
        with pytest.raises(NotFiniteError, match=r"row 3 of .*1\.npy"):
            read()
    with pytest.raises(NotFiniteError, match=r"row 0 of .*1\.npy"):
        as_table(tmp_path / "1.npy").view(lambda block: refuse(block + 20))


def test_a_view_is_not_written_over_its_source(tmp_path):
    np.save(tmp_path / "rows.npy", ROWS)
    with pytest.raises(ValueError, match=r"is the input .* or lies in it"):
        as_table(tmp_path / "rows.npy").view(doubled).write_rows(doubled, tmp_path / "rows.npy", ["a", "b", "c"])


@contextmanager
def peak():
    """Bytes that were held at most, beyond those before."""
    found = []
    tracemalloc.start()
    try:
        yield found
        found.append(tracemalloc.get_traced_memory()[1])
    finally:
        tracemalloc.stop()


@pytest.fixture(scope="module")
def many_rows():
    """150 MB."""
    rng = np.random.default_rng(0)
    return rng.standard_normal((300_000, 128), dtype=np.float32) + 5


@pytest.mark.parametrize("source", SOURCES)
def test_scaled_rows_are_never_there_at_once(source, many_rows, tmp_path):
    """Those of the program: a pass over them takes less memory than they would, and gives scikit-learn's numbers."""
    with dask.config.set(scheduler="synchronous"):
        table = source(many_rows, tmp_path)
        with peak() as held:
            view = scale_table(table, fit_scaler(as_table(many_rows) if source is dask_array else table))
            sums, squares = view.sum_blocks(lambda block: (block.sum(axis=0), (block**2).sum(axis=0)))
    assert held[0] < many_rows.nbytes
    np.testing.assert_allclose(sums / len(many_rows), 0, atol=1e-4)
    np.testing.assert_allclose(squares / len(many_rows), 1, rtol=1e-4)


def test_scaling_is_scikit_learns_for_each_row(many_rows):
    some = many_rows[:1000]
    table = as_table(some)
    expected = StandardScaler().fit(some).transform(some)
    np.testing.assert_allclose(scale_table(table, fit_scaler(table)).rows(), expected, atol=1e-5)


@pytest.mark.parametrize(
    "method", [MMC(2, n_jobs=2), FLRL(2, max_iter=2, n_jobs=2, random_state=0)], ids=["mmc", "flrl"]
)
def test_rows_about_their_mean_are_never_there_at_once(method, many_rows):
    """The supervised methods' space, in float64, would take twice the memory of these rows."""
    y = (many_rows[:, 0] > 5).astype(int)
    with peak() as held:
        method.fit(many_rows, y)
    assert held[0] < many_rows.nbytes


def test_a_view_of_single_numbers():
    view = as_table(ROWS).view(lambda block: block[:, 0])
    assert view.n_cols == 1
    np.testing.assert_array_equal(view.rows(), ROWS[:, 0])


@pytest.mark.parametrize("n_rows", [7, 9])
def test_only_arrays_of_as_many_rows_can_be_aligned(n_rows):
    with pytest.raises(ValueError, match=f"array must have one row for each of the 8 rows of the table; got {n_rows}"):
        as_table(ROWS).align(np.zeros(n_rows))


@pytest.mark.parametrize("block_rows", [0, -5, True, 2.5])
def test_impossible_blocks(block_rows):
    with pytest.raises(ValueError, match="block_rows must be an integer ≥ 1; got"):
        as_table(ROWS, block_rows=block_rows)


@pytest.mark.parametrize("source", SOURCES)
def test_only_rows_of_the_table_can_overflow(source, tmp_path):
    """The shape of what a row map returns is found without rows of Dask, by a row that is none of them."""
    table = source(np.full((40, 2), 1e-3), tmp_path)
    for made in (table.keep(_exponential), table.view(_exponential), table.keep_and_sum(_exponential, _sums)[0]):
        np.testing.assert_allclose(made.take(np.arange(2)), np.e)


def _exponential(block):
    return np.exp(1e3 * block)


def _sums(rows, block):
    return (rows.sum(axis=0),)
