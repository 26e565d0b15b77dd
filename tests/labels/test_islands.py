import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import adjusted_rand_score

from anchorgraph.labels import find_clusters
from anchorgraph.labels.islands import Islands, links_of_parts
from reference import islands as literal


def cliques(sizes):
    """A graph of cliques without ties between them."""
    return sparse.block_diag([1 - np.eye(size) for size in sizes], format="csr")


def on_a_line(sizes, places):
    """Points near a place for each clique."""
    return np.concatenate([place + np.linspace(0, 0.5, size) for size, place in zip(sizes, places, strict=True)])[
        :, None
    ]


@pytest.mark.parametrize("seed", range(5))
def test_the_groups_are_those_of_the_reference(seed):
    rng = np.random.default_rng(seed)
    sizes = rng.integers(2, 30, 8)
    points = on_a_line(sizes, 100 * rng.random(8))
    part = np.repeat(np.arange(8), sizes)
    order = rng.permutation(len(part))
    graph = sparse.csr_array(cliques(sizes))[order][:, order]
    for n_groups in (2, 4):
        found = Islands.of(graph, points[order], n_groups)
        expected = literal.join_nearest(points, part, n_groups)[part][order]
        pairs = set(zip(found.group_of.tolist(), expected.tolist(), strict=True))
        assert len(pairs) == len(set(expected.tolist()))


def test_specks_follow_the_nearest_point_of_a_larger_part():
    sizes = [40, 3, 40]
    islands = Islands.of(sparse.csr_array(cliques(sizes)), on_a_line(sizes, [0, 8, 10]), 2)
    np.testing.assert_array_equal(islands.group_of, np.repeat([0, 1, 1], sizes))
    np.testing.assert_array_equal(islands.main, np.repeat([True, False, True], sizes))
    assert (islands.nearest[40:43] == 43).all()  # the first of the last part, at 10
    np.testing.assert_array_equal(islands.nearest[islands.main], np.flatnonzero(islands.main))


def test_as_many_parts_as_clusters_are_the_clusters():
    sizes = [400, 20, 300]
    graph, points = sparse.csr_array(cliques(sizes)), on_a_line(sizes, [0, 8, 10])
    found = find_clusters(graph, 3, 0, points=points)
    assert [len(set(own)) for own in np.split(found.labels, np.cumsum(sizes)[:-1])] == [1, 1, 1]
    assert len(set(found.labels)) == 3
    assert found.resolution == 0


def test_the_smallest_of_very_many_parts_follow_the_nearest(monkeypatch):
    monkeypatch.setattr("anchorgraph.labels.islands.MOST_PARTS", 3)
    sizes = [20, 20, 20, 5, 5]
    islands = Islands.of(sparse.csr_array(cliques(sizes)), on_a_line(sizes, [0, 50, 100, 49, 3]), 3)
    pairs = dict(zip(np.repeat(range(5), sizes).tolist(), islands.group_of.tolist(), strict=True))
    assert len(set(pairs.values())) == 3
    assert pairs[3] == pairs[1]
    assert pairs[4] == pairs[0]


def test_very_many_parts_of_equal_size_have_their_groups():
    """Twenty groups, of each of which some parts are compared."""
    rng = np.random.default_rng(0)
    sizes, group = [2] * 2800, np.repeat(range(20), 140)
    places = (1e4 * rng.random((20, 3)))[group] + 40 * rng.standard_normal((2800, 3))
    graph, points = sparse.csr_array(cliques(sizes)), np.repeat(places, sizes, axis=0)
    islands = Islands.of(graph, points, 20)
    assert adjusted_rand_score(np.repeat(group, 2), islands.group_of) == 1
    order = rng.permutation(5600)
    found = find_clusters(graph[order][:, order], 20, 0, points=points[order]).labels
    assert adjusted_rand_score(np.repeat(group, 2)[order], found) == 1


def test_distances_of_some_of_the_points_are_enough(monkeypatch):
    monkeypatch.setattr("anchorgraph.labels.islands.MOST_POINTS", 40)
    sizes = [300, 200, 250, 150]
    islands = Islands.of(sparse.csr_array(cliques(sizes)), on_a_line(sizes, [0, 2, 10, 12]), 2)
    np.testing.assert_array_equal(islands.group_of, np.repeat([0, 0, 1, 1], sizes))


def test_parts_count_by_their_nodes_and_not_by_those_that_are_looked_at(monkeypatch):
    """One of 40 places is of the three nodes at 900, which join their neighbour although two larger parts are near."""
    monkeypatch.setattr("anchorgraph.labels.islands.MOST_POINTS", 40)
    sizes = [100] * 8 + [3]
    points = on_a_line(sizes, [0, 2, 100, 200, 300, 400, 500, 600, 900])
    found = Islands.of(sparse.csr_array(cliques(sizes)), points, 8).group_of
    assert found[-1] == found[-4]
    assert len(set(found)) == 8


def test_links_of_parts_count_nodes_by_their_weight(monkeypatch):
    """Every tenth node of two large parts is looked at, so that one counts as much as three nodes of mean weight."""
    monkeypatch.setattr("anchorgraph.labels.islands.MOST_POINTS", 40)
    one = np.arange(160.0)
    points = np.concatenate([-one, 10 + one, 1e4 + 15 * np.arange(100)])[:, np.newaxis]
    links, distances = links_of_parts(np.repeat(np.arange(102), [160, 160] + [1] * 100), points)
    np.testing.assert_array_equal(links[0], [0, 1])
    np.testing.assert_allclose(distances[:-1], [10] + [15] * 99)


def test_clusters_are_whole_parts_or_within_one():
    """Three cliques and a speck: two clusters join the near ones; four divide the largest."""
    sizes = [60, 40, 40, 3]
    graph, points = sparse.csr_array(cliques(sizes)), on_a_line(sizes, [0, 20, 22, 29])
    part = np.repeat(range(4), sizes)
    two = find_clusters(graph, 2, 0, points=points)
    np.testing.assert_array_equal(two.labels == two.labels[0], part == 0)
    assert two.resolution == 0
    four = find_clusters(graph, 4, 0, points=points).labels
    assert len(set(four)) == 4
    assert len(set(four[part == 1])) + len(set(four[part == 2])) + len(set(four[part == 0])) == 4
    assert (four[part == 3] == four[np.flatnonzero(part == 2)[-1]]).all()


def test_without_points_as_many_parts_as_clusters_are_the_clusters():
    sizes = [800, 20, 300]
    found = find_clusters(sparse.csr_array(cliques(sizes)), 3, 0).labels
    assert adjusted_rand_score(np.repeat(range(3), sizes), found) == 1
    sizes = [800, 15, 300]  # a few nodes are no cluster, and a graph does not say where they belong
    found = find_clusters(sparse.csr_array(cliques(sizes)), 3, 0).labels
    assert len(set(found)) == 3


def test_without_points_the_smallest_parts_are_joined():
    sizes = [60, 40, 20, 10]
    with pytest.warns(UserWarning, match="4 unconnected parts, more than n_clusters=3.* use at least 4 clusters"):
        found = find_clusters(sparse.csr_array(cliques(sizes)), 3, 0).labels
    part = np.repeat(range(4), sizes)
    assert set(found[part == 2]) == set(found[part == 3])
    assert len(set(found)) == 3
