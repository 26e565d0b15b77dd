"""Literal steps of a map: forces between all pairs, votes row by row, places point by point."""

import numpy as np


def closeness(a, b):
    return 1 / (1 + sum((x - y) ** 2 for x, y in zip(a, b, strict=True)))


def repulsion(Y):
    """Z, and the force on each point."""
    n, p = Y.shape
    total, forces = 0.0, np.zeros((n, p))
    for i in range(n):
        for j in range(n):
            if i != j:
                q = closeness(Y[i], Y[j])
                total += q
                forces[i] += q**2 * (Y[i] - Y[j])
    return total, forces


def attraction(Y, W):
    """The mean q of ties, and the force on each point; the weights sum to the number of points."""
    n, p = Y.shape
    weights = W * n / W.sum()
    mean, forces = 0.0, np.zeros((n, p))
    for i in range(n):
        for j in range(n):
            q = closeness(Y[i], Y[j])
            mean += weights[i, j] * q / n
            forces[i] += weights[i, j] * q * (Y[j] - Y[i])
    return mean, forces


def follow(rho, mean, total, W):
    """ρ after a step: towards a mean q of ties of 0.83, unless points without ties are close."""
    n = len(W)
    of_others = max(total - mean * np.count_nonzero(W), 0) / n**2
    change = min(0.3 * (0.83 - mean), 0.9 * (0.05 - of_others))
    return min(4.0, max(0.4, rho * np.exp(change)))


def steps(Y, W, n_steps, rho, next_rho=None):
    """Positions after some steps, and ρ."""
    n = len(Y)
    velocity = np.zeros_like(Y)
    degrees = (W * n / W.sum()).sum(axis=1)
    for _ in range(n_steps):
        mean, pull = attraction(Y, W)
        total, push = repulsion(Y)
        if next_rho is not None:
            rho = next_rho(rho, mean, total, W)
        for i in range(n):
            velocity[i] = 0.8 * velocity[i] + (pull[i] + n / (rho * total) * push[i]) / max(1.0, degrees[i])
        Y = Y + velocity
    return Y - Y.mean(axis=0), rho


def vote(W, group_of, n_groups):
    """Each row's group with most ties, divided by the root of its size; of equal ones, the last."""
    elected = []
    for i, own in enumerate(group_of):
        votes = np.zeros(n_groups)
        votes[own] = 1
        for j, weight in enumerate(W[i]):
            votes[group_of[j]] += weight
        sizes = [max(sum(g == group for g in group_of), 1) for group in range(n_groups)]
        scores = [v / np.sqrt(size) for v, size in zip(votes, sizes, strict=True)]
        elected.append(max(range(n_groups), key=lambda group: (scores[group], group)))
    return elected


def place(points, weights, n_steps=5):
    """The place of one row among the points that it is tied to."""
    density = [sum(w * closeness(a, b) for b, w in zip(points, weights, strict=True)) for a in points]
    y = points[int(np.argmax(density))]
    for _ in range(n_steps):
        pull = [w * closeness(y, point) for point, w in zip(points, weights, strict=True)]
        y = sum(f * point for f, point in zip(pull, points, strict=True)) / sum(pull)
    return y


def strongest(gram, n_kept):
    """Ties that are among the strongest of one of both anchors."""
    m = len(gram)
    kept = np.zeros_like(gram)
    for i in range(m):
        others = sorted((j for j in range(m) if j != i and gram[i, j] > 0), key=lambda j: (-gram[i, j], j))
        for j in others[:n_kept]:
            kept[i, j] = kept[j, i] = gram[i, j]
    return kept
