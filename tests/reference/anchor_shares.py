"""Shares of the clusters around rows of an anchor graph: by the n×n graph of the rows."""

import numpy as np


def shares(Z, labels, own, n_clusters, weights=None, new=None):
    """How often a walk row → anchor → row → anchor → row ends in each cluster; ``own`` labels are a hair ahead.

    ``new`` are the rows of Z that the walk starts from, by default those with ``labels``.
    """
    n, m = Z.shape
    weights = np.ones(n) if weights is None else weights
    degrees = [sum(weights[i] * Z[i, j] for i in range(n)) for j in range(m)]
    Y = np.array([[float(labels[i] == c) for c in range(n_clusters)] for i in range(n)])

    def step(start):
        A = np.zeros((len(start), n))
        for j in range(m):
            if degrees[j] > 0:
                A += np.outer(start[:, j], weights * Z[:, j]) / degrees[j]
        return A

    found = step(Z if new is None else new) @ step(Z) @ Y
    for i, label in enumerate(own):
        found[i, label] = max(found[i, label], found[i].max() * (1 + 1e-6))
    return found / found.sum(axis=1, keepdims=True)
