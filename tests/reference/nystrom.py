"""The embedding of spectral clustering by the Nyström method: the one-shot version of Fowlkes et al. (2004)."""

import numpy as np


def kernels(X, S, sigma):
    return np.array([[np.exp(-np.sum((x - s) ** 2) / (2 * sigma**2)) for s in S] for x in X])


def root(matrix, exponent):
    values, vectors = np.linalg.eigh(matrix)
    return vectors @ np.diag(values**exponent) @ vectors.T


def one_shot(X, sample, sigma, p):
    """A between sampled rows, B between these and the others; rows come back in the order of X."""
    rest = np.setdiff1d(np.arange(len(X)), sample)
    A, B = kernels(X[sample], X[sample], sigma), kernels(X[sample], X[rest], sigma)
    d1 = A.sum(axis=1) + B.sum(axis=1)
    d2 = B.sum(axis=0) + B.T @ np.linalg.inv(A) @ B.sum(axis=1)
    d = 1 / np.sqrt(np.concatenate([d1, d2]))
    A = A * np.outer(d[: len(sample)], d[: len(sample)])
    B = B * np.outer(d[: len(sample)], d[len(sample) :])
    A_root = root(A, -0.5)
    U, L, _ = np.linalg.svd(A + A_root @ B @ B.T @ A_root)
    V = np.vstack([A, B.T]) @ A_root @ U @ np.diag(L**-0.5)
    ordered = np.empty_like(V)
    ordered[np.concatenate([sample, rest])] = V
    return ordered[:, :p]
