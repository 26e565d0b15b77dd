"""LADA, ADA and ALLDA with loops over all pairs of a class."""

import numpy as np
from scipy.linalg import eigh

from reference.flrl import total_scatter


def inverse_squared(h):
    """LADA: n_c s_ij² with s_ij ∝ 1/h_ij; rows sum to one before they are squared."""
    return (len(h) + 1) * (1 / h / np.sum(1 / h)) ** 2


def gaussian(delta):
    """ADA: s_ij ∝ exp(-h_ij/δ)."""
    return lambda h: np.exp(-h / delta) / np.sum(np.exp(-h / delta))


def nearest(k):
    """ALLDA: the k weights (h_{k+1} - h_j) / Σ (h_{k+1} - h_j')."""

    def weights(h):
        order = np.argsort(h, kind="stable")
        found = np.zeros_like(h)
        gaps = h[order[k]] - h[order[:k]]
        found[order[:k]] = gaps / gaps.sum()
        return found

    return weights


def rounds(X, y, weigh, q, n_rounds):
    """W and the objective after each round; the first weights are those of the rows themselves."""
    S_t, Y, history = total_scatter(X), X, []
    for _ in range(n_rounds):
        M = np.zeros_like(S_t)
        for i in range(len(X)):
            others = [j for j in range(len(X)) if y[j] == y[i] and j != i]
            s = weigh(np.array([np.sum((Y[i] - Y[j]) ** 2) for j in others]))
            for j, weight in zip(others, s, strict=True):
                M += weight * np.outer(X[i] - X[j], X[i] - X[j])
        values, vectors = eigh(M, S_t)
        history.append((vectors[:, :q], values[:q].sum()))
        Y = X @ vectors[:, :q]
    return history
