"""
Near-duplicates among a million embeddings
==========================================

Pairs of embeddings whose cosine similarity exceeds a threshold, and one row of each group of such pairs: the recipe of
`SemDeDup <https://arxiv.org/abs/2303.09540>`_, with the leaves of a balanced tree in place of the clusters of k-means.
No leaf is larger than the others, so that all pairs within them take n × 1,000 products and no leaf takes longer than
the rest. What the border of a leaf parts, a second tree mostly finds; groups are joined over all trees.

Run it with a million rows: ``python examples/deduplicate.py --rows 1_000_000 --trees 4``. The
:doc:`tutorial </learn/deduplication>` goes through it step by step.
"""

import argparse
import time

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from anchorgraph import BKHK, RowGraph

LEAF_ROWS = 1000
BINS = [(0.95, 0.97), (0.97, 0.99), (0.99, 0.999), (1, 1)]  # of similarities, from and to


def directions_of(X):
    return X / np.linalg.norm(X, axis=1, keepdims=True)


def leaves(X, seed):
    """A balanced tree of the directions of the rows, whose leaves have about 1,000 rows.

    The planes are found from few rows of each node: this is faster, and makes the trees of several seeds differ more.
    """
    return BKHK(max(1, len(X) // LEAF_ROWS), metric="cosine", max_samples=512, random_state=seed).fit(X)


def similar_pairs(X, labels, threshold):
    """(2, p) pairs of rows of the same leaf with a larger cosine similarity than the threshold."""
    order, pairs = np.argsort(labels, kind="stable"), []
    for rows in np.split(order, np.cumsum(np.bincount(labels))[:-1]):
        directions = directions_of(X[rows])
        similar = np.flatnonzero(directions @ directions.T > threshold)  # of all numbers, much faster than of rows
        first, second = np.divmod(similar, len(rows))
        pairs.append(rows[np.stack([first, second])[:, first < second]])
    return np.hstack(pairs)


def groups_of(pairs, n_rows):
    """(n,) the number of the group of each row: the rows that pairs lead to, from one to the next."""
    ties = sparse.coo_array((np.ones(pairs.shape[1], dtype=bool), tuple(pairs)), shape=(n_rows, n_rows))
    return connected_components(ties, directed=False)[1]


def kept_rows(X, groups, tree):
    """One row of each group: the farthest from the centre of its leaf, as SemDeDup keeps it.

    Near the centre there are other rows of its kind; the farthest is the one that would be missed most.
    """
    grouped = np.flatnonzero(np.bincount(groups)[groups] > 1)
    centres = directions_of(tree.cluster_centers_)[tree.labels_[grouped]]
    similarities = np.einsum("ij,ij->i", directions_of(X[grouped]), centres)
    grouped = grouped[np.lexsort([similarities, groups[grouped]])]
    is_dropped = np.diff(groups[grouped], prepend=-1) == 0
    return np.delete(np.arange(len(X)), grouped[is_dropped])


def plant_copies(n_rows, n_cols, seed=0):
    """Embeddings in groups of very unlike size, of which one in twenty is a copy of another row.

    A third of the copies are exact, the others have a cosine similarity from 0.9 to 1 with the original; some rows have
    hundreds of copies, most have none.

    Returns
    -------
    X : (n, d) array
    originals : (n,) integers
        The row that each row is a copy of, or its own number.
    similarities : (n,) floats
        With that row.
    """
    rng = np.random.default_rng(seed)
    n_copies = n_rows // 20
    n_own = n_rows - n_copies
    shares = rng.pareto(1.5, max(10, n_rows // 500)) + 0.2
    centres = rng.standard_normal((len(shares), n_cols), dtype=np.float32)
    X = 0.7 * rng.standard_normal((n_rows, n_cols), dtype=np.float32)
    X[:n_own] += centres[rng.choice(len(shares), n_own, p=shares / shares.sum())]
    originals, similarities = np.arange(n_rows), np.ones(n_rows, dtype=np.float32)
    originals[n_own:] = n_own * rng.random(n_copies) ** 3
    similarities[n_own:] = np.minimum(rng.uniform(0.9, 1.05, n_copies), 1)
    directions, across, cosines = directions_of(X[originals[n_own:]]), X[n_own:], similarities[n_own:, np.newaxis]
    across -= np.einsum("ij,ij->i", directions, across)[:, np.newaxis] * directions
    X[n_own:] = cosines * directions + np.sqrt(1 - cosines**2) * directions_of(across)
    order = rng.permutation(n_rows)
    return X[order], np.argsort(order)[originals[order]], similarities[order]


def judge(name, groups, originals, similarities, threshold, seconds):
    """Print how many copies are in the group of their original, and how many groups were joined without a reason."""
    are_copies = originals != np.arange(len(originals))
    are_found = groups == groups[originals]
    are_near = (similarities > threshold) & (similarities < 1)  # equal copies are easy
    wrong = np.unique(np.stack([groups, originals]), axis=1).shape[1] - len(np.unique(groups))
    print(
        f"{name:<9} {are_found[are_near].mean():6.1%} of {np.count_nonzero(are_near):,} near copies found, "
        f"{wrong:,} rows joined wrongly, {seconds:.1f} s, {len(groups) / seconds:,.0f} rows per second"
    )
    for low, high in BINS:
        if low >= threshold:
            are_in_bin = are_copies & (similarities >= low) & (similarities <= high)
            print(f"{'':9} {are_found[are_in_bin].mean():6.1%} of {'equal' if low == 1 else f'{low} to {high}'}")


def main():
    parser = argparse.ArgumentParser(description="Find planted near-duplicates by balanced leaves.")
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--columns", type=int, default=64)
    parser.add_argument("--threshold", type=float, default=0.95)
    parser.add_argument("--trees", type=int, default=3)
    options = parser.parse_args()

    X, originals, similarities = plant_copies(options.rows, options.columns)
    first, pairs, seconds = None, [], 0.0
    for seed in range(options.trees):
        start = time.perf_counter()
        tree = leaves(X, seed)
        first = first or tree
        pairs.append(similar_pairs(X, tree.labels_, options.threshold))
        groups = groups_of(np.hstack(pairs), len(X))
        seconds += time.perf_counter() - start
        judge(f"{seed + 1} tree{'s' * (seed > 0)}", groups, originals, similarities, options.threshold, seconds)
    kept = kept_rows(X, groups, first)
    print(f"{len(kept):,} of {len(X):,} rows are kept")

    start = time.perf_counter()
    graph = RowGraph(n_neighbors=2, metric="cosine", random_state=0).fit_transform(X).tocoo()
    near = (graph.data < np.sqrt(2 - 2 * options.threshold)) & (graph.row != graph.col)
    groups = groups_of(np.stack(graph.coords)[:, near], len(X))
    judge("RowGraph", groups, originals, similarities, options.threshold, time.perf_counter() - start)


if __name__ == "__main__":
    main()
