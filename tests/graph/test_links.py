import numpy as np

from anchorgraph.graph import Leaves
from anchorgraph.graph import links as module
from anchorgraph.graph.links import Compared, linked_rows, links

NEIGHBORS = np.array([[1, 2], [0, 2], [1, 0], [1, 2]], np.int32)
"""Row 3 is near to no row, row 1 the nearest of three, and row 2 the second of three."""


def test_links_by_hand(monkeypatch):
    monkeypatch.setattr(module, "FOLLOWERS", 3)
    assert links(NEIGHBORS).tolist() == [[1, 2, 1, 2, 0], [0, 2, 0, 2, 3], [1, 0, 0, 1, 3], [1, 2, 3, 3, 3]]
    monkeypatch.setattr(module, "FOLLOWERS", 1)
    monkeypatch.setattr(module, "FOLLOWED", 1)
    assert links(NEIGHBORS).tolist() == [[1, 1], [0, 0], [1, 2], [1, 3]]


def test_links_are_neighbours_and_those_whose_neighbour_a_row_is(monkeypatch):
    monkeypatch.setattr(module, "FOLLOWERS", 40)
    rng = np.random.default_rng(0)
    neighbors = np.stack([rng.choice(np.delete(np.arange(40), row), 6, replace=False) for row in range(40)])
    for row, linked in enumerate(links(neighbors.astype(np.int32))):
        own, followers = linked[:6].tolist(), linked[6:]
        assert own == neighbors[row].tolist()
        expected = np.argwhere(neighbors == row)
        expected = expected[np.lexsort(expected.T)][:, 0].tolist()  # by rank, then by row
        assert followers[followers != row].tolist() == expected


def test_rows_with_several_links_are_candidates(monkeypatch):
    linked = np.array([[1, 2], [3, 4], [3, 5], [0, 0], [1, 1], [2, 2]])
    assert linked_rows(linked, np.array([0])).tolist() == [3]  # 0 → 1, 2 → 3, 4, 3, 5
    monkeypatch.setattr(module, "FEWEST_LINKS", 1)
    assert linked_rows(linked, np.array([0])).tolist() == [3, 4, 5]
    assert linked_rows(linked, np.array([0, 1])).tolist() == [0, 1, 3, 4, 5]


def test_nothing_is_compared_twice():
    leaves = Leaves.of(np.array([0, 1, 2, 0, 1, 2, 3]), np.zeros((4, 1)))
    assert leaves.leaf_of.tolist() == [0, 1, 2, 0, 1, 2, 3]
    compared = Compared(leaves, np.array([[0, 1], [1, 0], [2, 3], [3, 2]]))
    assert compared.without(0, np.arange(7)).tolist() == [2, 5, 6]
    assert compared.without(2, np.arange(7)).tolist() == [0, 1, 3, 4]
    compared.add(0, np.array([5]))
    assert compared.without(0, np.arange(7)).tolist() == [2, 6]
    compared.add(0, np.array([2, 6]))
    assert compared.without(0, np.arange(7)).tolist() == []
    assert compared.without(1, np.arange(7)).tolist() == [2, 5, 6]
