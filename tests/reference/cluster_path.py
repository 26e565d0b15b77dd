"""Normalised cut in the dense graph A, and the agreement of two clusterings, pair by pair."""

from itertools import combinations

import numpy as np


def normalised_cut(A, labels, weights=None):
    """The sum over clusters of the weight of their ties to other rows, relative to that of all their ties."""
    w = np.ones(len(A)) if weights is None else weights
    total = 0.0
    for c in set(labels.tolist()):
        inside, outside, everything = labels == c, labels != c, np.ones(len(A), dtype=bool)
        ties = [
            sum(w[i] * A[i, j] * w[j] for i in np.flatnonzero(inside) for j in np.flatnonzero(to))
            for to in (outside, everything)
        ]
        total += ties[0] / ties[1]
    return total


def adjusted_rand_index(a, b):
    """How many pairs of rows are together in both clusterings, from 0 by chance to 1 (Hubert and Arabie 1985)."""
    pairs = list(combinations(range(len(a)), 2))
    both = sum(a[i] == a[j] and b[i] == b[j] for i, j in pairs)
    in_a, in_b = (sum(own[i] == own[j] for i, j in pairs) for own in (a, b))
    by_chance = in_a * in_b / len(pairs)
    most = (in_a + in_b) / 2
    return 1.0 if most == by_chance else (both - by_chance) / (most - by_chance)
