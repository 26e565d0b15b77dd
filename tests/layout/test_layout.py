"""Forces, steps, votes and places against the literal ones; what a map must look like."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import make_blobs

from anchorgraph.graph import nearest_rows, ties_both_ways
from anchorgraph.layout import map_anchors, map_rows, place
from anchorgraph.layout.anchors import STRONGEST, _strongest
from anchorgraph.layout.attraction import Ties, attraction
from anchorgraph.layout.descent import CROWDING, descend, settle
from anchorgraph.layout.groups import _vote, group_ties, grouped
from anchorgraph.layout.mesh import SPACING, repulsion
from anchorgraph.layout.strays import gather_strays
from anchorgraph.numerics.execution import execution
from anchorgraph.numerics.progress import listening
from reference import map as literal

N = 60


def random_ties(n, seed=0):
    rng = np.random.default_rng(seed)
    half = np.triu(rng.integers(0, 3, (n, n)) * (rng.random((n, n)) < 0.2), 1)
    half[np.arange(n - 1), np.arange(1, n)] = 1  # no row is without a tie
    return sparse.csr_array((half + half.T).astype(np.float32))


def positions(n=N, p=2, spread=3.0, seed=0):
    return (spread * np.random.default_rng(seed).standard_normal((n, p))).astype(np.float32)


@pytest.mark.parametrize("p", [1, 2, 3])
@pytest.mark.parametrize("spread", [0.3, 3.0, 20.0])
def test_repulsion_on_a_mesh_is_nearly_that_of_all_pairs(p, spread):
    Y = positions(p=p, spread=spread)
    total, forces = repulsion(Y)
    exact_total, exact = literal.repulsion(Y.astype(float))
    assert total == pytest.approx(exact_total, rel=0.03)
    assert np.abs(forces - exact).max() < 0.25 * np.abs(exact).max()


def test_repulsion_of_points_on_the_nodes_of_the_mesh_is_exact():
    Y = (SPACING * np.random.default_rng(0).integers(0, 30, (N, 2))).astype(np.float32)
    total, forces = repulsion(Y)
    exact_total, exact = literal.repulsion(Y.astype(float))
    assert total == pytest.approx(exact_total, rel=1e-4)
    np.testing.assert_allclose(forces, exact, atol=1e-4)


def test_a_wide_map_has_a_coarser_mesh_of_no_more_nodes():
    Y = np.array([[0, 0], [0.4, 0.1], [5000, 3000]], np.float32)
    total, forces = repulsion(Y)
    assert np.isfinite(forces).all()
    assert 0 < total < 6


def test_attraction_is_that_of_all_ties():
    Y, W = positions(), random_ties(N)
    mean, forces = attraction(Y, Ties.of(W))
    exact_mean, exact = literal.attraction(Y.astype(float), W.toarray())
    assert mean == pytest.approx(exact_mean, rel=1e-5)
    np.testing.assert_allclose(forces, exact, atol=1e-5)


def test_pieces_of_ties_make_no_difference(monkeypatch):
    Y, W = positions(), random_ties(N)
    whole = attraction(Y, Ties.of(W))
    monkeypatch.setattr("anchorgraph.layout.attraction.TIES_OF_PIECE", 7)
    parts = Ties.of(W)
    assert len(parts.pieces) > 10
    np.testing.assert_allclose(attraction(Y, parts)[1], whole[1], atol=1e-6)


@pytest.fixture
def fine_mesh(monkeypatch):
    monkeypatch.setattr("anchorgraph.layout.mesh.SPACING", 0.05)
    monkeypatch.setattr("anchorgraph.layout.mesh.MOST_CORNERS", 2**22)


def test_steps_are_those_of_the_reference(fine_mesh):
    Y, W = positions(20, spread=2.0), random_ties(20)
    expected, _ = literal.steps(Y.astype(float), W.toarray(), 6, 2.0)
    np.testing.assert_allclose(descend(Y, Ties.of(W), 6, 2.0), expected, atol=0.01 * np.abs(expected).max())


@pytest.mark.parametrize("spread", [0.2, 2.0, 9.0])  # ties are close, or far; and others are close
def test_the_exaggeration_follows_as_in_the_reference(fine_mesh, spread):
    Y, W = positions(20, spread=spread), random_ties(20)
    found, rho = settle(Y, Ties.of(W), 6, 2.0)
    expected, expected_rho = literal.steps(Y.astype(float), W.toarray(), 6, 2.0, literal.follow)
    assert rho == pytest.approx(expected_rho, rel=1e-3)
    assert rho != 2
    np.testing.assert_allclose(found, expected, atol=0.01 * np.abs(expected).max())


def test_points_with_very_many_ties_do_not_swing():
    star = np.zeros((200, 200), np.float32)
    star[0, 1:] = star[1:, 0] = 1
    found = descend(positions(200), Ties.of(sparse.csr_array(star)), 100, 4.0)
    further = descend(found, Ties.of(sparse.csr_array(star)), 10, 4.0)
    assert np.abs(found).max() < 20
    assert np.abs(further - found).max() < 1


def test_votes_are_those_of_the_reference():
    W, group_of = random_ties(N), np.arange(N) // 6
    assert _vote(W, group_of, 10).tolist() == literal.vote(W.toarray(), group_of, 10)


def test_groups_follow_the_ties():
    block = np.kron(np.eye(4), np.ones((8, 8))).astype(np.float32) - np.eye(32, dtype=np.float32)
    mixed = np.random.default_rng(0).permutation(32)[:4]
    order = np.arange(32)
    order[np.sort(mixed)] = mixed  # a few rows are in the wrong place of the order
    graph = sparse.csr_array(block[np.ix_(order, order)])
    assert {tuple(np.unique(order[grouped(graph, 4) == group] // 8)) for group in range(4)} == {(0,), (1,), (2,), (3,)}


def test_ties_between_groups():
    W, group_of = random_ties(12), np.repeat([0, 1, 2], 4)
    found = group_ties(W, group_of).toarray()
    dense = W.toarray()
    for a in range(3):
        for b in range(3):
            expected = 0 if a == b else dense[np.ix_(group_of == a, group_of == b)].sum()
            assert found[a, b] == expected


def test_places_are_those_of_the_reference():
    rng, Y = np.random.default_rng(0), positions(50)
    neighbors, weights = rng.integers(0, 50, (20, 6)), rng.random((20, 6))
    found = place(Y, neighbors, weights)
    for i in range(20):
        np.testing.assert_allclose(found[i], literal.place(Y[neighbors[i]].astype(float), weights[i]), atol=1e-3)


def test_a_row_between_two_clusters_is_placed_in_the_one_with_more_ties():
    Y = np.array([[0, 0], [0.1, 0], [0, 0.1], [30, 0], [30, 0.1]], np.float32)
    (found,) = place(Y, np.arange(5)[np.newaxis], np.ones((1, 5)))
    assert np.abs(found).max() < 0.2  # a mean would be at 12


def two_clusters():
    """Positions of two clusters of 20 rows, and five neighbours of each row."""
    Y = np.concatenate([positions(20, spread=0.3), positions(20, spread=0.3) + 30])
    return Y, np.array([[j for j in np.arange(20) + i // 20 * 20 if j != i][:5] for i in range(40)])


@pytest.mark.parametrize("n_strays", [1, 3])  # a row, and a clump of rows that are each other's neighbours
def test_strays_are_gathered_and_others_stay(n_strays):
    Y, neighbors = two_clusters()
    strays = np.arange(6, 6 + n_strays)  # nobody's neighbours
    Y[strays] = 15 + 0.1 * Y[strays]
    neighbors[strays[:, np.newaxis], np.arange(n_strays)] = strays
    found = gather_strays(Y, neighbors)
    assert np.abs(found[strays]).max() < 2
    others = np.delete(np.arange(40), strays)
    np.testing.assert_array_equal(found[others], Y[others])


def test_a_small_cluster_is_no_stray():
    Y, neighbors = two_clusters()
    small = np.arange(34, 40)
    Y[small] += 50
    neighbors[small] = [[other for other in small if other != own] for own in small]
    assert gather_strays(Y, neighbors) is Y


def test_the_strongest_ties_are_those_of_the_reference():
    gram = random_ties(40).toarray() + 0.5 * random_ties(40, seed=1).toarray()
    np.testing.assert_allclose(_strongest(sparse.csr_array(gram)).toarray(), literal.strongest(gram, STRONGEST))
    many = np.random.default_rng(0).random((40, 40))
    many += many.T
    np.testing.assert_allclose(_strongest(sparse.csr_array(many)).toarray(), literal.strongest(many, STRONGEST))


def neighbors_of(X, k=8):
    return nearest_rows(X.astype(np.float32), [], k)[0]


@pytest.mark.parametrize("n", [400, 4200])  # rows as nodes, and groups of rows
def test_clusters_are_islands(n):
    X, y = make_blobs(n, 8, centers=6, cluster_std=1.0, random_state=0)
    order = np.argsort(y, kind="stable")  # as a tree would have it
    X, y = X[order], y[order]
    neighbors = neighbors_of(X)
    Y = map_rows(ties_both_ways(neighbors), neighbors, X[:, :2], 0)
    centres = np.array([np.median(Y[y == c], axis=0) for c in range(6)])
    nearest = np.linalg.norm(Y[:, np.newaxis] - centres, axis=2).argmin(axis=1)
    assert np.mean(nearest == y) > 0.99
    assert Y.dtype == np.float32
    assert Y[y == 0].std() > 0.5  # clusters without structure do not collapse


def test_rows_that_are_not_tied_to_others_do_not_fly_away():
    X = np.concatenate([make_blobs(300, 2, centers=1, random_state=0)[0], [[1e3, 0], [1e3, 1], [1e3, 2], [1e3, 3]]])
    neighbors = neighbors_of(X, 3)
    Y = map_rows(ties_both_ways(neighbors), neighbors, X, 0)
    assert np.abs(Y[300:]).max() < 4 * np.abs(Y[:300]).max()


def recall(X, Y, k=10):
    """Share of each row's nearest rows that are its nearest in the map."""
    near, shown = neighbors_of(X, k), neighbors_of(Y, k)
    return np.mean([len(set(a) & set(b)) / k for a, b in zip(near, shown, strict=True)])


