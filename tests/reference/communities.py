"""Communities of nearest rows (Blondel et al. 2008, Reichardt and Bornholdt 2006): pair by pair, and move by move."""

import numpy as np


def distance(x, y):
    return np.sqrt(np.sum((x.astype(np.float64) - y.astype(np.float64)) ** 2))


def nearest(rows, X, k, own=None):
    """For each row, the k nearest rows of X by all distances, ties by number; ``own`` are not their own neighbours."""
    neighbors, distances = [], []
    for i, row in enumerate(rows):
        h = [distance(row, x) for x in X]
        others = sorted((j for j in range(len(X)) if own is None or own[i] != j), key=lambda j: (h[j], j))[:k]
        neighbors.append(others)
        distances.append([h[j] for j in others])
    return np.array(neighbors), np.array(distances)


def nearest_rows(X, k):
    return nearest(X, X, k, own=np.arange(len(X)))


def ties(neighbors, kind):
    """The dense graph of weights one."""
    n = len(neighbors)
    W = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            one, other = j in neighbors[i], i in neighbors[j]
            W[i, j] = {"directed": one, "mutual": one and other, "union": one or other}[kind]
    return W


def fuzzy_weights(h):
    """One row's weights by the bisection of UMAP for n_neighbors = k + 1: h are the distances to its k nearest rows."""
    rho = min((value for value in h if value > 0), default=0.0)

    def weights(sigma):
        return [np.exp(-(value - rho) / sigma) if value > rho else 1.0 for value in h]

    low, high, sigma = 0.0, np.inf, 1.0
    for _ in range(100):
        if sum(weights(sigma)) > np.log2(len(h) + 1):
            high = sigma
            sigma = (low + high) / 2
        else:
            low = sigma
            sigma = 2 * sigma if high == np.inf else (low + high) / 2
    return weights(max(sigma, 1e-3 * sum(h) / (len(h) + 1)))


def fuzzy(neighbors, distances):
    n = len(neighbors)
    A = np.zeros((n, n))
    for i in range(n):
        A[i, neighbors[i]] = fuzzy_weights(distances[i])
    return A + A.T - A * A.T


def reciprocal_ties(neighbors, distances):
    """Ties whose weights follow the share of ties that are mutual, pair by pair, in multiples of 1/1024."""
    n, k = neighbors.shape
    r = sum(i in neighbors[j] for i in range(n) for j in neighbors[i]) / (n * k)
    p = min(1, max(0, (0.75 - r) / (0.75 - 0.65)))
    s = p * (1 - r)
    A, nearest = np.zeros((n, n)), np.zeros((n, n))
    for i in range(n):
        for rank, (j, a) in enumerate(zip(neighbors[i], fuzzy_weights(distances[i]), strict=True)):
            A[i, j] = a**p
            nearest[i, j] = (1 - p) * a**p if rank < 2 else 0
    W = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            either = A[i, j] + A[j, i] - A[i, j] * A[j, i]
            w = s * either + (1 - s) * A[i, j] * A[j, i]
            W[i, j] = round(1024 * max(w, nearest[i, j], nearest[j, i])) / 1024
    return W


def modularity(W, labels, gamma=1.0):
    """Q = 1/t Σ_ij (w_ij - γ d_i d_j / t) [c_i = c_j]."""
    d, t = W.sum(axis=1), W.sum()
    n = len(W)
    return sum(W[i, j] - gamma * d[i] * d[j] / t for i in range(n) for j in range(n) if labels[i] == labels[j]) / t


def quick_modularity(W, labels, gamma=1.0):
    """The same, by matrices: for thousands of trial moves."""
    d, t = W.sum(axis=1), W.sum()
    same = np.equal.outer(labels, labels)
    return np.sum((W - gamma * np.outer(d, d) / t)[same]) / t


def move_one_by_one(W, labels, gamma):
    """Each node in turn to the community where modularity is largest, until none moves."""
    labels = np.array(labels)
    moved = True
    while moved:
        moved = False
        for i in range(len(W)):
            best, target = quick_modularity(W, labels, gamma), labels[i]
            for c in np.unique(labels[W[i] > 0]):
                trial = labels.copy()
                trial[i] = c
                value = quick_modularity(W, trial, gamma)
                if value > best + 1e-12:
                    best, target = value, c
            moved = moved or target != labels[i]
            labels[i] = target
    return labels


