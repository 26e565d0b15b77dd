"""Rows of Z and the similarity A, entry by entry (ulge Eq. 18 and 19, ongr Eq. 12, flrl Eq. 7)."""

import numpy as np


def squared_distances(x, U):
    return np.array([np.sum((x.astype(np.float64) - u.astype(np.float64)) ** 2) for u in U])


def adaptive(h, k):
    denominator = sum(h[k] - h[j] for j in range(k))
    return [(h[k] - h[j]) / denominator if denominator > 0 else 1 / k for j in range(k)]


def gaussian(h, k, sigma):
    kernel = [np.exp(-h[j] / (2 * sigma**2)) for j in range(k)]
    return [value / sum(kernel) for value in kernel]


def gaussian_local(h, k):
    return gaussian(h, k, np.mean(np.sqrt(h[:k])))


def inverse(h, k, r):
    if h[0] == 0:
        coincide = [float(h[j] == 0) for j in range(k)]
        return [value / sum(coincide) for value in coincide]
    powers = [h[j] ** (1 / (1 - r)) for j in range(k)]
    return [value / sum(powers) for value in powers]


def anchor_graph(X, U, k, weights):
    Z = np.zeros((len(X), len(U)))
    for i, x in enumerate(X):
        h = squared_distances(x, U)
        order = np.argsort(h, kind="stable")
        Z[i, order[:k]] = weights(h[order], k)
    return Z


def similarity(Z):
    delta = Z.sum(axis=0)
    used = delta > 0
    return Z[:, used] @ np.diag(1 / delta[used]) @ Z[:, used].T
