"""Algorithm 1 of csr, from given landmarks."""

import numpy as np

from reference import graph


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