@pytest.mark.parametrize(("d", "least"), [(3, 0.5), (8, 0.3)])
def test_rows_without_clusters_do_not_collapse(d, least):
    X = np.random.default_rng(0).random((3000, d))
    neighbors = neighbors_of(X, 10)
    Y = map_rows(ties_both_ways(neighbors), neighbors, X[:, :2], 0)
    assert recall(X, Y) > least
    q = 1 / (1 + ((Y[:500, np.newaxis] - Y[500:1000]) ** 2).sum(axis=2))
    assert q.mean() < 2 * CROWDING


def test_a_map_gathers_its_strays(monkeypatch):
    X = make_blobs(300, 3, centers=2, random_state=0)[0]
    neighbors, gathered = neighbors_of(X), []
    monkeypatch.setattr("anchorgraph.layout.rows.gather_strays", lambda Y, _: gathered.append(Y) or Y + 7)
    found = map_rows(ties_both_ways(neighbors), neighbors, X[:, :2], 0)
    assert len(gathered) == 3
    np.testing.assert_array_equal(found, gathered[-1] + 7)  # the last round too


def test_groups_find_what_few_steps_of_rows_would_not(monkeypatch):
    """A ring of 5,000 rows that begins folded: in two levels it opens."""
    angles = np.sort(np.random.default_rng(0).uniform(0, 2 * np.pi, 5000))
    X = np.column_stack([np.cos(angles), np.sin(angles)])
    neighbors = neighbors_of(X)
    calls = []
    monkeypatch.setattr("anchorgraph.layout.rows.grouped", lambda *given: calls.append(given) or grouped(*given))
    Y = map_rows(ties_both_ways(neighbors), neighbors, X, 0)
    assert len(calls) == 1
    assert recall(X, Y) > 0.6


