"""Numbers are checked when rows are first read, and rows are kept and summed in one pass."""

import dask.array as da
import numpy as np
import pytest

from anchorgraph import FSC, LSC, ULGE
from anchorgraph.table import as_table

X = np.random.default_rng(0).standard_normal((300, 4))
SOURCES = {
    "file": lambda X, folder: np.save(folder / "x.npy", X) or as_table(folder / "x.npy", block_rows=70),
    "Dask": lambda X, folder: da.from_array(X, chunks=(70, 4)),
}
EVERYWHERE = pytest.mark.parametrize("store", SOURCES.values(), ids=SOURCES.keys())


class RefusedError(Exception):
    pass


def refuse():
    raise RefusedError


def sums(block):
    return (block.sum(axis=0),)


@EVERYWHERE
def test_the_first_pass_finds_what_cannot_be_used(store, tmp_path):
    rows = X.copy()
    rows[250, 1] = np.nan
    table = as_table(store(rows, tmp_path)).checked(refuse)
    table.take(np.array([0, 100]))
    for read in (
        lambda: table.sum_blocks(sums),
        lambda: table.view(np.abs).sum_blocks(sums),
        lambda: table.take(np.array([3, 250])),
        lambda: table.keep(np.abs).rows().sum(),
        lambda: table.keep_and_sum(np.abs, lambda rows, block: sums(rows)),
    ):
        with pytest.raises(RefusedError):
            read()


@EVERYWHERE
def test_nothing_is_checked_after_a_pass_over_all_rows(store, tmp_path, monkeypatch):
    table = as_table(store(X, tmp_path)).checked(refuse)
    table.sum_blocks(sums)
    for module in ("anchorgraph.table.checked", "anchorgraph.table.dask_table"):
        monkeypatch.setattr(f"{module}.largest_number", lambda block: pytest.fail("checked again"))
    table.sum_blocks(sums)
    table.take(np.array([3]))


@EVERYWHERE
def test_rows_are_kept_and_summed_in_one_pass(store, tmp_path):
    table = as_table(store(X, tmp_path))
    weights = table.align(np.arange(300.0))
    kept, (of_rows, of_both) = table.keep_and_sum(
        lambda block: block[:, :2] ** 2, lambda z, block, w: (z.sum(axis=0), (z.T * w) @ block), weights
    )
    squares = X[:, :2] ** 2
    np.testing.assert_array_equal(np.asarray(kept.rows()), squares)
    np.testing.assert_allclose(of_rows, squares.sum(axis=0))
    np.testing.assert_allclose(of_both, (squares.T * np.arange(300.0)) @ X)
    numbers, _ = table.keep_and_sum(lambda block: block[:, 0], lambda z, block: (z.sum(),))
    np.testing.assert_array_equal(np.asarray(numbers.rows()), X[:, 0])


@EVERYWHERE
@pytest.mark.parametrize("method", [FSC(3), LSC(3), ULGE(2)], ids=repr)
def test_a_refused_fit_changes_nothing(store, method, tmp_path):
    model = method.set_params(n_anchors=16, random_state=0).fit(X)
    before = dict(vars(model))
    rows = X.copy()
    rows[[120, 130], 1] = np.nan
    with pytest.raises(ValueError, match=r"NaN in row (120|50) of .*column 1 \(2 rows in all\).*missing='mask'"):
        model.fit(store(rows, tmp_path))
    assert vars(model).keys() == before.keys()
    assert all(vars(model)[name] is value for name, value in before.items())


@EVERYWHERE
def test_values_that_are_all_too_small_are_refused(store, tmp_path):
    with pytest.raises(ValueError, match="no absolute value above 1e-70"):
        FSC(3, n_anchors=16).fit(store(X * 1e-100, tmp_path))
    few = X * 1e-100
    few[299] = 1  # one that is large enough, not among the first
    FSC(2, n_anchors=16, n_neighbors=2, anchors="random", random_state=0).fit(store(few, tmp_path))
