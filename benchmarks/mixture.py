"""A mixture of Gaussian clusters of unequal size, width and shape, in memory."""

import numpy as np

BLOCK_ROWS = 2**16
SPREAD = 0.8
"""Standard deviation of the centres along each column; that of rows around their centre is about one."""


def unequal_gaussians(n_rows, n_cols, n_clusters, seed=0):
    """Rows in float32 and their clusters; the first rows are the same for any number of rows.

    The largest of 100 clusters has about 20 times as many rows as the smallest; clusters are wide along a few
    directions of their own and narrow along the others.
    """
    rng = np.random.default_rng(seed)
    shares = rng.dirichlet(np.full(n_clusters, 3.0))
    centres = SPREAD * rng.standard_normal((n_clusters, n_cols), dtype=np.float32)
    lengths = 1 / np.sqrt(np.arange(1, n_cols + 1, dtype=np.float32))
    lengths *= np.sqrt(n_cols / np.sum(lengths**2))
    widths = rng.uniform(0.7, 1.3, n_clusters).astype(np.float32)
    turns = rng.standard_normal((n_clusters, n_cols, n_cols), dtype=np.float32) / np.float32(np.sqrt(n_cols))
    X, y = np.empty((n_rows, n_cols), np.float32), np.empty(n_rows, np.intp)
    for number, start in enumerate(range(0, n_rows, BLOCK_ROWS)):
        rng, size = np.random.default_rng([seed, number]), min(BLOCK_ROWS, n_rows - start)
        own = rng.choice(n_clusters, BLOCK_ROWS, p=shares)[:size]
        noise = rng.standard_normal((BLOCK_ROWS, n_cols), dtype=np.float32)[:size] * lengths
        for cluster in range(n_clusters):
            rows = np.flatnonzero(own == cluster)
            X[start + rows] = centres[cluster] + widths[cluster] * noise[rows] @ turns[cluster]
        y[start : start + size] = own
    return X, y