def test_rounding_errors_do_not_grow_into_another_map():
    X = make_blobs(500, 6, centers=4, random_state=0)[0]
    neighbors = neighbors_of(X)
    graph = ties_both_ways(neighbors)
    errors = 1e-6 * np.random.default_rng(0).standard_normal((500, 2))
    one, other = (map_rows(graph, neighbors, X[:, :2] + error, 0) for error in (0, errors))
    np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("start", [[1e-6, 1.0], [1.0, 1e6]])
def test_columns_of_unlike_scale_and_far_rows_start_in_the_same_frame(start):
    X = make_blobs(300, 2, centers=4, random_state=0)[0] * start + 1e9
    neighbors = neighbors_of(make_blobs(300, 2, centers=4, random_state=0)[0])
    Y = map_rows(ties_both_ways(neighbors), neighbors, X, 0)
    assert np.abs(Y).max() < 100


def test_progress_never_goes_back():
    X, told = np.random.default_rng(0).random((300, 3)), []
    neighbors = neighbors_of(X)
    with listening(lambda stage, share: told.append((stage, share))):
        map_rows(ties_both_ways(neighbors), neighbors, X[:, :2], 0)
    assert {stage for stage, _ in told} == {"map"}
    shares = np.array([share for _, share in told])
    assert np.diff(shares).min() > -1e-9
    assert shares[-1] == pytest.approx(1)


def test_threads_make_no_difference(monkeypatch):
    monkeypatch.setattr("anchorgraph.layout.mesh.PIECE_BYTES", 2**12)  # so that there are many pieces
    monkeypatch.setattr("anchorgraph.layout.attraction.TIES_OF_PIECE", 2**10)
    X = np.random.default_rng(0).standard_normal((4200, 3))
    neighbors, maps = neighbors_of(X), []
    for n_jobs in (1, 3):
        with execution(n_jobs):
            maps.append(map_rows(ties_both_ways(neighbors), neighbors, X[:, :2], 0))
    np.testing.assert_array_equal(*maps)


def test_anchors_of_clusters_are_islands():
    Z = np.kron(np.eye(3), np.ones((20, 10))).astype(np.float32)
    Z += 0.01 * np.random.default_rng(0).random(Z.shape, dtype=np.float32)
    Y = map_anchors(sparse.csr_array(Z), positions(30), 0)
    centres = Y.reshape(3, 10, 2).mean(axis=1)
    apart = np.linalg.norm(centres[:, np.newaxis] - centres, axis=2)[np.triu_indices(3, 1)].min()
    assert apart > 2 * Y.reshape(3, 10, 2).std(axis=1).max()
