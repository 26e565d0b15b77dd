"""LE, LPP and SR (ulge Eq. 1, 4 and 6) on a graph of nearest rows, pair by pair."""

import numpy as np

from reference.ulge import centring


def neighbor_graph(X, k, sigma):
    n = len(X)
    h = np.array([[np.sum((X[i] - X[j]) ** 2) for j in range(n)] for i in range(n)])
    W = np.zeros((n, n))
    for i in range(n):
        others = sorted((j for j in range(n) if j != i), key=lambda j: h[i, j])
        for j in others[:k]:
            W[i, j] = W[j, i] = np.exp(-h[i, j] / (2 * sigma**2))
    return W


def laplacian_eigenmaps(W, p):
    """Eq. 1: generalised eigenvectors of L y = λ D y, smallest first, with the constant one taken out."""
    d = W.sum(axis=1)
    normalised = np.diag(d**-0.5) @ W @ np.diag(d**-0.5)
    trivial = np.sqrt(d / d.sum())
    values, vectors = np.linalg.eigh(normalised - 2 * np.outer(trivial, trivial))
    return 1 - values[::-1][:p], np.diag(d**-0.5) @ vectors[:, ::-1][:, :p]


def locality_preserving(X, W, alpha, p):
    """Eq. 4 with the ridge on both sides: smallest of (XᵀHDHX + αI)⁻¹ (XᵀHLHX + αI)."""
    H, D = centring(len(X)), np.diag(W.sum(axis=1))
    ridge = alpha * np.eye(X.shape[1])
    values, vectors = np.linalg.eig(
        np.linalg.inv(X.T @ H @ D @ H @ X + ridge) @ (X.T @ H @ (D - W) @ H @ X + ridge),
    )
    return vectors[:, np.argsort(values.real)[:p]].real


def gaussian_kernels(X, Y, sigma):
    return np.array([[np.exp(-np.sum((x - y) ** 2) / (2 * sigma**2)) for y in Y] for x in X])
