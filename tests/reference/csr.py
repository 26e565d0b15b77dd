"""Algorithm 1 of csr, from given landmarks."""

import numpy as np

from reference import graph


def landmarks(X, U, t):
    """Step 1: the landmarks after t iterations of k-means from the rows U; one without rows stays where it is."""
    for _ in range(t):
        nearest = np.array([np.argmin([np.sum((x - u) ** 2) for u in U]) for x in X])
        U = np.array([X[nearest == j].mean(axis=0) if (nearest == j).any() else u for j, u in enumerate(U)])
    return U


def compressed_spectral_regression(X, U, sigma, r, c, alpha):
    """Z (Eq. 7), B without its first column (Eq. 8 and 9), and P (Eq. 12); rows are samples."""
    Z = graph.anchor_graph(X, U, r, lambda h, k: graph.gaussian(h, k, sigma))
    D = np.diag(Z.sum(axis=0))
    Z_hat = np.diag(np.diag(D) ** -0.5) @ Z.T
    values, A = np.linalg.eigh(Z_hat @ Z_hat.T)
    largest = np.argsort(-values)[: c + 1]
    B = (np.diag(values[largest] ** -0.5) @ A[:, largest].T @ Z_hat).T[:, 1:]
    P = np.linalg.inv(Z.T @ Z + alpha * np.eye(len(U))) @ Z.T @ B
    return Z, B, P
