import numpy as np
import pytest

from anchorgraph.anchors import grow_bkhk
from anchorgraph.graph.cells import MOST_CELLS, Cells, n_cells, n_groups, n_near, nearest_anchors, run_starts
from anchorgraph.numerics.groups import equal_runs
from anchorgraph.table import as_table


@pytest.mark.parametrize("m", [16, 37, 100])
def test_runs_are_subtrees_up_to_a_leaf(digits, m):
    children = grow_bkhk(as_table(digits), m, seed=0).anchors.tree.children

    def first_leaf(node):
        while node >= 0:
            node = children[node, 0]
        return ~node

    level = np.array([0])
    for n_runs in (2, 4, 8):
        level = children[level].ravel()
        assert np.abs([first_leaf(node) for node in level] - run_starts(m, n_runs)).max() <= 1


def test_numbers_of_cells():
    assert [n_cells(m, 100) for m in (1, 1024, MOST_CELLS, 10**6)] == [1, 1024, MOST_CELLS, MOST_CELLS]
    assert [n_cells(m, 32) for m in (1, 1024, 10**6)] == [1, 128, MOST_CELLS]
    assert [n_cells(1024, d) for d in (62, 63)] == [128, 1024]
    assert [n_groups(c) for c in (1, 2, 16, 1000, 1024, 4096)] == [1, 2, 8, 64, 64, 128]
    assert [n_near(c) for c in (1, 16, 1024, 4096)] == [1, 16, 256, 512]
    assert n_cells(10**9, 32) < 2**16  # numbers of cells have 16 bits


def test_equal_runs():
    assert list(equal_runs(np.array([0, 0, 3, 7, 7, 7], np.uint16))) == [
        (0, slice(0, 2)),
        (3, slice(2, 3)),
        (7, slice(3, 6)),
    ]
    assert list(equal_runs(np.array([5], np.uint16))) == [(5, slice(0, 1))]
    assert list(equal_runs(np.array([], np.uint16))) == []
    assert list(equal_runs(np.array([65535, 65535], np.uint16))) == [(65535, slice(0, 2))]


def test_candidates_are_the_anchors_nearest_to_any_anchor_of_the_cell():
    points = np.random.default_rng(0).standard_normal((50, 3))
    starts = run_starts(50, 16)
    distances = ((points[:, np.newaxis] - points) ** 2).sum(axis=2)
    nearest = np.minimum.reduceat(distances, starts, axis=0)
    expected = np.sort(np.argsort(nearest, axis=1)[:, :9], axis=1)
    np.testing.assert_array_equal(nearest_anchors(points, 16, 9), expected)


def test_a_row_is_in_the_cell_with_the_nearest_centre_among_those_near_its_group():
    rng = np.random.default_rng(0)
    points, rows = (rng.standard_normal((n, 2)) for n in (400, 300))
    points = points[np.lexsort((points[:, 1], np.digitize(points[:, 0], [-1, 0, 1])))]  # consecutive ones are near
    cells = Cells.of(points, 200)
    found = cells.nearest(np.column_stack([rows, np.ones(300)]))
    centres = points.reshape(200, 2, 2).mean(axis=1)
    distances = ((rows[:, np.newaxis] - centres) ** 2).sum(axis=2)
    assert cells.near.shape == (32, 114)
    assert (found == distances.argmin(axis=1)).mean() > 0.98
