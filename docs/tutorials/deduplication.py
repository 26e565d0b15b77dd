"""
Near-duplicates and a diverse sample
====================================

Embeddings of web pages, captions or images hold many rows that say nearly the same. A model trained on them learns from
these again and again, and a sample of them repeats itself. This tutorial finds such rows, keeps one of each group, and
draws a sample of what remains that covers it well.

To compare all pairs would take too long. `SemDeDup <https://arxiv.org/abs/2303.09540>`_ compares those within clusters
only. The clusters here are the leaves of a balanced tree, :class:`~anchorgraph.BKHK`, so that none is too large. The
example :doc:`/gallery/deduplicate` does the same with a million rows.
"""

# %%
# Embeddings with copies
# ----------------------
#
# 12,000 rows of 32 columns in 60 groups of unlike size. The last 1,200 rows are changed copies of others, each with a
# cosine similarity between 0.9 and 1 to its original.

import matplotlib.pyplot as plt
import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components
from sklearn.preprocessing import normalize

from anchorgraph import BKHK, AnchorMap

rng = np.random.default_rng(0)
n_rows, n_copies, n_cols = 12_000, 1_200, 32
shares = np.arange(1, 61) ** -1.2
group = rng.choice(60, n_rows - n_copies, p=shares / shares.sum())
rows = rng.standard_normal((60, n_cols))[group] + 0.7 * rng.standard_normal((len(group), n_cols))
originals = rng.choice(len(rows), n_copies, replace=False)
changes = rng.standard_normal((n_copies, n_cols))
lengths = rng.uniform(0, 0.48, (n_copies, 1))  # about the tangents of the angles
X = np.vstack([rows, normalize(rows[originals]) + lengths * normalize(changes)]).astype(np.float32)
copies = np.arange(len(rows), n_rows)

# %%
# Pairs within leaves
# -------------------
#
# A tree with leaves of 500 rows; its metric is that of the similarity. All pairs within a leaf are one matrix product,
# n × 500 products in all instead of n × n.