def aggregated(W, labels):
    """The graph of the communities, with what lies within them on the diagonal."""
    names = sorted(set(labels))
    S = np.zeros((len(names), len(names)))
    for i in range(len(W)):
        for j in range(len(W)):
            S[names.index(labels[i]), names.index(labels[j])] += W[i, j]
    return S


def louvain(W, gamma=1.0):
    """Moves one by one on each level, until nothing moves."""
    labels, level = np.arange(len(W)), W
    while True:
        communities = np.unique(move_one_by_one(level, np.arange(len(level)), gamma), return_inverse=True)[1]
        labels = communities[labels]
        if communities.max() + 1 == len(level):
            return labels
        level = aggregated(level, communities)


def merge_greedily(W, labels, n_clusters, gamma):
    """The two clusters whose union has the largest modularity become one; None ends when modularity would fall."""
    labels = np.array(labels)
    while len(set(labels)) > (n_clusters or 1):
        trials = []
        for a in set(labels):
            for b in set(labels):
                if a < b:
                    merged = np.where(labels == b, a, labels)
                    trials.append((quick_modularity(W, merged, gamma), merged))
        best, merged = max(trials, key=lambda trial: trial[0])
        if n_clusters is None and best <= quick_modularity(W, labels, gamma):
            break
        labels = merged
    return labels


def cut_value(W, labels, sizes):
    """(1 + 1/20s) Σ_c (v_c - w_c + 1) / v_c, with s the smallest cluster relative to n/c; specks do not count."""
    clusters, n = sorted(set(labels)), sum(sizes)
    s = min(sum(sizes[i] for i in range(len(W)) if labels[i] == c) for c in clusters) / (n / len(clusters))
    if s < 0.03:
        return np.inf
    total = 0.0
    for c in clusters:
        own = [i for i in range(len(W)) if labels[i] == c]
        volume = sum(W[i, j] for i in own for j in range(len(W)))
        within = sum(W[i, j] for i in own for j in own)
        total += (volume - within + 1) / volume
    return (1 + 0.05 / s) * total


def memberships(W, labels, n_clusters):
    """Where four steps of a random walk end; the own cluster just ahead of others; without shares below 1/1000."""
    P = np.diag(1 / W.sum(axis=1)) @ W
    shares = P @ P @ P @ P @ np.eye(n_clusters)[labels]
    for i in range(len(W)):
        shares[i, labels[i]] = max(shares[i, labels[i]], (1 + 1e-6) * shares[i].max())
        shares[i, shares[i] < 1e-3] = 0
        shares[i] /= shares[i].sum()
    return shares


def settle(W, labels, n_clusters):
    """Each node in the cluster where four steps of a random walk end most often; no cluster becomes empty."""
    P = np.diag(1 / W.sum(axis=1)) @ W
    shares = P @ P @ P @ P @ np.eye(n_clusters)[labels]
    settled = [
        row.argmax() if row.max() > (1 + 1e-6) * row[own] else own for row, own in zip(shares, labels, strict=True)
    ]
    while set(settled) != set(labels):
        settled = [new if own in settled else own for own, new in zip(labels, settled, strict=True)]
    return np.array(settled)


def vote(shares, neighbors, distances):
    """The mean of the neighbours, the r-th nearest with weight 1/√r; of equal rows alone, if there are any.

    They are those at distance zero or, if there are none, those that are equal up to rounding.
    """
    found = []
    for near, h in zip(neighbors, distances, strict=True):
        weights = [1 / np.sqrt(r) for r in range(1, len(near) + 1)]
        limit = 1e-6 * max(h) if min(h) > 0 else 0
        if min(h) <= limit:
            weights = [float(value <= limit) for value in h]
        found.append(sum(w * shares[j] for w, j in zip(weights, near, strict=True)) / sum(weights))
    return np.array(found)


def shares_of_mutual_ties(X, numbers, k):
    """For each number of leading columns, how many of the ties to the k nearest different rows go both ways."""
    shares = {}
    for number in numbers:
        rows = np.unique(X[:, :number], axis=0).astype(np.float64)
        pairs = set()
        for i, row in enumerate(rows):
            h = np.square(rows - row).sum(axis=1)
            h[i] = np.inf
            pairs |= {(i, j) for j in np.argsort(h, kind="stable")[: min(k, len(rows) - 1)].tolist()}
        shares[number] = np.mean([(j, i) in pairs for i, j in pairs]) if pairs else 0.0
    return shares
