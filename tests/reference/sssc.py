"""Residuals of SSSC's classes, class by class with the rows themselves."""

import numpy as np


def residuals(X, S, labels, ridge):
    found = np.empty((len(X), labels.max() + 1))
    for i, x in enumerate(X):
        a = np.linalg.inv(S @ S.T + ridge * np.eye(len(S))) @ S @ x
        for c in range(found.shape[1]):
            own = labels == c
            found[i, c] = np.linalg.norm(x - S[own].T @ a[own]) / np.linalg.norm(a[own])
    return found
