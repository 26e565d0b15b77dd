"""SSSC's codes by the homotopy of the lasso, and the residuals of its classes, with the rows themselves."""

import numpy as np


def codes(S, penalty, tol, max_steps=100):
    """Each row of S by the others."""
    found = np.zeros((len(S), len(S)))
    for i, x in enumerate(S):
        others = np.delete(np.arange(len(S)), i)
        found[i, others] = homotopy(S[others].T, x, penalty, tol, max_steps)
    return found


def homotopy(A, y, penalty, tol, max_steps):
    """min ½‖y - Ax‖² + λ‖x‖₁, from the penalty at which x = 0 downwards, support by support.

    On a support with signs s, x moves along (A'A)⁻¹s as the penalty ε falls, until a correlation of another column
    reaches ε, an entry of x reaches zero, or ε reaches λ. A step that lowers the objective relatively by no more than
    tol is the last one.
    """
    x, now = np.zeros(A.shape[1]), np.abs(A.T @ y).max()
    support = [int(np.abs(A.T @ y).argmax())]
    before = y @ y / 2
    for _ in range(max_steps):
        c = A.T @ (y - A @ x)
        direction = np.zeros_like(x)
        direction[support] = np.linalg.solve(A[:, support].T @ A[:, support], np.sign(c[support]))
        change = A.T @ A @ direction
        events = [(now - penalty, None)]
        for j in range(len(x)):
            if j in support:
                events += [(-x[j] / direction[j], j)]
            else:
                events += [((now - c[j]) / (1 - change[j]), j), ((now + c[j]) / (1 + change[j]), j)]
        step, j = min((event for event in events if event[0] > 1e-12), key=lambda event: event[0])
        x, now = x + step * direction, now - step
        if j is None:
            return x
        if j in support:
            x[j] = 0
            support.remove(j)
        else:
            support.append(j)
        after = np.sum((y - A @ x) ** 2) / 2 + penalty * np.abs(x).sum()
        if (before - after) / before <= tol:
            return x
        before = after
    return x


def residuals(X, S, labels, ridge):
    found = np.empty((len(X), labels.max() + 1))
    for i, x in enumerate(X):
        a = np.linalg.inv(S @ S.T + ridge * np.eye(len(S))) @ S @ x
        for c in range(found.shape[1]):
            own = labels == c
            found[i, c] = np.linalg.norm(x - S[own].T @ a[own]) / np.linalg.norm(a[own])
    return found
