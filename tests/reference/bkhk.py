"""Algorithm 1 of ulge and fsc, as printed."""

import numpy as np


def balanced_two_means(X, kappa, c1, c2, max_iter=100):
    """Eq. 12-16: the kappa smallest e1 - e2 go to the first cluster, ties by row; until the assignment is the same."""
    g = None
    for n_iter in range(1, max_iter + 1):
        e1 = np.array([np.sum((x - c1) ** 2) for x in X])
        e2 = np.array([np.sum((x - c2) ** 2) for x in X])
        before, g = g, np.zeros(len(X), dtype=bool)
        g[np.argsort(e1 - e2, kind="stable")[:kappa]] = True
        if before is not None and (g == before).all():
            break
        c1, c2 = X[g].mean(axis=0), X[~g].mean(axis=0)
    return g, n_iter


def balanced_objective(X, g):
    """The sum of squares that Eq. 12 minimises, at the best centres for an assignment."""
    return sum(np.sum((X[side] - X[side].mean(axis=0)) ** 2) for side in (g, ~g))


def bkhk(X, m, start):
    """Leaf of each row and the leaves' means; start(rows) gives the two first centres of a node."""
    labels = np.empty(len(X), dtype=int)
    anchors = []

    def split(rows, q):
        if q == 1:
            labels[rows] = len(anchors)
            anchors.append(X[rows].mean(axis=0))
            return
        g, _ = balanced_two_means(X[rows], len(rows) * (q // 2) // q, *start(rows))
        split(rows[g], q // 2)
        split(rows[~g], q - q // 2)

    split(np.arange(len(X)), m)
    return labels, np.array(anchors)