def grow(seed):
    return BKHK(n_rows // 500, metric="cosine", max_samples=512, random_state=seed).fit(X)


def similar_pairs(labels, threshold):
    """Pairs of rows of the same leaf, and their similarities."""
    pairs, values = [], []
    for leaf in range(labels.max() + 1):
        rows = np.flatnonzero(labels == leaf)
        directions = normalize(X[rows])
        similarities = np.triu(directions @ directions.T, 1)
        first, second = np.nonzero(similarities > threshold)
        pairs.append(rows[np.stack([first, second])])
        values.append(similarities[first, second])
    return np.hstack(pairs), np.concatenate(values)


tree = grow(seed=0)
pairs, similarities = similar_pairs(tree.labels_, threshold=0.8)
print(f"{len(similarities):,} pairs with a similarity above 0.8")

# %%
# Pairs that a border parts
# -------------------------
#
# A copy may lie on the other side of one of the planes that the tree divides its rows by. A second tree has other
# planes, the more so with ``max_samples=512``: each plane is found from that many rows of its node, which are others in
# every tree.


def ties_of(trees, threshold):
    """A sparse graph of the pairs of some trees that are more similar than a threshold."""
    pairs = np.hstack([pairs[:, similarities > threshold] for pairs, similarities in trees])
    return sparse.coo_array((np.ones(pairs.shape[1], dtype=bool), tuple(pairs)), shape=(n_rows, n_rows)).tocsr()


trees = [similar_pairs(grow(seed).labels_, threshold=0.8) for seed in range(4)]
truth = np.einsum("ij,ij->i", normalize(X[copies]), normalize(X[originals]))
for n_trees in (1, 2, 4):
    found = ties_of(trees[:n_trees], 0.95)[originals, copies]
    print(f"{n_trees} tree(s): {found[truth > 0.95].mean():.1%} of the copies with a similarity above 0.95")

# %%
# Which threshold?
# ----------------
#
# Rows that pairs lead to, from one to the next, are one group, of which one row is kept. The lower the threshold, the
# more copies are found, and at some point rows that are no copies are dropped as well: here below 0.93. On real
# embeddings, look at some pairs with similarities around the threshold.


def groups_of(ties):
    return connected_components(ties, directed=False)[1]


thresholds = np.linspace(0.82, 0.99, 18)
origin = np.append(np.arange(len(rows)), originals)  # the row that a row is a copy of, or itself
figure, axis = plt.subplots(layout="constrained")
for n_trees, colour in ((1, "C0"), (4, "C1")):
    name, shares, wrong = f"{n_trees} tree{'s' * (n_trees > 1)}", [], []
    for threshold in thresholds:
        groups = groups_of(ties_of(trees[:n_trees], threshold))
        n_groups = groups.max() + 1
        shares.append(np.mean(groups[copies] == groups[originals]))
        wrong.append((np.unique(np.stack([groups, origin]), axis=1).shape[1] - n_groups) / n_rows)
    axis.plot(thresholds, shares, color=colour, label=f"copies found, {name}")
    axis.plot(thresholds, wrong, "--", color=colour, label=f"other rows dropped, {name}")
above = [np.mean(truth > threshold) for threshold in thresholds]
axis.plot(thresholds, above, ":", color="grey", label="copies above the threshold")
axis.set(xlabel="threshold of the cosine similarity", ylabel="share of the copies, or of all rows")
axis.legend(frameon=False)

# %%
# One row of each group
# ---------------------
#
# SemDeDup keeps the row that is farthest from the centre of its cluster: near the centre there are others of its kind.
# It makes little difference, since the rows of a group are nearly the same. What matters more is that chains are groups
# as well: if a is like b and b like c, one of the three is kept, though a and c may be less alike. A high threshold
# makes them short.

groups = groups_of(ties_of(trees, 0.93))
similarity_to_centre = np.einsum("ij,ij->i", normalize(X), normalize(tree.cluster_centers_)[tree.labels_])
order = np.lexsort([similarity_to_centre, groups])
kept = order[np.unique(groups[order], return_index=True)[1]]
print(f"{n_rows - len(kept):,} of {n_rows:,} rows are dropped; the largest group has {np.bincount(groups).max()} rows")

# %%
# A diverse sample
# ----------------
#
# 240 of the rows that are kept: of each of 15 leaves, 16 rows that are as far from each other as can be. Beside them as
# many rows that are drawn uniformly, which lie where most rows do. :doc:`/gallery/plot_diverse_sample` measures the
# difference.


def spread(points, n_drawn):
    """Numbers of some points, each as far as possible from those before."""
    drawn, distances = [0], np.full(len(points), np.inf)
    while len(drawn) < n_drawn:
        distances = np.minimum(distances, np.linalg.norm(points - points[drawn[-1]], axis=1))
        drawn.append(distances.argmax())
    return drawn


directions = normalize(X[kept])
labels = BKHK(15, metric="cosine", random_state=0).fit(directions).labels_
leaves = [np.flatnonzero(labels == leaf) for leaf in range(15)]
samples = {
    "uniform": rng.choice(len(kept), 240, replace=False),
    "by leaves": np.concatenate([rows[spread(directions[rows], 16)] for rows in leaves]),
}
for name, rows in samples.items():
    nearest = (directions @ directions[rows].T).max(axis=1)
    print(f"{name:<10} the least similar 1 % of all rows have a similarity of {np.quantile(nearest, 0.01):.2f} or less")

# %%
# On a map of the rows:

plane = AnchorMap(metric="cosine", random_state=0).fit_transform(X[kept])
figure, axes = plt.subplots(1, 2, figsize=(10, 5), layout="constrained")
for axis, (name, rows) in zip(axes, samples.items(), strict=True):
    axis.scatter(*plane.T, s=1, color="lightgrey", rasterized=True)
    axis.scatter(*plane[rows].T, s=8, color="C1")
    axis.set(title=name, xticks=[], yticks=[], aspect="equal")

# %%
# Where to go from here
# ---------------------
#
# - A million rows: :doc:`/gallery/deduplicate`, with what it finds and how long it takes.
# - All rows in memory: :class:`~anchorgraph.RowGraph` finds the nearest rows of each row, across borders too.
# - Rows in files, larger than memory: ``BKHK(24, metric="cosine").fit("embeddings.npy")`` reads them block by block,
#   and its ``labels_`` say which rows to load together.
