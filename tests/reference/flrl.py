"""Algorithm 1 of flrl, with the graph between all n + m rows and anchors."""

import numpy as np
from scipy.linalg import eigh


def total_scatter(X):
    """S_t over all pairs, for a mean of rows' squares instead of a sum over pairs."""
    n = len(X)
    return sum(np.outer(a - b, a - b) for a in X for b in X) / (2 * n**2)


def weights(Y, Z, k, r):
    """Eq. 7: rows of A for one class, from its rows Y and anchors Z in the subspace."""
    A = np.zeros((len(Y), len(Z)))
    for j, y in enumerate(Y):
        h = np.array([np.sum((y - z) ** 2) for z in Z])
        nearest = np.argsort(h, kind="stable")[:k]
        powers = h[nearest] ** (1 / (1 - r))
        A[j, nearest] = powers / powers.sum()
    return A


def anchors(X, A, r):
    """Eq. 5, in the space of the rows."""
    return np.array([(A[:, h] ** r) @ X / np.sum(A[:, h] ** r) for h in range(A.shape[1])])


def laplacian(parts, n, m, r):
    """L_S = D_S - S of the (n+m)×(n+m) graph; ``parts`` has the rows, the anchors and the weights of each class."""
    S = np.zeros((n + m, n + m))
    for rows, columns, A in parts:
        S[np.ix_(rows, n + columns)] = A**r
        S[np.ix_(n + columns, rows)] = (A**r).T
    return np.diag(S.sum(axis=1)) - S


def smallest_directions(X_hat, L, S_t, q):
    """Eq. 9: the eigenvectors to the q smallest eigenvalues of S_t⁻¹ X̂ L_S X̂ᵀ, with WᵀS_tW = I."""
    values, vectors = eigh(X_hat.T @ L @ X_hat, S_t)
    return values[:q], vectors[:, :q]


def within_scatter(X, y):
    """S_w about the means of the classes, over all pairs of a class, for a mean of rows' squares."""
    S_w = np.zeros((X.shape[1], X.shape[1]))
    for c in np.unique(y):
        own = X[y == c]
        S_w += sum(np.outer(a - b, a - b) for a in own for b in own) / (2 * len(own))
    return S_w / len(X)


def scaled_within(W, S_w):
    """The directions of the subspace of W for which WᵀS_wW = I, those of the smallest S_w relative to S_t first."""
    values, vectors = np.linalg.eigh(W.T @ S_w @ W)
    return np.column_stack([W @ vector / np.sqrt(value) for value, vector in zip(values, vectors.T, strict=True)])


def objective(X, parts, Z_hat, W, r):
    """Eq. 3."""
    return sum(
        A[a, b] ** r * np.sum((W.T @ X[j] - W.T @ Z_hat[h]) ** 2)
        for rows, columns, A in parts
        for a, j in enumerate(rows)
        for b, h in enumerate(columns)
    )


def rounds(X, y, Z_hat, owner, q, k, r, n_rounds):
    """W of each round, A and the anchors that it follows from, and the objective after each step of the round.

    The start is A by Eq. 7 in the space of the rows from anchors with their classes ``owner``, and anchors by Eq. 5.
    """
    n, m = len(X), len(Z_hat)
    S_t = total_scatter(X)
    classes = [(np.flatnonzero(y == c), np.flatnonzero(owner == c)) for c in np.unique(y)]
    W = np.eye(X.shape[1])
    Z_hat = Z_hat.copy()
    history = []

    def updated():
        parts = [(rows, cols, weights(X[rows] @ W, Z_hat[cols] @ W, min(k, len(cols)), r)) for rows, cols in classes]
        after_a = objective(X, parts, Z_hat, W, r)
        for rows, cols, A in parts:
            Z_hat[cols] = anchors(X[rows], A, r)
        return parts, after_a, objective(X, parts, Z_hat, W, r)

    parts, _, _ = updated()
    for _ in range(n_rounds):
        L = laplacian(parts, n, m, r)
        _, W = smallest_directions(np.vstack([X, Z_hat]), L, S_t, q)
        after_w = objective(X, parts, Z_hat, W, r)
        used = [A for _, _, A in parts], Z_hat.copy()
        parts, after_a, after_z = updated()
        history.append((W, *used, (after_w, after_a, after_z)))
    return history
