"""Equations 22 to 24 of ulge, as printed, with the n×n matrices that the paper writes."""

import numpy as np


def centring(n):
    return np.eye(n) - np.ones((n, n)) / n


def ridge_regression(X, F, alpha):
    """Eq. 23: the minimiser of ‖HXW - F‖² + α‖W‖²."""
    H = centring(len(X))
    return np.linalg.inv(X.T @ H @ X + alpha * np.eye(X.shape[1])) @ X.T @ H @ F


def ridge_lpp(X, A, alpha, p):
    """Eq. 22: the leading eigenvectors of (XᵀHX + αI)⁻¹ XᵀHAHX."""
    H = centring(len(X))
    values, vectors = np.linalg.eig(
        np.linalg.inv(X.T @ H @ X + alpha * np.eye(X.shape[1])) @ (X.T @ H @ A @ H @ X),
    )
    return vectors[:, np.argsort(-values.real)[:p]].real


def orthogonal(W):
    """Lemma 5: the left singular vectors of W."""
    return np.linalg.svd(W, full_matrices=False)[0]
