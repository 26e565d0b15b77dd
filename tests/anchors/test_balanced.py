import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from anchorgraph.anchors import grow_bkhk, nodes
from anchorgraph.anchors.balanced import cut, first_halves, halves_of_sample, two_means
from anchorgraph.table import as_table
from reference.bkhk import balanced_objective, balanced_two_means


def whole(X):
    """All rows of X as one node."""
    table = as_table(X)
    return nodes.nodes_of(table, np.arange(table.n_rows)[np.newaxis], np.zeros(table.n_cols, table.dtype))


def rounds_from(node, n_left, c1, c2, **options):
    """Balanced 2-means from two centres: the halves that they make, then rounds."""
    halves = cut(node, n_left, (c2 - c1)[np.newaxis])
    return two_means(node, n_left, halves.is_left, **{"max_iter": 100, "tol": 0} | options)


def halves_of(node, n_left, rngs, **options):
    """Balanced 2-means from its own start."""
    options = {"max_iter": 50, "tol": 0} | options
    return two_means(node, n_left, first_halves(node, n_left, rngs, options["max_iter"]), **options)


FORMS = {"stack": {}, "held": {"LAZY_BYTES": 1}, "chunks": {"LAZY_BYTES": 1, "HELD_BYTES": 0}}


@pytest.fixture(params=FORMS)
def node_form(request, monkeypatch):
    """Each of the three ways in which a node's rows are kept."""
    for name, value in FORMS[request.param].items():
        monkeypatch.setattr(nodes, name, value)


def test_four_points_on_a_line_by_hand():
    """0, 1, 10, 30 with three on the left: from the centres 0 and 1 the last row goes right, and stays there."""
    node = whole(np.array([[0.0], [1.0], [10.0], [30.0]]))
    halves = rounds_from(node, 3, np.array([0.0]), np.array([1.0]))
    assert halves.is_left.tolist() == [[True, True, True, False]]
    assert halves.thresholds.tolist() == [20]
    assert halves.n_iter == 1


@pytest.mark.usefixtures("node_form")
@pytest.mark.parametrize("store", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("n_left", [100, 37, 1, 199])
def test_same_halves_as_the_reference_from_the_same_start(blobs, store, n_left):
    c1, c2 = blobs[0], blobs[1]
    g, n_iter = balanced_two_means(blobs, n_left, c1, c2)
    halves = rounds_from(whole(store(blobs)), n_left, c1, c2)
    np.testing.assert_array_equal(halves.is_left[0], g)
    assert halves.n_iter == n_iter - 1  # the reference counts the first assignment as a round


@pytest.mark.usefixtures("node_form")
def test_every_round_lowers_the_objective(blobs):
    node, sideways = whole(blobs), np.eye(8)[0]
    placed = cut(node, 90, sideways[np.newaxis])
    rounds = [rounds_from(node, 90, -sideways, sideways, max_iter=n) for n in range(1, 12)]
    objectives = [balanced_objective(blobs, halves.is_left[0]) for halves in (placed, *rounds)]
    assert all(after <= before + 1e-9 for before, after in itertools.pairwise(objectives))
    assert objectives[-1] < objectives[0]


@pytest.mark.usefixtures("node_form")
def test_the_threshold_parts_the_scores(blobs):
    halves = rounds_from(whole(blobs), 80, blobs[0], blobs[1])
    scores = blobs @ halves.directions[0]
    np.testing.assert_array_equal(scores <= halves.thresholds[0], halves.is_left[0])


@pytest.mark.parametrize("tol", [0.0, 0.1])
def test_a_stack_splits_like_its_nodes_alone(digits, tol):
    """Also when some nodes of the stack are done before others."""
    index = np.random.default_rng(0).permutation(1600).reshape(16, 100)
    table, centre = as_table(digits), np.zeros(64)
    rngs = [np.random.default_rng(i) for i in range(16)]
    together = halves_of(nodes.nodes_of(table, index, centre), 50, rngs, tol=tol)
    for i in range(16):
        alone = halves_of(nodes.nodes_of(table, index[[i]], centre), 50, [np.random.default_rng(i)], tol=tol)
        np.testing.assert_array_equal(together.is_left[i], alone.is_left[0])
        np.testing.assert_allclose(together.directions[i], alone.directions[0], atol=1e-12)


@settings(max_examples=40)
@given(st.integers(2, 40), st.integers(0, 10**6), st.data())
def test_halves_have_the_size_asked_for_whatever_the_ties(n, seed, data):
    n_left = data.draw(st.integers(1, n - 1))
    X = np.random.default_rng(seed).integers(0, 3, (n, 2)).astype(float)
    halves = halves_of(whole(X), n_left, [np.random.default_rng(seed)])
    assert halves.is_left.sum() == n_left


def test_the_centres_of_a_sample_are_nearly_as_good(digits):
    node = whole(digits)
    sampled = halves_of_sample(node, 900, [np.random.default_rng(0)], 200, 100, 0)
    assert sampled.is_left.shape == (1, 200)
    assert sampled.is_left.sum() == 100
    placed = cut(node, 900, sampled.directions).is_left[0]
    full = halves_of(node, 900, [np.random.default_rng(0)], max_iter=100).is_left[0]
    assert placed.sum() == 900
    assert balanced_objective(digits, placed) < 1.02 * balanced_objective(digits, full)


def test_a_sample_of_equal_rows_does_not_part_a_node_by_row_number():
    rows = np.repeat([[0.0, 0], [9, 9], [0, 0], [9, 9]], 10, axis=0)
    for seed in range(8):  # of two sampled rows both are equal in about every other
        labels = grow_bkhk(as_table(rows), 2, seed=seed, max_samples=2).labels
        assert len(set(labels[rows[:, 0] == 0])) == 1


@pytest.mark.parametrize("n_chosen", [3, 60])
def test_weighted_sums_of_a_stack(n_chosen):
    """A few rows are taken, of many all are multiplied; the weights are any numbers."""
    rng = np.random.default_rng(0)
    rows, weights = rng.standard_normal((4, 20, 3)), np.zeros(80)
    weights[rng.permutation(80)[:n_chosen]] = rng.uniform(2, 3, n_chosen)
    weights = weights.reshape(4, 20)
    found = nodes.NodeStack(rows).weighted_sum(weights)
    np.testing.assert_allclose(found, np.einsum("bn,bnd->bd", weights, rows), atol=1e-12)


def test_a_node_is_large_beyond_the_memory_that_it_may_take(monkeypatch):
    monkeypatch.setattr(nodes, "HELD_BYTES", 8 * 4 * 100)
    table = as_table(np.zeros((200, 4)))
    assert not nodes.is_large(table, 100)
    assert nodes.is_large(table, 101)


def test_after_a_small_turn_few_rows_are_read_again():
    """Those near the cut; all others stay on their side."""
    rows, read = np.random.default_rng(0).standard_normal((2000, 2)), []
    node = nodes.NodeRows(lambda part: read.append(part) or rows[part], rows.shape, rows.dtype, 16, 2000)
    scores = node.scores(1000)
    scores.along(np.array([[1.0, 0]]))
    read.clear()
    direction = np.array([[np.cos(0.01), np.sin(0.01)]])
    found = scores.along(direction)[0]
    assert 0 < sum(map(len, read)) < 100
    np.testing.assert_array_equal(np.argsort(found)[:1000].sum(), np.argsort(rows @ direction[0])[:1000].sum())
