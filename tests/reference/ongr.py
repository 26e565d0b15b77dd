"""Algorithm 1 of ongr with the n×n graph W, from a given F; its forms with another loss and with sparse G; and Eq. 12
with the bandwidths of rows and anchors."""

import numpy as np

SMALLEST = 1e-4
"""Residuals below this fraction of the length of a column of W are taken for it in the weights."""


def self_tuning(X, U, k):
    """Eq. 12 with ``exp(-h_ij / 2σ_iσ_j)``: mean distances to the k nearest anchors, for anchors to other ones."""

    def nearest(x, points):
        distances = np.array([np.linalg.norm(x - u) for u in points])
        return np.argsort(distances, kind="stable")[:k], np.sort(distances)[:k]

    scales = [np.mean(nearest(U[j], np.delete(U, j, axis=0))[1]) for j in range(len(U))]
    Z = np.zeros((len(X), len(U)))
    for i, x in enumerate(X):
        columns, distances = nearest(x, U)
        for j, distance in zip(columns, distances, strict=True):
            Z[i, j] = np.exp(-(distance**2) / (2 * np.mean(distances) * scales[j]))
        Z[i] /= Z[i].sum()
    return Z


def objective(W, F, G, lam, loss="squared", sparsity=0.0):
    """Eq. 7; or with the norms of the columns of the residual in place of their squares, and the sum of G's entries."""
    lengths = residuals(W, F, G)
    fit = np.sum(lengths**2) if loss == "squared" else np.sum(lengths)
    return fit + lam * np.sum((F - G) ** 2) + sparsity * np.sum(np.abs(G))


def residuals(W, F, G):
    """``‖w_i - F g_i‖`` of each row i."""
    return np.array([np.linalg.norm(W[:, i] - F @ G[i]) for i in range(len(W))])


def row_weights(W, F, G, loss):
    """``1 / 2‖w_i - F g_i‖``, with which a weighted sum of squares touches the sum of norms; 1 for squares."""
    if loss == "squared":
        return np.ones(len(W))
    smallest = SMALLEST * np.linalg.norm(W, axis=0)
    return 1 / (2 * np.maximum(residuals(W, F, G), smallest))


def update_g(W, F, lam, *, w=None, plus="clip", sparsity=0.0):
    """Eq. 9 row by row, with the larger of a number and zero, the minimiser of Eq. 8, or the absolute value."""
    w = np.ones(len(W)) if w is None else w
    WF, G = W @ F, np.zeros_like(F)
    for i in range(len(F)):
        for j in range(F.shape[1]):
            entry = w[i] * WF[i, j] + lam * F[i, j]
            entry = abs(entry) if plus == "abs" else entry
            G[i, j] = max(entry - sparsity / 2, 0) / (w[i] + lam)
    return G


def update_f(W, G, lam, w=None):
    """Eq. 11."""
    w = np.ones(len(W)) if w is None else w
    U, _, Vt = np.linalg.svd(W @ np.diag(w) @ G + lam * G, full_matrices=False)
    return U @ Vt


def rounds(W, F, lam, n_rounds, *, plus="clip", loss="squared", sparsity=0.0):
    """F before, G and the objective after each round, and the objective after F's update.

    The first weights are those of F and of the best G without constraint, WF.
    """
    history, w = [], row_weights(W, F, W @ F, loss)
    for _ in range(n_rounds):
        G = update_g(W, F, lam, w=w, plus=plus, sparsity=sparsity)
        after_g = objective(W, F, G, lam, loss, sparsity)
        w = row_weights(W, F, G, loss)
        following = update_f(W, G, lam, w)
        history.append((F, G, after_g, objective(W, following, G, lam, loss, sparsity)))
        F = following
    return history
