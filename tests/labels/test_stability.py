import numpy as np
import pytest

from anchorgraph.labels import random_halves, stability
from reference.cluster_path import adjusted_rand_index

LABELS = np.random.default_rng(0).integers(3, size=30)
HALVES = [rows for rows, _ in random_halves(30, 3, 0)]


def test_clusters_that_are_found_again_are_stable():
    assert stability(LABELS, [(rows, (LABELS[rows] + 1) % 3) for rows in HALVES]) == 1


def test_clusters_that_are_not_found_again_agree_by_chance():
    rng = np.random.default_rng(1)
    halves = [(rows, rng.integers(3, size=len(rows))) for rows, _ in random_halves(3000, 4, 0)]
    assert abs(stability(rng.integers(3, size=3000), halves)) < 0.01


def test_stability_is_the_mean_agreement_pair_by_pair():
    expected = np.mean([adjusted_rand_index(LABELS[rows], rows % 3) for rows in HALVES])
    assert stability(LABELS, [(rows, rows % 3) for rows in HALVES]) == pytest.approx(expected)


@pytest.mark.parametrize(("n", "half"), [(30, 15), (31, 16), (2, 1)])
def test_halves_of_the_rows(n, half):
    for rows, _ in random_halves(n, 4, 0):
        assert len(rows) == half
        assert (np.diff(rows) > 0).all()
        assert rows.max() < n


def test_the_same_seed_gives_the_same_halves():
    def halves(seed, n_halves=3):
        return [(*rows, own) for rows, own in random_halves(30, n_halves, seed)]

    assert halves(1) == halves(1) != halves(2)
    assert halves(1, 2) == halves(1)[:2]
    assert len(set(halves(1))) == 3
