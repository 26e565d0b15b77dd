"""What ongr says of its problem: Proposition 1, and that Eq. 7 becomes Eq. 6 for a large λ."""

from itertools import product

import numpy as np
import pytest

from anchorgraph import AnchorGraph
from anchorgraph.labels import STARTS, random_start
from anchorgraph.spectrum import anchor_gram, anchor_spectrum, with_trivial
from anchorgraph.table import as_table
from reference import graph as literal_graph
from reference import ongr as literal

N_CLUSTERS = 4


def prepared(X):
    """The n×n graph, and the F of two starts."""
    Z = AnchorGraph(30, random_state=0).fit_transform(X)
    gram, degrees = anchor_gram(as_table(Z))
    anchor_map = with_trivial(anchor_spectrum(gram, degrees, N_CLUSTERS - 1), len(X)).anchor_map
    starts = {"qr": anchor_map @ STARTS["qr"](as_table(Z @ anchor_map), 0), "random": random_start(gram, anchor_map, 0)}
    return literal_graph.similarity(Z.toarray()), {name: Z @ start for name, start in starts.items()}


def settled(W, F, lam, n_rounds=200):
    """F and G after many rounds."""
    for _ in range(n_rounds):
        F = literal.update_f(W, np.maximum((W @ F + lam * F) / (1 + lam), 0), lam)
    return F, np.maximum((W @ F + lam * F) / (1 + lam), 0)


def eq_6(W, F):
    return np.sum((W - F @ F.T) ** 2)


def indicators(labels):
    """The F of Eq. 1 for degrees of one: orthonormal and nonnegative."""
    F = np.eye(max(labels) + 1)[list(labels)]
    return F / np.sqrt(F.sum(axis=0))


def test_proposition_1_the_cut_and_the_reconstruction_differ_by_a_constant():
    """For W doubly stochastic, ``‖W - FFᵀ‖² = 2 Tr FᵀLF + ‖W‖² - c`` for each orthonormal F: Eq. 5 and 6 are one."""
    rng = np.random.default_rng(0)
    Z = rng.random((8, 4)) ** 4
    W = literal_graph.similarity(Z / Z.sum(axis=1, keepdims=True))
    np.testing.assert_allclose(W.sum(axis=0), 1)
    L = np.eye(8) - W
    partitions = [labels for labels in product(range(2), repeat=8) if labels[0] == 0 and any(labels)]
    cuts = np.array([np.trace(indicators(p).T @ L @ indicators(p)) for p in partitions])
    reconstructions = np.array([eq_6(W, indicators(p)) for p in partitions])
    np.testing.assert_allclose(reconstructions, 2 * cuts + np.sum(W**2) - 2)
    assert partitions[cuts.argmin()] == partitions[reconstructions.argmin()]
    weights = rng.random((8, 1)) * indicators(partitions[5])  # any positive entries, not only equal ones
    F = weights / np.linalg.norm(weights, axis=0)
    np.testing.assert_allclose(eq_6(W, F), 2 * np.trace(F.T @ L @ F) + np.sum(W**2) - 2)


def test_proposition_1_needs_a_doubly_stochastic_graph():
    W = np.array([[0.0, 5, 1, 0], [5, 0, 0, 1], [1, 0, 0, 1], [0, 1, 1, 0]])
    L = np.diag(W.sum(axis=0)) - W
    partitions = [indicators(p) for p in [(0, 1, 1, 1), (0, 0, 1, 1), (0, 1, 0, 1)]]
    constants = [eq_6(W, F) - 2 * np.trace(F.T @ L @ F) for F in partitions]
    assert np.ptp(constants) > 1


@pytest.mark.parametrize("lam", [1e-3, 1.0, 1e6])
def test_where_f_is_g_eq_7_is_eq_6_for_any_lam(lam):
    rng = np.random.default_rng(0)
    W, F = rng.random((8, 8)), indicators((0, 1, 1, 0, 2, 2, 1, 0))
    np.testing.assert_allclose(literal.objective(W, F, F, lam), eq_6(W, F))


def test_a_larger_lam_brings_f_and_g_together_and_eq_7_near_eq_6(digits):
    W, starts = prepared(digits[:150])
    apart, between = [], []
    for lam in (0.1, 1.0, 10.0, 100.0):
        F, G = settled(W, starts["qr"], lam)
        apart.append(np.sum((F - G) ** 2))
        between.append(abs(literal.objective(W, F, G, lam) - eq_6(W, G)) / eq_6(W, G))
    assert (np.diff(apart) < 0).all()
    assert apart[-1] < apart[0] / 100
    assert between[-1] < 0.01


def test_separate_groups_reach_eq_6_with_any_lam():
    """F = G is reached, whatever λ is, if the start is near indicators."""
    rng = np.random.default_rng(0)
    X = 20 * np.eye(N_CLUSTERS)[np.arange(120) % N_CLUSTERS] + rng.standard_normal((120, N_CLUSTERS))
    W, starts = prepared(X)
    for lam in (1e-3, 1.0, 1e4):
        F, G = settled(W, starts["qr"], lam, 50)
        np.testing.assert_allclose(F, G, atol=1e-6)
        np.testing.assert_allclose(literal.objective(W, F, G, lam), eq_6(W, G), rtol=1e-6)


def test_a_large_lam_does_not_solve_eq_6(digits):
    """Then W counts for 1/λ in a round: F and G meet near the start, wherever that is, and Eq. 6 stays large."""
    W, starts = prepared(digits[:150])
    small, large = (settled(W, starts["random"], lam) for lam in (1.0, 1e4))
    assert np.sum((large[0] - large[1]) ** 2) < np.sum((small[0] - small[1]) ** 2) / 100
    assert eq_6(W, large[1]) > 1.5 * eq_6(W, small[1])
    kept_small, kept_large = (np.mean(G.argmax(axis=1) == starts["random"].argmax(axis=1)) for _, G in (small, large))
    assert kept_large > 0.8 > kept_small
