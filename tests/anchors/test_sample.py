"""Trees of very many rows are grown on a sample, and their anchors are means of all rows."""

import numpy as np
import pytest

from anchorgraph import BKHK
from anchorgraph.anchors import SELECTORS, grow_bkhk, grow_on_sample, route, sample
from anchorgraph.table import as_table
from sources import SOURCES


@pytest.fixture
def small_sample(monkeypatch):
    monkeypatch.setattr(sample, "MOST_ROWS", 300)
    monkeypatch.setattr(sample, "ROWS_A_LEAF", 1)


@pytest.mark.parametrize("selector", ["bkhk", "hk"])
@pytest.mark.parametrize("name", ["npy_shards", "dask_array", "csr"])
def test_anchors_are_means_of_all_rows_that_the_tree_leads_to_them(selector, name, digits, small_sample, tmp_path):
    expected = SELECTORS[selector].select(as_table(digits), 16, 0)
    leaves = as_table(digits).map_rows(route(expected.tree))
    means = [digits[leaves == leaf].mean(axis=0) for leaf in range(16)]
    np.testing.assert_allclose(expected.points, means, atol=1e-9)
    found = SELECTORS[selector].select(as_table(SOURCES[name](digits, 100, tmp_path)), 16, 0)
    np.testing.assert_allclose(found.points, expected.points, atol=1e-9)


def test_the_error_is_near_that_of_all_rows(digits, small_sample):
    def error(anchors):
        return np.min(((digits[:, np.newaxis] - anchors.points) ** 2).sum(axis=2), axis=1).mean()

    whole = grow_bkhk(as_table(digits), 16, seed=0).anchors
    assert error(SELECTORS["bkhk"].select(as_table(digits), 16, 0)) < 1.03 * error(whole)


def test_a_leaf_that_no_row_reaches_keeps_its_point():
    """Rows of the sample always reach their leaves, but a tie on a plane can be told either way."""
    X = np.repeat([[0.0], [1.0]], [500, 1], axis=0)
    tree = grow_on_sample(grow_bkhk, as_table(X), 4, seed=0, max_samples=8)
    assert np.isfinite(tree.anchors.points).all()


def test_bkhk_of_rows_outside_memory(digits, tmp_path):
    source = SOURCES["npy_shards"](digits, 500, tmp_path)
    model = BKHK(8, max_samples=400, random_state=0).fit(source)
    np.testing.assert_array_equal(model.labels_, model.predict(digits))
    assert np.ptp(np.bincount(model.labels_)) <= 1
    np.testing.assert_allclose(model.cluster_centers_[3], digits[model.labels_ == 3].mean(axis=0), atol=1e-9)
    exact = BKHK(8, random_state=0).fit(source)  # of a sample that is all rows
    np.testing.assert_array_equal(exact.labels_, BKHK(8, random_state=0).fit(digits).labels_)


def test_sizes_of_samples_do_not_depend_on_storage(digits, tmp_path):
    tables = [as_table(SOURCES[name](digits, 500, tmp_path)) for name in ("array", "csr", "npy_shards", "dask_array")]
    assert len({sample.sample_size(table, 16) for table in tables}) == 1
    wide = as_table(np.zeros((2, 2**20)))
    assert sample.sample_size(wide, 1024) == 32 * 1024


def test_sizes_of_samples_by_hand(monkeypatch):
    monkeypatch.setattr(sample, "MOST_BYTES", 8000)
    monkeypatch.setattr(sample, "ROWS_A_LEAF", 2)
    table = as_table(np.zeros((3, 10)))
    assert sample.sample_size(table, 16) == 100  # rows of 80 bytes
    assert sample.sample_size(as_table(np.zeros((3, 10), np.float32)), 16) == 200
    assert sample.sample_size(table, 60) == 120
    monkeypatch.setattr(sample, "MOST_ROWS", 70)
    assert sample.sample_size(table, 16) == 70
